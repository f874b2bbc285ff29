"""The application: sessions, matches, the journal, the review pages and the command line."""
