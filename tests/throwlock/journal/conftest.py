"""Fixtures of the journal's tests."""

from tests.helpers.sqlite_connections import connections

__all__ = ["connections"]
