"""A hall's web pages: what the database has for them, and their server."""
