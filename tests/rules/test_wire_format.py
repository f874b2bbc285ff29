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
    "classic": "5ee50247c85b92f19c7ab831f2af1897c7416cfa32bbc667417632e05a1ef5c1",
    "redeux": "c261be7bb47522a5f3418e22e2fd2c2c1e28e8f781107a7d8e55c671609aa22b",
    "future": "04adbad3b06ac5a697176e4ab40e78667ecd9e757d3b8e1de99db817659e6158",
    "battle": "ac92b7bbecce2d9b65a0dea4fd75b28fd921806bf1564826756f76a3761c7641",
    "tr": "fc2c1196e795552ad58279f428afca9a956472d786a5a66a649631306bc3c796",
    "board": "07332ef36cae583ee50e7ba46ef423d99d12caf5bbbed2de83c0b41b424afc31",
}


def choose(values: Sequence[T], rng: Random) -> T:
    """Return one of ``values``; only ``Random.random`` is the same in every version of Python."""
    return values[int(rng.random() * len(values))]


def any_answer(allowed: AllowedValues, rng: Random) -> Value:
    if isinstance(allowed, Choices):
        return choose(allowed.values, rng)
    return choose(range(allowed.start, allowed.stop + 1, allowed.step), rng)


def any_setup(rules: Rules, rng: Random) -> Game:
    """Return the game for few players with some of its options at other values than their defaults."""
    options: dict[str, Value] = {}
    for option in rules.options:
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
            if prompt.optional and rng.random() < 0.8:
                continue
            silent = (prompt.allow_no_answer or prompt.seconds is not None) and rng.random() < 0.1
            answers[seat] = None if silent else any_answer(allowed, rng)
        yield {"answers": seats_to_json(answers)}
        play.answer(answers)
    if play.result is not None:
        yield play.result.as_json()


@pytest.mark.parametrize("rules", BOX_GAMES, ids=lambda rules: rules.name)
def test_lines_of_a_game_never_change(rules: Rules) -> None:
    digest = sha256()
    for seed in range(MATCHES):
        rng = Random(seed)
        for line in lines_of_match(any_setup(rules, rng), rng):
            digest.update(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    assert digest.hexdigest() == HASHES[rules.name]
