"""A notice: a fault or an event, and what to do."""
