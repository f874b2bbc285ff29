"""Access to the review pages, the pads, second screens and a hall's pages."""
