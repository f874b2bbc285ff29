"""Serves the review pages of a journal, to this machine or, with an access code, to its network: in a thread of its
own."""

import asyncio
import fcntl
import logging
import re
import secrets
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Self

import uvicorn
from starlette.requests import Request
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from errors import ThrowlockError
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.review.archive import ArchiveOpener
from ui.web.app import create_app
from ui.web.auth.access_code import AccessCodeLogin, format_code
from ui.web.auth.middleware import AccessMiddleware, get_access
from ui.web.views import Archive

logger = logging.getLogger(__name__)

PORT = 8321
LOCAL_HOSTS = ("127.0.0.1", "localhost")
MAX_HEADER_BYTES = 16_384
"""Of a request's headers."""
STOP_TIMEOUT_S = 5.0
FOLDER_PATTERN = re.compile(r"(?<![\w.])(?:/[^/\s:]+)*/(?=[^/\s:])")
"""The folders in a file's full path."""
SIOCGIFADDR = 0x8915  # Linux ioctl: an interface's IPv4 address
STALL_CHECK_S = 10.0
"""Interval of the checks for stalled connections; one without progress at two checks is closed."""
MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS = 256, 32
"""Open at once; a browser opens six."""


class ServerError(ThrowlockError):
    """The pages can't be served. The message says why and how to fix it."""


class ReviewServer:
    """The review pages of a journal, served between ``start`` and ``stop``.

    with ReviewServer(Path("evening.journal"), lan=True) as review:
        print(review.address, review.code)
    """

    def __init__(
        self, journal: Path, *, lan: bool = False, port: int = PORT, on_new_code: Callable[[str], object] | None = None
    ) -> None:
        """``lan`` serves them to the local network, with an access code; otherwise only to this machine. Port 0 is any
        free port. ``on_new_code`` is called, in another thread, with every code that replaces one after wrong
        guesses."""
        self.journal, self.lan, self.port = journal, lan, port
        self._on_new_code = on_new_code
        self._login: AccessCodeLogin | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def code(self) -> str | None:
        """The current access code, like "CDFG-HJKM"; None where none is needed. Wrong guesses change it."""
        login = self._login  # another thread may stop the server meanwhile
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

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start serving, with a new code. Raises JournalError when the journal can't be read, ServerError."""
        with JournalReader(self.journal):
            pass
        with suppress(JournalError):  # a read-only journal is read as it is
            JournalMaintenance(self.journal).clear_log()  # the log of a killed box would be copied for every page
        listening = _listen("0.0.0.0" if self.lan else LOCAL_HOSTS[0], self.port)
        self.port = listening.getsockname()[1]
        logger.info(
            "review pages of %s on port %d, %s",
            self.journal,
            self.port,
            "local network" if self.lan else "this machine",
        )
        opener = ArchiveOpener(self.journal)
        self._login = AccessCodeLogin(on_rotation=self._report_new_code) if self.lan else None
        pages = create_app(_open_archive(opener), get_access, user_errors=(JournalError,))
        names = local_host_names() if self.lan else LOCAL_HOSTS
        server = uvicorn.Server(_config(AccessMiddleware(pages, secrets.token_urlsafe(32), names, self._login)))

        def run() -> None:
            with listening, _closing(opener):
                server.run(sockets=[listening])

        self._server, self._thread = server, threading.Thread(target=run, name="review", daemon=True)
        self._thread.start()

    def _report_new_code(self, code: str) -> None:
        if self._on_new_code is not None:
            self._on_new_code(format_code(code))

    def stop(self) -> None:
        """Stop serving and end every session. May be called twice; the server can be started again."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(STOP_TIMEOUT_S)
        self._server = self._thread = self._login = None


class LimitedConnection(H11Protocol):
    """uvicorn's connection, closed when a client makes no progress or opens too many at once. Progress is a request
    being answered, a further request, or a response being read."""

    _timer: asyncio.TimerHandle | None = None
    _last_cycle: RequestResponseCycle | None = None
    _unsent_bytes = 0
    _checks_left = 2

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or close it when there are too many."""
        super().connection_made(transport)
        clients = [one.client for one in self.connections if isinstance(one, LimitedConnection)]
        same = sum(self.client is not None and one is not None and one[0] == self.client[0] for one in clients)
        if len(self.connections) > MAX_CONNECTIONS or same > MAX_CONNECTIONS_PER_ADDRESS:
            transport.abort()
        else:
            self._timer = self.loop.call_later(STALL_CHECK_S, self.check_progress)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop checking."""
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def check_progress(self) -> None:
        """Close the connection when it has made no progress at two checks."""
        unsent = self.transport.get_write_buffer_size()
        answering = self.cycle is not None and not self.cycle.response_complete
        progress = unsent < self._unsent_bytes or (not unsent and (answering or self.cycle is not self._last_cycle))
        self._checks_left = 2 if progress else self._checks_left - 1
        self._unsent_bytes, self._last_cycle = unsent, self.cycle
        if self._checks_left == 0:
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(STALL_CHECK_S, self.check_progress)


@contextmanager
def _closing(opener: ArchiveOpener) -> Iterator[None]:
    try:
        yield
    finally:
        opener.close()


def _config(pages: AccessMiddleware) -> uvicorn.Config:
    return uvicorn.Config(
        pages,
        http=LimitedConnection,
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        log_level="critical",  # bad requests are of no interest on the terminal
        access_log=False,
        proxy_headers=False,  # a client can't claim another address
        server_header=False,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_graceful_shutdown=2,
    )


def _open_archive(opener: ArchiveOpener) -> Callable[[Request], AbstractContextManager[Archive]]:
    """Return what opens the journal for a page; its errors leave out the folders of this machine."""

    @contextmanager
    def open_(_: Request) -> Iterator[Archive]:
        try:
            with opener.open() as archive:
                yield archive
        except JournalError as error:
            raise JournalError(without_folders(str(error), opener.path)) from error

    return open_


def without_folders(text: str, journal: Path) -> str:
    """Return a sentence with the folders of its file names removed."""
    for folder in (journal.parent, journal.absolute().parent, journal.resolve().parent):
        text = text.replace(f"{folder}/", "")
    return FOLDER_PATTERN.sub("", text)


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises ServerError."""
    listening = socket.socket()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise ServerError(
            f"the pages can't be served on port {port} ({error.strerror}): choose another with --port"
        ) from error
    return listening


def local_host_names() -> tuple[str, ...]:
    """Return the names of this machine on its network."""
    name = socket.gethostname().lower()
    return (*LOCAL_HOSTS, name, f"{name.partition('.')[0]}.local")


def local_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses, that of the default route first. Nothing is sent."""
    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):  # no route
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1
            found[probe.getsockname()[0]] = None
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                request = struct.pack("256s", name.encode()[:15])
                found[socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)[20:24])] = None
    return tuple(one for one in found if not one.startswith("127."))
