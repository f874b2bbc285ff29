"""The page with the QR code of a round's clip."""
