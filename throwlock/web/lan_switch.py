"""The switch for the review pages, clips, the phones' pads and second screens on the network: off until somebody
switches it on at the touchscreen, then on until somebody switches it off or Throwlock ends."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from typing_extensions import override

from errors import ThrowlockError
from messages import capitalise
from throwlock.journal.file import is_new
from throwlock.journal.journal import Journal, JournalError
from throwlock.match.clip_sharing import ClipNetwork, ClipSharing
from throwlock.pads.table import PadNetwork, PadTable
from throwlock.settings.model import SettingsError, read_settings
from throwlock.tv.second_screen import SecondScreen
from ui.screen.core.display import Display
from ui.screen.pages import network as network_page
from ui.screen.pages.common import BACK_ANSWER, HOME_ANSWER, JoinAddress
from ui.screen.pages.network import NetworkSwitch, ReviewAddress
from ui.screen.pages.notice import Notice
from ui.screen.pages.second_screen import SecondScreenPage
from ui.screen.pages.take_home import TakeHomeStatus
from ui.screen.views import Page
from ui.web.middleware import HELP_PATH, JOIN_PATH, TV_LOGIN_PATH

if TYPE_CHECKING:  # imported when switched on: the box starts faster without
    from throwlock.web.server import ReviewServer


class LanSwitch(ClipNetwork, PadNetwork):
    """The switch, a context manager that switches off on exit.

    with LanSwitch(journal) as switch:
        switch.open(display)
    """

    def __init__(
        self,
        journal: Path,
        port: int | None = None,
        pads: PadTable | None = None,
        second_screen: SecondScreen | None = None,
        clips: ClipSharing | None = None,
    ) -> None:
        self._journal, self._port = journal, port
        self._pads, self._clips = pads or PadTable(), clips or ClipSharing()
        self._second_screen = second_screen or SecondScreen()
        self._server: ReviewServer | None = None

    def __enter__(self) -> Self:
        self._pads.network = self._clips.network = self
        self._second_screen.joining = self._pads.guests_status
        self._second_screen.guessers = self._pads.best_guessers
        return self

    def __exit__(self, *error: object) -> None:
        self.switch_off()
        self._pads.network = self._clips.network = None

    @property
    def is_on(self) -> bool:
        """Whether the pages are being served to the network."""
        return self._server is not None

    def status(self) -> ReviewAddress | None:
        """Return the current addresses and access code; None while switched off."""
        server = self._server
        code = server.code if server is not None else None
        if server is None or code is None:
            return None
        help_address = next((f"{origin}{HELP_PATH}" for origin in server.addresses), "")
        return ReviewAddress(server.addresses, code, server.code_rotations > 0, self.join_address(), help_address)

    @override
    def join_address(self) -> JoinAddress | None:
        """Without a network, the addresses are empty."""
        server = self._server
        code = server.pad_code if server is not None else None
        if server is None or code is None:
            return None
        return _join_address(server, JOIN_PATH, code)

    def second_screen_address(self) -> JoinAddress | None:
        """Return where second screens are opened; None while they can't be. Without a network, the addresses are
        empty."""
        server = self._server
        code = server.tv_code if server is not None else None
        return None if server is None or code is None else _join_address(server, TV_LOGIN_PATH, code)

    @override
    def second_screen_page(self, back: Page) -> SecondScreenPage:
        viewers = self._second_screen.viewers
        return SecondScreenPage(
            self.second_screen_address, back, self.second_screen_address(), lambda: len(viewers), len(viewers)
        )

    @override
    def share_clip(self, event: int) -> Callable[[], TakeHomeStatus]:
        server = self._server
        if server is None:
            return lambda: TakeHomeStatus(None)
        clip = server.share_clip(event)

        def status() -> TakeHomeStatus:
            made = clip.progress()
            return TakeHomeStatus(clip.url if self._server is server else None, made.share, made.error)

        return status

    @override
    def hold_clips(self) -> AbstractContextManager[None]:
        server = self._server
        return nullcontext() if server is None else server.hold_clips()

    def open(self, display: Display) -> None:
        """Show the switch, and any error, until the players go back to the home page. Raises WindowClosedError."""
        while (answer := display.ask(self._page())) != HOME_ANSWER:
            if answer == network_page.OFF:
                self.switch_off()
                continue
            error = self.switch_on()
            if error is not None:
                display.ask(Notice(network_page.TITLE, capitalise(error.text), (BACK_ANSWER,)))

    def _page(self) -> NetworkSwitch:
        return NetworkSwitch(self.status, self.status(), self.second_screen_page)

    def switch_on(self) -> ThrowlockError | None:
        """Serve the pages, with new codes. Return what went wrong, if anything."""
        from throwlock.web.serving import ServerError  # noqa: PLC0415

        try:
            if self._journal.parent.is_dir() and is_new(self._journal):
                Journal(self._journal).close()  # class lists can be entered before anything was played
            self._server = self._server or self._start()
        except (JournalError, ServerError, SettingsError) as error:
            return error
        return None

    def _start(self) -> "ReviewServer":
        """Start the server on the default port, or on any free one if that is taken. Raises JournalError,
        ServerError, SettingsError."""
        from throwlock.web.server import PORT, ReviewServer  # noqa: PLC0415
        from throwlock.web.serving import ServerError  # noqa: PLC0415

        port = PORT if self._port is None else self._port
        names = read_settings().network.names.split()
        open_server = partial(
            ReviewServer, self._journal, lan=True, pads=self._pads, tv=self._second_screen, names=names
        )
        server = open_server(port=port)
        try:
            server.start()
        except ServerError:
            server = open_server(port=0)
            server.start()
        return server

    def switch_off(self) -> None:
        """Stop serving the pages, if they are served."""
        if self._server is not None:
            self._server.stop()
            self._server = None
            self._pads.forget_phones()


def _join_address(server: "ReviewServer", path: str, code: str) -> JoinAddress:
    """Return the address of a login page; without a network, the addresses are empty."""
    address = next((f"{origin}{path}" for origin in server.addresses), "")
    return JoinAddress(f"{address}/{code.replace('-', '')}" if address else "", address, code)
