"""Access to the review pages."""
