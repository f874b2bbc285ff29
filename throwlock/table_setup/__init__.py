"""What is set up before a match: camera, zones, buttons, lights, sound, names."""
