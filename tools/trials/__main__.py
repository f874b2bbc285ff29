"""The command ``python -m tools.trials``."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import tools.trials
from tools.docs.generated_sections import add_docs_option, publish
from tools.trials import report
from tools.trials.generate import DISTURBANCE_RATES, make_trial
from tools.trials.lock_window import WINDOWS_MS, window_table
from tools.trials.outcomes import SeatOutcome
from tools.trials.runner import (
    OutcomeFileError,
    TrialOptions,
    append_outcomes,
    is_near_lock,
    read_outcomes,
    run_trials,
    write_outcomes,
)

LARGE_ERROR_MS = 40.0
"""``--wrong`` also prints seats whose time is off by more than this."""


def _parse_args(args: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.trials", description=tools.trials.__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="number of rounds (default 40)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first round (default 0)")
    parser.add_argument("--fps", type=float, choices=[30, 60, 120], help="frames per second (default: random)")
    parser.add_argument("--seats", type=int, choices=range(2, 9), help="number of seats (default: random)")
    parser.add_argument(
        "--near-lock", action="store_true", help="only those rounds in which a late throw or a change is near the lock"
    )
    parser.add_argument(
        "--case", choices=[case for case in DISTURBANCE_RATES if case], help="only rounds in which this happens"
    )
    parser.add_argument("--others", action="store_true", help="also read throws as other projects do: twice the work")
    parser.add_argument("--workers", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--wrong", action="store_true", help="print every seat that is judged wrong")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="append seats as JSON lines, compressed if FILE ends in .gz; skip seeds in it",
    )
    parser.add_argument("--tables", type=Path, nargs="+", metavar="FILE", help="run nothing; print these files' tables")
    add_docs_option(parser)
    parser.add_argument(
        "--window", type=int, nargs="+", default=WINDOWS_MS, metavar="MS", help="with --tables: compare these windows"
    )
    return parser.parse_args(args)


def main(args: Sequence[str] | None = None) -> None:
    """Run rounds, or make the tables of stored outcomes."""
    options = _parse_args(sys.argv[1:] if args is None else args)
    try:
        if options.tables:
            _write_tables(options)
        else:
            _run_trials(options)
    except (OutcomeFileError, OSError) as error:
        sys.exit(f"python -m tools.trials: {error}")


def _write_tables(options: argparse.Namespace) -> None:
    outcomes = [outcome for path in options.tables for outcome in read_outcomes(path)]
    if not outcomes:
        sys.exit(f"python -m tools.trials: {options.tables[0]} contains no complete round")
    if options.docs is None:
        print(report.report(outcomes, [name for name in report.TABLES if name != "window"]))
        print("\n" + window_table(outcomes, options.window))
        return
    publish(options.docs, report.sections(outcomes, near_lock=options.near_lock))
    if options.near_lock:
        report.write_chart(outcomes, options.docs.parent / "pictures" / "caught.svg")


def _seeds(options: argparse.Namespace) -> Iterator[int]:
    """Yield the seeds of the rounds; with a ``case`` only those in which it happens."""
    fits = (
        seed
        for seed in count(options.seed)
        if options.case in (None, make_trial(seed, options.fps, options.seats).case)
    )
    yield from islice(fits, options.rounds)


def _run_trials(options: argparse.Namespace) -> None:
    outcomes: list[SeatOutcome] = []
    if options.out and options.out.exists():
        outcomes = read_outcomes(options.out)
        write_outcomes(options.out, outcomes)
    done = {outcome.seed for outcome in outcomes}
    seeds = [seed for seed in _seeds(options) if seed not in done]
    trials = TrialOptions(seeds, options.fps, options.seats, options.others)
    if options.near_lock:
        trials = replace(trials, seeds=[seed for seed in seeds if is_near_lock(seed, trials)])
    start, seats_run = time.monotonic(), 0
    for seats in run_trials(trials, options.workers):
        outcomes += seats
        seats_run += len(seats)
        if options.out:
            append_outcomes(options.out, seats)
        for seat in seats:
            large_error = abs(seat.time_error_ms or 0.0) > LARGE_ERROR_MS
            if options.wrong and (not seat.is_correct or seat.throw_is_correct is False or large_error):
                print(seat, flush=True)
    if options.out and seats_run:
        write_outcomes(options.out, outcomes)  # compressed together, they are several times smaller
    print(report.report(outcomes))
    if seats_run:
        print(f"\n{(time.monotonic() - start) / seats_run:.2f} s per seat.")


if __name__ == "__main__":
    main()
