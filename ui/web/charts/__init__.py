"""Charts of the review pages."""
