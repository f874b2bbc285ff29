"""``make bench``, the review pages' part: the server's time for each page over a journal of ten thousand made-up
matches, beside an empty one and one of a single match, all in the same run. ``--docs docs/cost.md`` writes the table
there."""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Message

from throwlock.review.archive import JournalArchive, Shelf
from tools.docs.generated_sections import write_into
from tools.sample_journal import fill
from ui.web.app import app
from ui.web.views import Access, MatchFilter

MATCHES = 10_000
TIMES = 15
"""How often each page is asked for; its time is the median."""
AIM_MS = 100.0
BEGIN, END = "<!-- pages: begin -->", "<!-- pages: end -->"
HEAD = "| page | empty journal | one match | {:,} matches |\n| :--- | ---: | ---: | ---: |"


@dataclass(frozen=True)
class Site:
    """The pages of one journal. ``first_s`` is how long its index took to be made, in seconds."""

    pages: Starlette
    addresses: Mapping[str, str]
    first_s: float


@contextmanager
def site(folder: Path, matches: int) -> Iterator[Site]:
    """The pages of a journal of so many matches, which is made in ``folder``."""
    path = folder / f"{matches}.journal"
    fill(path, matches)
    shelf = Shelf(path, folder / "cache")

    @contextmanager
    def archive_for(_: Request) -> Iterator[JournalArchive]:
        with shelf.open() as archive:
            yield archive

    try:
        began = time.process_time()
        with shelf.open() as archive:
            archive.games()
            first_s = time.process_time() - began
            addresses = addresses_of(archive)
        pages = app(archive_for, lambda _: Access(local=True, token="bench"))
        yield Site(pages, addresses, first_s)
    finally:
        shelf.close()


def addresses_of(archive: JournalArchive) -> dict[str, str]:
    """The pages to be measured, those of a match with most rounds among the newest and of the player with most matches.
    A journal without matches has only lists."""
    lists = {"matches": "/", "players": "/players", "classroom": "/classroom"}
    newest, players = archive.matches(MatchFilter()), archive.players()
    if not newest:
        return lists
    longest = max(newest, key=lambda line: line.rounds)
    thrown = [step.event for step in archive.match(longest.number).course if not isinstance(step, str)]
    often = max(players, key=lambda one: one.matches).player.key
    day = archive.days()[0][0]
    return {
        **lists,
        "matches of a player and a game": f"/?player={often}&game={longest.game}",
        "matches of a day": f"/?day={day}",
        "a match": f"/match/{longest.number}",
        "a round": f"/round/{thrown[-1]}",
        "a player": f"/player/{often}",
        "classroom of a day": f"/classroom?day={day}",
    }


def answered(pages: Starlette, address: str) -> int:
    """The size in bytes of the answer to a GET. Raises ValueError where it is not the page."""
    path, _, query = address.partition("?")
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
        raise ValueError(f"{address} was answered with {sent[0]['status']}")
    return sum(len(message.get("body", b"")) for message in sent)


def median_ms(work: Callable[[], object], times: int) -> float:
    """The median time this process takes for ``work`` in ms, after a first time that does not count. Other programs'
    time is none of it."""
    work()
    taken = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append((time.process_time() - began) * 1e3)
    return statistics.median(taken)


def table(sites: list[Site], matches: int, times: int) -> Iterator[str]:
    """The table's lines, each as soon as it is measured: ``sites`` are those of no match, one, and ``matches``."""
    yield HEAD.format(matches)
    slowest = 0.0
    for name in sites[-1].addresses:
        found = [
            median_ms(lambda at=at, name=name: answered(at.pages, at.addresses[name]), times)  # type: ignore[misc]
            if name in at.addresses
            else None
            for at in sites
        ]
        slowest = max(slowest, found[-1] or 0.0)
        yield f"| {name} | {' | '.join('' if ms is None else f'{ms:.1f} ms' for ms in found)} |"
    within = "within" if slowest <= AIM_MS else "not within"
    yield (
        f"\nThe slowest of {matches:,} takes {slowest:.0f} ms, {within} the {AIM_MS:.0f} ms aimed at. "
        f"Their index is made once, in {sites[-1].first_s:.1f} s. Medians of {times}, of the time the "
        "server's process takes."
    )


def main() -> None:
    """Parse the arguments, print the table as it comes, and write it where it is wanted."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.review", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"of the big journal (default {MATCHES})")
    parser.add_argument("--times", type=int, default=TIMES, help=f"each page is asked for (default {TIMES})")
    parser.add_argument("--docs", type=Path, help="the page to write the table into, between its marks")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="throwlock-bench-") as name:
        folder = Path(name)
        with site(folder, 0) as none, site(folder, 1) as one, site(folder, given.matches) as many:
            lines = []
            for line in table([none, one, many], given.matches, given.times):
                print(line, flush=True)
                lines.append(line)
    if given.docs:
        write_into(given.docs, "\n".join(lines), BEGIN, END)


if __name__ == "__main__":
    main()
