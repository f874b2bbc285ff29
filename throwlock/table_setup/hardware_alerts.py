"""What goes wrong with the box's body while people play, as a thread of its own finds it: told on the terminal at once,
and on the screen once, before the next match or at home."""

from collections import deque

import click

from ui.i18n import error_messages
from ui.i18n.language import N, capital, row
from ui.screen.core.display import Display
from ui.screen.pages.views import Notice

TITLE = N("Buttons and lights")


class News:
    """Lines that are still to be shown."""

    def __init__(self) -> None:
        self._lines = deque[str]()

    def tell(self, line: str) -> None:
        """Tell ``line`` on the terminal, and keep it for the screen. From any thread."""
        click.echo(line)
        self._lines.append(line)

    def show(self, display: Display) -> None:
        """Show what was told since, until people have read it; nothing where nothing was. Raises WindowClosedError."""
        lines = []
        while self._lines:
            lines.append(capital(error_messages.told(self._lines.popleft())))
        if lines:
            display.ask(Notice(TITLE, row(lines, "\n"), ("go on",)))
