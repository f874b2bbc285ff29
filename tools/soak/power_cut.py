"""Rebuilds what a power cut at any instant may leave of a journal, from all calls that a player process made."""

import random
import struct
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.soak.shim import Call

_HEAD = struct.Struct("=4q")
SECTOR_BYTES = 512
"""A write reaches the disk in sectors, each whole or not at all."""


@dataclass(frozen=True)
class RecordedCall:
    """A call on a file."""

    call: Call
    path: Path
    offset: int
    """Where data was written, in bytes."""
    size: int
    """The bytes written, or the new size of the file."""
    data: bytes
    """What was written; empty for any other call."""


def read_record(path: Path) -> Iterator[RecordedCall]:
    """Yield the calls that ``faults.c`` recorded."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        call, offset, size, path_size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        name = Path(data[at : at + path_size].decode())
        at += path_size
        content = data[at : at + size] if call == Call.WRITE else b""
        at += len(content)
        yield RecordedCall(Call(call), name, offset, size, content)


def rebuild(calls: Sequence[RecordedCall], files: dict[Path, bytes], rng: random.Random) -> dict[Path, bytes]:
    """Return the files after a power cut that came after ``calls`` on ``files``: what was synced is there; of
    everything since, each sector is there or not. A name is removed, or a file made shorter, before it is changed
    further, as journaling file systems do it."""
    left = {path: bytearray(data) for path, data in files.items()}
    pending: defaultdict[Path, list[RecordedCall]] = defaultdict(list)
    for one in calls:
        if one.call is not Call.SYNC:
            pending[one.path].append(one)
            continue
        synced = [one.path, *(path for path in pending if path.parent == one.path and _has_unlink(pending[path]))]
        for path in synced:
            for earlier in pending.pop(path, ()):
                _apply(left, earlier)
    share = rng.random()
    for changes in pending.values():
        for change in changes:
            if change.call is Call.WRITE:
                _apply_sectors(left, change, rng, share)
            elif rng.random() < share:
                _apply(left, change)
            else:
                break
    return {path: bytes(data) for path, data in left.items()}


def _has_unlink(changes: Sequence[RecordedCall]) -> bool:
    return bool(changes) and changes[-1].call is Call.UNLINK


def _apply(files: dict[Path, bytearray], change: RecordedCall) -> None:
    if change.call is Call.UNLINK:
        files.pop(change.path, None)
        return
    file = files.setdefault(change.path, bytearray())
    if change.call is Call.TRUNCATE:
        del file[change.size :]
        end = change.size
    else:
        end = change.offset + len(change.data)
    file.extend(bytes(max(0, end - len(file))))
    if change.call is Call.WRITE:
        file[change.offset : end] = change.data


def _apply_sectors(files: dict[Path, bytearray], change: RecordedCall, rng: random.Random, share: float) -> None:
    """Apply a share of a write's sectors, each or none of it."""
    for start in range(0, len(change.data), SECTOR_BYTES):
        if rng.random() < share:
            data = change.data[start : start + SECTOR_BYTES]
            _apply(files, RecordedCall(Call.WRITE, change.path, change.offset + start, len(data), data))
