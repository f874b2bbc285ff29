"""Measure how many bytes each event of a match, and the whole match, write to the disk.

``python -m tools.bench.journal`` plays the demo, or takes the newest match of ``--match JOURNAL``, and writes it again
event by event; ``--docs docs/journal-keeping.md`` writes the table into that page."""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from throwlock.journal.events import Answered, Round, encode_body
from throwlock.journal.journal import Event, Evidence, Journal, JournalReader, match_started
from throwlock.journal.maintenance import JournalMaintenance
from tools.docs.generated_sections import add_docs_option, markdown_table, publish

SECTION = "bytes"
DEMO_SEED = 7
JOURNAL_CREATED, JOURNAL_CLOSED, WHOLE_MATCH, IMAGES_DELETED = (
    "journal created",
    "journal closed",
    "**the match**",
    "its images deleted",
)


@dataclass(frozen=True)
class WriteCost:
    """What one write cost. The kernel's figures are as Linux counts them for the process, see proc(5),
    ``/proc/pid/io``."""

    label: str
    content_bytes: int
    """The content itself."""
    written_bytes: int
    """What the process passed to the kernel."""
    disk_bytes: int
    """What the kernel sent to the disk."""


class WriteCounter:
    """Counts the bytes this process writes."""

    def __init__(self) -> None:
        self._last = self._read()

    @staticmethod
    def _read() -> tuple[int, int]:
        lines = Path("/proc/self/io").read_text().splitlines()
        found = dict(line.split(": ") for line in lines)
        return int(found["wchar"]), int(found["write_bytes"])

    def cost_since_last(self, label: str, content_bytes: int = 0) -> WriteCost:
        """Return the cost since the last call, under ``label``."""
        (written, disk), self._last = self._last, self._read()
        return WriteCost(label, content_bytes, self._last[0] - written, self._last[1] - disk)


def event_label(event: Event) -> str:
    """Return the event's name in the table."""
    if isinstance(event.body, Answered | Round):
        return "a round with its images" if event.body.evidence else "an answer without hands"
    return f"“{event.kind}”"


def rewrite_match(source: Path, folder: Path) -> Iterator[WriteCost]:
    """Write the newest match of ``source`` into a new journal in ``folder``, and yield the cost of each event."""
    with JournalReader(source) as reader:
        events = reader.events(reader.matches()[-1])
        pieces = {event.number: reader.evidence(event.number) for event in events}
    path, counter = folder / "bench.journal", WriteCounter()
    with Journal(path) as journal:
        yield counter.cost_since_last(JOURNAL_CREATED)
        match = journal.start_match(match_started(events), events[0].names)
        yield counter.cost_since_last(event_label(events[0]), len(encode_body(events[0].body)))
        for event in events[1:]:
            yield _append(journal, match, event, pieces[event.number], counter)
    yield counter.cost_since_last(JOURNAL_CLOSED)
    JournalMaintenance(path).trim_evidence(0)
    yield counter.cost_since_last(IMAGES_DELETED)


def _append(journal: Journal, match: int, event: Event, pieces: Sequence[Evidence], counter: WriteCounter) -> WriteCost:
    body = journal.append(match, event.body, pieces).body
    return counter.cost_since_last(event_label(event), len(encode_body(body)) + sum(len(one.data) for one in pieces))


def play_demo(journal: Path) -> None:
    """Play the demo into a new journal."""
    demo = [str(Path(sys.executable).with_name("throwlock")), "demo", "--headless", f"--seed={DEMO_SEED}"]
    more = [f"--journal={journal}", f"--screens={journal.with_name('screens')}"]
    subprocess.run([*demo, *more], check=True, stdout=subprocess.DEVNULL)


def cost_table(costs: Sequence[WriteCost]) -> str:
    """Return the table of mean costs by label, with the sum over the match."""
    match = [cost for cost in costs if cost.label != IMAGES_DELETED]
    rows = [
        _table_row(label, [c for c in match if c.label == label]) for label in dict.fromkeys(c.label for c in match)
    ]
    total = [
        sum(column) for column in zip(*((c.content_bytes, c.written_bytes, c.disk_bytes) for c in match), strict=True)
    ]
    rows.append(_table_row(WHOLE_MATCH, [WriteCost(WHOLE_MATCH, *total)]))
    rows.append(_table_row(IMAGES_DELETED, [cost for cost in costs if cost.label == IMAGES_DELETED]))
    return markdown_table(("written", "times", "content", "passed to the kernel", "sent to the disk"), rows)


def _table_row(label: str, costs: Sequence[WriteCost]) -> tuple[str, ...]:
    columns = zip(*((cost.content_bytes, cost.written_bytes, cost.disk_bytes) for cost in costs), strict=True)
    return label, str(len(costs)), *(f"{statistics.mean(column) / 1e3:,.1f} kB" for column in columns)


def main() -> None:
    """Print the table, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.journal", description=__doc__)
    parser.add_argument("--match", type=Path, metavar="JOURNAL", help="take its newest match (default: play the demo)")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure, not a RAM disk (default: here)")
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="throwlock-bench-", dir=options.folder or Path.cwd()) as name:
        folder, source = Path(name), options.match
        if source is None:
            source = folder / "demo.journal"
            play_demo(source)
        table = cost_table(list(rewrite_match(source, folder)))
    publish(options.docs, {SECTION: table})


if __name__ == "__main__":
    main()
