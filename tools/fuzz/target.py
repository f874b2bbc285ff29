"""What is common to the fuzz targets."""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from errors import ThrowlockError
from messages import ISOLATES, is_printable

MAX_MESSAGE_LETTERS = 500
"""Of an error's line: it quotes little of the input."""
MEMORY_FOLDER = Path("/dev/shm")
MutateBytes = Callable[[bytes], bytes]
"""Changes bytes without knowing their format."""


class FindingError(AssertionError):
    """An input for which a target's property does not hold."""


@dataclass(frozen=True)
class Target:
    """Code that is fuzzed."""

    name: str
    """As on the command line."""
    seeds: Callable[[], Iterable[bytes]]
    """Returns the valid inputs from which fuzzing starts."""
    mutate: Callable[[bytes, random.Random, MutateBytes], bytes]
    """Returns a changed input; ``mutate_bytes`` changes it, or a part, without knowing its format."""
    check: Callable[[bytes], None]
    """Takes an input. Raises any error if a property does not hold."""
    max_bytes: int
    """The length of the longest input."""
    max_cpu_s: float
    """CPU seconds that an input may take."""

    def run(self, data: bytes) -> None:
        """Check an input, and that it takes no longer than it may."""
        start = time.process_time()
        self.check(data)
        taken = time.process_time() - start
        require(taken <= self.max_cpu_s, f"took {taken:.1f} s of CPU time, and may take {self.max_cpu_s:g} s")


def require(is_so: bool, problem: str) -> None:
    """Raise FindingError with the ``problem`` unless ``is_so``."""
    if not is_so:
        raise FindingError(problem)


def check_message(error: ThrowlockError | ValueError | str) -> None:
    """Raise FindingError unless an error is one printable line that is not too long."""
    line = str(error)
    problem = None
    if not line.strip():
        problem = "the error says nothing"
    elif len(line) > MAX_MESSAGE_LETTERS:
        problem = f"the error has {len(line)} letters: {line[:200]}"
    elif not is_printable(line.translate(dict.fromkeys(map(ord, ISOLATES)))):
        problem = f"the error has a control character: {line!r}"
    if problem:
        raise FindingError(problem) from (error if isinstance(error, Exception) else None)


def temporary_folder() -> TemporaryDirectory[str]:
    """Return a new folder, in memory where there is one, which is deleted at the end of a ``with`` block."""
    return TemporaryDirectory(prefix="throwlock-fuzz-", dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None)


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """Change some bytes at random: where atheris is not installed, in its place."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(changed) + 1)
        match rng.randrange(4):
            case 0:
                changed[at : at + 1] = rng.randbytes(1)
            case 1:
                changed[at:at] = rng.randbytes(rng.randrange(1, 5))
            case 2:
                del changed[at : at + rng.randrange(1, 9)]
            case _:
                start = rng.randrange(len(changed) + 1)
                changed[at:at] = changed[start : start + rng.randrange(1, 17)]
    return bytes(changed)
