"""``throwlock odds``."""
