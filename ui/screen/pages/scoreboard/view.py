"""The scoreboard as facts for everybody to see: of each seat (a streak, a bet, a claim, being out) and of the table
(the pot, the goal, the round). Derived by general rules from any game's
events and prompts; nothing is specific to one game. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rules.engine import GameEvent, Json, Prompt, Result, Seat
from rules.throws import Throw

SCORE_FACTS = ("scores", "chips")
"""Facts by seat that are a player's score, which is shown next to the name."""
BOARD_FACTS = ("position", "last", "ply", "south", "north", "off", "move", "board", "notice", "loser")
"""Facts that the drawn board and its sentences show."""
TALLY_NAMES: Mapping[str, str] = MappingProxyType({"won": "wins", "lost": "losses", "tied": "ties"})
"""Numbers of battles by seat, and their names in the one fact they are merged into."""
SENTENCE_FACTS = ("pair", "players", "lost", "again", "means", "draws", "order", "left", "stays", "of each", "each")
"""Facts that only make sense in the sentence they come with, or that follow from others (``left`` from ``out``)."""
SENTENCE_FACTS_BY_KIND = (
    ("thrown", "outcome"),
    ("pair won", "phase"),
    ("rolled", "outcome"),
    ("risk deck", "cards"),
    ("round", "round"),
    ("round", "options"),
    ("round", "counts"),
    ("deal", "hand"),
    ("tie", "bets"),
    ("score", "game"),
)
"""The same, but only in an event of that kind: (kind, fact)."""
SEAT_VALUE_FACTS = ("chips", "points", "claim", "card")
"""Facts that are values of an event's ``seat``: the chips of a "bet"."""
FACT_ALIASES: Mapping[str, str] = MappingProxyType({"claim": "claims", "on": "options"})
"""Facts that are shown under another name."""
TOTAL_FACTS: Mapping[str, str] = MappingProxyType({"round": "rounds", "turn": "turns", "throw": "of", "game": "games"})
"""Facts with the fact that holds their total: round 3 of 6 rounds."""
FACT_ENDING_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "streaks": (),
        "health": (),
        "pot": (),
        "teams": (),
        "goal": ("pairs",),
        "cards": ("pairs", "risk rounds", "pair won"),
        "sits out": ("pairs",),
        "folded": ("turn",),
        "claims": ("turn",),
        "out": ("turn", "survivor"),
    }
)
"""Facts that stay true after their event, with the kinds of event that end them."""


@dataclass(frozen=True)
class Fact:
    """Something that is so: its ``name`` in the game, and its value: a number, a word or throw, words with their
    numbers (cards), several words, or ``True`` for what is just so ("folded")."""

    name: str
    value: Json


Facts = tuple[Fact, ...]


@dataclass(frozen=True)
class ScoreboardFacts:
    """What is so of each seat, and of the table as a whole."""

    seats: Mapping[Seat, Facts]
    table: Facts

    def of_seat(self, seat: Seat) -> Facts:
        """What is so of ``seat``."""
        return self.seats.get(seat, ())


def event_facts(event: GameEvent) -> ScoreboardFacts:
    """Return the facts of an event. Those without a value hold for its ``seat`` or ``seats``: "folded" of the seat that
    folded."""
    return _sort_facts(event.facts, event.kind)


def prompt_facts(prompt: Prompt) -> ScoreboardFacts:
    """Return the facts a prompt is about."""
    return _sort_facts(prompt.about, prompt.kind)


def result_facts(result: Result) -> ScoreboardFacts:
    """Return the facts of a result besides winners and scores."""
    return _sort_facts(result.details, "result")


def scoreboard_facts(
    events: Sequence[GameEvent], prompt: Prompt | None = None, new_events: Sequence[GameEvent] = ()
) -> ScoreboardFacts:
    """How things stand after all that was ``said`` to everybody, with the ``ask`` that came of it, if any. Of the
    ``news``, the last of it, everything is told; of what is older only what goes on being so."""
    seats: dict[tuple[Seat, str], Fact] = {}
    table: dict[str, Fact] = {}
    events, new_events = ([say for say in lot if say.only is None] for lot in (events, new_events))
    first_new = len(events) - len(new_events)
    for number, say in enumerate(events):
        for name, enders in FACT_ENDING_KINDS.items():
            if say.kind in enders:
                table.pop(name, None)
                seats = {key: fact for key, fact in seats.items() if key[1] != name}
        fresh, here = number >= first_new, event_facts(say)
        for seat, facts in here.seats.items():
            seats |= {(seat, fact.name): fact for fact in facts if fresh or fact.name in FACT_ENDING_KINDS}
        table |= {fact.name: fact for fact in here.table if fresh or fact.name in FACT_ENDING_KINDS}
    if prompt is not None:
        here = prompt_facts(prompt)
        seats |= {(seat, fact.name): fact for seat, facts in here.seats.items() for fact in facts}
        table |= {fact.name: fact for fact in here.table}
    scores = next((say.facts["scores"] for say in reversed(events) if "scores" in say.facts), {})
    for seat, score in _values_by_seat(scores).items():
        if seats.get((seat, "points"), None) == Fact("points", score):  # beside the name already
            del seats[seat, "points"]
    everybody = dict.fromkeys(seat for seat, _ in seats)
    by_seat = {seat: tuple(fact for (of, _), fact in seats.items() if of == seat) for seat in everybody}
    return ScoreboardFacts(by_seat, tuple(table.values()))


