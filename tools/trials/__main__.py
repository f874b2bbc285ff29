"""The command ``python -m tools.trials``: runs rounds, and makes the tables of those kept in a file."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import tools.trials
from tools.docs.generated_sections import SectionError
from tools.trials import paper, window
from tools.trials.judging import Outcome
from tools.trials.running import RowsError, Wanted, keep, kept, rewrite, run

ODD_MS = 40.0
"""A time further off than this is printed with --wrong."""


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.trials", description=tools.trials.__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="how many rounds are judged (default 40)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (default 0)")
    parser.add_argument("--fps", type=float, choices=[30, 60, 120], help="frames a second (default: any of them)")
    parser.add_argument("--seats", type=int, choices=range(2, 9), help="seats (default: any number)")
    parser.add_argument("--others", action="store_true", help="look the ways other projects do as well: twice the work")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the rounds (default 1)")
    parser.add_argument("--wrong", action="store_true", help="print every seat that comes out wrong")
    parser.add_argument("--out", type=Path, help="keep each seat as a line of JSON; seeds it holds are not run again")
    parser.add_argument("--tables", type=Path, nargs="+", help="run nothing: make the tables of these files")
    parser.add_argument(
        "--docs",
        type=Path,
        help="with --tables: put them between the marks of this page, and draw its picture beside it",
    )
    parser.add_argument(
        "--window",
        type=int,
        nargs="+",
        default=window.WINDOWS_MS,
        metavar="MS",
        help="with --tables: print what these windows cost",
    )
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    """Parse the arguments, run, print."""
    options = _arguments(sys.argv[1:] if given is None else given)
    try:
        if options.tables:
            _tables(options)
        else:
            _run(options)
    except (RowsError, SectionError, OSError) as fault:
        sys.exit(f"python -m tools.trials: {fault}")


def _tables(options: argparse.Namespace) -> None:
    found = [one for path in options.tables for one in kept(path)]
    if not found:
        sys.exit(f"python -m tools.trials: {options.tables[0]} holds no whole round")
    if options.docs is None:
        print(paper.report(found, [name for name in paper.TABLES if name != "window"]))
        print("\n" + window.window_table(found, options.window))
        return
    options.docs.write_text(paper.marked(options.docs.read_text(), found))
    paper.picture(found, options.docs.parent / "pictures" / "caught.svg")


def _run(options: argparse.Namespace) -> None:
    found: list[Outcome] = []
    if options.out and options.out.exists():
        found = kept(options.out)
        rewrite(options.out, found)
    done = {one.seed for one in found}
    seeds = [seed for seed in range(options.seed, options.seed + options.rounds) if seed not in done]
    wanted = Wanted(seeds, options.fps, options.seats, options.others)
    start, fresh = time.monotonic(), 0
    for results in run(wanted, options.workers):
        found += results
        fresh += len(results)
        if options.out:
            keep(options.out, results)
        for one in results:
            if options.wrong and (not one.right or one.named is False or abs(one.off_ms or 0.0) > ODD_MS):
                print(one, flush=True)
    print(paper.report(found))
    if fresh:
        print(f"\n{(time.monotonic() - start) / fresh:.2f} s a seat.")


if __name__ == "__main__":
    main()
