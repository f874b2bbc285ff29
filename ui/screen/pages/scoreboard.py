"""The scoreboard as facts for everybody to see: of each seat (a streak, a bet, a claim, being out) and of the table
(the pot, the goal, the round). Derived by general rules from any game's
events and prompts; nothing is specific to one game. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine import NO_TEXT, GameEvent, GameText, Json, Prompt, Result, Seat, fact_to_json, values_by_seat

SCORE_FACTS = ("scores", "chips")
"""Facts by seat that are a player's score, which is shown next to the name."""
BOARD_FACTS = ("position", "last", "ply", "south", "north", "off", "move", "board", "notice", "loser")
"""Facts that the drawn board and its sentences show."""
TALLY_NAMES: Mapping[str, str] = MappingProxyType({"won": "wins", "lost": "losses", "tied": "ties"})
"""Numbers of battles by seat, and their names in the one fact they are merged into."""
SENTENCE_FACTS = (
    *("roles", "pair", "players", "lost", "again", "means", "draws", "order", "left", "stays", "of each", "each"),
)
"""Facts that only make sense in the sentence they come with, or that follow from others (``left`` from ``out``),
or are next to the names (``roles``)."""
HEADLINE_FACTS = ("roll", "phase", "throw", "of")
"""Facts of a prompt that the headline of its game gives."""
SENTENCE_FACTS_BY_KIND = (
    ("thrown", "outcome"),
    ("thrown", "phase"),
    ("thrown", "throw"),
    ("thrown", "of"),
    ("roll", "roll"),
    ("roll", "throws"),
    ("roll", "rethrows"),
    ("roll", "difficulty"),
    ("first throw", "seats"),
    ("pair won", "phase"),
    ("risk rounds", "pairs"),
    ("rolled", "outcome"),
    ("rolled", "roll"),
    ("rolled", "wins"),
    ("rolled", "degree"),
    ("risk deck", "cards"),
    ("round", "round"),
    ("round", "counts"),
    ("over", "reason"),
    ("options", "round"),
    ("options", "on"),
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
        "out": ("turn", "survivor", "surviving team"),
        "away": ("table",),
        "free": ("table",),
    }
)
"""Facts that stay true after their event, with the kinds of event that end them."""


@dataclass(frozen=True)
class Fact:
    """A fact: its ``name`` in the game and its value, which is a number, a word or throw, words with counts (cards),
    several words, or ``True`` for a state ("folded"); ``text`` has the game's words for them."""

    name: str
    value: Json
    text: GameText = field(default=NO_TEXT, compare=False, repr=False)


Facts = tuple[Fact, ...]


@dataclass(frozen=True)
class ScoreboardFacts:
    """The facts about each seat, and about the table as a whole. ``roles`` are shown next to the names."""

    seats: Mapping[Seat, Facts]
    table: Facts
    roles: Mapping[Seat, Fact] = field(default_factory=dict)

    def of_seat(self, seat: Seat) -> Facts:
        """Return the facts about ``seat``."""
        return self.seats.get(seat, ())


def event_facts(event: GameEvent) -> ScoreboardFacts:
    """Return the facts of an event. Those without a value hold for its ``seat`` or ``seats``: "folded" for the seat
    that folded."""
    return _sort_facts(event.facts, event.kind, event.text)


def prompt_facts(prompt: Prompt) -> ScoreboardFacts:
    """Return the facts a prompt is about, without those in its own headline."""
    own = HEADLINE_FACTS if prompt.kind in prompt.text.headlines else ()
    return _sort_facts(
        {name: fact_to_json(fact) for name, fact in prompt.about.items() if name not in own}, prompt.kind, prompt.text
    )


def result_facts(result: Result) -> ScoreboardFacts:
    """Return the facts of a result other than winners and scores."""
    return _sort_facts({name: fact_to_json(fact) for name, fact in result.details.items()}, "result", result.text)


def scoreboard_facts(
    events: Sequence[GameEvent], prompt: Prompt | None = None, new_events: Sequence[GameEvent] = ()
) -> ScoreboardFacts:
    """Return the facts after the public ``events``, with those of the ``prompt`` that followed, if any. All facts of
    the last events, ``new_events``, are included; of older ones only those that stay true."""
    return ScoreboardHistory().facts(events, prompt, new_events)


