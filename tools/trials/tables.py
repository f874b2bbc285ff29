"""Markdown tables of the outcomes of trials: verdicts, fairness, times, and other methods compared with the lock."""

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rules.record.judgement import Verdict
from rules.throws import Throw
from tools.docs.generated_sections import markdown_table
from tools.trials.generate import HARMLESS_CASES
from tools.trials.other_methods import OTHER_METHODS
from tools.trials.outcomes import EXPECTED_VERDICTS, EXPECTED_VOIDS, MUST_CATCH_MS, SeatOutcome

Z_95_PERCENT = 1.959964
"""95 % of a normal distribution lie within this many standard deviations."""
CURVE_STEP_MS = 20
"""The width of a step of the lateness curve."""
CURVE_SPAN_MS = -60, 160
"""Where the lateness curve rises, in ms after the lock."""


class Share(NamedTuple):
    """A share, with its 95 % confidence interval (Wilson, J. Am. Stat. Assoc. 22, 1927)."""

    hits: int
    """How many of ``total`` it counts."""
    total: int

    @property
    def share(self) -> float:
        """The share, 0–1; NaN if the total is 0."""
        return self.hits / self.total if self.total else math.nan

    @property
    def bounds(self) -> tuple[float, float]:
        """The low and high end of the interval, 0–1."""
        if not self.total:
            return 0.0, 1.0
        middle = self.share + Z_95_PERCENT**2 / (2 * self.total)
        reach = Z_95_PERCENT * math.sqrt(
            self.share * (1 - self.share) / self.total + Z_95_PERCENT**2 / (4 * self.total**2)
        )
        low, high = ((middle + side * reach) / (1 + Z_95_PERCENT**2 / self.total) for side in (-1, 1))
        return max(0.0, min(low, self.share)), min(1.0, max(high, self.share))  # rounding must not exclude it

    def __str__(self) -> str:
        return f"{self.hits:,} of {self.total:,}"

    @property
    def percent(self) -> str:
        """The share and its interval as text, in per cent."""
        if not self.total:
            return "–"
        low, high = self.bounds
        return f"{100 * self.share:.2f} % ({100 * low:.2f}–{100 * high:.2f})"


class SeatGroup(NamedTuple):
    """Seats that are counted together: of one kind and, if late or changed, of a range of lateness."""

    kind: str
    label: str
    """What the table calls them."""
    since_ms: float = -math.inf
    """The least lateness after the lock."""
    until_ms: float = math.inf
    """The lateness, after the lock, that all are below."""

    def includes(self, outcome: SeatOutcome) -> bool:
        """Return whether a seat belongs to the group."""
        return outcome.kind == self.kind and self.since_ms <= (outcome.lateness_ms or 0.0) < self.until_ms


SEAT_GROUPS = (
    SeatGroup("honest", "honest"),
    SeatGroup("late", "late, but before the lock", until_ms=0.0),
    SeatGroup("late", "late, less than 100 ms after the lock", 0.0, MUST_CATCH_MS),
    SeatGroup("late", "late, 100 ms or more after the lock", MUST_CATCH_MS),
    SeatGroup("changed", "changed, less than 100 ms after the lock", 0.0, MUST_CATCH_MS),
    SeatGroup("changed", "changed, 100 ms or more after the lock", MUST_CATCH_MS),
    *(SeatGroup(kind, kind) for kind in EXPECTED_VERDICTS if kind not in ("honest", "late", "changed", "entered")),
    SeatGroup("entered", "another's hand in the zone"),
    *(SeatGroup(kind, kind) for kind in EXPECTED_VOIDS),
)
"""The rows of the table of verdicts."""


def honest_seats(outcomes: Sequence[SeatOutcome]) -> list[SeatOutcome]:
    """Return the honest seats."""
    return [seat for seat in outcomes if seat.kind == "honest"]


def honest_accused(outcomes: Sequence[SeatOutcome]) -> Share:
    """Return how many honest seats were accused of a foul; a voided round accuses nobody."""
    innocent = honest_seats(outcomes)
    return Share(sum(seat.is_accused for seat in innocent), len(innocent))


def too_close_share(outcomes: Sequence[SeatOutcome]) -> Share:
    """Return how many seats were too close to call, leaving out voided rounds."""
    judged = [seat for seat in outcomes if seat.trouble is None]
    return Share(sum(seat.verdict == Verdict.TOO_CLOSE for seat in judged), len(judged))


def cheats_caught(outcomes: Sequence[SeatOutcome], kind: str) -> Share:
    """Return how many late throws or changes that must be caught were caught, leaving out voided rounds, and changes
    after the round was decided."""
    late = SeatGroup(kind, kind, MUST_CATCH_MS)
    guilty = [
        seat
        for seat in outcomes
        if late.includes(seat) and seat.expected_verdict is EXPECTED_VERDICTS[kind] and seat.trouble is None
    ]
    return Share(sum(seat.is_accused for seat in guilty), len(guilty))


