"""The scoreboard as facts for everybody to see: of each seat (a streak, a bet, a claim, being out) and of the table
(the pot, the goal, the round). Which facts of its events, prompts and results are shown, each game declares. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rules.engine import (
    NO_TEXT,
    GameEvent,
    GameText,
    Json,
    Prompt,
    Result,
    Seat,
    fact_to_json,
    values_by_seat,
    visible_events,
)
from rules.engine.scoreboard import FactForm, FactOwner, ShownFact
from rules.text import as_list, as_mapping, shown_fact

Owner = TypeVar("Owner", Seat, Seat | None)


@dataclass(frozen=True)
class Fact:
    """A fact as it is shown."""

    name: str
    """What it is called."""
    value: Json
    """A number, a word or throw, words with counts (cards), several words, or ``True`` for a state ("folded")."""
    text: GameText = field(default=NO_TEXT, compare=False, repr=False)
    """The words of the game."""
    shown: ShownFact = field(default=ShownFact(), compare=False, repr=False)
    """How the game declares it."""


Facts = tuple[Fact, ...]


@dataclass(frozen=True)
class ScoreboardFacts:
    """The facts about a match."""

    seats: Mapping[Seat, Facts]
    """About each seat."""
    table: Facts
    """About the table as a whole."""
    roles: Mapping[Seat, Fact] = field(default_factory=dict)
    """What is shown next to the names."""

    def of_seat(self, seat: Seat) -> Facts:
        """Return the facts about ``seat``."""
        return self.seats.get(seat, ())


def event_facts(event: GameEvent) -> ScoreboardFacts:
    """Return the facts of an event."""
    return _sort_facts(event.facts, event.kind, event.text)


def prompt_facts(prompt: Prompt) -> ScoreboardFacts:
    """Return the facts a prompt is about."""
    about = {name: fact_to_json(fact) for name, fact in prompt.about.items()}
    return _sort_facts(about, prompt.kind, prompt.text)


def own_facts(prompt: Prompt, seat: Seat) -> Facts:
    """Return the facts that a seat alone knows, whether or not the prompt asks it."""
    about = {name: fact_to_json(fact) for name, fact in prompt.own_facts.get(seat, {}).items()}
    facts = _sort_facts(about, prompt.kind, prompt.text)
    return (*facts.table, *facts.of_seat(seat))


def result_facts(result: Result) -> ScoreboardFacts:
    """Return the facts of a result other than winners and scores."""
    return _sort_facts({name: fact_to_json(fact) for name, fact in result.details.items()}, "result", result.text)


@dataclass
class _LastingFacts:
    """The facts that stay true after the first ``count`` public events."""

    count: int = 0
    seats: dict[tuple[Seat, str], Fact] = field(default_factory=dict)
    table: dict[str, Fact] = field(default_factory=dict)
    roles: dict[Seat, Fact] = field(default_factory=dict)

    def add(self, event: GameEvent, *, is_new: bool) -> None:
        """Add an event: of an older one only the facts that stay true."""
        self.seats = {key: fact for key, fact in self.seats.items() if event.kind not in (fact.shown.until or ())}
        self.table = {name: fact for name, fact in self.table.items() if event.kind not in (fact.shown.until or ())}
        current = event_facts(event)
        for seat, facts in current.seats.items():
            self.seats |= {(seat, fact.name): fact for fact in facts if is_new or fact.shown.until is not None}
        self.table |= {fact.name: fact for fact in current.table if is_new or fact.shown.until is not None}
        self.roles |= current.roles
        self.count += 1

    def copy(self) -> "_LastingFacts":
        return _LastingFacts(self.count, dict(self.seats), dict(self.table), dict(self.roles))


class ScoreboardHistory:
    """The scoreboards of one match, whose events only grow: each is computed from the one before, so that they take as
    long after a thousand rounds as after ten."""

    def __init__(self) -> None:
        self._states = [_LastingFacts()]

    def facts(
        self, events: Sequence[GameEvent], prompt: Prompt | None = None, new_events: Sequence[GameEvent] = ()
    ) -> ScoreboardFacts:
        """Return the facts after the public ``events``, which begin with those of the call before, with those of the
        ``prompt`` that followed, if any. All facts of the last events, ``new_events``, are included; of older ones only
        those that stay true."""
        events, new_events = map(visible_events, (events, new_events))
        state = self._state_after(events, len(events) - len(new_events)).copy()
        for event in new_events:
            state.add(event, is_new=True)
        for name in _disputed_facts(new_events):
            del state.table[name]
        return _with_prompt(events, state, prompt)

    def _state_after(self, events: Sequence[GameEvent], count: int) -> _LastingFacts:
        """Return the facts that stay true after ``count`` events, and remember them: the next scoreboard, or one with
        these events as new ones, begins with them."""
        state = next((state for state in reversed(self._states) if state.count <= count), _LastingFacts()).copy()
        for event in events[state.count : count]:
            state.add(event, is_new=False)
        self._states = [*(earlier for earlier in self._states if earlier.count < count), state][-2:]
        return state


def _disputed_facts(events: Sequence[GameEvent]) -> list[str]:
    """Return the names of the facts that should be the table's in common, but differ between events: pairs that play at
    the same time may be in different rounds."""
    values: dict[str, list[Json]] = {}
    for event in events:
        for fact in event_facts(event).table:
            if fact.shown.in_common:
                values.setdefault(fact.name, []).append(fact.value)
    return [name for name, said in values.items() if any(value != said[0] for value in said)]


def _with_prompt(events: Sequence[GameEvent], state: _LastingFacts, prompt: Prompt | None) -> ScoreboardFacts:
    seats, table = state.seats, state.table
    if prompt is not None:
        current = prompt_facts(prompt)
        seats |= {(seat, fact.name): fact for seat, facts in current.seats.items() for fact in facts}
        for fact in seats.values():
            if fact.shown.in_common:
                table.pop(fact.name, None)
        table |= {fact.name: fact for fact in current.table}
    scores = values_by_seat(next((event.facts["scores"] for event in reversed(events) if "scores" in event.facts), {}))
    seats = {key: fact for key, fact in seats.items() if not is_score(fact, scores.get(key[0]))}
    seats = dict(sorted(seats.items(), key=lambda fact: fact[1].shown.form is FactForm.REMARK))
    return ScoreboardFacts(_group_by_owner(seats), tuple(table.values()), state.roles)


def is_score(fact: Fact, score: Json) -> bool:
    """Return whether a fact about a player is the ``score`` that is next to the name anyway."""
    return fact.shown.form is FactForm.SCORE and fact.value == score


def merge_facts(older: Facts, newer: Facts) -> Facts:
    """Return both tuples of facts as one; newer facts replace older ones of the same name."""
    return tuple({fact.name: fact for fact in (*older, *newer)}.values())


def _sort_facts(facts: Mapping[str, Json], kind: str, text: GameText) -> ScoreboardFacts:
    """Return those of the facts that the game shows. What is made of several values comes after all others."""
    single: dict[tuple[Seat | None, str], Fact] = {}
    merged: dict[tuple[Seat | None, str], Fact] = {}
    roles: dict[Seat, Fact] = {}
    for name, value in facts.items():
        shown = shown_fact(name, kind, text)
        if shown is None:
            continue
        shown_name = shown.name or name
        if shown.owner is FactOwner.NAMES:
            roles |= {seat: Fact(shown_name, role, text, shown) for seat, role in values_by_seat(value).items()}
            continue
        for owner, owned in _values_by_owner(shown, value, facts).items():
            key = (owner, shown_name)
            if shown.part:
                counted = as_mapping(merged[key].value) if key in merged else {}
                merged[key] = Fact(shown_name, {**counted, shown.part: owned}, text, shown)
            else:
                sorted_facts = (
                    merged if shown.in_common and shown.owner is FactOwner.SEATS and owner is None else single
                )
                sorted_facts[key] = Fact(shown_name, owned, text, shown)
    by_owner = _group_by_owner(single | merged)
    table = by_owner.pop(None, ())
    return ScoreboardFacts({seat: of_seat for seat, of_seat in by_owner.items() if seat is not None}, table, roles)


def _values_by_owner(shown: ShownFact, value: Json, facts: Mapping[str, Json]) -> Mapping[Seat | None, Json]:
    values: dict[Seat | None, Json] = {}
    match shown.owner:
        case FactOwner.TABLE if _is_worth_showing(value):
            values = {None: value}
        case FactOwner.ACTOR if isinstance(actor := facts.get("seat"), int) and _is_worth_showing(value):
            values = {actor: value}
        case FactOwner.NAMED:
            values = dict.fromkeys(
                [value] if isinstance(value, int) else values_by_seat(value) or _seat_list(value), True
            )
        case FactOwner.GROUPS:
            groups = as_list(value) if len(as_list(value)) > 1 else ()
            values = {seat: number for number, group in enumerate(groups, 1) for seat in _seat_list(group)}
        case FactOwner.SEATS:
            values = dict[Seat | None, Json](values_by_seat(value).items())
    if shown.in_common and values and all(fact == next(iter(values.values())) for fact in values.values()):
        values = {None: next(iter(values.values()))}
    total = facts.get(shown.total)
    if isinstance(total, int):
        values = {owner: f"{number} / {total}" for owner, number in values.items()} if total != 1 else {}
    return values


def _is_worth_showing(value: Json) -> bool:
    return value is not None and value is not False and value != []


def _seat_list(fact: Json) -> list[Seat]:
    return [seat for seat in as_list(fact) if isinstance(seat, int)]


def _group_by_owner(facts: Mapping[tuple[Owner, str], Fact]) -> dict[Owner, Facts]:
    groups: dict[Owner, list[Fact]] = {}
    for (owner, _), fact in facts.items():
        groups.setdefault(owner, []).append(fact)
    return {owner: tuple(group) for owner, group in groups.items()}
