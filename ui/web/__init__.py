"""The review pages: matches of a journal in a browser."""
