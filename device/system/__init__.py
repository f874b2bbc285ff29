"""The system: clocks, periodic tasks, watchdog, board, memory, files from elsewhere, and its administration."""
