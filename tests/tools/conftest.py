"""The database of the tools for halls."""

from tests.helpers.hall_database import dsn, migrated, postgres

__all__ = ["dsn", "migrated", "postgres"]
