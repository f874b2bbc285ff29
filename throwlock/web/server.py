"""Serves the review pages of a journal, to this machine or, with an access code, to its network; and with them the
pads of phones and second screens, each with a code of their own: in a thread of its own."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from errors import NotFoundError
from messages import N
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.review import archive
from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.review.clip_maker import ClipMaker, ClipOrder, ClipStatus
from throwlock.web.app import create_app, pad_area, tv_area
from throwlock.web.serving import (
    EVERY_ADDRESS,
    LOCAL_HOSTS,
    ServerError,
    ServingThread,
    listen,
    local_addresses,
    local_host_names,
)
from ui.i18n.language import current_language
from ui.web.access_code import AccessCodeLogin, format_code
from ui.web.live import Viewers
from ui.web.middleware import CLIP_PATH, AccessMiddleware, review_area

if TYPE_CHECKING:
    from throwlock.pads.table import PadTable
    from throwlock.tv.second_screen import SecondScreen

logger = logging.getLogger(__name__)

PORT = 8321
SHARED_FORMAT = "mp4"
"""The format of the clips that are taken home: every phone plays it."""


@dataclass(frozen=True)
class SharedClip:
    """A clip to take home."""

    url: str
    """Where phones get it; "" without a network."""
    progress: Callable[[], ClipStatus]
    """Returns what has become of it."""


class ReviewServer:
    """The review pages of a journal, served between ``start`` and ``stop``.

    with ReviewServer(Path("evening.journal"), lan=True) as review:
        print(review.address, review.code)
    """

    def __init__(
        self,
        journal: Path,
        *,
        lan: bool = False,
        port: int = PORT,
        on_new_code: Callable[[str], object] | None = None,
        pads: "PadTable | None" = None,
        tv: "SecondScreen | None" = None,
        names: Sequence[str] = (),
    ) -> None:
        """``lan`` serves them to the local network, with an access code; otherwise only to this machine. Port 0 is any
        free port. ``on_new_code`` is called, in another thread, with every code that replaces one after wrong
        guesses. With ``pads``, phones of the local network can answer for seats; the journal may then be missing until
        the first match. With ``tv``, second screens on the local network show what happens. ``names`` are further ones
        of this machine on that network."""
        self._names = tuple(names)
        self.journal, self.lan, self.port = journal, lan, port
        self._pads = pads if lan else None
        self._tv = tv if lan else None
        self._pad_login: AccessCodeLogin | None = None
        self._tv_login: AccessCodeLogin | None = None
        self._on_new_code = on_new_code
        self._login: AccessCodeLogin | None = None
        self._clips: ClipMaker | None = None
        self._viewers: tuple[Viewers, ...] = ()
        self._thread: ServingThread | None = None

    @property
    def code(self) -> str | None:
        """The current access code, like "CDFG-HJKM"; None where none is needed. Wrong guesses change it."""
        login = self._login  # another thread may stop the server meanwhile
        return format_code(login.code) if login is not None else None

    @property
    def pad_code(self) -> str | None:
        """The current code of the pads; None where there are none."""
        login = self._pad_login
        return format_code(login.code) if login is not None else None

    @property
    def tv_code(self) -> str | None:
        """The current code of second screens; None where there are none."""
        login = self._tv_login
        return format_code(login.code) if login is not None else None

    @property
    def code_rotations(self) -> int:
        """Times the code was replaced after wrong guesses since the start."""
        login = self._login
        return login.rotations if login is not None else 0

    @property
    def addresses(self) -> tuple[str, ...]:
        """URLs of the pages, the likeliest first; with ``lan``, empty while there is no network."""
        names = local_addresses() if self.lan else LOCAL_HOSTS[:1]
        return tuple(f"http://{name}:{self.port}" for name in names)

    @property
    def address(self) -> str:
        """The likeliest of ``addresses``; without a network, this machine's own."""
        return next(iter(self.addresses), f"http://{LOCAL_HOSTS[0]}:{self.port}")

    def share_clip(self, event: int) -> SharedClip:
        """Have the clip of a round made in the screen's language; its address opens it, and nothing else, until the
        server stops. Raises NotFoundError, RefusedError, JournalError, ServerError."""
        clips = self._clips
        if clips is None:
            raise ServerError(N("the pages are not served"))
        order = ClipOrder(event, current_language(), SHARED_FORMAT)
        path = f"{CLIP_PATH}/{clips.share(order)}"
        return SharedClip("".join(f"{origin}{path}" for origin in self.addresses[:1]), partial(clips.progress, order))

    def hold_clips(self) -> AbstractContextManager[None]:
        """Make no clip while the context lasts."""
        clips = self._clips
        return nullcontext() if clips is None else clips.hold()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start serving, with a new code. Raises JournalError when the journal can't be read, ServerError."""
        if self._pads is None or self.journal.exists():
            with JournalReader(self.journal):
                pass
        with suppress(JournalError):  # a read-only journal is read as it is
            JournalMaintenance(self.journal).clear_log()  # a killed box's log would be indexed for every page
        listening = listen(EVERY_ADDRESS if self.lan else LOCAL_HOSTS[0], self.port)
        self.port = listening.getsockname()[1]
        logger.info(
            "review pages of %s on port %d, %s",
            self.journal,
            self.port,
            "local network" if self.lan else "this machine",
        )
        opener = ArchiveOpener(self.journal)
        self._login = AccessCodeLogin(on_rotation=self._report_new_code) if self.lan else None
        self._pad_login = AccessCodeLogin() if self._pads is not None else None
        self._tv_login = AccessCodeLogin() if self._tv is not None else None
        self._clips = ClipMaker(opener)
        pages = create_app(
            lambda: _open_archive(opener),
            user_errors=(JournalError,),
            pad_table=self._pads,
            screen=self._tv,
            clip_maker=self._clips,
        )
        names = local_host_names(self._names) if self.lan else LOCAL_HOSTS
        guarded = AccessMiddleware(
            pages,
            names,
            review_area(self._login) if self._login is not None else None,
            [
                *([pad_area(self._pad_login)] if self._pad_login is not None else ()),
                *([tv_area(self._tv_login)] if self._tv_login is not None else ()),
            ],
        )
        self._viewers = tuple(pages.state.viewers)
        for viewers in self._viewers:
            viewers.open()
        self._thread = ServingThread(guarded, listening, "review", at_end=opener.close)

    def _report_new_code(self, code: str) -> None:
        if self._on_new_code is not None:
            self._on_new_code(format_code(code))

    def stop(self) -> None:
        """Stop serving and end every session. May be called twice; the server can be started again."""
        for viewers in self._viewers:
            viewers.close()
        if self._thread is not None:
            self._thread.stop()
        if self._clips is not None:
            self._clips.close()
        self._thread = self._login = self._pad_login = self._tv_login = self._clips = None


@contextmanager
def _open_archive(opener: ArchiveOpener) -> Iterator[JournalArchive]:
    """Open the journal for a page. Its errors leave out the folders of this machine. Raises NotFoundError before the
    first match."""
    if not opener.path.exists():
        raise NotFoundError(N("Nothing has been played yet: there is nothing to look at."))
    try:
        with opener.open() as opened:
            yield opened
    except JournalError as error:
        raise JournalError(without_folders(str(error), opener.path)) from error


def without_folders(text: str, journal: Path) -> str:
    """Return a sentence with the folders of its file names removed."""
    for folder in (journal.parent, journal.absolute().parent, journal.resolve().parent):
        text = text.replace(f"{folder}/", "")
    return archive.without_folders(text)
