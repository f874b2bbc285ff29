"""The machine that a benchmark runs on."""

import os


def machine_line() -> str:
    """Return the number of cores and the load average of the last minute, as a sentence. Call it before anything is
    measured: what is measured is a load too."""
    return f"Measured on {os.cpu_count()} cores with a load average of {os.getloadavg()[0]:.1f} at the start."
