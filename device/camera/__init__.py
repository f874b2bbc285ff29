"""Cameras and their frames."""
