"""The lock: who showed what, and when."""
