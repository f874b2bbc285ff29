"""The games. Pure: no clock, no chance, no input or output, and no import from the other rooms."""
