"""Report the outcomes of trials: as text, as sections of ``measurements/2026-11/lock-accuracy.md``, and as a chart."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from tools.docs.generated_sections import markdown_table
from tools.trials import lock_window, tables
from tools.trials.outcomes import SeatOutcome
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