@dataclass
class _LastingFacts:
    """The facts that stay true after the first ``count`` public events."""

    count: int = 0
    seats: dict[tuple[Seat, str], Fact] = field(default_factory=dict)
    table: dict[str, Fact] = field(default_factory=dict)

    def add(self, event: GameEvent, *, is_new: bool) -> None:
        """Add an event: of an older one only the facts that stay true."""
        for name, ending_kinds in FACT_ENDING_KINDS.items():
            if event.kind in ending_kinds:
                self.table.pop(name, None)
                self.seats = {key: fact for key, fact in self.seats.items() if key[1] != name}
        current = event_facts(event)
        for seat, facts in current.seats.items():
            self.seats |= {(seat, fact.name): fact for fact in facts if is_new or fact.name in FACT_ENDING_KINDS}
        self.table |= {fact.name: fact for fact in current.table if is_new or fact.name in FACT_ENDING_KINDS}
        self.count += 1

    def copy(self) -> "_LastingFacts":
        return _LastingFacts(self.count, dict(self.seats), dict(self.table))


class ScoreboardHistory:
    """The scoreboards of one match, whose events only grow: each is computed from the one before, so that they take as
    long after a thousand rounds as after ten."""

    def __init__(self) -> None:
        self._states = [_LastingFacts()]

    def facts(
        self, events: Sequence[GameEvent], prompt: Prompt | None = None, new_events: Sequence[GameEvent] = ()
    ) -> ScoreboardFacts:
        """See scoreboard_facts; ``events`` begin with those of the call before."""
        events, new_events = ([event for event in group if event.only is None] for group in (events, new_events))
        state = self._state_after(events, len(events) - len(new_events)).copy()
        for event in new_events:
            state.add(event, is_new=True)
        return _with_prompt(events, state, prompt)

    def _state_after(self, events: Sequence[GameEvent], count: int) -> _LastingFacts:
        """Return the facts that stay true after ``count`` events, and remember them: the next scoreboard, or one with
        these events as new ones, begins with them."""
        state = next((state for state in reversed(self._states) if state.count <= count), _LastingFacts()).copy()
        for event in events[state.count : count]:
            state.add(event, is_new=False)
        self._states = [*(other for other in self._states if other.count < count), state][-2:]
        return state


def _with_prompt(events: Sequence[GameEvent], state: _LastingFacts, prompt: Prompt | None) -> ScoreboardFacts:
    """Return a scoreboard with the facts of the prompt."""
    seats, table = state.seats, state.table
    if prompt is not None:
        current = prompt_facts(prompt)
        seats |= {(seat, fact.name): fact for seat, facts in current.seats.items() for fact in facts}
        table |= {fact.name: fact for fact in current.table}
    scores = next((event.facts["scores"] for event in reversed(events) if "scores" in event.facts), {})
    for seat, score in values_by_seat(scores).items():
        if seats.get((seat, "points"), None) == Fact("points", score):  # already next to the name
            del seats[seat, "points"]
    roles = {
        seat: Fact("roles", role, event.text)
        for event in events
        for seat, role in values_by_seat(event.facts.get("roles")).items()
    }
    everybody = dict.fromkeys(seat for seat, _ in seats)
    by_seat = {seat: tuple(fact for (owner, _), fact in seats.items() if owner == seat) for seat in everybody}
    return ScoreboardFacts(by_seat, tuple(table.values()), roles)


def merge_facts(older: Facts, newer: Facts) -> Facts:
    """Return both tuples of facts as one; newer facts replace older ones of the same name."""
    return tuple({fact.name: fact for fact in (*older, *newer)}.values())


def _sort_facts(facts: Mapping[str, Json], kind: str, text: GameText) -> ScoreboardFacts:
    seats: dict[Seat, list[Fact]] = {}
    table: list[Fact] = []
    own_seat = facts.get("seat")
    facts = _merge_tallies(facts)
    for name, fact in facts.items():
        if is_shown_elsewhere(kind, name, fact):
            continue
        found = _split_by_seat(name, fact)
        if found is None and isinstance(own_seat, int):
            if name in SEAT_VALUE_FACTS:
                continue  # part of the seat's own fact
            if isinstance(fact, Mapping | bool):
                found = {own_seat: fact} if fact else {}
        if found is None:
            if _is_worth_showing(fact):
                table.append(Fact(FACT_ALIASES.get(name, name), fact, text))
            continue
        label = kind if name in ("seat", "seats") else name
        label = "hand" if kind == "hand" else FACT_ALIASES.get(label, label)
        for seat, value in found.items():
            seats.setdefault(seat, []).append(Fact(label, value, text))
    if isinstance(own_seat, int):
        seats[own_seat] = _with_seat_value(seats.get(own_seat, []), FACT_ALIASES.get(kind, kind), facts)
    common = _common_round(seats)
    own = {seat: [fact for fact in seat_facts if fact not in common] for seat, seat_facts in seats.items()}
    own_names = {fact.name for seat_facts in own.values() for fact in seat_facts}
    totals = [fact for fact in table if any(TOTAL_FACTS.get(name) == fact.name for name in own_names)]
    by_seat = {
        seat: tuple(fact for fact in _pair_with_totals([*seat_facts, *totals]) if fact not in totals)
        for seat, seat_facts in own.items()
    }
    table = _pair_with_totals([*(fact for fact in table if fact not in totals), *common])
    return ScoreboardFacts(
        {seat: _drop_redundant(seat_facts) for seat, seat_facts in by_seat.items() if seat_facts}, tuple(table)
    )


