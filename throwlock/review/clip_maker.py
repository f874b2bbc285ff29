"""Makes clips in the background for the review pages and the QR codes of the screen: one at a time, in a process of the
lowest priority that stands still while a round is counted and judged."""

import hashlib
import logging
import os
import secrets
import select
import signal
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from device.system.file_times import mark_newest
from errors import NotFoundError, RefusedError
from messages import N, join
from rules.record.round import RoundView
from throwlock.journal.kept_frames import clips_folder
from throwlock.review.archive import ArchiveOpener, JournalArchive
from ui.text.rounds import dispute_sentence, outcome_sentences, round_sentence, round_title
from ui.web.views import RoundPage

MEDIA_TYPES = {"mp4": "video/mp4", "webp": "image/webp"}
"""The formats of clips."""

MAX_CACHE_BYTES = 200_000_000
"""Of clips; then the ones that were not asked for the longest are deleted."""


class ClipState(StrEnum):
    """What has become of a clip."""

    NONE = "none"
    WAITING = "waiting"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True)
class ClipOrder:
    """A clip of a round."""

    event: int
    """The event of the round."""
    language: str
    clip_format: str
    """A key of MEDIA_TYPES."""

    @property
    def file_name(self) -> str:
        """The name of its file for whoever saves it."""
        return f"throwlock-{self.event}.{self.clip_format}"


@dataclass(frozen=True)
class ClipStatus:
    """What has become of a clip."""

    state: ClipState
    share: float = 0.0
    """Of it that is done, 0–1."""
    file: Path | None = None
    """Where it is once it is ready."""
    error: str = ""
    """What is in the way."""


def mark_asked_for(folder: Path, file: Path) -> None:
    """Note that somebody asks for a clip, or that it was made for somebody. Raises OSError."""
    mark_newest(file, folder.glob("*/*"))


def trim_clips(folder: Path) -> None:
    """Delete the clips that were not asked for the longest, until the rest fits."""
    files = []
    for file in folder.glob("*/*"):
        with suppress(FileNotFoundError):
            files.append((file.stat().st_mtime, file.stat().st_size, file))
    size = sum(size for _, size, _ in files)
    for _, file_size, file in sorted(files):
        if size <= MAX_CACHE_BYTES:
            break
        with suppress(OSError):
            file.unlink(missing_ok=True)
            size -= file_size


NO_PICTURES = N("There are no pictures of this round to make a clip from.")

logger = logging.getLogger(__name__)

MAX_WAITING = 8
"""Clips that wait for the one being made."""
MAX_SHARED = 200
"""Clips that can be opened with a token; of more, the oldest tokens no longer work."""
TOKEN_BYTES = 16
STALLED_AFTER_S = 60.0
"""Without any progress for so long, the process is ended."""
MAX_LINES_BYTES = 4096
"""Of what the process prints at a time."""
CLIP_VERSION = 1
"""Of how a clip looks."""
STALLED = N("Making the clip took too long.")


def clip_title(page: RoundPage) -> str:
    """Return the game and the round in it; many rounds are named after their game."""
    game, title = N(page.match.title), round_title(page.line)
    return title if str(title).startswith(str(game)) else join([game, title], " · ")


def clip_sentence(line: RoundView) -> str:
    """Return what a round came to: the verdict if something was wrong, or else what the game made of it; and what
    everybody agreed on."""
    undecided = any(seat.record.verdict.is_undecided for seat in line.seats)
    outcome = outcome_sentences(line)
    wrong = line.is_void or line.has_foul or undecided or not outcome
    disputes = [dispute_sentence(line, dispute) for dispute in line.disputes if dispute.text]
    return join([round_sentence(line) if wrong else outcome[0], *disputes])


