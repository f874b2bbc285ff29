"""Queue of hardware alerts raised by background threads: printed on the terminal at once, and shown on the screen
before the next match or on the home page."""

from collections import deque

import click

from errors import ThrowlockError
from messages import N, capitalise, join
from ui.screen.core.display import Display
from ui.screen.pages.notice import Notice

TITLE = N("Buttons and lights")


class HardwareAlerts:
    """Alerts waiting to be shown."""

    def __init__(self) -> None:
        self._pending = deque[str]()
        self.newest = ""
        """The newest alert that nobody has confirmed since; "" if there is none."""

    def report(self, alert: str | ThrowlockError) -> None:
        """Print an alert and queue it for the screen. Thread-safe."""
        click.echo(str(alert))
        self.newest = alert.text if isinstance(alert, ThrowlockError) else alert
        self._pending.append(self.newest)

    def show(self, display: Display) -> None:
        """Show the queued alerts, if any, until the players confirm them. Raises WindowClosedError."""
        lines = []
        while self._pending:
            lines.append(capitalise(self._pending.popleft()))
        if lines:
            display.ask(Notice(TITLE, join(lines, "\n"), ("go on",)))
            self.newest = ""
