"""The fuzz targets with a few hundred inputs of fixed seeds, and without atheris; ``make fuzz`` runs many more."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rules.board.notation import NotationError
from tests.helpers.slow_params import slow
from throwlock.review import importer
from throwlock.review.verify import replay_problems
from tools.fuzz import cards, engine, import_
from tools.fuzz.target import FindingError, Target, check_message, mutate_bytes
from tools.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
INPUTS = {"import": 300, "engine": 200, "notation": 2000, "cards": 40, "recordings": 40}
BLOCKS = 4
"""Each target's inputs are made in as many tests, of which one is quick enough for every run."""


def mutate_seed(target: Target, seed: int, data: bytes | None = None) -> bytes:
    """An input of the target, changed one to five times from one of its seeds."""
    rng = random.Random(seed)
    data = data or rng.choice(SEEDS(target.name))
    for _ in range(rng.choice((1, 2, 5))):
        data = target.mutate(data, rng, lambda part: mutate_bytes(part, rng))
    return data


class SeedCache:
    """The seeds of each target, made once."""

    def __init__(self) -> None:
        self._made: dict[str, list[bytes]] = {}

    def __call__(self, name: str) -> list[bytes]:
        if name not in self._made:
            self._made[name] = list(TARGETS[name].seeds())
        return self._made[name]


SEEDS = SeedCache()


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_valid(name: str) -> None:
    assert len(SEEDS(name)) > 5
    for data in SEEDS(name):
        assert len(data) <= TARGETS[name].max_bytes
        TARGETS[name].check(data)


@pytest.mark.parametrize("block", [0, *slow(*range(1, BLOCKS))])
@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_are_refused_or_valid(name: str, block: int) -> None:
    for seed in range(block, INPUTS[name], BLOCKS):
        TARGETS[name].check(mutate_seed(TARGETS[name], seed))


def test_forged_files_reach_the_later_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    replayed: list[int] = []

    def replay(match: int, events: list[Any]) -> Any:
        replayed.append(match)
        return replay_problems(match, events)

    monkeypatch.setattr(importer, "replay_problems", replay)
    for seed in range(100):
        import_.check(mutate_seed(import_.TARGET, seed))
    assert len(replayed) > 10


def finished_match() -> dict[str, Any]:
    """A match that was played to its end."""
    for data in SEEDS("import"):
        match: dict[str, Any] = json.loads(data)
        if match["events"][-1]["kind"] == "match_ended":
            return match
    raise AssertionError("no seed is a finished match")


def test_an_import_of_a_forged_result_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished_match()
    match["events"][-1]["body"]["result"]["scores"]["1"] += 1
    import_.forge_hashes(match)
    forged = json.dumps(match).encode()
    import_.check(forged)
    monkeypatch.setattr(importer, "replay_problems", lambda match, events: ())
    with pytest.raises(FindingError, match="what was imported does not verify"):
        import_.check(forged)


@pytest.mark.parametrize("flip", ["", "mirrored"])
def test_a_marker_that_is_not_there_would_be_found(flip: str) -> None:
    scene = cards.read_scene(SEEDS("cards")[3])
    assert scene is not None
    if flip:
        claimed = cards.Scene(scene.grey, scene.markers, frozenset({flip}))
    else:
        claimed = cards.Scene(scene.grey, frozenset(sorted(scene.markers)[1:]))
    with pytest.raises(FindingError, match="were read, and are not there"):
        cards.check(cards.write_scene(claimed))


def test_another_question_after_a_refusal_is_found() -> None:
    question: dict[str, Any] = {"ask": "throw", "seats": {"1": ["rock"]}, "sealed": True, "secret": False}
    question |= {"seconds": None, "null": True, "default": None}
    caller = engine.Caller([b"x", b"+1"])
    caller.receive(json.dumps(question))
    lines = caller.send()
    assert next(lines) == b"x"
    caller.receive('{"error": "no"}')
    caller.receive(json.dumps(question))
    assert next(lines) == b'{"answers": {"1": "rock"}}' and caller.sent == [b'{"answers": {"1": "rock"}}']
    caller.receive('{"error": "no"}')
    with pytest.raises(FindingError, match="another question"):
        caller.receive(json.dumps({**question, "ask": "bet"}))


@pytest.mark.parametrize("message", ["", " ", "a\nb", "\x1b[2J", "\udc80", "a" * 501])
def test_a_message_is_one_printable_line(message: str) -> None:
    check_message("Something is wrong: mend it.")
    with pytest.raises(FindingError) as found:
        check_message(NotationError(message))
    assert isinstance(found.value.__cause__, NotationError), "the place that raised it is found by its cause"


def test_an_input_that_takes_too_long_is_found() -> None:
    def spin(data: bytes) -> None:
        sum(range(10_000))

    slow = Target("slow", lambda: [b""], lambda data, rng, mutate: data, spin, 1, max_cpu_s=-1.0)
    with pytest.raises(FindingError, match="of CPU time"):
        slow.run(b"")
