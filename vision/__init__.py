"""Computer vision: what each seat shows in a recording, and when (hands, cards, zones, the lock)."""
