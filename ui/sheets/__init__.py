"""Sheets to print: decks, class cards, mats and the board, true to the millimetre."""
