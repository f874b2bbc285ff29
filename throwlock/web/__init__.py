"""The pages in browsers: the review of a journal, the phones' pads, second screens, and the server of all of them."""
