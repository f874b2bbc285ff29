"""Filming agreed throws: the steps, the players' consent, each throw, and how the box did."""
