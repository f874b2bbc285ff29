"""A fact that a new game declares is on every surface: nothing outside the game names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from messages import N
from rules import catalogue
from rules.engine import (
    Choices,
    FactValue,
    GameEvent,
    GameText,
    Prompt,
    Result,
    Rules,
    Script,
    Seat,
    Setup,
)
from rules.engine.scoreboard import FactOwner, ShownFact
from rules.events import Scores
from rules.throws import ask_for_throws
from tests.helpers.agreement_matches import Script as MatchScript
from tests.helpers.agreement_matches import play
from tests.helpers.surfaces import html_export, review


@dataclass(frozen=True)
class Horoscope(GameEvent):
    """The stars speak."""

    kind = "horoscope"
    luck: Mapping[Seat, int]


def astrology(setup: Setup) -> Script:
    """Tell everybody their luck, let them doubt it, and throw."""
    luck = {1: 77, 2: 88}
    yield Horoscope(luck)
    about: dict[str, FactValue] = {"luck": luck}
    yield Prompt("doubt", dict.fromkeys(luck, Choices(("yes", "no"))), about=about)
    yield from ask_for_throws(tuple(luck), {})
    yield Scores({1: 0, 2: 1})
    return Result((2,), {1: 0, 2: 1}, about)


TEXT = GameText(scoreboard={"luck": ShownFact(FactOwner.SEATS, label=N("Lucky number"), until=())})
ASTROLOGY = Rules("astrology", "Astrology", 1, 2, 2, "The stars decide.", (), astrology, TEXT)
SENTENCE = "Horoscope: Lucky number Ada 77, Ben 88."


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What each surface says of a match of the new game."""
    monkeypatch.setattr(catalogue, "GAMES", {**catalogue.GAMES, "astrology": ASTROLOGY})
    journal = tmp_path / "evening.journal"
    live = play(MatchScript("astrology"), journal)
    return {**live, "review": review(journal), "export": html_export(journal)}


def test_touchscreen_shows_it_until_it_ends(said: dict[str, list[str]]) -> None:
    last_message = said["touchscreen"][-1].split(" | ")
    assert "Score" in last_message and [last_message.count(text) for text in ("Lucky number", "77", "88")] == [2, 1, 1]


def test_television_shows_it_until_it_ends(said: dict[str, list[str]]) -> None:
    shown = set(said["television"][-1].split(" | "))
    assert {"Lucky number 77", "Lucky number 88", "Score: Ada 0, Ben 1."} <= shown


def test_phone_that_is_asked_shows_what_everybody_sees(said: dict[str, list[str]]) -> None:
    questions = [line.split(" | ") for line in said["phones"] if "Doubt?" in line]
    shown = [("Lucky number 77" in texts, "Lucky number 88" in texts) for texts in questions]
    assert shown == [(True, True), (True, True)]


@pytest.mark.parametrize("surface", ["review", "export", "terminal"])
def test_pages_of_text_say_it(said: dict[str, list[str]], surface: str) -> None:
    assert any(SENTENCE in line.split(" | ") for line in said[surface])