def merge_facts(older: Facts, newer: Facts) -> Facts:
    """Return both lots of facts as one; newer facts replace older ones of the same name."""
    return tuple({fact.name: fact for fact in (*older, *newer)}.values())


def round_outcomes(events: Iterable[GameEvent]) -> dict[Seat, str]:
    """Who has won ("win"), lost ("loss") and come out level ("tie") of those whose throws are told, by the events they
    came with. Nothing of those of whose throws nothing came yet."""
    found: dict[Seat, str] = {}
    shown: tuple[Seat, ...] = ()
    for say in events:
        thrown = tuple(_values_by_seat(say.facts.get("throws")))
        ends = _values_by_seat(say.facts.get("outcomes"))
        one = say.facts.get("outcome")
        if ends:
            found |= {seat: str(end) for seat, end in ends.items()}
        elif isinstance(one, str) and len(thrown) == 2:
            found |= _outcomes_of_two(thrown, one)
        elif thrown and (winners := _winning_seats(say.facts) & set(thrown)):
            found |= {seat: "win" if seat in winners else "loss" for seat in thrown}
        elif say.kind == "tie":
            found |= dict.fromkeys(thrown, "tie")
        elif not thrown and "stays" in say.facts:  # what was shown before wins the pot
            winners = set(_seat_list(say.facts.get("seats")))
            found |= {seat: "win" if seat in winners else "loss" for seat in shown}
        shown = thrown or shown
    return found


def beaten_pairs(events: Iterable[GameEvent]) -> tuple[tuple[Throw, Throw], ...]:
    """Which throw beat which, the winner's first: by the table that was told, else by who won and who lost. Only throws
    that were thrown."""
    events = tuple(events)
    ends = round_outcomes(events)
    found: dict[tuple[Throw, Throw], None] = {}
    for say in events:
        throws = {
            seat: Throw(one) for seat, one in _values_by_seat(say.facts.get("throws")).items() if isinstance(one, str)
        }
        table = say.facts.get("table")
        if isinstance(table, Mapping):
            for pair, best in table.items():
                one, _, other = pair.partition("-")
                if isinstance(best, str) and best in (one, other) and {one, other} <= set(throws.values()):
                    found[Throw(best), Throw(other if best == one else one)] = None
            continue
        won, lost = ([one for seat, one in throws.items() if ends.get(seat) == end] for end in ("win", "loss"))
        found |= dict.fromkeys((one, other) for one in won for other in lost if one is not other)
    return tuple(found)


def _winning_seats(facts: Mapping[str, Json]) -> set[Seat]:
    """The seat that is named, or those who are left."""
    named = facts.get("seat")
    return {named} if isinstance(named, int) else set(_seat_list(facts.get("left")))


def _outcomes_of_two(thrown: Sequence[Seat], end: str) -> dict[Seat, str]:
    """How it ended for both, by how it did for the first of them."""
    mine = {"lose": "loss"}.get(end, end)
    return {thrown[0]: mine, thrown[1]: {"win": "loss", "loss": "win"}.get(mine, mine)}


