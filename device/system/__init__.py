"""Clock, periodic tasks and the watchdog."""
