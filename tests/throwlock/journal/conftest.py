"""Fixtures of the journal's tests."""

from sqlite_connections import connections

__all__ = ["connections"]
