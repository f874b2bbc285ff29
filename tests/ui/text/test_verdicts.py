"""Sentences for people: every verdict, everything a game says in its playthroughs, and how games end."""

import random

import pytest

from rules.catalogue import GAMES, find_game
from rules.engine import Choices, GameEvent, IntRange, Play, Prompt, Result, Value
from rules.throws import Throw
from ui.text import verdicts
from vision.lock.causes import HandCause
from vision.lock.verdict import Verdict
from vision.lock.void_reasons import VoidKind

NAMES = {1: "Ada", 2: "Bo", 3: "Cy"}


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict.foul])
def test_every_foul_names_who_and_what(verdict: Verdict) -> None:
    said = verdicts.foul_sentence(str(verdict), "Ada", 330.4, 0, Throw.PAPER, Throw.ROCK)
    assert said.startswith("Ada") and said.endswith(".")
    told = {"late": "330 ms", "early": "paper", "changed": "paper at the lock, rock afterwards"}
    assert told.get(str(verdict), "") in said


def test_fouls_are_told_apart() -> None:
    said = {
        verdicts.foul_sentence(str(verdict), "Ada", 330, 0, Throw.PAPER, None) for verdict in Verdict if verdict.foul
    }
    assert len(said) == 14


@pytest.mark.parametrize("cause", list(HandCause))
def test_why_a_hand_is_not_read_is_said(cause: HandCause) -> None:
    said = verdicts.foul_sentence("unclear", "Ada", 0, 0, None, None, cause=str(cause))
    assert said.startswith("Ada") and said != verdicts.foul_sentence("unclear", "Ada", 0, 0, None, None)


def test_troubles_are_told_apart_and_are_nobodys_foul() -> None:
    said = {verdicts.void_sentence(str(kind), 0.06, None) for kind in VoidKind}
    assert len(said) == len(VoidKind) and all(verdicts.NO_FOUL in one for one in said)
    assert "6%" in verdicts.void_sentence("moved", 0.06) and "Bo's zone" in verdicts.void_sentence(
        "reaching over", 2, "Bo"
    )


def random_answers(ask: Prompt, chance: random.Random) -> dict[int, Value]:
    """What is allowed, by chance; nothing now and then where the game has a rule for it."""
    answers: dict[int, Value] = {}
    for seat, options in ask.seats.items():
        if ask.allow_no_answer and chance.random() < 0.1:
            answers[seat] = None
        elif isinstance(options, Choices):
            answers[seat] = chance.choice(options.values)
        elif isinstance(options, IntRange):
            answers[seat] = options.start + options.step * chance.randrange(
                (options.stop - options.start) // options.step + 1
            )
        else:
            pytest.skip(f"a box's answer to {ask.kind} is another test's matter")
    return answers


@pytest.mark.parametrize("name", sorted(GAMES))
def test_everything_a_game_says_has_a_sentence(name: str) -> None:
    """Chance plays matches; whatever is said has words of its own, and no bare facts or seat numbers in them."""
    game = find_game(name)
    kinds: set[str] = set()
    for seed in range(12):
        chance = random.Random(seed)
        seats = chance.randint(game.min_players, min(3, game.max_players))
        play = Play(game.set_up(seats))
        for _ in range(150):
            if play.prompt is None:
                break
            play.answer(random_answers(play.prompt, chance))
        for say in play.events:
            kinds.add(say.kind)
            assert say.kind in verdicts.EVENT_SENTENCES, (
                f"{name} says {say.kind!r}, and ui.text.games has no sentence for it"
            )
            for sentence in verdicts.event_sentences(say, NAMES):
                assert sentence.endswith((".", "!", "?")), sentence
                assert "{" not in sentence and "None" not in sentence and "Seat" not in sentence, sentence
        if play.result:
            assert verdicts.result_sentence(play.result, NAMES).endswith(".")
    assert "score" in kinds


def test_a_kind_without_words_is_told_by_its_facts() -> None:
    assert verdicts.event_sentences(GameEvent("storm", {"strength": 3}), NAMES) == ("Storm: strength 3.",)


def test_results() -> None:
    assert verdicts.result_sentence(Result((), {1: 0}), NAMES) == "Nobody has won."
    assert verdicts.result_sentence(Result((2,), {1: 0, 2: 1}), NAMES) == "Bo has won with 1 point."
    assert verdicts.result_sentence(Result((1, 3), {1: 5, 3: 5}), NAMES) == "Ada and Cy have won with 5 points."
    assert verdicts.result_sentence(Result((1, 2, 3), {1: 5, 2: 6, 3: 7}), NAMES) == "Ada, Bo and Cy have won."
