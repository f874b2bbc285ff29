"""The second screen: what of the touchscreen everybody may see on it, and where it is opened."""
