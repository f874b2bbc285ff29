"""Measure how long an interrupted session with gigabytes of images takes to resume, and the review pages meanwhile.

``python -m tools.bench.resume`` plays the demo and writes its match again until the images fill ``--gigabytes``; a
second journal has the same events without images. The process that writes is killed in the middle of a match. Then
``throwlock play`` resumes each with 10 MB of temporary space, in turn and with nothing of either in the memory, and
``throwlock review`` serves six pages at once while it does. ``--docs measurements/2026-11/judge-performance.md`` writes
the result into that page."""

import argparse
import functools
import http.client
import math
import multiprocessing
import os
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from throwlock.journal.events import Answered, Round
from throwlock.journal.file import sibling
from throwlock.journal.journal import Event, Evidence, Journal, JournalReader, match_started, renumber_references
from throwlock.review.archive import ArchiveOpener
from tools.bench.journal import play_demo
from tools.bench.review import page_paths
from tools.docs.generated_sections import add_docs_option, publish

SECTION = "resume"
GIGABYTES = 0.05
TEMPORARY_MB = 10
START_COUNT = 5
ROUNDS_PER_START = 20
"""How often the six pages are fetched during each start."""
PAGES = ("matches", "players", "classroom", "a match", "a round", "a player")
DEMO_GAME = ("redeux", "--option", "risk=always")
QUESTION = "? ("
"""What the terminal shows when the match asks for a throw or a bet: ``Ada, throw? (rock or paper or scissors)``."""
TIMEOUT_S = 120


@dataclass(frozen=True)
class PageTimes:
    """Times of the review pages in ms."""

    first_ms: float
    """The very first request, which builds the index."""
    pages_ms: Sequence[float]
    """All further requests."""


def write_interrupted_session(path: Path, source: Path, matches: int, with_images: bool) -> None:
    """Write the newest match of ``source`` ``matches`` times into a new journal, and once more up to its middle, where
    the process that writes is killed. Raises TimeoutError, and EOFError if that process fails."""
    processes = multiprocessing.get_context("spawn")
    here, there = processes.Pipe()
    writer = processes.Process(target=_write_session, args=(path, source, matches, with_images, there))
    writer.start()
    there.close()
    try:
        is_complete = False
        while not is_complete:
            if not here.poll(TIMEOUT_S):
                raise TimeoutError(f"no match was written in {TIMEOUT_S} s")
            is_complete = here.recv()  # raises EOFError if the writer fails
    finally:
        writer.kill()
        writer.join()


