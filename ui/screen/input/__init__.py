"""Input from fingers, keys and buttons, on any page."""
