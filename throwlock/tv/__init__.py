"""The second screen: what the touchscreen shows, for a television or a browser."""
