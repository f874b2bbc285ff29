"""What the classroom's page tells of a class's own throws: who was how late, what showing late would have won. Where
there is too little to tell anything, an example that is made up and says so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from rules.engine import Seat
from rules.throws import Throw
from ui.web.charts import charts
from ui.web.views import Chart, Classroom, Lateness, PlayerLink, RoundLine

PEOPLE = 60
"""Players who are shown one by one: those with the most throws."""
ENOUGH = 20
"""Throws after a first hand from which a class's own are shown: from fewer, quartiles and columns would be chance."""
EXAMPLES = 2
"""Real rounds that are told."""
FORGOTTEN = "Somebody"
"""Those of whom no name is kept."""
WINDOW_MS = 150.0
"""The usual window (``vision.lock.judge``), where no round says its own."""
NEEDS = (
    ("That a hand opens", 200.0, 230.0, 300.0),
    ("What the hand shows", 340.0, 370.0, 440.0),
)
"""When an answer begins to open and, from the quickest to the slowest, is shown, in ms after the first hand: as in
docs/lock.md. A hand is seen to open 30 ms before it is shown; a simple reaction takes 230 ms (231 ms in the mean of
1,469 people: Woods and others, Front. Hum. Neurosci. 9:131, 2015), a choice among two 370 ms; a hand is formed in 60 to
200 ms, and shown half way."""
MADE_UP_NAMES = ("Made-up A", "Made-up B", "Made-up C", "Made-up D")
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
"""Ten rounds of four people that nobody ever threw, in ms after the first hand."""


@dataclass(frozen=True)
class Hand:
    """A seat in a round that is told: what it showed at the lock and, where it was late or changed, what it came to."""

    label: str
    at_lock: Throw | None
    later: Throw | None
    after_first_ms: float | None
    verdict: str


@dataclass(frozen=True)
class Worked:
    """A round in which ``gains`` would have beaten more of the others by what it showed after the lock: ``late`` of
    them, instead of ``fair``. ``event`` is None for one that is made up."""

    event: int | None
    gains: Hand
    others: tuple[Hand, ...]
    fair: int
    late: int


@dataclass(frozen=True)
class Lesson:
    """What the page shows. ``own`` is whether it is of the class's own throws; ``after_first`` how many of these came
    after a first hand; ``undrawn`` is how many older throws are not in the charts, ``unnamed`` how many players are not
    in those by player."""

    own: bool
    after_first: int
    undrawn: int
    window_ms: float
    windows: tuple[float, ...]
    spread: Chart
    people: tuple[Chart, ...]
    unnamed: int
    needs: Chart
    worked: tuple[Worked, ...]


def lesson(room: Classroom, names: bool) -> Lesson:
    """The lesson of a class. Without ``names`` players are letters."""
    after = len(charts.followers(room.lateness))
    own = after >= ENOUGH
    times: Sequence[Lateness] = room.lateness if own else _made_up()
    label = _named if names or not own else _lettered(times, room.examples)
    by_key: dict[str | None, list[Lateness]] = {}
    for one in times:
        by_key.setdefault(one.player.key if one.player else None, []).append(one)
    kept = set(sorted(by_key, key=lambda key: len(by_key[key]), reverse=True)[:PEOPLE])
    people = [(label(of[0].player), of) for key, of in by_key.items() if key in kept]
    if names:
        people.sort(key=lambda one: one[0].casefold())
    worked = tuple(_worked(room.examples, label)) if own else ()
    windows = charts.windows_of(times)
    usual = max(windows, key=lambda at: sum(one.window_ms == at for one in times))
    return Lesson(
        own=own,
        after_first=after,
        undrawn=max(0, room.throws - len(room.lateness)) if own else 0,
        window_ms=usual,
        windows=tuple(windows),
        spread=charts.spread("spread", times),
        people=charts.by_player(people),
        unnamed=len(by_key) - len(kept),
        needs=charts.reactions(usual, NEEDS),
        worked=worked or (MADE_UP,),
    )


MADE_UP = Worked(
    None,
    Hand("Made-up D", Throw.ROCK, Throw.SCISSORS, 331.0, "late"),
    (Hand("Made-up C", Throw.PAPER, None, 0.0, "on time"),),
    0,
    1,
)


def _made_up() -> list[Lateness]:
    people = [PlayerLink(name, name) for name in MADE_UP_NAMES]
    return [
        Lateness(0, number, "", float(at), "late" if at > WINDOW_MS else "on time", one)
        for number, row in enumerate(MADE_UP_MS)
        for one, at in zip(people, row, strict=True)
    ]


Label = Callable[[PlayerLink | None], str]
"""What a player is called on the page."""


def _named(player: PlayerLink | None) -> str:
    return FORGOTTEN if player is None or player.key is None else player.name


def _lettered(times: Iterable[Lateness], examples: Iterable[RoundLine]) -> Label:
    """Letters for players, in the order they first threw."""
    told = [one.player for one in times] + [seat.player for line in examples for seat in line.seats]
    letters: dict[str, str] = {}
    for player in told:
        if player is not None and player.key is not None:
            letters.setdefault(player.key, f"Player {_letter(len(letters))}")
    return lambda player: FORGOTTEN if player is None or player.key is None else letters[player.key]


def _letter(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    return (_letter(number // 26 - 1) if number >= 26 else "") + ascii_uppercase[number % 26]


def _worked(examples: Sequence[RoundLine], label: Label) -> list[Worked]:
    """The rounds in which showing late would have won the most, at most ``EXAMPLES``, each with who would have
    gained most."""
    found = []
    for line in examples:
        at_lock = _at_lock(line)
        for seat in line.seats:
            others = [throw for other, throw in at_lock.items() if other != seat.seat]
            fair, late = _beaten(at_lock[seat.seat], others), _beaten(seat.then, others)
            if seat.verdict in ("late", "changed") and late > fair:
                hands = {
                    one.seat: Hand(
                        label(one.player),
                        at_lock[one.seat],
                        one.then if one.seat == seat.seat else None,
                        one.after_first_ms,
                        one.verdict,
                    )
                    for one in line.seats
                }
                rest = tuple(hand for number, hand in hands.items() if number != seat.seat)
                found.append(Worked(line.event, hands[seat.seat], rest, fair, late))
                break
    return sorted(found, key=lambda one: one.fair - one.late)[:EXAMPLES]


def _at_lock(line: RoundLine) -> Mapping[Seat, Throw | None]:
    """What every seat showed at the lock; where people corrected the reading, what they say."""
    corrected = {one.seat for one in line.disputes if not one.upheld}
    return {seat.seat: seat.throw if seat.seat in corrected else seat.at_lock for seat in line.seats}


def _beaten(throw: Throw | None, others: Sequence[Throw | None]) -> int:
    return 0 if throw is None else sum(throw.beats(other) for other in others)
