"""Train the hand-shape classifier from labelled photos and rendered hands, and measure it."""
