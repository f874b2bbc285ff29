"""The switch for the review pages on the network: off until somebody switches it on at the touchscreen, then on until
somebody switches it off or Throwlock ends."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from messages import capitalise
from throwlock.journal.file import is_new
from throwlock.journal.journal import Journal, JournalError
from ui.screen.core.display import Display
from ui.screen.pages.history import view as history_view
from ui.screen.pages.network import view as network_view
from ui.screen.pages.network.view import ReviewAddress
from ui.screen.pages.notice.view import Notice

if TYPE_CHECKING:  # imported when switched on: the box starts faster without
    from throwlock.review.server import ReviewServer


class LanSwitch:
    """The switch, a context manager that switches off on exit.

    with LanSwitch(journal) as switch:
        switch.open(display)
    """

    def __init__(self, journal: Path, port: int | None = None) -> None:
        self._journal, self._port = journal, port
        self._server: ReviewServer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.switch_off()

    @property
    def is_on(self) -> bool:
        """Whether the pages are being served to the network."""
        return self._server is not None

    def status(self) -> ReviewAddress | None:
        """Return the current addresses and access code; None while switched off."""
        server = self._server
        code = server.code if server is not None else None
        return (
            None if server is None or code is None else ReviewAddress(server.addresses, code, server.code_rotations > 0)
        )

    def open(self, display: Display) -> None:
        """Show the switch, and any error, until the players go back to the home page. Raises WindowClosedError."""
        from throwlock.review.server import ServerError  # noqa: PLC0415

        while (answer := display.ask(network_view.NetworkSwitch(self.status, self.status()))) != history_view.HOME:
            if answer == network_view.OFF:
                self.switch_off()
                continue
            try:
                if is_new(self._journal):  # nothing was played: class lists can be entered already
                    Journal(self._journal).close()
                self._server = self._start()
            except (JournalError, ServerError) as error:
                display.ask(Notice(network_view.TITLE, capitalise(error.text), (history_view.BACK,)))

    def _start(self) -> "ReviewServer":
        """Start the server on the default port, or on any free one if that is taken. Raises JournalError,
        ServerError."""
        from throwlock.review.server import PORT, ReviewServer, ServerError  # noqa: PLC0415

        server = ReviewServer(self._journal, lan=True, port=PORT if self._port is None else self._port)
        try:
            server.start()
        except ServerError:
            server = ReviewServer(self._journal, lan=True, port=0)
            server.start()
        return server

    def switch_off(self) -> None:
        """Stop serving the pages, if they are served."""
        if self._server is not None:
            self._server.stop()
            self._server = None
