"""Recordings and pictures from elsewhere, decoded in a process of their own."""