def _write_session(path: Path, source: Path, matches: int, with_images: bool, done: Connection) -> None:
    with JournalReader(source) as reader:
        events = reader.events(reader.matches()[-1])
        pieces = {event.number: reader.evidence(event.number) for event in events}
    with Journal(path) as journal:
        for _ in range(matches):
            _write_match(journal, events, pieces if with_images else {})
            done.send(False)
        _write_match(journal, events[: len(events) // 2], pieces if with_images else {})
        done.send(True)
        signal.pause()


def _write_match(journal: Journal, events: Sequence[Event], pieces: Mapping[int, Sequence[Evidence]]) -> None:
    match = journal.start_match(match_started(events), events[0].names)
    numbers = {events[0].number: match}
    for event in events[1:]:
        body = renumber_references(event.body, numbers)
        if isinstance(body, Answered | Round):
            body = body.model_copy(update={"evidence": {}})  # append adds that of the pieces
        numbers[event.number] = journal.append(match, body, pieces.get(event.number, ())).number


def image_bytes(source: Path) -> int:
    """Return the size of all images of the newest match of a journal."""
    with JournalReader(source) as reader:
        events = reader.events(reader.matches()[-1])
        return sum(len(one.data) for event in events for one in reader.evidence(event.number))


@functools.cache
def small_temporary_space(folder: Path) -> tuple[str, ...]:
    """Return the beginning of a command that runs another one with a RAM disk of ``TEMPORARY_MB`` at ``folder``, which
    nobody else sees. Empty where this machine does not allow that."""
    mount = f'mount -t tmpfs -o size={TEMPORARY_MB}m tmpfs "$0" && exec "$@"'
    as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    prefix = ("unshare", *as_root, "--mount", "sh", "-c", mount, str(folder))
    works = (
        shutil.which("unshare") and not subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    )
    return prefix if works else ()


def forget_cached(path: Path) -> None:
    """Write a journal's files to the disk and drop them from the memory, as after a power cut."""
    for file in path.parent.glob(f"{path.name}*"):
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@contextmanager
def resuming_box(path: Path, temporary: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Start ``throwlock play`` on the terminal, without a camera, and kill it in the end."""
    options = ["--headless", "--camera", "none", "--journal", str(path)]
    with _throwlock(["play", *DEMO_GAME, *options], temporary) as process:
        yield process


@contextmanager
def _throwlock(
    args: Sequence[str], temporary: Path, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator["subprocess.Popen[bytes]"]:
    variables = {**os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1", **environment}
    command = [*small_temporary_space(temporary), str(Path(sys.executable).with_name("throwlock")), *args]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=variables) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: "subprocess.Popen[bytes]", text: str, timeout_s: float = TIMEOUT_S) -> str:
    """Return what a process prints up to ``text``.

    Raises:
        ValueError: It ends before.
        TimeoutError: It has not printed that after ``timeout_s``.
    """
    assert process.stdout is not None
    deadline_s = time.monotonic() + timeout_s
    printed = b""
    while text.encode() not in printed:
        if not select.select([process.stdout], [], [], max(0.0, deadline_s - time.monotonic()))[0]:
            raise TimeoutError(f"throwlock printed no {text!r} in {timeout_s:.0f} s: {printed.decode()}")
        piece = os.read(process.stdout.fileno(), 65536)
        if not piece:
            raise ValueError(f"throwlock ended before {text!r}: {printed.decode()}")
        printed += piece
    return printed.decode()


def resume_time_s(path: Path, temporary: Path) -> float:
    """Return the seconds from the start of the box's process to the question of its killed match. Raises ValueError if
    it starts another match."""
    forget_cached(path)
    start = time.monotonic()
    with resuming_box(path, temporary) as box:
        printed = read_until(box, QUESTION)
        elapsed_s = time.monotonic() - start
    if " resumes after " not in printed:
        raise ValueError(f"the match was not resumed: {printed}")
    return elapsed_s


def fetch_ms(address: str, path: str) -> float:
    """Return the time in ms in which a page arrives whole. Raises ValueError when its status isn't 200."""
    start = time.monotonic()
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_S)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise ValueError(f"GET {path} returned status {response.status}")
    return (time.monotonic() - start) * 1e3


def measure_pages(path: Path, temporary: Path, starts: int) -> PageTimes:
    """Fetch the six pages of ``throwlock review``, all at once and again and again, while a box resumes the match and
    after it has asked its question. Both have ``temporary`` for temporary space, each a RAM disk of its own."""
    opener = ArchiveOpener(path, temporary.with_name("own-cache"))
    with opener.open() as archive:
        paths = page_paths(archive)
    opener.close()
    pages_ms: list[float] = []
    cache = {"XDG_CACHE_HOME": str(temporary.with_name("cache"))}
    with (
        _throwlock(["review", "--journal", str(path), "--port", "0"], temporary, cache) as review,
        ThreadPoolExecutor(len(PAGES)) as browsers,
    ):
        address = read_until(review, "\n").splitlines()[0].split()[-1]
        first_ms = fetch_ms(address, paths[PAGES[0]])
        for _ in range(starts):
            with resuming_box(path, temporary) as box:
                for _ in range(ROUNDS_PER_START):
                    pages_ms += browsers.map(lambda name: fetch_ms(address, paths[name]), PAGES)
                read_until(box, QUESTION)
    return PageTimes(first_ms, pages_ms)


def measure_resume(folder: Path, build_folder: Path, gigabytes: float, starts: int) -> str:
    """Return the result in sentences. The journals are written in ``build_folder`` and moved to ``folder``."""
    source, full, plain = folder / "demo.journal", folder / "full.journal", folder / "plain.journal"
    temporary = folder / "temporary"
    temporary.mkdir()
    play_demo(source)
    matches = math.ceil(gigabytes * 1e9 / image_bytes(source))
    for path, with_images in ((full, True), (plain, False)):
        write_interrupted_session(build_folder / path.name, source, matches, with_images)
        for file in build_folder.glob(f"{path.name}*"):
            shutil.move(file, folder)
    logs = [sibling(path, "-wal").stat().st_size for path in (full, plain)]
    times_s = [[resume_time_s(path, temporary) for path in (full, plain)] for _ in range(starts)]
    with_s, without_s = (statistics.median(times) for times in zip(*times_s, strict=True))
    ratio = statistics.median(one / other for one, other in times_s)
    pages = measure_pages(full, temporary, starts)
    with JournalReader(full) as reader:
        rounds = sum(event.round is not None for event in reader.events())
    limited = small_temporary_space(temporary)
    space = f"{TEMPORARY_MB} MB of temporary space" if limited else "Temporary space is not limited: unshare fails here"
    slow = sum(ms > 200 for ms in pages.pages_ms)
    return (
        f"{matches:,} matches with {rounds:,} rounds, {full.stat().st_size / 1e9:.2f} GB, and "
        f"{logs[0] / 1e6:.1f} MB in the log; without images {plain.stat().st_size / 1e6:.0f} MB and "
        f"{logs[1] / 1e6:.1f} MB. {space}.\n\n"
        f"From the start of the process to the question: {with_s:.2f} s with images, {without_s:.2f} s without "
        f"(medians of {starts} starts each, in turn); the ratio is {ratio:.2f}.\n\n"
        f"Six review pages at once meanwhile: median {statistics.median(pages.pages_ms):.0f} ms, the slowest of "
        f"{len(pages.pages_ms)} {max(pages.pages_ms):.0f} ms, {slow} over 200 ms. The very first page, which "
        f"builds the index, took {pages.first_ms / 1e3:.1f} s."
    )


def main() -> None:
    """Print the result, and write it into a page if asked."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.resume", description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=GIGABYTES, help=f"of images (default {GIGABYTES})")
    parser.add_argument("--starts", type=int, default=START_COUNT, help=f"of each kind (default {START_COUNT})")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure, not a RAM disk (default: here)")
    parser.add_argument(
        "--build", type=Path, help="write the journals here first: a RAM disk is faster (default: --folder)"
    )
    add_docs_option(parser, SECTION)
    options = parser.parse_args()
    folder = options.folder or Path.cwd()
    with (
        tempfile.TemporaryDirectory(prefix="throwlock-bench-", dir=folder) as name,
        tempfile.TemporaryDirectory(prefix="throwlock-bench-", dir=options.build or folder) as build_name,
    ):
        result = measure_resume(Path(name), Path(build_name), options.gigabytes, options.starts)
    publish(options.docs, {SECTION: result})


if __name__ == "__main__":
    main()
