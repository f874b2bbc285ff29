"""Serves a hall's pages to its network, in a thread of its own."""

import threading
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from throwlock.hub.database import DatabaseError
from throwlock.hub.pages.app import protect_hall
from throwlock.hub.pages.live import MAX_VIEWERS, LiveSnapshot
from throwlock.web.server import (
    EVERY_ADDRESS,
    STOP_TIMEOUT_S,
    listen,
    local_addresses,
    local_host_names,
    server_config,
)
from ui.web.auth.access_code import format_code

PORT = 8322
"""Next to that of the review pages."""
CONNECTION_LIMITS = 2 * MAX_VIEWERS + 24, 64
"""Open at once, in all and from one address: each viewer has a stream and, now and then, a request."""


class HallServer:
    """The pages of a hall, served between ``start`` and ``stop``; its database has to be of this version.

    with HallServer("dbname=throwlock_hall") as pages:
        print(pages.addresses)
    """

    def __init__(
        self,
        dsn: str,
        *,
        host: str = EVERY_ADDRESS,
        port: int = PORT,
        names: Sequence[str] = (),
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        """``names`` are further names and addresses of this machine, ``certificate`` the files of a certificate and of
        its key for HTTPS. Port 0 is any free port."""
        self.port = port
        self._dsn, self._host, self._names, self._certificate = dsn, host, tuple(names), certificate
        self._live = LiveSnapshot(dsn, self.addresses)
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "HallServer":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start serving. Raises DatabaseError, and ServerError."""
        listening = listen(self._host, self.port, CONNECTION_LIMITS)
        self.port = listening.getsockname()[1]
        try:
            self._live.start()
        except DatabaseError:
            listening.close()
            raise
        guarded = protect_hall(self._live, local_host_names(self._names), is_https=self._certificate is not None)
        server = uvicorn.Server(server_config(guarded, listening, self._certificate))

        def run() -> None:
            with listening:
                server.run(sockets=[listening])

        self._server, self._thread = server, threading.Thread(target=run, name="hall web", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop serving. May be called twice."""
        self._live.stop()
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(STOP_TIMEOUT_S)
        self._server = self._thread = None

    @property
    def viewers(self) -> int:
        """How many pages are kept up to date."""
        return len(self._live.viewers) + len(self._live.organisers)

    @property
    def code(self) -> str:
        """The viewers' code."""
        return format_code(self._live.newest().code)

    def addresses(self) -> tuple[str, ...]:
        """Return the URLs of the pages, the likeliest first."""
        scheme = "https" if self._certificate else "http"
        return tuple(f"{scheme}://{name}:{self.port}" for name in (*self._names, *local_addresses()))
