"""The command ``python -m tools.trials``."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import tools.trials
from tools.docs.generated_sections import add_docs_option, markdown_table, publish
from tools.trials import lock_window, tables
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
from tools.trials.tables import LatenessStep
from ui.screen.core.png_display import render_image
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown
from ui.text.verdicts import COUNT_WORDS

SCREEN_SIZE = 1280, 720
SCREEN_HALVES = {"left": np.s_[:, :640], "right": np.s_[:, 640:], "upper": np.s_[:360], "lower": np.s_[360:]}
"""The screen's halves as rows and columns of its image."""


def changed_shares(preview: bool) -> dict[str, float]:
    """Return the share (0–1) of each half's pixels that change with the last word of the count, with or without a live
    ``preview``: the cue must not favour a seat."""
    image = np.full((90, 160, 3), 90, np.uint8) if preview else None
    players = tuple(Player(seat, name) for seat, name in enumerate(("Ada", "Ben"), 1))
    last = len(COUNT_WORDS) - 1
    before, after = (
        render_image(Countdown(players, "Classic", COUNT_WORDS, beat, preview=image), SCREEN_SIZE)
        for beat in (last - 1, last)
    )
    changed = (before != after).any(axis=2)
    return {name: float(changed[half].mean()) for name, half in SCREEN_HALVES.items()}


def cue_table(_: Sequence[SeatOutcome]) -> str:
    """Return the table of ``changed_shares``."""
    rows = [
        (name, *(f"{share:.1%}" for share in changed_shares(preview).values()))
        for name, preview in {"the count alone": False, "with the live preview": True}.items()
    ]
    return markdown_table(("share of the half that changes", *SCREEN_HALVES), rows)


TABLES: Mapping[str, Callable[[Sequence[SeatOutcome]], str]] = {
    "rounds": tables.round_count_line,
    "targets": tables.target_table,
    "verdicts": tables.verdict_table,
    "times": tables.time_table,
    "fairness": tables.fairness_table,
    "cue": cue_table,
    "lateness model": lock_window.lateness_model_line,
    "window": lock_window.window_table,
    "methods": tables.method_table,
    "calls": tables.inference_line,
}
"""The parts of the report by the page's section."""
NEAR_LOCK_TABLES: Mapping[str, Callable[[Sequence[SeatOutcome]], str]] = {
    "near lock rounds": tables.round_count_line,
    "lateness": tables.lateness_table,
}
"""The same of the report on rounds near the lock."""
SUMMARY_TABLES = "rounds", "targets", "verdicts", "times", "calls"
"""The parts printed at the end of a run; the others need many rounds."""
CURVE_TITLES = {"late": "Late throws", "changed": "Changes of a throw"}


def report(outcomes: Sequence[SeatOutcome], parts: Sequence[str] = SUMMARY_TABLES) -> str:
    """Return the named parts as text."""
    return "\n\n".join({**TABLES, **NEAR_LOCK_TABLES}[part](outcomes) for part in parts)


def sections(outcomes: Sequence[SeatOutcome], *, near_lock: bool = False) -> dict[str, str]:
    """Return every part by the page's section: of rounds near the lock, or of all kinds. Without rounds that were
    judged by other methods too, their table is left out."""
    parts = NEAR_LOCK_TABLES if near_lock else TABLES
    has_methods = any(outcome.labels for outcome in outcomes)
    return {name: make_table(outcomes) for name, make_table in parts.items() if name != "methods" or has_methods}


def write_chart(outcomes: Sequence[SeatOutcome], path: Path) -> None:
    """Draw the shares caught and too close to call by lateness into ``path``, as PNG or SVG by its suffix."""
    curves = {title: steps for kind, title in CURVE_TITLES.items() if (steps := tables.lateness_curve(outcomes, kind))}
    figure = draw_curves(
        "Share caught by time after the lock",
        f"{tables.round_count_line(outcomes)}\nLines: caught, with the 95 % interval; dotted: too close to call",
        curves,
    )
    with mpl.rc_context({"svg.fonttype": "none"}):  # text stays text
        figure.savefig(path)


def draw_curves(title: str, subtitle: str, curves: Mapping[str, Sequence[LatenessStep]]) -> Figure:
    """Return a figure of 1280 × 720 pixels with the curves, by their titles, side by side."""
    figure = Figure(figsize=(12.8, 7.2), dpi=100, layout="constrained")
    figure.suptitle(f"{title}\n{subtitle}", size=18, weight="bold")
    plots = figure.subplots(1, max(1, len(curves)), sharey=True, squeeze=False)[0]
    plots[0].yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    for plot, (name, steps) in zip(plots, curves.items(), strict=False):
        for since, until, caught, too_close in steps:
            low, high = caught.bounds
            plot.bar(since, high - low, until - since, low, align="edge", color="lightsteelblue")
            plot.hlines(caught.share, since, until, color="tab:blue", linewidth=4)
            plot.hlines(too_close.share, since, until, color="dimgray", linewidth=4, linestyle="dotted")
        plot.axvline(0, color="saddlebrown")
        plot.set_title(f"{name} (n = {sum(step.caught.total for step in steps):,})", size=16)
        plot.set_xlabel("ms after the lock", size=14)
        plot.spines[["left", "right", "top"]].set_visible(False)
        plot.grid(axis="y", color="gainsboro")
        plot.set_axisbelow(True)
    return figure


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
        print(report(outcomes, [name for name in TABLES if name != "window"]))
        print("\n" + window_table(outcomes, options.window))
        return
    publish(options.docs, sections(outcomes, near_lock=options.near_lock))
    if options.near_lock:
        write_chart(outcomes, options.docs.parent / "pictures" / "caught.svg")


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
    print(report(outcomes))
    if seats_run:
        print(f"\n{(time.monotonic() - start) / seats_run:.2f} s per seat.")


if __name__ == "__main__":
    main()
