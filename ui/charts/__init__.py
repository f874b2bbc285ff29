"""Timelines and charts as plain data, drawn by the screen, the pages and files."""
