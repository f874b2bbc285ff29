"""The review pages: what a browser shows of the matches in a journal."""
