"""The hash chain of the events, and the check of its newest part after a crash.

Evidence: an event's body holds a commitment to each image, the hash of the image with a random salt. So the chain
proves the image, yet once image and salt are deleted nobody can prove that a copy was this one."""

import hashlib
import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from messages import LazyText, N
from throwlock.journal.file import JournalDamagedError, open_snapshot, translate_sqlite_errors
from throwlock.journal.tail_marker import read_tail_marker

CHECKED_TAIL_EVENTS = 1000
"""The newest events checked when a box starts after a crash: earlier ones were on the disk long before. ``throwlock
verify`` checks all."""

PROOF_CODE_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: https://www.crockford.com/base32.html."""
PROOF_CODE_LENGTH = 20
"""Digits of a proof code, 100 bits: a million times more work to forge than 80 bits, which large networks of special
hardware could try."""
PROOF_CODE_GROUP = 5
PROOF_TEXT_START = re.compile(r"\s*THROWLOCK MATCH \d+ ", re.IGNORECASE)
"""What a QR code has in front of the proof code."""
PROOF_HEX_DIGITS = PROOF_CODE_LENGTH * 5 // 4
"""Of an event's hash, that a proof code stands for."""


class EventLostError(JournalDamagedError):
    """Events that were written are missing or changed."""


def canonical_json(value: object) -> str:
    """Return ``value`` as the journal's JSON: sorted keys, no whitespace. Raises ValueError for NaN and infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def event_hash(number: int, match: int, at: str, kind: str, body: str, previous_hash: str) -> str:
    """Return the SHA-256 of an event, hexadecimal; ``body`` as stored."""
    return hashlib.sha256(canonical_json([number, match, at, kind, body, previous_hash]).encode()).hexdigest()


def origin_hash(journal_id: str) -> str:
    """Return the ``previous_hash`` of a journal's first event."""
    return hashlib.sha256(journal_id.encode()).hexdigest()


def proof_code(newest_hash: str) -> str:
    """Return the first 100 bits of an event's hash for people to copy, as ``XXXXX-XXXXX-XXXXX-XXXXX``. Whoever has the
    code can tell whether that event and all before it are still the same."""
    number = int(newest_hash[:PROOF_HEX_DIGITS], 16)
    digits = "".join(PROOF_CODE_DIGITS[number >> 5 * position & 31] for position in reversed(range(PROOF_CODE_LENGTH)))
    return "-".join(digits[at : at + PROOF_CODE_GROUP] for at in range(0, PROOF_CODE_LENGTH, PROOF_CODE_GROUP))


def parse_proof_code(text: str) -> str:
    """Return the hexadecimal digits that an event's hash starts with. Accepts small letters, O for 0, I and L for 1,
    any blanks and hyphens, and the whole text of a QR code. Raises ValueError if ``text`` is no proof code."""
    code = PROOF_TEXT_START.sub("", text, count=1)
    digits = "".join(code.split()).replace("-", "").upper().translate(str.maketrans("OIL", "011"))
    if len(digits) != PROOF_CODE_LENGTH or not set(digits) <= set(PROOF_CODE_DIGITS):
        raise ValueError(f"a proof code has {PROOF_CODE_LENGTH} letters and digits, and no U")
    number = sum(PROOF_CODE_DIGITS.index(digit) << 5 * position for position, digit in enumerate(reversed(digits)))
    return f"{number:0{PROOF_HEX_DIGITS}x}"


def check_tail(path: Path) -> None:
    """Check the newest events of a journal after a crash, without changing anything; does nothing after a clean
    shutdown.

    Raises:
        EventLostError: Events that were written are missing or changed.
        JournalDamagedError: The journal can't be read.
    """
    file = path.resolve()
    marked = read_tail_marker(file)
    if marked is None or not file.exists():
        return
    with translate_sqlite_errors(path), ExitStack() as exit_stack:
        db = open_snapshot(file, "mode=ro", exit_stack)
        rows = db.execute(
            "SELECT number, match, at, kind, body, previous_hash, hash FROM event ORDER BY number DESC LIMIT ?",
            (CHECKED_TAIL_EVENTS,),
        ).fetchall()
        marked_row = db.execute("SELECT hash FROM event WHERE number = ?", (marked[0],)).fetchone()
        metadata = db.execute("SELECT value FROM journal WHERE name = 'last_hash'").fetchone()
    expected = metadata[0] if metadata else None
    for *columns, stored in rows:
        if stored != expected or event_hash(*columns) != stored:
            raise _lost_events_error(
                N(
                    "{path} has lost its newest events: event {number} or a later one was changed",
                    path=path,
                    number=columns[0],
                )
            )
        expected = columns[-1]
    if marked_row is None:
        raise _missing_events_error(path, rows[0][0] if rows else 0, marked[0])
    if marked_row[0] != marked[1]:
        raise _lost_events_error(
            N(
                "{path} has lost its newest events: event {number} is not the one that was written",
                path=path,
                number=marked[0],
            )
        )


def _missing_events_error(path: Path, left: int, written: int) -> EventLostError:
    if written - left == 1:
        return _lost_events_error(
            N("{path} has lost its newest events: event {number} is missing", path=path, number=written)
        )
    return _lost_events_error(
        N(
            "{path} has lost its newest events: events {first} to {last} are missing",
            path=path,
            first=left + 1,
            last=written,
        )
    )


def _lost_events_error(text: LazyText) -> EventLostError:
    return EventLostError(text, terminal_hint=". Keep the file and name another journal")


class SaltedData(NamedTuple):
    """The content of an image as stored, and the salt of its commitment, 32 hexadecimal digits."""

    salt: str
    data: bytes


def evidence_commitment(name: str, media_type: str, salted: SaltedData) -> str:
    """Return the SHA-256, hexadecimal, of the JSON list of the salt, the name, the media type, and the SHA-256 of the
    data."""
    columns = [salted.salt, name, media_type, hashlib.sha256(salted.data).hexdigest()]
    return hashlib.sha256(canonical_json(columns).encode()).hexdigest()


def is_original_evidence(commitment: str, name: str, media_type: str, salt: object, data: object) -> bool:
    """Return whether ``commitment`` was made from all the others. False for a salt or data of another type."""
    return (
        isinstance(salt, str)
        and isinstance(data, bytes)
        and evidence_commitment(name, media_type, SaltedData(salt, data)) == commitment
    )