def _sort_facts(facts: Mapping[str, Json], kind: str) -> ScoreboardFacts:
    seats: dict[Seat, list[Fact]] = {}
    table: list[Fact] = []
    own = facts.get("seat")
    facts = _merge_tallies(facts)
    for name, fact in facts.items():
        if is_shown_elsewhere(kind, name, fact):
            continue
        found = _split_by_seat(name, fact, kind)
        if found is None and isinstance(own, int):
            if name in SEAT_VALUE_FACTS:
                continue  # with the seat itself
            if isinstance(fact, Mapping | bool):
                found = {own: fact} if fact else {}
        if found is None:
            if _is_worth_showing(fact):
                table.append(Fact(FACT_ALIASES.get(name, name), fact))
            continue
        called = kind if name in ("seat", "seats") else name
        called = "hand" if kind == "hand" else FACT_ALIASES.get(called, called)
        for seat, value in found.items():
            seats.setdefault(seat, []).append(Fact(called, value))
    if isinstance(own, int):
        seats[own] = _with_seat_value(seats.get(own, []), FACT_ALIASES.get(kind, kind), facts)
    same = _common_round(seats)
    table = _pair_with_totals([*table, *same])
    by_seat = {seat: tuple(fact for fact in told if fact not in same) for seat, told in seats.items()}
    return ScoreboardFacts({seat: _drop_redundant(told) for seat, told in by_seat.items() if told}, tuple(table))


def _drop_redundant(told: Facts) -> Facts:
    """Facts without those that are only so where another of the same name says how much."""
    return tuple(fact for fact in told if fact.value is not True or [one.name for one in told].count(fact.name) == 1)


def _merge_tallies(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    """Battles won, lost and tied by seat as one fact."""
    won = facts.get("won")
    if not isinstance(won, Mapping):
        return facts
    by_name = {told: _values_by_seat(facts.get(name)) for name, told in TALLY_NAMES.items()}
    tallies = {seat: {told: lot.get(int(seat), 0) for told, lot in by_name.items()} for seat in won}
    return {**{name: fact for name, fact in facts.items() if name not in TALLY_NAMES}, "battles": tallies}


def is_shown_elsewhere(kind: str, name: str, fact: Json) -> bool:
    """Return whether a fact of an event or prompt of that kind is shown by something else on its page: the board, the
    sentence, the score next to a name."""
    return (
        (name in (*BOARD_FACTS, *SENTENCE_FACTS) and not (name == "lost" and isinstance(fact, Mapping)))
        or (kind, name) in SENTENCE_FACTS_BY_KIND
        or (name in SCORE_FACTS and isinstance(fact, Mapping))
    )


def _split_by_seat(name: str, fact: Json, kind: str) -> dict[Seat, Json] | None:
    """A fact by seat; None where it is one of the table."""
    if name in ("seat", "decides") and isinstance(fact, int):
        return {fact: True}
    if isinstance(fact, Mapping):
        return {int(seat): value for seat, value in fact.items()} if all(map(str.isdecimal, fact)) else None
    if not isinstance(fact, Sequence) or isinstance(fact, str):
        return None
    if name in ("pairs", "teams"):
        several = fact if len(fact) > 1 else ()
        return {seat: number for number, group in enumerate(several, 1) for seat in _seat_list(group)}
    return dict.fromkeys(_seat_list(fact), True) if all(isinstance(one, int) for one in fact) else None


def _with_seat_value(told: Sequence[Fact], called: str, facts: Mapping[str, Json]) -> list[Fact]:
    """What is so of the one seat a say is about, with what else it tells of it: so many chips bet, a card claimed."""
    own = next((facts[name] for name in SEAT_VALUE_FACTS if name in facts), True)
    return [Fact(called, own) if fact == Fact(called, True) else fact for fact in told]


def _is_worth_showing(fact: Json) -> bool:
    return fact is not None and fact is not False and fact != []


def _common_round(seats: Mapping[Seat, Sequence[Fact]]) -> list[Fact]:
    """The round by seat, where it is everybody's: one of the table."""
    rounds = [[fact for fact in told if fact.name == "round"] for told in seats.values()]
    first = rounds[0] if rounds else []
    return first if first and all(one == first for one in rounds) else []


def _pair_with_totals(table: Sequence[Fact]) -> list[Fact]:
    """Facts of the table, a number and how many there are in all as one: "1 / 6"."""
    numbers = {fact.name: fact.value for fact in table if isinstance(fact.value, int)}
    paired = {name: of for name, of in TOTAL_FACTS.items() if name in numbers and of in numbers}
    return [
        Fact(fact.name, f"{fact.value} / {numbers[paired[fact.name]]}") if fact.name in paired else fact
        for fact in table
        if fact.name not in paired.values() and numbers.get(paired.get(fact.name, "")) != 1
    ]


def _values_by_seat(fact: Json) -> dict[Seat, Json]:
    return {int(seat): value for seat, value in fact.items()} if isinstance(fact, Mapping) else {}


def _seat_list(fact: Json) -> tuple[Seat, ...]:
    listed = fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()
    return tuple(seat for seat in listed if isinstance(seat, int))
