"""Somebody who looks at a hall's public page, and notes when each result is on it."""

import http.client
import json
import re
import threading
import time
from types import TracebackType
from typing import Self

RETRY_S = 0.5
TIMEOUT_S = 30.0
FIXTURE = re.compile(r'<li class="fixture over">(.*?)</li>', re.DOTALL)
PLAYER = re.compile(r'<span class="one[^"]*"><span translate="no">\s*([^<]+?)\s*<')


class Viewer:
    """Follows the page of ``tournament`` at ``port`` of this machine as a browser does. ``seen`` is when each result
    was first there, by its players' names, in seconds of ``time.monotonic``."""

    def __init__(self, port: int, tournament: int) -> None:
        self.seen: dict[frozenset[str], float] = {}
        self._port, self._path = port, f"/tournament/{tournament}"
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="viewer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()

    def _follow(self) -> None:
        while not self._stopped.is_set():
            try:
                stream = self._open_stream()
                while not self._stopped.is_set() and (line := stream.readline()):
                    if line.startswith(b"data:"):
                        self._look(json.loads(line.removeprefix(b"data:")).get("tables", ""))
            except (OSError, http.client.HTTPException):
                self._stopped.wait(RETRY_S)

    def _look(self, tables: str) -> None:
        now = time.monotonic()
        for fixture in FIXTURE.findall(tables):
            self.seen.setdefault(frozenset(PLAYER.findall(fixture)), now)

    def _open_stream(self) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)
        connection.request("GET", self._path, headers={"Accept": "text/event-stream"})
        return connection.getresponse()
