"""The texts of the reveal."""

from messages import N

NO_THROW = N("NO THROW")