def needlessly_voided(outcomes: Sequence[SeatOutcome]) -> Share:
    """Return how many rounds were voided although nothing harmful happened."""
    rounds = {seat.seed: seat.trouble for seat in outcomes if seat.case in HARMLESS_CASES}
    return Share(sum(trouble is not None for trouble in rounds.values()), len(rounds))


def correct_throws(outcomes: Sequence[SeatOutcome]) -> Share:
    """Return how many of the throws found were the right ones."""
    correct = [seat.throw_is_correct for seat in outcomes if seat.throw_is_correct is not None]
    return Share(sum(correct), len(correct))


def target_table(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the table of the main figures and their targets."""
    changes = cheats_caught(outcomes, "changed")
    rows = [
        ("honest seats accused", honest_accused(outcomes), "≤ 0.1 %"),
        ("honest seats too close to call", too_close_share(honest_seats(outcomes)), ""),
        ("throws 100 ms or more after the lock caught", cheats_caught(outcomes, "late"), "≥ 99.5 %"),
        ("changes 100 ms or more after the lock, until the decision, caught", changes, "≥ 99.5 %"),
        ("rounds voided although nothing was wrong", needlessly_voided(outcomes), ""),
        ("honest throws read correctly", correct_throws(honest_seats(outcomes)), ""),
        ("all throws read correctly", correct_throws(outcomes), ""),
    ]
    return markdown_table(
        ["", "number", "share (95 %)", "target"], [(name, str(x), x.percent, target) for name, x, target in rows]
    )


def _verdict_label(outcome: SeatOutcome) -> str:
    """Return the verdict as text, with a note if the throw is missing or wrong."""
    if outcome.trouble is not None:
        return f"void: {outcome.trouble}"
    thrown = None if outcome.kind == "half-open" else outcome.throw or Throw.ROCK.value
    if (
        outcome.verdict != Verdict.ON_TIME
        or outcome.found == thrown
        or (outcome.then and outcome.found == outcome.then)
    ):
        return outcome.verdict
    return f"{outcome.verdict}, {'wrong throw' if outcome.found else 'no throw'}"


def verdict_table(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the table of verdicts by what the seat did."""
    rows = []
    for group in SEAT_GROUPS:
        seats = [seat for seat in outcomes if group.includes(seat)]
        if seats:
            correct = Share(sum(seat.is_correct for seat in seats), len(seats)).percent
            counts = Counter(_verdict_label(seat) for seat in seats).most_common()
            expected = seats[0].expected_verdict or "either"
            if group.kind in EXPECTED_VOIDS:
                expected = f"void: {EXPECTED_VOIDS[group.kind]}"
            verdicts = ", ".join(f"{verdict} {count:,}" for verdict, count in counts)
            rows.append((group.label, f"{len(seats):,}", expected, "" if expected == "either" else correct, verdicts))
    return markdown_table(["what the seat did", "seats", "expected", "judged so (95 %)", "verdicts"], rows)


def time_table(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the table of errors of shown times, by throw and frame rate, and of how often the truth lies within the
    uncertainty."""
    rows = []
    for throw in Throw:
        for fps in (30, 60, 120):
            seats = [
                seat for seat in outcomes if seat.time_error_ms is not None and seat.throw == throw and seat.fps == fps
            ]
            if len(seats) > 1:
                errors = [seat.time_error_ms or 0.0 for seat in seats]
                pairs = [(seat.plus_minus_ms or 0.0, abs(seat.time_error_ms or 0.0)) for seat in seats]
                within = (sum(error <= times * sigma for sigma, error in pairs) / len(pairs) for times in (1, 2))
                mean, sd, worst = statistics.mean(errors), statistics.stdev(errors), max(map(abs, errors))
                figures = f"{mean:+.1f}", f"{sd:.1f}", f"{worst:.0f}"
                rows.append((f"{throw}, {fps}", str(len(errors)), *figures, *(f"{share:.0%}" for share in within)))
    return markdown_table(["throw, frames per second", "n", "mean", "sd", "worst", "within ±", "within 2 ±"], rows)


SKIN_TONES = "light", "middle", "dark"
"""Thirds of the scale of skin tones."""
FAIRNESS_FACTORS: Mapping[str, Callable[[SeatOutcome], str]] = {
    "frames per second": lambda seat: f"{seat.fps:g}",
    "seats at the table": lambda seat: str(seat.seats),
    "place at the table": lambda seat: seat.side,
    "skin": lambda seat: SKIN_TONES[min(2, int(3 * seat.skin))],
    "hand": lambda seat: "left" if seat.left else "right",
    "size": lambda seat: "child" if seat.size < 0.86 else "adult",
    "cloth": lambda seat: seat.cloth,
    "frames lost": lambda seat: "some" if seat.drop else "none",
    "readout": lambda seat: f"{5 * int(seat.readout_ms // 5)}–{5 * int(seat.readout_ms // 5) + 5} ms",
    "harmless": lambda seat: seat.case if seat.case in HARMLESS_CASES and seat.case else "none",
    "throw": lambda seat: seat.throw or "rock",
}
"""The groups in which seats must be judged alike."""


def _sort_key(name: str) -> tuple[int, str]:
    """Sort numbers by value, skin tones from the lightest, anything else alphabetically."""
    number = re.match(r"\d+", name)
    return (int(number[0]) if number else SKIN_TONES.index(name) if name in SKIN_TONES else 0), name


def fairness_table(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the table of the main figures by everything that should make little or no difference."""
    rows = []
    for factor, value_of in FAIRNESS_FACTORS.items():
        for value in sorted({value_of(seat) for seat in outcomes}, key=_sort_key):
            seats = [seat for seat in outcomes if value_of(seat) == value]
            errors = [seat.time_error_ms for seat in honest_seats(seats) if seat.time_error_ms is not None]
            bias = ""
            if len(errors) > 1:
                bias = f"{statistics.mean(errors):+.1f} ± {statistics.stdev(errors) / math.sqrt(len(errors)):.1f}"
            caught = cheats_caught(seats, "late"), cheats_caught(seats, "changed")
            rows.append(
                (f"{factor}: {value}", str(honest_accused(seats)), *map(str, caught), str(correct_throws(seats)), bias)
            )
    head = [
        "",
        "honest accused",
        "late caught",
        "changes caught",
        "read correctly",
        "shown too late by, ms (mean ± se)",
    ]
    return markdown_table(head, rows)


class LatenessStep(NamedTuple):
    """A step of the lateness curve: the throws between two times."""

    since_ms: int
    """After the lock."""
    until_ms: int
    """After the lock."""
    caught: Share
    """How many were accused of a foul."""
    too_close: Share
    """How many were too close to call."""


def lateness_curve(outcomes: Sequence[SeatOutcome], kind: str) -> list[LatenessStep]:
    """Return the shares caught and too close to call by lateness, for seats of a kind; steps without seats are left
    out."""
    steps = []
    for since in range(-60, 400, CURVE_STEP_MS):
        group = SeatGroup(kind, kind, since, since + CURVE_STEP_MS)
        seats = [seat for seat in outcomes if group.includes(seat) and seat.trouble is None]
        if seats:
            caught = Share(sum(seat.is_accused for seat in seats), len(seats))
            too_close = Share(sum(seat.verdict == Verdict.TOO_CLOSE for seat in seats), len(seats))
            steps.append(LatenessStep(since, since + CURVE_STEP_MS, caught, too_close))
    return steps


def lateness_table(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the table of the lateness curve where it rises."""
    curves = [{step.since_ms: step for step in lateness_curve(outcomes, kind)} for kind in ("late", "changed")]
    rows = []
    for since in range(*CURVE_SPAN_MS, CURVE_STEP_MS):
        steps = [curve.get(since) for curve in curves]
        shares = ((step.caught, step.too_close) if step else ("–", "–") for step in steps)
        rows.append((f"{since} to {since + CURVE_STEP_MS} ms", *(str(share) for pair in shares for share in pair)))
    head = ["after the lock", "late throws caught", "too close to call", "changes caught", "too close to call"]
    return markdown_table(head, rows)


def _lock_result(outcome: SeatOutcome) -> str | None:
    return outcome.found if outcome.verdict == Verdict.ON_TIME else None


def _method_result(method: Callable[[str], Throw | None], outcome: SeatOutcome) -> str | None:
    return method(outcome.labels)


def method_table(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the table of the lock and other methods: cheats whose later throw counts, honest throws misread."""
    labelled = [seat for seat in outcomes if seat.labels and seat.trouble is None]
    rows = []
    methods: dict[str, Callable[[SeatOutcome], str | None]] = {
        "the lock": _lock_result,
        **{name: partial(_method_result, method) for name, method in OTHER_METHODS.items()},
    }
    for name, method in methods.items():
        shares = []
        for kind in ("late", "changed"):
            guilty = [seat for seat in labelled if SeatGroup(kind, kind, MUST_CATCH_MS).includes(seat)]
            counted = sum(method(seat) == (seat.then if kind == "changed" else seat.throw) for seat in guilty)
            shares.append(Share(counted, len(guilty)))
        innocent = honest_seats(labelled)
        shares.append(Share(sum(method(seat) not in (None, seat.throw) for seat in innocent), len(innocent)))
        shares.append(Share(sum(method(seat) is None for seat in innocent), len(innocent)))
        rows.append((name, *(f"{x} ({100 * x.share:.1f} %)" if x.total else "–" for x in shares)))
    head = ["method", "late throws that count", "changes that count", "honest throws misread", "honest throws not read"]
    return markdown_table(head, rows)


def inference_line(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the calls of the hand model per seat, as a sentence."""
    calls = [seat.calls for seat in outcomes]
    return f"Calls of the hand model per seat: median {statistics.median(calls):.0f}, maximum {max(calls)}."


def round_count_line(outcomes: Sequence[SeatOutcome]) -> str:
    """Return the numbers of rounds and seats, and the seeds, as a sentence."""
    seeds = sorted({seat.seed for seat in outcomes})
    return f"{len(seeds):,} rounds, {len(outcomes):,} seats; seeds {seeds[0]} to {seeds[-1]}."
