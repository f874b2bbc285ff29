"""The public record of a match, and private messages at the table."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import find_game
from rules.events import Other
from tests.helpers.table_matches import match_config, play
from throwlock.cli.main import run_command
from throwlock.tables.answers import ScreenAnswers
from ui.screen.pages.common import Player
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.question import SEEN_REPLY

PLAYERS = (Player(1, "Ada"), Player(2, "Ben"))


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("record") / "one.journal"
    play(path, match_config(find_game("future").set_up(3), seed=5))
    return path


def lines(capsys: pytest.CaptureFixture[str], *args: str) -> list[dict[str, Any]]:
    assert run_command(["record", *args]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_record_shows_claims_but_no_card_that_was_not_revealed(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = lines(capsys, str(journal))
    placed = [number for number, line in enumerate(seen) if line.get("ask") == "place"]
    assert placed
    for number in placed:
        assert all(options == [] for options in seen[number]["seats"].values())
        assert seen[number + 1]["answers"] == {}
        assert seen[number + 1]["hidden"]
    assert any(line.get("ask") == "claim" for line in seen)
    assert not any(line.get("say") == "hand" for line in seen)
    assert "result" in seen[-1]


def test_a_seat_sees_its_own_cards(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = lines(capsys, str(journal), "--seat", "2", "--match", "1")
    hands = [line for line in seen if line.get("say") == "hand"]
    assert hands and all(line["only"] == 2 for line in hands)


def test_no_such_match_is_said(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["record", str(journal), "--match", "5"]) == 2
    assert capsys.readouterr().err == f"throwlock: {journal} has no such match: its matches are 1\n"


class OneTouch:
    """A display that gives the first possible answer."""

    def __init__(self) -> None:
        self.asked: list[GroupQuestion] = []

    def show(self, view: object) -> None:
        raise AssertionError("nothing of it is shown to everybody")

    def ask(self, view: Any) -> Any:
        self.asked.append(view)
        return SEEN_REPLY


def test_secrets_are_behind_a_page_of_their_own() -> None:
    display = OneTouch()
    ScreenAnswers(display).tell([Other("drawn", {"card": "rock"}, only=2)], PLAYERS)
    (question,) = display.asked
    assert (list(question.prompt.seats), question.prompt.is_secret, question.prompt.about) == ([2], True, {})
    assert question.question_for(2).prompt.own_facts == {2: {"card": "rock"}}
    ScreenAnswers(display).tell([Other("tie", {})], PLAYERS)
    assert len(display.asked) == 1


def test_all_look_at_their_hands_together() -> None:
    display = OneTouch()
    hands = [Other("hand", {"cards": {"rock": seat}}, only=seat) for seat in (1, 2)]
    drawn = [Other("drawn", {"card": card}, only=2) for card in ("rock", "paper")]
    ScreenAnswers(display).tell([*hands, *drawn], PLAYERS)
    assert [(view.prompt.kind, list(view.prompt.seats)) for view in display.asked] == [
        ("hand", [1, 2]),
        ("drawn", [2]),
        ("drawn", [2]),
    ]
    together = display.asked[0]
    for seat in (1, 2):
        own = together.question_for(seat).prompt
        assert (own.about, own.own_facts) == ({}, {seat: {"cards": {"rock": seat}}})
