"""The lines of every game, as ``throwlock engine`` prints them and exports hold them, are byte for byte what they were
when their hashes were written here."""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

import pytest

from rules.catalogue import BOX_GAMES
from rules.engine import AllowedValues, Choices, Game, Json, Play, Rules, Value, seats_to_json

T = TypeVar("T")
MATCHES = 60
"""Matches of each game."""
MAX_ANSWERS = 80
"""The most prompts answered in a match."""
HASHES = {
    "classic": "7ba3b6d69f0d2cafc12b3a5ed28cfa46177a8434ebe81cefc155c25a60903d7b",
    "redeux": "41bb887f15ac5877977dffe67b4239b13821a0c7bf11f7e461c4a25dfa850c59",
    "future": "3122bfee749fdfd56528bbf7ffd1b0970b0a21bf86a34615cace42cb8e860ed8",
    "battle": "f88d7d04f9e80e45a96d768fee140659fb445fa31bd97874fc61addade98945a",
    "tr": "2c37bd9fd6af95904382cc9c818978df4b8e61a957887777fb7b25389f0c1b61",
    "board": "482ccc2fdad15aa890924fb955a566e727ff4a848ae409e0125f2dc5bdd46b8e",
}
OLD_DEFAULTS: dict[str, dict[str, Value]] = {"redeux": {"tied_bets": "stand"}}
"""Of options whose default was another one when the hashes were taken."""
NEWER_OPTIONS = {"starting_points"}
"""Options that came after the hashes."""


def choose(values: Sequence[T], rng: Random) -> T:
    """Return one of ``values``; only ``Random.random`` is the same in every version of Python."""
    return values[int(rng.random() * len(values))]


def any_answer(allowed: AllowedValues, rng: Random) -> Value:
    if isinstance(allowed, Choices):
        return choose(allowed.values, rng)
    return choose(range(allowed.start, allowed.stop + 1, allowed.step), rng)


def any_setup(rules: Rules, rng: Random) -> Game:
    """Return the game for few players with some of its options at other values than their defaults."""
    options = dict(OLD_DEFAULTS.get(rules.name, {}))
    for option in rules.options:
        if option.name in NEWER_OPTIONS:
            continue
        if rng.random() < 0.4:
            options[option.name] = any_answer(option.allowed, rng)
    seats = choose(range(rules.min_players, min(rules.max_players, 8) + 1), rng)
    if options.get("cards") == "table" and "boxes" in {option.name for option in rules.options}:
        options["boxes"] = 4
    return rules.set_up(seats, options)


def lines_of_match(game: Game, rng: Random) -> Iterator[dict[str, Json]]:
    """Play a match at random and yield every line of it, those of single seats and of the box included."""
    play, event_count = Play(game), 0
    for _ in range(MAX_ANSWERS):
        yield from (event.as_json() for event in play.events[event_count:])
        event_count = len(play.events)
        if (prompt := play.prompt) is None:
            break
        yield prompt.as_json()
        yield from (prompt.visible_to(seat).as_json() for seat in (None, 1))
        answers: dict[int, Value] = {}
        for seat, allowed in prompt.seats.items():
            if prompt.is_optional and rng.random() < 0.8:
                continue
            silent = prompt.allows_no_answer and rng.random() < 0.1
            answers[seat] = None if silent else any_answer(allowed, rng)
        yield {"answers": seats_to_json(answers)}
        play.answer(answers)
    if play.result is not None:
        yield play.result.as_json()
    yield from (event.as_json() for event in play.state().events)  # what was said stays as it was


@pytest.mark.parametrize("rules", BOX_GAMES, ids=lambda rules: rules.name)
def test_lines_of_a_game_never_change(rules: Rules) -> None:
    digest = sha256()
    for seed in range(MATCHES):
        rng = Random(seed)
        for line in lines_of_match(any_setup(rules, rng), rng):
            digest.update(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    assert digest.hexdigest() == HASHES[rules.name]
