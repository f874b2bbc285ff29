"""The review pages on the network, switched on and off on the touchscreen: off until somebody touches it, and on until
somebody switches it off or the box's programme ends."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from referee.journal import JournalFault
from ui.faults import told
from ui.language import N, capital
from ui.screen import past, words_past
from ui.screen.display import Display
from ui.screen.past import Served
from ui.screen.views import Notice

if TYPE_CHECKING:  # loaded when people switch it on: a box is ready sooner without
    from referee.review.serving import Review

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
        """Show the switch until people go home; what keeps the pages closed is said on the screen. Raises Closed."""
        from referee.review.serving import ServingFault  # noqa: PLC0415

        while (answer := display.ask(past.Network(self.now, self.now()))) != past.HOME:
            if answer == past.OFF:
                self._off()
                continue
            if not self._journal.exists():
                display.ask(Notice(words_past.NETWORK, NOTHING_YET, (past.BACK,)))
                continue
            try:
                self._review = self._started()
            except (JournalFault, ServingFault) as fault:
                display.ask(Notice(words_past.NETWORK, capital(told(str(fault))), (past.BACK,)))

    def _started(self) -> "Review":
        """The pages on the usual port, or where that is taken on any that is free: the screen says which. Raises
        JournalFault, ServingFault."""
        from referee.review.serving import PORT, Review, ServingFault  # noqa: PLC0415

        review = Review(self._journal, lan=True, port=PORT if self._port is None else self._port)
        try:
            review.start()
        except ServingFault:
            review = Review(self._journal, lan=True, port=0)
            review.start()
        return review

    def _off(self) -> None:
        if self._review is not None:
            self._review.stop()
            self._review = None
