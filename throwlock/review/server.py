"""Serves the review pages of a journal, to this machine or with a code to its network: beside a match in a thread, or
by the command ``throwlock review``."""

import fcntl
import re
import secrets
import signal
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Self

import click
import uvicorn
from starlette.requests import Request

from errors import ThrowlockError
from throwlock.cli.options import UsageError
from throwlock.journal.file import usual_place
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.maintenance import Keeper
from throwlock.review.archive import Shelf
from throwlock.review.connections import Connection
from ui.web.app import app
from ui.web.auth.access_code import RENEWED_AFTER, Door, spaced
from ui.web.auth.middleware import Guard, access_of
from ui.web.views import Archive

PORT = 8321
HERE = ("127.0.0.1", "localhost")
HEADERS = 16_384
"""Bytes of a request before its body."""
STOPS_S = 5.0
FOLDERS = re.compile(r"(?<![\w.])(?:/[^/\s:]+)*/(?=[^/\s:])")
"""The folders of a file's full name."""
GET_ADDRESS = 0x8915  # SIOCGIFADDR


class ServerError(ThrowlockError):
    """The pages can't be served. The message says why, and how to mend it."""


class Review:
    """The pages of a journal, open between ``start`` and ``stop``.

    with Review(Path("evening.journal"), lan=True) as review:
        print(review.address, review.code)
    """

    def __init__(
        self, journal: Path, *, lan: bool = False, port: int = PORT, renewed: Callable[[str], object] | None = None
    ) -> None:
        """``lan`` opens them to the network, for whoever knows the code; else only this machine gets in. Port 0 is any
        that is free. ``renewed`` is called, in another thread, with every code that takes the place of one that was
        guessed at."""
        self.journal, self.lan, self.port = journal, lan, port
        self._renewed = renewed
        self._door: Door | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def code(self) -> str | None:
        """The code of now as it is shown, "CDFG-HJKM"; None where none is needed. Wrong guesses change it."""
        door = self._door  # another thread may close it meanwhile
        return spaced(door.code) if door is not None else None

    @property
    def renewals(self) -> int:
        """How often the code was changed because of wrong guesses since the start."""
        door = self._door
        return door.renewals if door is not None else 0

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where a browser finds the pages, the likeliest first. With ``lan`` empty while there is no network."""
        names = own_addresses() if self.lan else HERE[:1]
        return tuple(f"http://{name}:{self.port}" for name in names)

    @property
    def address(self) -> str:
        """The likeliest of ``addresses``; where there is no network, this machine's own."""
        return next(iter(self.addresses), f"http://{HERE[0]}:{self.port}")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Open the pages, with a fresh code. Raises JournalError when the journal can't be read, ServerError."""
        with JournalReader(self.journal):
            pass
        with suppress(JournalError):  # what may only be read is read as it is
            Keeper(self.journal).settle()  # what a killed box left in the log would be copied for every page
        listening = _listening("0.0.0.0" if self.lan else HERE[0], self.port)
        self.port = listening.getsockname()[1]
        shelf = Shelf(self.journal)
        self._door = Door(renewed=self._told) if self.lan else None
        pages = app(_archive_for(shelf), access_of, faults=(JournalError,))
        names = own_names() if self.lan else HERE
        server = uvicorn.Server(_config(Guard(pages, secrets.token_urlsafe(32), names, self._door)))

        def run() -> None:
            with listening, _closing(shelf):
                server.run(sockets=[listening])

        self._server, self._thread = server, threading.Thread(target=run, name="review", daemon=True)
        self._thread.start()

    def _told(self, code: str) -> None:
        if self._renewed is not None:
            self._renewed(spaced(code))

    def stop(self) -> None:
        """Close the pages; every session ends. May be called twice, and a stopped one started again."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(STOPS_S)
        self._server = self._thread = self._door = None


@contextmanager
def _closing(shelf: Shelf) -> Iterator[None]:
    try:
        yield
    finally:
        shelf.close()


def _config(pages: Guard) -> uvicorn.Config:
    return uvicorn.Config(
        pages,
        http=Connection,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        log_level="critical",  # what the guard can't answer is a visitor's fault, and nothing to say here
        access_log=False,
        proxy_headers=False,  # nobody may say that they come from elsewhere
        server_header=False,
        h11_max_incomplete_event_size=HEADERS,
        timeout_graceful_shutdown=2,
    )


def _archive_for(shelf: Shelf) -> Callable[[Request], AbstractContextManager[Archive]]:
    """Opens the journal for a page. What is wrong with it is said without the folders of this machine."""

    @contextmanager
    def opened(_: Request) -> Iterator[Archive]:
        try:
            with shelf.open() as archive:
                yield archive
        except JournalError as fault:
            raise JournalError(without_folders(str(fault), shelf.path)) from fault

    return opened


def without_folders(text: str, journal: Path) -> str:
    """A sentence with files named by their last part only."""
    for folder in (journal.parent, journal.absolute().parent, journal.resolve().parent):
        text = text.replace(f"{folder}/", "")
    return FOLDERS.sub("", text)


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ServerError."""
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise ServerError(
            f"the pages can't be opened on port {port} ({error.strerror}): choose another with --port"
        ) from error
    return listening


def own_names() -> tuple[str, ...]:
    """What this machine is called on its network, beside its addresses in numbers."""
    name = socket.gethostname().lower()
    return (*HERE, name, f"{name.partition('.')[0]}.local")


def own_addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses, the one that leads out first. Nothing is sent."""
    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        with suppress(OSError):  # no way out
            asking.connect(("192.0.2.1", 9))  # an address kept for documentation
            found[asking.getsockname()[0]] = None
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # one without an address
                request = struct.pack("256s", name.encode()[:15])
                found[socket.inet_ntoa(fcntl.ioctl(asking.fileno(), GET_ADDRESS, request)[20:24])] = None
    return tuple(one for one in found if not one.startswith("127."))


@click.command()
@click.option(
    "--journal", type=click.Path(path_type=Path), metavar="FILE", help="Which journal.  [default: the one play keeps]"
)
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Where to listen.")
@click.option("--lan", is_flag=True, help="Open them to the local network, for whoever types the code that is shown.")
def review(journal: Path | None, port: int, lan: bool) -> None:
    """Look at every match again, in a browser: on this machine only, unless --lan."""
    place = journal or usual_place()
    if not place.exists():
        raise UsageError(f"{place}: there is no such file; play a match first, or name another with --journal")
    pages = Review(place, lan=lan, port=port, renewed=_say_renewed)
    with _stopping() as stopped, pages:
        click.echo(f"The review of {place} is at {' and '.join(pages.addresses) or pages.address}")
        if lan:
            click.echo(f"Code: {pages.code}")
            click.echo("Anybody on this network who types it may look at everything, and delete pictures and players.")
        click.echo("Ctrl-C closes it.")
        stopped.wait()


def _say_renewed(code: str) -> None:
    click.echo(f"{RENEWED_AFTER} wrong codes were tried. Code: {code}")


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Set when somebody wants the command to end: by Ctrl-C, or as a service."""
    stopped = threading.Event()
    before = {one: signal.signal(one, lambda *_: stopped.set()) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
