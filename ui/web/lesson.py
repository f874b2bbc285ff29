"""The lesson on the classroom page, from a class's own throws: how late everybody was, and what showing late would have
won. With too few throws, from made-up ones that are labelled so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from messages import N
from rules.record.judgement import Verdict
from rules.record.round import PlayerLink, RoundView
from rules.record.seat_entry import SeatEntry
from rules.throws import WINDOW_MS, Throw, to_throw
from ui.i18n.language import t
from ui.web.charts import charts
from ui.web.views import AccessibleChart, Classroom

MAX_CHART_PLAYERS = 60
"""Players charted one by one: those with the most throws."""
MIN_OWN_THROWS = 20
"""Throws after a first hand needed to show a class's own: with fewer, quartiles and columns would be random."""
MAX_WORKED_EXAMPLES = 2
"""Real rounds shown as examples."""
UNNAMED_PLAYER = N("Somebody")
"""Label of forgotten players."""
REACTION_TIMES = (
    (N("That a hand opens"), (200.0, 230.0, 300.0)),
    (N("What the hand shows"), (340.0, 370.0, 440.0)),
)
"""When an answer begins to open and, from the quickest to the slowest, is shown, in ms after the first hand: as in
measurements/2026-11/lock-accuracy.md. A hand is seen to open 30 ms before it is shown; a simple reaction takes 230 ms
(231 ms in the mean of 1,469 people: Woods and others, Front. Hum. Neurosci. 9:131, 2015), a choice among two 370 ms; a
hand is formed in 60 to 200 ms, and shown half way."""
MADE_UP_NAMES = (N("Made-up A"), N("Made-up B"), N("Made-up C"), N("Made-up D"))
MADE_UP_MS = (
    (0, 42, 71, 18),
    (35, 0, 58, 27),
    (12, 66, 0, 331),
    (0, 49, 84, 31),
    (22, 15, 97, 0),
    (51, 0, 63, 38),
    (0, 33, 110, 9),
    (28, 74, 0, 44),
    (0, 57, 79, 286),
    (40, 0, 52, 25),
)
"""Ten invented rounds of four players, in ms after the first hand."""


@dataclass(frozen=True)
class ExampleHand:
    """A seat in an example round: its throw at the lock and, if late or changed, after it."""

    label: str
    at_lock: Throw | None
    after_lock: Throw | None
    after_first_ms: float | None
    verdict: str


@dataclass(frozen=True)
class WorkedExample:
    """A round in which a player would have gained by what it showed after the lock."""

    event: int | None
    """The number of the round's event; None for a made-up round."""
    gainer: ExampleHand
    others: tuple[ExampleHand, ...]
    beaten_at_lock: int
    """How many of the others its hand beat at the lock."""
    beaten_late: int
    """How many of the others it would have beaten with what it showed later."""


@dataclass(frozen=True)
class Lesson:
    """The content of the page."""

    has_own_throws: bool
    """Whether the class has thrown enough for charts of its own; else the throws are made up."""
    follower_count: int
    """Throws after a first hand."""
    omitted_throws: int
    """Older throws left out of the charts."""
    window_ms: float
    window_lengths_ms: tuple[float, ...]
    histogram: AccessibleChart
    player_charts: tuple[AccessibleChart, ...]
    omitted_players: int
    """Players left out of the charts by player."""
    reaction_chart: AccessibleChart
    examples: tuple[WorkedExample, ...]


