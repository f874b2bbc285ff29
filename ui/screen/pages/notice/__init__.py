"""A notice: an error or an event, and what to do."""
