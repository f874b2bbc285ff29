"""``python -m tools.bench.journal``: what is written to the disk for every event of a real match, and for the whole
of it. The match is the demo's, or the newest of ``--match JOURNAL``, written once more event by event. ``--docs
docs/journal.md`` puts the table there."""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from throwlock.journal.journal import Event, Evidence, Journal, JournalReader
from throwlock.journal.maintenance import Keeper
from tools.docs.generated_sections import write_into

BEGIN, END = "<!-- bytes: begin -->", "<!-- bytes: end -->"
HEAD = (
    "| written | times | it is itself | handed to the system | reaches the disk |\n| :--- | ---: | ---: | ---: | ---: |"
)
SEED = 7
OPENED, CLOSED, MATCH, TRIMMED = "journal made", "journal closed", "**the match**", "its pictures deleted"


@dataclass(frozen=True)
class Cost:
    """What one writing took, in bytes: what was to be kept, what the process handed to the system, and what the system
    had to bring to the disk, both as Linux counts them for the process."""

    what: str
    itself: int
    handed: int
    disk: int


class Counter:
    """What this process has written since it was last asked."""

    def __init__(self) -> None:
        self._before = self._now()

    @staticmethod
    def _now() -> tuple[int, int]:
        lines = Path("/proc/self/io").read_text().splitlines()
        found = dict(line.split(": ") for line in lines)
        return int(found["wchar"]), int(found["write_bytes"])

    def cost(self, what: str, itself: int = 0) -> Cost:
        """What was written since the last time, for ``what``."""
        (handed, disk), now = self._before, self._now()
        self._before = now
        return Cost(what, itself, now[0] - handed, now[1] - disk)


def named(event: Event) -> str:
    """What an event is called in the table."""
    if event.kind in ("answer", "void"):
        return "a round with its pictures" if event.body.get("evidence") else "an answer without hands"
    return f"“{event.kind}”"


def written_again(source: Path, folder: Path) -> Iterator[Cost]:
    """What it costs to write the newest match of ``source`` into a new journal in ``folder``, event by event."""
    with JournalReader(source) as reader:
        events = reader.events(reader.matches()[-1])
        pieces = {event.number: reader.evidence(event.number) for event in events}
    path, counter = folder / "bench.journal", Counter()
    with Journal(path) as journal:
        yield counter.cost(OPENED)
        match = journal.begin({**events[0].body, "players": list(events[0].names)})
        yield counter.cost(named(events[0]), len(str(events[0].body)))
        for event in events[1:]:
            yield _appended(journal, match, event, pieces[event.number], counter)
    yield counter.cost(CLOSED)
    Keeper(path).trim(0)
    yield counter.cost(TRIMMED)


def _appended(journal: Journal, match: int, event: Event, pieces: Sequence[Evidence], counter: Counter) -> Cost:
    body = {name: one for name, one in event.body.items() if name != "evidence"}
    journal.append(match, event.kind, body, pieces)
    return counter.cost(named(event), len(str(body)) + sum(len(one.data) for one in pieces))


def table(costs: Sequence[Cost]) -> str:
    """The costs, those of a kind together: their means, and the sum of the match."""
    rows = [HEAD]
    for what in dict.fromkeys(one.what for one in costs if one.what != TRIMMED):
        rows.append(_row(what, [one for one in costs if one.what == what]))
    match = [one for one in costs if one.what != TRIMMED]
    whole = Cost(MATCH, *(sum(getattr(one, part) for one in match) for part in ("itself", "handed", "disk")))
    rows.append(_row(MATCH, [whole]))
    rows.append(_row(TRIMMED, [one for one in costs if one.what == TRIMMED]))
    return "\n".join(rows)


def _row(what: str, costs: Sequence[Cost]) -> str:
    means = [statistics.mean(getattr(one, part) for one in costs) / 1e3 for part in ("itself", "handed", "disk")]
    return f"| {what} | {len(costs)} | " + " | ".join(f"{mean:,.1f} kB" for mean in means) + " |"


def main() -> None:
    """Parse the arguments, print the table, and write it where it is wanted."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.journal", description=__doc__)
    parser.add_argument("--match", type=Path, help="a journal whose newest match is taken (default: a demo is played)")
    parser.add_argument("--folder", type=Path, help="on the disk to be measured, no RAM disk (default: here)")
    parser.add_argument("--docs", type=Path, help="the page to write the table into, between its marks")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="throwlock-bench-", dir=given.folder or Path.cwd()) as name:
        folder, source = Path(name), given.match
        if source is None:
            source = folder / "demo.journal"
            demo = [str(Path(sys.executable).with_name("throwlock")), "demo", "--headless", f"--seed={SEED}"]
            more = [f"--journal={source}", f"--screens={folder / 'screens'}"]
            subprocess.run([*demo, *more], check=True, stdout=subprocess.DEVNULL)
        told = table(list(written_again(source, folder)))
    print(told)
    if given.docs:
        write_into(given.docs, told, BEGIN, END)


if __name__ == "__main__":
    main()