def build_lesson(classroom: Classroom, names: bool) -> Lesson:
    """Build the lesson of a class. Without ``names`` players are letters."""
    after = len(charts.throws_after_first(classroom.lateness))
    has_own_throws = after >= MIN_OWN_THROWS
    times = classroom.lateness if has_own_throws else _made_up_throws()
    players = [entry.player for entry in times] + [seat.player for line in classroom.examples for seat in line.seats]
    labels = _player_labels(players, names or not has_own_throws)
    by_key: dict[str | None, list[SeatEntry]] = {}
    for entry in times:
        by_key.setdefault(entry.player.key, []).append(entry)
    shown_keys = set(sorted(by_key, key=lambda key: len(by_key[key]), reverse=True)[:MAX_CHART_PLAYERS])
    players_with_throws = [(labels[key], tuple(of)) for key, of in by_key.items() if key in shown_keys]
    if names:
        players_with_throws.sort(key=lambda entry: entry[0].casefold())
    worked = tuple(_worked_examples(classroom.examples, labels)) if has_own_throws else ()
    windows = charts.window_lengths(times)
    usual = max(windows, key=lambda at: sum(entry.window_ms == at for entry in times))
    return Lesson(
        has_own_throws=has_own_throws,
        follower_count=after,
        omitted_throws=max(0, classroom.throws - len(classroom.lateness)) if has_own_throws else 0,
        window_ms=usual,
        window_lengths_ms=tuple(windows),
        histogram=charts.draw_histogram("spread", times),
        player_charts=charts.draw_by_player(tuple(players_with_throws)),
        omitted_players=len(by_key) - len(shown_keys),
        reaction_chart=charts.draw_reactions(usual, [(t(label), *times) for label, times in REACTION_TIMES]),
        examples=worked or (made_up_example(),),
    )


def made_up_example() -> WorkedExample:
    """Return an invented round in which a late hand would have won."""
    *_, early, late = MADE_UP_NAMES
    return WorkedExample(
        None,
        ExampleHand(t(late), Throw.ROCK, Throw.SCISSORS, 331.0, Verdict.LATE),
        (ExampleHand(t(early), Throw.PAPER, None, 0.0, Verdict.ON_TIME),),
        0,
        1,
    )


def _made_up_throws() -> tuple[SeatEntry, ...]:
    players = [PlayerLink(t(name), t(name)) for name in MADE_UP_NAMES]
    return tuple(
        SeatEntry(
            event=number,
            seat=seat,
            match=0,
            player=player,
            at="",
            verdict=Verdict.LATE if at > WINDOW_MS else Verdict.ON_TIME,
            is_foul=at > WINDOW_MS,
            throw=None,
            after_first_ms=float(at),
            would_have_gained=False,
            window_ms=WINDOW_MS,
            outcome=None,
            is_hand=True,
            on_time_ms=None,
        )
        for number, row in enumerate(MADE_UP_MS)
        for seat, (player, at) in enumerate(zip(players, row, strict=True), 1)
    )


PlayerLabels = Mapping[str | None, str]
"""Players' labels on the page, by key."""


def _player_labels(players: Iterable[PlayerLink], names: bool) -> PlayerLabels:
    """Return the players' names or, without ``names``, letters in the order of their first throws."""
    known: dict[str | None, str] = {player.key: player.name for player in players if player.key is not None}
    if not names:
        known = {key: t("Player {letter}", letter=_letter(number)) for number, key in enumerate(known)}
    return {None: t(UNNAMED_PLAYER), **known}


def _letter(number: int) -> str:
    """Return A, B, … Z, AA, AB, …"""
    return (_letter(number // 26 - 1) if number >= 26 else "") + ascii_uppercase[number % 26]


def _worked_examples(examples: Sequence[RoundView], labels: PlayerLabels) -> list[WorkedExample]:
    """Return the rounds in which showing late would have gained most, at most ``MAX_WORKED_EXAMPLES``."""
    worked = []
    for line in examples:
        corrected = {seat.seat: to_throw(seat.reading) for seat in line.seats if seat.is_corrected}
        for late_seat, (fair, late) in [*line.late_gains.items()][:1]:
            gainer, *rest = (
                ExampleHand(
                    labels[seat.player.key],
                    corrected.get(seat.seat, to_throw(seat.record.at_lock)),
                    to_throw(seat.record.later_throw) if seat.seat == late_seat else None,
                    seat.after_first_ms,
                    seat.verdict,
                )
                for seat in sorted(line.seats, key=lambda seat: seat.seat != late_seat)
            )
            worked.append(WorkedExample(line.event, gainer, tuple(rest), fair, late))
    return sorted(worked, key=lambda example: example.beaten_at_lock - example.beaten_late)[:MAX_WORKED_EXAMPLES]
