"""Measure the server's time for each review page, for journals of no match, one match and ten thousand matches.

``python -m tools.bench.review`` makes up the matches; ``--docs measurements/2026-11/judge-performance.md`` writes the
table into that page."""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import Message

from throwlock.review.archive import ArchiveOpener, JournalArchive
from throwlock.web.app import create_app
from tools.docs.generated_sections import add_docs_option, print_table, publish
from tools.sample_journal import write_sample_journal
from ui.web.views import MatchFilter

MATCHES = 10_000
REPEATS = 15
"""Requests per page; the table shows the median time."""
TARGET_MS = 100.0
SECTION = "pages"


@dataclass(frozen=True)
class ReviewSite:
    """The review pages of one journal."""

    pages: Starlette
    paths: Mapping[str, str]
    """The path and query of each page to measure, by the page's name."""
    index_s: float
    """The CPU time, in s, that building the index took."""


@contextmanager
def open_site(folder: Path, matches: int) -> Iterator[ReviewSite]:
    """Make a journal of so many matches in ``folder``, and open its review pages."""
    path = folder / f"{matches}.journal"
    write_sample_journal(path, matches)
    opener = ArchiveOpener(path, folder / "cache")

    try:
        start = time.process_time()
        with opener.open() as archive:
            archive.games()
            index_s = time.process_time() - start
            paths = page_paths(archive)
        yield ReviewSite(create_app(opener.open), paths, index_s)
    finally:
        opener.close()


def page_paths(archive: JournalArchive) -> dict[str, str]:
    """Return the pages to measure by name: the lists, and, where there are matches, the pages of the longest recent
    match and of the player with the most matches."""
    lists = {"matches": "/", "players": "/players", "classroom": "/classroom"}
    newest, players = archive.matches(MatchFilter()), archive.players()
    if not newest:
        return lists
    longest = max(newest, key=lambda line: line.rounds)
    thrown = [line.event for line in archive.match(longest.number).view.rounds]
    player = max(players, key=lambda each: each.matches).player.key
    day = archive.days()[0][0]
    return {
        **lists,
        "matches of a player and a game": f"/?player={player}&game={longest.game}",
        "matches of a day": f"/?day={day}",
        "a match": f"/match/{longest.number}",
        "a round": f"/round/{thrown[-1]}",
        "a player": f"/player/{player}",
        "classroom of a day": f"/classroom?day={day}",
    }


def fetch(pages: Starlette, path_and_query: str) -> int:
    """Return the size in bytes of the response to a GET. Raises ValueError when its status isn't 200."""
    path, _, query = path_and_query.partition("?")
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    asyncio.run(pages(scope, receive, send))
    if sent[0]["status"] != 200:
        raise ValueError(f"GET {path_and_query} returned status {sent[0]['status']}")
    return sum(len(message.get("body", b"")) for message in sent)


def median_ms(work: Callable[[], object], repeats: int) -> float:
    """Return the median CPU time of ``work`` in ms; a first call doesn't count."""
    work()
    cpu_ms = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        cpu_ms.append((time.process_time() - start) * 1e3)
    return statistics.median(cpu_ms)


def table_head(matches: int) -> tuple[str, ...]:
    """Return the head of the table; the largest journal has so many ``matches``."""
    return "page", "empty journal", "one match", f"{matches:,} matches"


def print_page_table(sites: list[ReviewSite], matches: int, repeats: int) -> str:
    """Print the table as it is measured, and a sentence about it; return both. ``sites`` are those of no match, one
    match, and ``matches``."""
    slowest_ms = 0.0

    def rows() -> Iterator[list[str]]:
        nonlocal slowest_ms
        for name in sites[-1].paths:
            times_ms = [
                median_ms(partial(fetch, site.pages, site.paths[name]), repeats) if name in site.paths else None
                for site in sites
            ]
            slowest_ms = max(slowest_ms, times_ms[-1] or 0.0)
            yield [name, *("" if ms is None else f"{ms:.1f} ms" for ms in times_ms)]

    table = print_table(table_head(matches), rows())
    verdict = "within" if slowest_ms <= TARGET_MS else "over"
    summary = (
        f"With {matches:,} matches the slowest page takes {slowest_ms:.0f} ms, {verdict} the target of "
        f"{TARGET_MS:.0f} ms. Their index is built once, in {sites[-1].index_s:.1f} s. CPU time of the server's "
        f"process, medians of {repeats} requests."
    )
    print(f"\n{summary}")
    return f"{table}\n\n{summary}"


def main() -> None:
    """Print the table as it is measured, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.review", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"size of the large journal (default {MATCHES})")
    parser.add_argument("--times", type=int, default=REPEATS, help=f"requests per page (default {REPEATS})")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="throwlock-bench-") as name:
        folder = Path(name)
        with open_site(folder, 0) as empty, open_site(folder, 1) as small, open_site(folder, options.matches) as large:
            table = print_page_table([empty, small, large], options.matches, options.times)
    publish(options.docs, {SECTION: table}, printed=True)


if __name__ == "__main__":
    main()
