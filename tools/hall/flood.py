"""Let one box of a hall flood it, and measure how long the others wait meanwhile.

``python -m tools.hall.flood`` runs a broker with the hall's own accounts and TLS, a database, a hub, and eight boxes.
Seven play. The eighth sends what it can with its own account, one kind after the other for ``--minutes`` in all: events
of ever new journals, hellos, and retained messages of 3.9 MB below its own topics. For each the table says how long
the others' events took from their commit to their row, and what came of the flood. It exits with 1 if an event of
another box is not stored in the end, or if the organiser is not told who floods."""

import argparse
import itertools
import multiprocessing
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from ctypes import c_ulonglong
from pathlib import Path

from throwlock.bench.result import percentile
from throwlock.hall.homie import state_topics
from throwlock.hall.membership import Membership
from throwlock.hall.protocol import EventBatch, Hello, StreamEvent, encode, topic
from throwlock.journal.hash_chain import event_hash
from throwlock.net import tls_context
from tools.docs.generated_sections import markdown_table
from tools.hall.boxes import Fleet
from tools.hall.check import compare_journals
from tools.hall.matches import record_matches
from tools.hall.trial import TrialHall, hall_command, trial_folder

BOXES = 8
PACE_S = 1.0
"""The mean time between two events of a box that plays."""
SETTLE_S = 5.0
TABLE_HEAD = (
    "the eighth box sends", "MB sent", "messages", "others' events", "commit to database, median, ms", "99 %, ms",
    "longest, ms", "stored of the flood, MB", "database, MB", "broker's memory, MB",
)  # fmt: skip
BATCH_EVENTS, BODY_BYTES = 100, 5_000
RETAINED_BYTES = 3_900_000

Packets = Iterator[tuple[str, bytes, bool]]
"""Topics, payloads, and whether the broker is to retain them."""


def flood_events(box: str) -> Packets:
    """Yield valid batches, each the beginning of another journal: nothing but a quota refuses them."""
    body = f'{{"text":"{"x" * BODY_BYTES}"}}'
    while True:
        journal = previous = secrets.token_hex(32)
        events = []
        for number in range(1, BATCH_EVENTS + 1):
            own = event_hash(number, 0, "2026-11-27T12:00:00.000+00:00", "flood", body, previous)
            events.append(
                StreamEvent(number=number, match=0, at="2026-11-27T12:00:00.000+00:00", kind="flood", body=body,
                            previous_hash=previous, hash=own)
            )  # fmt: skip
            previous = own
        payload = encode(EventBatch(journal=journal, events=tuple(events)))
        yield topic(box, "events"), payload, False


def flood_hellos(box: str) -> Packets:
    """Yield hellos, each of another journal."""
    while True:
        journal = secrets.token_hex(32)
        yield topic(box, "hello"), encode(Hello(journal=journal, number=0, hash=journal)), False


def flood_retained(box: str) -> Packets:
    """Yield large messages to be kept, below every topic of the box and below others that it makes up."""
    payload = b"x" * RETAINED_BYTES
    for number in itertools.count():
        for name in (*state_topics(box), topic(box, "hello"), f"{state_topics(box)[-1]}/{number}"):
            yield name, payload, True


FLOODS: Mapping[str, Callable[[str], Packets]] = {
    "events": flood_events,
    "hellos": flood_hellos,
    "retained messages": flood_retained,
}


def flood(membership: Membership, kind: str, sent: c_ulonglong, messages: c_ulonglong) -> None:
    """Send a kind of flood with a box's account until this process is ended, as fast as the broker reads; connect again
    whenever that ends the connection."""
    packets = FLOODS[kind](membership.box)
    while True:
        with suppress(OSError), _connect(membership) as line:
            for name, payload, is_retained in packets:
                line.sendall(_publish_packet(name, payload, is_retained))
                sent.value += len(payload)
                messages.value += 1
        time.sleep(0.1)


def _connect(membership: Membership) -> socket.socket:
    plain = socket.create_connection((membership.host, membership.port), timeout=30)
    line = tls_context(membership.ca).wrap_socket(plain, server_hostname=membership.host)
    words = b"".join(map(_text, (membership.box, membership.box, membership.password)))
    line.sendall(_packet(0x10, _text("MQTT") + b"\x04\xc2\x00\x00" + words))
    line.recv(4)  # that it is let in

    def read() -> None:
        with suppress(OSError, ValueError):
            while line.recv(65536):
                pass

    threading.Thread(target=read, daemon=True).start()
    return line


