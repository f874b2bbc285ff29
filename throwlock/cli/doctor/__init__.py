"""``throwlock doctor``: checks every part of the box."""
