"""The printed board under the camera: its table, and how moves are read from its images."""
