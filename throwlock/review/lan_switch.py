"""The review pages on the network, switched on and off on the touchscreen: off until somebody touches it, and on until
somebody switches it off or the box's programme ends."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from throwlock.journal.journal import JournalError
from ui.i18n.error_messages import told
from ui.i18n.language import N, capital
from ui.screen.core.display import Display
from ui.screen.pages.history import strings as history_strings
from ui.screen.pages.history import view as history_view
from ui.screen.pages.history.view import Served
from ui.screen.pages.views import Notice

if TYPE_CHECKING:  # loaded when people switch it on: a box is ready sooner without
    from throwlock.review.server import Review

NOTHING_YET = N("Nothing has been played yet: there is nothing to look at.")


class Network:
    """The switch. Leaving it as a context switches off.

    with Network(journal) as network:
        network.open(display)
    """

    def __init__(self, journal: Path, port: int | None = None) -> None:
        self._journal, self._port = journal, port
        self._review: Review | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._off()

    @property
    def on(self) -> bool:
        """Whether the pages are open to the network."""
        return self._review is not None

    def now(self) -> Served | None:
        """Where they are found and with which code at this moment; None while they are closed."""
        review = self._review
        code = review.code if review is not None else None
        return None if review is None or code is None else Served(review.addresses, code, review.renewals > 0)

    def open(self, display: Display) -> None:
        """Show the switch until people go home; what keeps the pages closed is said on the screen. Raises
        WindowClosedError."""
        from throwlock.review.server import ServerError  # noqa: PLC0415

        while (answer := display.ask(history_view.Network(self.now, self.now()))) != history_view.HOME:
            if answer == history_view.OFF:
                self._off()
                continue
            if not self._journal.exists():
                display.ask(Notice(history_strings.NETWORK, NOTHING_YET, (history_view.BACK,)))
                continue
            try:
                self._review = self._started()
            except (JournalError, ServerError) as fault:
                display.ask(Notice(history_strings.NETWORK, capital(told(str(fault))), (history_view.BACK,)))

    def _started(self) -> "Review":
        """The pages on the usual port, or where that is taken on any that is free: the screen says which. Raises
        JournalError, ServerError."""
        from throwlock.review.server import PORT, Review, ServerError  # noqa: PLC0415

        review = Review(self._journal, lan=True, port=PORT if self._port is None else self._port)
        try:
            review.start()
        except ServerError:
            review = Review(self._journal, lan=True, port=0)
            review.start()
        return review

    def _off(self) -> None:
        if self._review is not None:
            self._review.stop()
            self._review = None
