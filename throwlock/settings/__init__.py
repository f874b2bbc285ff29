"""The settings of the box."""