def _publish_packet(name: str, payload: bytes, is_retained: bool) -> bytes:
    return _packet(0x32 | is_retained, _text(name) + b"\x00\x01" + payload)


def _packet(kind: int, content: bytes) -> bytes:
    size, length = len(content), bytearray()
    while True:
        size, rest = divmod(size, 128)
        length.append(rest | (0x80 if size else 0))
        if not size:
            return bytes([kind]) + bytes(length) + content


def _text(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


class FloodRun:
    """A hall that is flooded, one kind after the other, each for ``phase_s`` seconds."""

    def __init__(self, folder: Path, phase_s: float) -> None:
        self._folder, self._phase_s = folder, phase_s
        self.rows: list[tuple[object, ...]] = []
        """A line of the table for each kind so far."""
        self.problems: list[str] = []
        """What was wrong, in words."""

    def run(self) -> None:
        """Run it. Raises ServerMissingError, ServerStartError."""
        matches = record_matches(self._folder, 2, secret=False)
        with TrialHall(self._folder, "Flood", BOXES) as hall:
            *players, flooding = hall.memberships
            with Fleet(players, self._folder, matches, pace_s=PACE_S) as fleet:
                fleet.run(SETTLE_S)
                self._measure(hall, fleet, "nothing", flooding)
                for kind in FLOODS:
                    self._measure(hall, fleet, kind, flooding)
                if not fleet.settle():
                    self.problems.append("the others' events are not all stored in the end")
                with hall.connect() as connection:
                    self.problems += compare_journals(connection, fleet.journals)[1]

    def _measure(self, hall: TrialHall, fleet: Fleet, kind: str, flooding: Membership) -> None:
        sent, messages = multiprocessing.RawValue(c_ulonglong), multiprocessing.RawValue(c_ulonglong)
        process = multiprocessing.Process(target=flood, args=(flooding, kind, sent, messages), daemon=True)
        with hall.connect() as connection:
            since = connection.execute("SELECT now()").fetchone()
        if kind in FLOODS:
            process.start()
        fleet.run(self._phase_s)
        if kind in FLOODS:
            process.kill()
            process.join()
        fleet.run(SETTLE_S)
        with hall.connect() as connection:
            delays = [
                float(delay)
                for (delay,) in connection.execute(
                    "SELECT 1000 * extract(epoch FROM stored_at - event.at)::float8 FROM event "
                    "JOIN journal ON journal.id = journal WHERE box <> %s AND event.at >= %s",
                    (flooding.box, since and since[0]),
                )
            ]
            excess, stored, database = connection.execute(
                "SELECT excess, stored_bytes, pg_database_size(current_database()) FROM box WHERE id = %s",
                (flooding.box,),
            ).fetchone() or ("", 0, 0)
        if kind in FLOODS and not excess:
            self.problems.append(f"{kind}: the organiser is not told")
        row = (
            kind, f"{sent.value / 1e6:,.0f}", f"{messages.value:,}", len(delays), f"{percentile(delays, 50):.0f}",
            f"{percentile(delays, 99):.0f}", f"{max(delays):.0f}", f"{stored / 1e6:.1f}", f"{database / 1e6:.0f}",
            f"{hall.broker.memory_bytes() / 1e6:.0f}",
        )  # fmt: skip
        self.rows.append(row)
        print(" | ".join(map(str, row)), flush=True)


def main() -> None:
    """Print a line for each kind of flood, and exit with 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.hall.flood", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long it floods in all (default 1)")
    options = parser.parse_args()
    print(" | ".join(TABLE_HEAD))
    with hall_command(), trial_folder() as folder:
        run = FloodRun(folder, options.minutes * 60 / len(FLOODS))
        run.run()
    if run.problems:
        sys.exit("\n".join(run.problems))
    print(f"\n{markdown_table(TABLE_HEAD, run.rows)}\n\nEvery event of the other {BOXES - 1} boxes is stored once.")


if __name__ == "__main__":
    main()
