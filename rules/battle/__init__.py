"""Battle: everybody battles everybody."""
