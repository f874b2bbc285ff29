"""The pads: pages with which phones answer for a seat."""
