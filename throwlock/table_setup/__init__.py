"""Setup before a match: camera, zones, buttons, lights, sound, names."""
