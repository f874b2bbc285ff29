"""The pages of the screen."""
