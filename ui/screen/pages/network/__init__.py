"""The switch of the review on the network."""
