"""What trials come to, as tables in Markdown: verdicts, fairness, times, and the other ways beside the lock."""

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rules.throws import Throw
from tools.trials.judging import EXPECTED, SURELY_MS, TROUBLES, Outcome
from tools.trials.making import HARMLESS
from tools.trials.others import WAYS
from vision.lock.verdict import Verdict

Z95 = 1.959964
"""Of a normal distribution 95 % lie within this many standard deviations."""
BIN_MS = 20
"""The width of a step of the curve."""


class Share(NamedTuple):
    """``hits`` of ``of``, with the bounds (0–1) of its 95 % interval (Wilson, J. Am. Stat. Assoc. 22, 1927)."""

    hits: int
    of: int

    @property
    def share(self) -> float:
        """0–1; not a number where there was nothing to count."""
        return self.hits / self.of if self.of else math.nan

    @property
    def bounds(self) -> tuple[float, float]:
        """Low and high, 0–1."""
        if not self.of:
            return 0.0, 1.0
        middle = self.share + Z95**2 / (2 * self.of)
        reach = Z95 * math.sqrt(self.share * (1 - self.share) / self.of + Z95**2 / (4 * self.of**2))
        low, high = ((middle + side * reach) / (1 + Z95**2 / self.of) for side in (-1, 1))
        return max(0.0, min(low, self.share)), min(1.0, max(high, self.share))  # rounding aside they hold it

    def __str__(self) -> str:
        return f"{self.hits:,} of {self.of:,}"

    @property
    def percent(self) -> str:
        """The share and its interval in per cent."""
        if not self.of:
            return "–"
        low, high = self.bounds
        return f"{100 * self.share:.2f} % ({100 * low:.2f}–{100 * high:.2f})"


