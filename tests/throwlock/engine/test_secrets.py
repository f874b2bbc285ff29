"""What each pipe is sent, byte by byte: nothing that is another seat's secret."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import find_game
from rules.engine import BOX, Answers, Choices, Game, IntRange, Prompt, Result, Rules, Script, SecretPrompt, Setup
from rules.events import Other
from tests.helpers.engine_caller import BOT, Caller, answers_with_draws, random_bot, recording_bot
from throwlock.engine.arena import Limits, play_arena_game
from throwlock.replay.public_log import view_game

Line = dict[str, Any]


# A game of words that only one seat may see


def whispers(setup: Setup) -> Script:
    """Each seat is dealt a word, chooses one of its own words, seals a word, and opens that at the end."""
    for seat in range(1, setup.seats + 1):
        drawn = yield SecretPrompt("draw", {BOX: IntRange(10**6, 10**7)})
        yield Other("dealt", {"word": f"dealt-{seat}-{drawn[BOX]}"}, only=seat)
    seats = range(1, setup.seats + 1)
    yield SecretPrompt("choose", {seat: Choices((f"held-{seat}-a", f"held-{seat}-b")) for seat in seats})
    words = {seat: Choices((f"sealed-{seat}-a", f"sealed-{seat}-b")) for seat in seats}
    yield SecretPrompt("seal", words)
    yield Prompt("open", {seat: Choices((f"public-{seat}",)) for seat in seats})
    return Result((1,), dict.fromkeys(seats, 0))


WHISPERS = Rules("whispers", "Whispers", 1, 2, 4, "secrets", (), whispers)
SECRET_WORDS = ("dealt", "held", "sealed")


def check_words(sent: bytes, seat: int, seats: int) -> None:
    """What was sent to a seat has its own words, the public ones, and no other's."""
    for word in SECRET_WORDS:
        for other in range(1, seats + 1):
            assert (f"{word}-{other}-".encode() in sent) == (other == seat), (word, other, seat)
    assert all(f"public-{other}".encode() in sent for other in range(1, seats + 1))


def test_an_engine_in_the_arena_is_sent_no_other_seats_words(tmp_path: Path) -> None:
    records = tmp_path / "one", tmp_path / "two"
    engines = [recording_bot(record, 1) for record in records]
    played = play_arena_game(WHISPERS.set_up(2), engines, 1, 8_642_975_310, "x", Limits())
    assert played.result and not played.faults and played.has_drawn
    for record, seats in zip(records, played.seats, strict=True):
        check_words(record.read_bytes(), seats[0], 2)
        assert b"8642975310" not in record.read_bytes(), "who knows the seed knows the draws"


def test_programs_and_the_caller_are_sent_no_other_seats_words(tmp_path: Path) -> None:
    records = {seat: tmp_path / str(seat) for seat in (2, 3, 4)}
    caller = Caller(random_bot(1))
    players = {seat: recording_bot(record, seat) for seat, record in records.items()}
    assert caller.play(WHISPERS.set_up(4), 8_642_975_310, players=players) == 0
    *before_the_end, end = caller.heard
    check_words(json.dumps(before_the_end).encode(), 1, 4)
    assert "8642975310" not in json.dumps([caller.new, *before_the_end]) and end["seed"] == 8_642_975_310
    for seat, record in records.items():
        check_words(record.read_bytes(), seat, 4)
        assert b"8642975310" not in record.read_bytes()


def test_a_wrong_secret_answer_does_not_tell_the_others_what_was_allowed(tmp_path: Path) -> None:
    liar = tmp_path / "liar.py"
    liar.write_text(BOT.read_text().replace("rng.choice(choices)", "'held-2-x'"))
    players = {2: f"{sys.executable} {liar} {tmp_path / 'two'} 0", 3: recording_bot(tmp_path / "three", 3)}
    caller = Caller(random_bot(1))
    caller.play(WHISPERS.set_up(3), 3, players=players)
    assert caller.heard[-1]["seats"] == [2]
    assert caller.heard[-1]["stopped"].endswith(": it gave an answer that is not allowed")
    for sent in (json.dumps(caller.heard).encode(), (tmp_path / "three").read_bytes()):
        assert b"held-2-" not in sent and b'"stopped": ' in sent
    assert b"held-2-a or held-2-b" in (tmp_path / "two").read_bytes(), "it is told itself"


# The box's games


GAMES = {
    "future": find_game("future").set_up(4),
    "future for two": find_game("future").set_up(2),
    "redeux with cards": find_game("redeux").set_up(4, {"play_with": "cards", "cards": "box", "risk": "always"}),
    "redeux": find_game("redeux").set_up(4, {"risk": "always", "bets": "sealed"}),
    "battle": find_game("battle").set_up(4),
    "classic": find_game("classic").set_up(4),
}


def check_view(lines: list[Line], view: list[Line], seats: tuple[int, ...]) -> None:
    """The lines sent to one that holds a single seat are what ``view_game`` shows of the game to that seat."""
    (seat,) = seats
    own = str(seat)
    expected = [line for line in view if "ask" not in line or own in line["seats"]]
    assert [next(iter(line)) for line in lines] == [next(iter(line)) for line in expected]
    for line, shown in zip(lines, expected, strict=True):
        if "ask" not in line:
            assert line == shown
            continue
        assert line["seats"] == {own: shown["seats"][own]} and line.get("about") == shown.get("about")
        hidden = line.get("others", {})
        assert hidden == {other: allowed or None for other, allowed in shown["seats"].items() if other != own}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_each_pipe_is_sent_what_its_seat_may_see(tmp_path: Path, name: str, seed: int) -> None:
    game = GAMES[name]
    records = {seat: tmp_path / str(seat) for seat in range(2, game.setup.seats + 1)}
    caller = Caller(random_bot(seed))
    caller.play(game, seed, players={seat: recording_bot(record, 10 * seed + seat) for seat, record in records.items()})
    assert caller.heard.pop()["seed"] == seed
    sent = {seat: [json.loads(line) for line in record.read_bytes().splitlines()] for seat, record in records.items()}
    hidden = (line for line in caller.heard if line.get("hidden"))
    assert (next(hidden, None) is not None) == (name.startswith("future") or "redeux" in name)
    everything = [json.loads(line) for line in (tmp_path / "2").read_bytes().splitlines()]
    assert [next(iter(line)) for line in everything[:2]] == ["hello", "new"] and everything[1]["seed"] is None
    answers = answers_of_all(game, seed, {1: caller.heard, **sent})
    for seat, lines in {1: caller.heard, **{seat: lines[2:-1] for seat, lines in sent.items()}}.items():
        view = view_game(game, answers, seat)
        assert "result" in view.pop()
        check_view(lines, view, (seat,))


def answers_of_all(game: Game, seed: int, heard: dict[int, list[Line]]) -> list[Answers]:
    """Every answer of the game: each seat's own, from the ``answers`` lines that it was sent."""
    answers: list[Answers] = []
    by_seat = {seat: [line["answers"] for line in lines if "answers" in line] for seat, lines in heard.items()}
    for lines in zip(*by_seat.values(), strict=True):
        merged = {}
        for seat, line in zip(by_seat, lines, strict=True):
            if str(seat) in line:
                merged[seat] = line[str(seat)]
        answers.append(merged)
    return answers_with_draws(game, seed, answers)
