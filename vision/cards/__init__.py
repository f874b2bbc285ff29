"""What lies printed before the camera: markers found, read and never guessed."""
