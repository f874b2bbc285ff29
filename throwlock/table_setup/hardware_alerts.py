"""Queue of hardware alerts raised by background threads: printed on the terminal at once, and shown on the screen
before the next match or on the home page."""

from collections import deque

import click

from ui.i18n import error_messages
from ui.i18n.language import N, capitalise, join
from ui.screen.core.display import Display
from ui.screen.pages.notice.view import Notice

TITLE = N("Buttons and lights")


class HardwareAlerts:
    """Alerts waiting to be shown."""

    def __init__(self) -> None:
        self._pending = deque[str]()

    def report(self, line: str) -> None:
        """Print an alert and queue it for the screen. Thread-safe."""
        click.echo(line)
        self._pending.append(line)

    def show(self, display: Display) -> None:
        """Show the queued alerts, if any, until the players confirm them. Raises WindowClosedError."""
        lines = []
        while self._pending:
            lines.append(capitalise(error_messages.translate_error(self._pending.popleft())))
        if lines:
            display.ask(Notice(TITLE, join(lines, "\n"), ("go on",)))