class ClipMaker:
    """Makes clips. Thread-safe.

    maker = ClipMaker(ArchiveOpener(journal))
    maker.order(ClipOrder(12, "en", "mp4"))
    """

    def __init__(self, opener: ArchiveOpener) -> None:
        self._opener = opener
        self._folder = clips_folder(opener.path)
        self._changed = threading.Condition()
        self._waiting: deque[ClipOrder] = deque()
        self._making: ClipOrder | None = None
        self._share = 0.0
        self._failed: dict[ClipOrder, str] = {}
        self._shared: OrderedDict[str, ClipOrder] = OrderedDict()
        self._process: subprocess.Popen[bytes] | None = None
        self._holds = self._all_holds = 0
        self._closed = False
        self._thread: threading.Thread | None = None

    def order(self, order: ClipOrder) -> None:
        """Have a clip made, unless there is one. Raises NotFoundError without such a round or its pictures, and
        RefusedError if too many are waiting."""
        if self.status(order).state not in (ClipState.NONE, ClipState.FAILED):
            return
        with self._changed:
            if len(self._waiting) >= MAX_WAITING:
                raise RefusedError(N("Many clips are being made. Try again in a minute."))
            self._failed.pop(order, None)
            self._waiting.append(order)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="clips", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def status(self, order: ClipOrder) -> ClipStatus:
        """Return what has become of a clip. Raises NotFoundError."""
        with self._opener.open() as archive:
            file = self._file(archive, order)
        progress = self.progress(order)
        if progress.state is not ClipState.READY:
            return progress
        with suppress(OSError):
            mark_asked_for(self._folder, file)
            return replace(progress, file=file)
        return ClipStatus(ClipState.NONE)

    def progress(self, order: ClipOrder) -> ClipStatus:
        """Return what has become of a clip that was ordered, without a look at the journal; its file is not given."""
        with self._changed:
            if order == self._making:
                return ClipStatus(ClipState.MAKING, self._share)
            if order in self._waiting:
                return ClipStatus(ClipState.WAITING)
            if order in self._failed:
                return ClipStatus(ClipState.FAILED, error=self._failed[order])
            return ClipStatus(ClipState.READY, 1.0)

    def share(self, order: ClipOrder) -> str:
        """Have a clip made, and return the token that opens it, and nothing else, until the server ends. Raises
        NotFoundError, RefusedError."""
        self.order(order)
        with self._changed:
            token = next((token for token, shared in self._shared.items() if shared == order), None)
            if token is None:
                token = secrets.token_urlsafe(TOKEN_BYTES)
                self._shared[token] = order
                while len(self._shared) > MAX_SHARED:
                    self._shared.popitem(last=False)
            return token

    def find_shared(self, token: str) -> ClipOrder | None:
        """Return the clip that a token opens."""
        with self._changed:
            return self._shared.get(token)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Make nothing while the context lasts: a process that has begun stands still."""
        with self._changed:
            self._holds += 1
            self._all_holds += 1
            self._signal(signal.SIGSTOP)
        try:
            yield
        finally:
            with self._changed:
                self._holds -= 1
                if not self._holds:
                    self._signal(signal.SIGCONT)
                self._changed.notify_all()

    def close(self) -> None:
        """Stop making clips; every token ends. May be called twice."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._shared.clear()
            self._signal(signal.SIGKILL)
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _file(self, archive: JournalArchive, order: ClipOrder) -> Path:
        """Return where a clip belongs: by what it shows, so that a correction needs a new one. Raises NotFoundError
        without such a round, or without pictures of it."""
        page = archive.round(order.event)
        if not page.has_clip:
            raise NotFoundError(NO_PICTURES)
        shown = (CLIP_VERSION, page.line.at, round_title(page.line), clip_sentence(page.line), page.has_kept_frames)
        seats = [(seat.player.name, seat.throw, seat.verdict, seat.is_foul) for seat in page.line.seats]
        digest = hashlib.sha256(repr((shown, seats)).encode()).hexdigest()[:20]
        return self._folder / archive.origin / f"{order.event}-{digest}.{order.language}.{order.clip_format}"

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def _run(self) -> None:
        """Make one clip after the other, until the end."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or (self._waiting and not self._holds))
                if self._closed:
                    return
                order = self._making = self._waiting.popleft()
                self._share = 0.0
            try:
                error = self._make(order)
            except Exception as problem:
                error = str(problem) or type(problem).__name__
            if error and not self._closed:
                logger.warning("the clip of round %d was not made: %s", order.event, error)
            with self._changed:
                self._making = None
                if error:
                    self._failed[order] = error
                self._changed.notify_all()

    def _make(self, order: ClipOrder) -> str:
        """Make a clip. Return what went wrong, "" if nothing did. Raises NotFoundError, JournalError, OSError."""
        with self._opener.open() as archive:
            file = self._file(archive, order)
        for folder in (self._folder, file.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        error = self._run_process(order, file)
        if error:
            return error
        try:
            with self._opener.open() as archive:
                is_current = self._file(archive, order) == file
        except NotFoundError:
            is_current = False
        if not is_current:  # its pictures or names were deleted meanwhile, or it was corrected
            file.unlink(missing_ok=True)
            return "" if self._closed else str(NO_PICTURES)
        with suppress(OSError):
            mark_asked_for(self._folder, file)
        trim_clips(self._folder)
        return ""

    def _run_process(self, order: ClipOrder, file: Path) -> str:
        """Run the process that makes a clip. Return what went wrong, "" if nothing did."""
        with self._changed:
            if self._closed:
                return "closed"
            process = self._process = subprocess.Popen(
                process_command(self._opener.path, order, file),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            if self._holds:
                self._signal(signal.SIGSTOP)
        assert process.stdout is not None
        line, rest, stalled = "", "", False
        with process.stdout as output:
            while not stalled:
                holds = self._all_holds
                ready, _, _ = select.select([output], [], [], STALLED_AFTER_S)
                with self._changed:
                    stalled = not ready and not self._holds and holds == self._all_holds
                if stalled:
                    process.kill()
                elif ready:
                    text = os.read(output.fileno(), MAX_LINES_BYTES).decode(errors="replace")
                    if not text:
                        break
                    *lines, rest = (rest + text).split("\n")  # a line may come in parts
                    line = lines[-1] if lines else line
                    with suppress(ValueError), self._changed:
                        self._share = float(line)
                        self._changed.notify_all()
        status = process.wait()
        with self._changed:
            self._process = None
        file.with_name(file.name + ".part").unlink(missing_ok=True)
        return str(STALLED) if stalled else line or f"exit status {status}" if status else ""


def process_command(journal: Path, order: ClipOrder, file: Path) -> list[str]:
    """Return the command that makes a clip."""
    arguments = [str(journal), str(order.event), order.language, order.clip_format, str(file)]
    return [sys.executable, "-m", "throwlock.review.make_clip", *arguments]
