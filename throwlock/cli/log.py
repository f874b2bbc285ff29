"""Logging of the command line: to the terminal, or to systemd's journal where it reads standard error."""

import logging
import os
import sys
from collections.abc import Mapping

from typing_extensions import override

PACKAGES = ("rules", "device", "vision", "ui", "throwlock")
"""The packages whose log messages ``-v`` shows; libraries stay at their warnings."""
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
"""Syslog's number for each level, which systemd takes from a line's beginning: sd-daemon(3)."""


class JournalFormatter(logging.Formatter):
    """One line per message with its priority for systemd, which adds the time itself."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record; those of a traceback get the priority too."""
        prefix = f"<{PRIORITIES.get(record.levelno, 6)}>"
        return "\n".join(prefix + line for line in super().format(record).splitlines())


def configure_logging(verbosity: int, environ: Mapping[str, str] = os.environ) -> None:
    """Log to standard error: warnings only, with ``verbosity`` 1 what happens, with 2 and more the details too."""
    handler = logging.StreamHandler(sys.stderr)
    if "JOURNAL_STREAM" in environ:
        handler.setFormatter(JournalFormatter("%(name)s: %(message)s"))
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    level = {0: logging.WARNING, 1: logging.INFO}.get(verbosity, logging.DEBUG)
    for package in PACKAGES:
        logging.getLogger(package).setLevel(level)
