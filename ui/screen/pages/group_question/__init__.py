"""A question that several seats answer together."""
