"""The lock: what each hand showed, and when."""
