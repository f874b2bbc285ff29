"""Runs one target under atheris, in a process of its own: libFuzzer ends the process when the time is up.

``python -m tools.fuzz.worker TARGET FOLDER OPTION…``: the corpus and what is found are in ``FOLDER``; the options are
libFuzzer's."""

import hashlib
import random
import sys
import traceback
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["rules", "vision", "device", "throwlock", "ui", "errors", "messages", "tomlkit", "tomllib"]
):
    from tools.fuzz.targets import TARGETS

SEED_SHARE = 0.25
"""Share of the inputs that are made from a seed, since most of the corpus are inputs that are refused early."""


class Fuzzer:
    """Feeds a target, and keeps one input for each place where it fails."""

    def __init__(self, name: str, folder: Path) -> None:
        self._target = TARGETS[name]
        self._seeds = [path.read_bytes() for path in sorted((folder / "seeds").iterdir())]
        self._findings = folder / "findings"
        self._seen: set[str] = set()

    def run(self, data: bytes) -> None:
        """Run an input."""
        try:
            self._target.run(data)
        except Exception as error:
            place = describe_place(error)
            if place in self._seen:
                return
            self._seen.add(place)
            name = hashlib.sha256(place.encode()).hexdigest()[:12]
            (self._findings / name).write_bytes(data)
            (self._findings / f"{name}.txt").write_text(traceback.format_exc(), errors="backslashreplace")
            print(f"FOUND {self._findings / name}: {place}", flush=True)

    def mutate(self, data: bytes, max_size: int, seed: int) -> bytes:
        """Return a changed input, as atheris asks for it."""
        rng = random.Random(seed)
        if rng.random() < SEED_SHARE:
            data = rng.choice(self._seeds)
        changed = self._target.mutate(data, rng, lambda part: atheris.Mutate(part, len(part) + 64))
        return changed if len(changed) <= max_size else data


def describe_place(error: BaseException) -> str:
    """Return type and place of an error, or of the error that it complains about."""
    error = error.__cause__ or error
    frames = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.endswith("fuzz/target.py")]
    return f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}"


def main() -> None:
    """Run a target until libFuzzer ends the process."""
    name, folder, *options = sys.argv[1:]
    fuzzer = Fuzzer(name, Path(folder))
    arguments = [sys.argv[0], str(Path(folder) / "corpus"), str(Path(folder) / "seeds"), *options]
    atheris.Setup(arguments, fuzzer.run, custom_mutator=fuzzer.mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
