"""Web pages: the review pages, the phones' pads, the second screen, a hall."""