def table(heads: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """A table in Markdown; the first column holds words, the others figures."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


class Kind(NamedTuple):
    """Seats that are counted together: of a kind, and, if late or changed, from so long after the lock on and less than
    so long (ms)."""

    kind: str
    words: str
    since_ms: float = -math.inf
    until_ms: float = math.inf

    def holds(self, one: Outcome) -> bool:
        """Whether a seat belongs to it."""
        return one.kind == self.kind and self.since_ms <= (one.lateness_ms or 0.0) < self.until_ms


COUNTED = (
    Kind("honest", "honest"),
    Kind("late", "late, yet before the lock", until_ms=0.0),
    Kind("late", "late, less than 100 ms after the lock", 0.0, SURELY_MS),
    Kind("late", "late, 100 ms or more after the lock", SURELY_MS),
    Kind("changed", "changed, less than 100 ms after the lock", 0.0, SURELY_MS),
    Kind("changed", "changed, 100 ms or more after the lock", SURELY_MS),
    *(Kind(kind, kind) for kind in EXPECTED if kind not in ("honest", "late", "changed", "entered")),
    Kind("entered", "another's hand in the zone"),
    *(Kind(kind, kind) for kind in TROUBLES),
)
"""The kinds as they are counted."""


def honest(found: Sequence[Outcome]) -> list[Outcome]:
    """The honest seats."""
    return [one for one in found if one.kind == "honest"]


def accused(found: Sequence[Outcome]) -> Share:
    """How many of the honest seats were accused of a foul; a voided round accuses nobody."""
    innocent = honest(found)
    return Share(sum(one.caught for one in innocent), len(innocent))


def caught(found: Sequence[Outcome], kind: str) -> Share:
    """How many of the late throws or changes that must be caught were caught, in rounds that were not voided."""
    guilty = [one for one in found if Kind(kind, kind, SURELY_MS).holds(one) and one.trouble is None]
    return Share(sum(one.caught for one in guilty), len(guilty))


def voided(found: Sequence[Outcome]) -> Share:
    """How many of the rounds in which nothing harmful happened were voided."""
    rounds = {one.seed: one.trouble for one in found if one.case in HARMLESS}
    return Share(sum(trouble is not None for trouble in rounds.values()), len(rounds))


def named(found: Sequence[Outcome]) -> Share:
    """How many of the throws that were seen were named right."""
    told = [one.named for one in found if one.named is not None]
    return Share(sum(told), len(told))


def aims_table(found: Sequence[Outcome]) -> str:
    """The figures that were aimed at."""
    rows = [
        ("honest seats accused", accused(found), "≤ 0.1 %"),
        ("throws 100 ms or more after the lock caught", caught(found, "late"), "≥ 99.5 %"),
        ("changes 100 ms or more after the lock caught", caught(found, "changed"), "≥ 99.5 %"),
        ("rounds voided though nothing was wrong", voided(found), ""),
        ("honest throws named right", named(honest(found)), ""),
        ("all throws named right", named(found), ""),
    ]
    return table(["", "number", "share (95 %)", "aim"], [(name, str(x), x.percent, aim) for name, x, aim in rows])


def _told(one: Outcome) -> str:
    """The verdict, and whether the throw it goes with is none, or not the one thrown."""
    if one.trouble is not None:
        return f"void: {one.trouble}"
    thrown = None if one.kind == "half-open" else one.throw or Throw.ROCK.value
    if one.verdict != Verdict.ON_TIME or one.found == thrown or (one.then and one.found == one.then):
        return one.verdict
    return f"{one.verdict}, {'wrong throw' if one.found else 'no throw'}"


def verdicts_table(found: Sequence[Outcome]) -> str:
    """What became of each kind of seat."""
    rows = []
    for kind in COUNTED:
        these = [one for one in found if kind.holds(one)]
        if these:
            right = Share(sum(one.right for one in these), len(these))
            told = Counter(_told(one) for one in these)
            expected = f"void: {TROUBLES[kind.kind]}" if kind.kind in TROUBLES else these[0].expected or "either"
            either = expected == "either"
            given = ", ".join(f"{verdict} {count:,}" for verdict, count in told.most_common())
            rows.append((kind.words, f"{len(these):,}", expected, "" if either else right.percent, given))
    return table(["what the seat did", "seats", "expected", "so judged (95 %)", "verdicts"], rows)


def times_table(found: Sequence[Outcome]) -> str:
    """How far shown times are off, by throw and frame rate; and how often the truth lies within the ± beside them."""
    rows = []
    for throw in Throw:
        for fps in (30, 60, 120):
            these = [one for one in found if one.off_ms is not None and one.throw == throw and one.fps == fps]
            if len(these) > 1:
                off = [one.off_ms or 0.0 for one in these]
                spread = [(one.plus_minus_ms or 0.0, abs(one.off_ms or 0.0)) for one in these]
                within = (sum(far <= times * sigma for sigma, far in spread) / len(off) for times in (1, 2))
                figures = f"{statistics.mean(off):+.1f}", f"{statistics.stdev(off):.1f}", f"{max(map(abs, off)):.0f}"
                rows.append((f"{throw}, {fps}", str(len(off)), *figures, *(f"{share:.0%}" for share in within)))
    return table(["throw, frames a second", "n", "mean", "sd", "worst", "within ±", "within 2 ±"], rows)


SKINS = "light", "middle", "dark"
"""Thirds of all skins."""
FACETS: Mapping[str, Callable[[Outcome], str]] = {
    "frames a second": lambda one: f"{one.fps:g}",
    "seats at the table": lambda one: str(one.seats),
    "place at the table": lambda one: one.side,
    "skin": lambda one: SKINS[min(2, int(3 * one.skin))],
    "hand": lambda one: "left" if one.left else "right",
    "size": lambda one: "child" if one.size < 0.86 else "grown-up",
    "cloth": lambda one: one.cloth,
    "frames lost": lambda one: "some" if one.drop else "none",
    "readout": lambda one: f"{5 * int(one.readout_ms // 5)}–{5 * int(one.readout_ms // 5) + 5} ms",
    "harmless": lambda one: one.case if one.case in HARMLESS and one.case else "none",
    "throw": lambda one: one.throw or "rock",
}
"""What seats are told apart by, to see that none is favoured."""


def _order(name: str) -> tuple[int, str]:
    """Numbers by their size, shades of skin from the lightest, the rest by the letters."""
    number = re.match(r"\d+", name)
    return (int(number[0]) if number else SKINS.index(name) if name in SKINS else 0), name


def fairness_table(found: Sequence[Outcome]) -> str:
    """The main figures by everything that must make no difference, or little."""
    rows = []
    for facet, of in FACETS.items():
        for name in sorted({of(one) for one in found}, key=_order):
            these = [one for one in found if of(one) == name]
            off = [one.off_ms for one in honest(these) if one.off_ms is not None]
            bias = ""
            if len(off) > 1:
                bias = f"{statistics.mean(off):+.1f} ± {statistics.stdev(off) / math.sqrt(len(off)):.1f}"
            counts = accused(these), caught(these, "late"), caught(these, "changed"), named(these)
            rows.append((f"{facet}: {name}", *map(str, counts), bias))
    heads = ["", "honest accused", "late caught", "changes caught", "named right", "shown too late by, ms (mean ± se)"]
    return table(heads, rows)


class Step(NamedTuple):
    """A step of the curve: from one lateness to another (ms after the lock), how many were caught."""

    since_ms: int
    until_ms: int
    caught: Share


def curve(found: Sequence[Outcome], kind: str) -> list[Step]:
    """Caught against lateness, of a kind of seat."""
    steps = []
    for since in range(-60, 400, BIN_MS):
        these = [one for one in found if Kind(kind, kind, since, since + BIN_MS).holds(one) and one.trouble is None]
        if these:
            steps.append(Step(since, since + BIN_MS, Share(sum(one.caught for one in these), len(these))))
    return steps


def curve_table(found: Sequence[Outcome]) -> str:
    """The curve in figures, while it climbs."""
    steps = {kind: {step.since_ms: step.caught for step in curve(found, kind)} for kind in ("late", "changed")}
    rows = [
        (f"{since} to {since + BIN_MS} ms", *(str(steps[kind].get(since, "–")) for kind in steps))
        for since in range(-60, 160, BIN_MS)
    ]
    return table(["after the lock", "late throws caught", "changes caught"], rows)


def _locked(one: Outcome) -> str | None:
    """What counts by the lock."""
    return one.found if one.verdict == Verdict.ON_TIME else None


def _by(way: Callable[[str], Throw | None], one: Outcome) -> str | None:
    """What counts by another way."""
    return way(one.labels)


def others_table(found: Sequence[Outcome]) -> str:
    """The lock beside the other ways: of cheats whose later throw counts, of honest throws misread."""
    seen = [one for one in found if one.labels and one.trouble is None]
    rows = []
    ways: dict[str, Callable[[Outcome], str | None]] = {
        "the lock": _locked,
        **{name: partial(_by, way) for name, way in WAYS.items()},
    }
    for name, way in ways.items():
        counts = []
        for kind in ("late", "changed"):
            guilty = [one for one in seen if Kind(kind, kind, SURELY_MS).holds(one)]
            counted = sum(way(one) == (one.then if kind == "changed" else one.throw) for one in guilty)
            counts.append(Share(counted, len(guilty)))
        innocent = honest(seen)
        wrong = Share(sum(way(one) not in (None, one.throw) for one in innocent), len(innocent))
        none = Share(sum(way(one) is None for one in innocent), len(innocent))
        cells = (f"{x} ({100 * x.share:.1f} %)" if x.of else "–" for x in (*counts, wrong, none))
        rows.append((name, *cells))
    heads = ["way", "late throws that count", "changes that count", "honest throws misread", "honest throws not read"]
    return table(heads, rows)


def costs_line(found: Sequence[Outcome]) -> str:
    """Calls of the hand model a seat."""
    calls = sorted(one.calls for one in found)
    middle = statistics.median(calls)
    return f"Calls of the hand model a seat: {middle:.0f} in the median, {calls[-1]} at most."


def seats_line(found: Sequence[Outcome]) -> str:
    """How many rounds and seats these are of, and where they come from."""
    seeds = sorted({one.seed for one in found})
    return f"{len(seeds):,} rounds, {len(found):,} seats; seeds {seeds[0]} to {seeds[-1]}."
