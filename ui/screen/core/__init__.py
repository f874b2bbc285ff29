"""The window and the displays, and the pages they show."""
