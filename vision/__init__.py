"""Frames in, what each seat shows and when out: hands, zones, the lock."""
