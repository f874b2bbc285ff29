"""The window, the pages it shows, and input from fingers, keys and buttons."""
