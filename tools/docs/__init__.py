"""Generators of documents and drawings."""
