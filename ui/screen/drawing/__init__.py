"""What every page is drawn with."""
