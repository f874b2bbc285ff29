"""Every page of the screen as a picture."""