def _drop_redundant(facts: Facts) -> Facts:
    """Return the facts without those that are simply true where another of the same name has a value."""
    return tuple(
        fact for fact in facts if fact.value is not True or [other.name for other in facts].count(fact.name) == 1
    )


def _merge_tallies(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the facts with battles won, lost and tied by seat merged into one fact."""
    won = facts.get("won")
    if not isinstance(won, Mapping):
        return facts
    by_name = {tally: values_by_seat(facts.get(name)) for name, tally in TALLY_NAMES.items()}
    tallies = {
        str(seat): {tally: values.get(seat, 0) for tally, values in by_name.items()} for seat in values_by_seat(won)
    }
    return {**{name: fact for name, fact in facts.items() if name not in TALLY_NAMES}, "battles": tallies}


def is_shown_elsewhere(kind: str, name: str, fact: Json) -> bool:
    """Return whether a fact of an event or prompt of that kind is shown by something else on its page: the board, the
    sentence, the score next to a name."""
    return (
        (name in (*BOARD_FACTS, *SENTENCE_FACTS) and not (name == "lost" and isinstance(fact, Mapping)))
        or (kind, name) in SENTENCE_FACTS_BY_KIND
        or (name in SCORE_FACTS and isinstance(fact, Mapping))
    )


def _split_by_seat(name: str, fact: Json) -> dict[Seat, Json] | None:
    """Return a fact's values by seat; None if it is a fact about the table."""
    if name in ("seat", "decides") and isinstance(fact, int):
        return {fact: True}
    if isinstance(fact, Mapping):
        by_seat = values_by_seat(fact)
        return by_seat if len(by_seat) == len(fact) else None
    if not isinstance(fact, Sequence) or isinstance(fact, str):
        return None
    if name in ("pairs", "teams"):
        several = fact if len(fact) > 1 else ()
        return {seat: number for number, group in enumerate(several, 1) for seat in _seat_list(group)}
    return dict.fromkeys(_seat_list(fact), True) if all(isinstance(item, int) for item in fact) else None


def _with_seat_value(seat_facts: Sequence[Fact], name: str, facts: Mapping[str, Json]) -> list[Fact]:
    """Return the facts about an event's own seat, with the value that the event gives: the chips bet, the card
    claimed."""
    value = next((facts[key] for key in SEAT_VALUE_FACTS if key in facts), True)
    return [replace(fact, value=value) if fact == Fact(name, True) else fact for fact in seat_facts]


def _is_worth_showing(fact: Json) -> bool:
    return fact is not None and fact is not False and fact != []


def _common_round(seats: Mapping[Seat, Sequence[Fact]]) -> list[Fact]:
    """Return the round as a fact about the table, if all seats have the same."""
    rounds = [[fact for fact in seat_facts if fact.name == "round"] for seat_facts in seats.values()]
    first = rounds[0] if rounds else []
    return first if first and all(other == first for other in rounds) else []


def _pair_with_totals(table: Sequence[Fact]) -> list[Fact]:
    """Return the facts of the table or of a seat, with each number and its total as one: "1 / 6"."""
    numbers = {fact.name: fact.value for fact in table if isinstance(fact.value, int)}
    paired = {name: total for name, total in TOTAL_FACTS.items() if name in numbers and total in numbers}
    return [
        replace(fact, value=f"{fact.value} / {numbers[paired[fact.name]]}") if fact.name in paired else fact
        for fact in table
        if fact.name not in paired.values() and numbers.get(paired.get(fact.name, "")) != 1
    ]


def _seat_list(fact: Json) -> tuple[Seat, ...]:
    listed = fact if isinstance(fact, Sequence) and not isinstance(fact, str) else ()
    return tuple(seat for seat in listed if isinstance(seat, int))
