"""The switch of phones and review on the network."""
