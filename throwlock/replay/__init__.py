"""A match computed from its events: its configuration, the answers that count, its public log."""
