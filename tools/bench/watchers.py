"""Phones, an audience and a television that follow a box's pages while a benchmark runs, in a process of their own.

``python -m tools.bench.watchers ADDRESS PAD_CODE TV_CODE`` follows the pages at an address until it is ended. It asks
for what a browser asks for, and draws nothing: browsers run on other machines."""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from throwlock.pads.table import PadTable
from throwlock.tv.second_screen import SecondScreen
from throwlock.web.server import ReviewServer
from ui.screen.pages.common import Player
from ui.screen.views import View
from ui.web.live import EVENT_STREAM

PHONE_COUNT = 6
"""Four of players and two of an audience."""
CONNECT_LIMIT_S = 30.0


class PageWatchers:
    """Phones and a television that are shown what a window shows. Pass ``show`` to it."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        self.screen, self.pads = SecondScreen(), PadTable()
        self.pads.open([player.name for player in players])
        self._page: View | None = None

    def show(self, page: View, drawn: View, shown_ns: int) -> None:
        """Take note of a page; see Window. Phones hear of a new one, as in a match, not of each time it is drawn."""
        self.screen.show(page, drawn, shown_ns)
        if page is not self._page:
            self._page = page
            self.pads.show(page)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Have them follow it as long as the context lasts. Raises ServerError, TimeoutError; ConnectionError if they
        were cut off meanwhile."""
        with (
            tempfile.TemporaryDirectory() as folder,
            ReviewServer(Path(folder) / "none.journal", lan=True, port=0, pads=self.pads, tv=self.screen) as server,
        ):
            command = [sys.executable, "-m", "tools.bench.watchers", f"http://127.0.0.1:{server.port}"]
            process = subprocess.Popen([*command, server.pad_code or "", server.tv_code or ""])
            try:
                end_s = time.monotonic() + CONNECT_LIMIT_S
                while not self._all_watch():
                    if time.monotonic() > end_s:
                        raise TimeoutError("the phones can’t reach the box’s pages")
                    time.sleep(0.1)
                yield
                if not self._all_watch():
                    raise ConnectionError("the phones were cut off from the box’s pages")
            finally:
                process.kill()
                process.wait()

    def _all_watch(self) -> bool:
        return len(self.pads.viewers) == PHONE_COUNT and len(self.screen.viewers) == 1


def follow(address: str, login: str, code: str, page: str, here: str | None) -> None:
    """Log in with a code and follow a page; after each beat, tell ``here`` that somebody looks at it."""
    with httpx.Client(base_url=address, timeout=None, follow_redirects=True) as client:
        client.post(login, data={"code": code}, headers={"Origin": address}).raise_for_status()
        while True:
            with client.stream("GET", page, headers={"Accept": EVENT_STREAM}) as stream:
                for line in stream.iter_lines():
                    if here is not None and line == "event: beat":
                        client.head(here)


def main(address: str, pad_code: str, tv_code: str) -> None:
    """Follow the pages."""
    for page in (*[("/join", pad_code, "/pad", "/pad/here")] * PHONE_COUNT, ("/tv", tv_code, "/watch", None)):
        threading.Thread(target=follow, args=(address, *page)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
