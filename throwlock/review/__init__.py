"""Reviewing matches: the archive behind the pages, the server, export and import."""
