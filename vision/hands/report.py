"""How well hands are recognised: reads folders of labelled pictures, ``SET/THROW/*.jpg``, and prints a table by set and
throw. Folders of other names hold no throw: of those "unknown" counts how many are refused, as they should be."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from rules.throws import Throw
from vision.hands.looks import LOOKS
from vision.hands.model import ModelFault, Size, prepare
from vision.hands.recognise import Recogniser, read_picture


@dataclass(frozen=True)
class Seen:
    """What was said of one picture: the best hand's throw, and how often the model was called."""

    folder: Path
    throw: Throw | None
    calls: int

    @property
    def label(self) -> Throw | None:
        """The throw in the folder's name, or None where that is none."""
        return Throw(self.folder.name) if self.folder.name in set(Throw) else None

    @property
    def outcome(self) -> str:
        """ "right", "wrong" or "unknown"; without a label, "unknown" is what is wanted."""
        if self.throw is None:
            return "unknown"
        return "right" if self.throw is self.label else "wrong"


def pictures(root: Path, sets: Iterable[str] = (), per: int | None = None) -> list[Path]:
    """The pictures of the sets named (of all, if none is), at most ``per`` of each folder, evenly spread."""
    wanted = set(sets)
    chosen: list[Path] = []
    for folder in sorted(path for path in root.glob("*/*") if path.is_dir()):
        if not wanted or folder.parent.name in wanted:
            files = sorted(folder.glob("*.jpg"))
            count = min(per or len(files), len(files))
            chosen += [files[i * len(files) // count] for i in range(count)]
    return chosen


def see(files: list[Path], model: Size = "full", looks: int = len(LOOKS)) -> list[Seen]:
    """What the recogniser says of each file."""
    seen = []
    with Recogniser(model) as recogniser:
        for file in files:
            before = recogniser.finder.calls
            found = recogniser.recognise(read_picture(file), LOOKS[:looks])
            seen.append(Seen(file.parent, found[0].throw if found else None, recogniser.finder.calls - before))
    return seen


def table(seen: list[Seen]) -> Iterator[str]:
    """The lines of the table: one a folder, then one a throw over all the sets."""
    yield f"{'':24}{'pictures':>9}{'right':>8}{'wrong':>8}{'unknown':>8}{'calls':>7}"
    rows: dict[str, list[Seen]] = {}
    for one in seen:
        rows.setdefault(f"{one.folder.parent.name}/{one.folder.name}", []).append(one)
    for one in seen:
        rows.setdefault(f"all/{one.label or 'no throw'}", []).append(one)
    rows["all throws"] = [one for one in seen if one.label]
    for name, row in rows.items():
        if row:
            counts = Counter(one.outcome for one in row)
            shares = "".join(f"{counts[outcome] / len(row):8.1%}" for outcome in ("right", "wrong", "unknown"))
            yield f"{name:24}{len(row):9}{shares}{sum(one.calls for one in row) / len(row):7.2f}"


def main() -> None:
    """Prints the table for a directory of sets."""
    parser = argparse.ArgumentParser(prog="python -m vision.hands.report", description=__doc__)
    parser.add_argument("root", type=Path, help="directory of sets, each with folders rock, paper, scissors")
    parser.add_argument("--sets", nargs="*", default=[], metavar="SET", help="only these sets")
    parser.add_argument("--per", type=int, metavar="N", help="at most N pictures of each folder")
    parser.add_argument("--model", choices=get_args(Size), default="full")
    parser.add_argument("--looks", type=int, default=len(LOOKS), metavar="N", help="the first N looks only")
    options = parser.parse_args()
    files = pictures(options.root, options.sets, options.per)
    if not files:
        sys.exit(f"There are no pictures SET/THROW/*.jpg in {options.root}.")
    try:
        prepare()
    except ModelFault as fault:
        sys.exit(str(fault))
    with ProcessPoolExecutor(2) as pool:
        halves = pool.map(see, (files[::2], files[1::2]), [options.model] * 2, [options.looks] * 2)
        seen = sorted((one for half in halves for one in half), key=lambda one: one.folder)
    print("\n".join(table(seen)))


if __name__ == "__main__":
    main()
