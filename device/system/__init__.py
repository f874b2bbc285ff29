"""Clocks, periodic tasks and the watchdog."""
