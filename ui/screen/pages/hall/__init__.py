"""The hall that the box is part of."""
