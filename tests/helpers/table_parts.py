"""Tables put together from parts, real or fake."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from rules.engine import Prompt
from rules.record.round import PlayerLink, judged_seat
from throwlock.house_rules import HouseRules
from throwlock.match.reveal import build_reveal
from throwlock.tables.hands import HandTable
from throwlock.tables.source import PlayedRound, PlayTable, RoundRequest
from ui.screen.pages.common import Player


def hand_table(camera: Any, zones: Any, judge: Any, display: Any, clock: Any, **more: Any) -> HandTable:
    """Return a table for hands at which nobody answers but by throwing, unless ``more`` says otherwise."""
    given = {"house_rules": HouseRules(), **more}
    return HandTable(camera=camera, zones=zones, judge=judge, display=display, clock=clock, **given)


def flatten(played: PlayedRound, players: Sequence[Player]) -> SimpleNamespace:
    """Return what came of a judged round in one object: its answers, its evidence, how it was judged and its reveal."""
    assert played.thrown is not None
    thrown, names = played.thrown, {player.seat: player.name for player in players}
    seats = [
        judged_seat(thrown.record, seat, PlayerLink(None, names[seat]), is_foul=seat in thrown.fouls)
        for seat in thrown.record.seats
    ]
    reveal = build_reveal(thrown, seats, players)
    return SimpleNamespace(answers=played.answers, evidence=played.evidence, reveal=reveal, **vars(played.thrown))


def throw(
    table: PlayTable, prompt: Prompt, players: Sequence[Player], title: str = "Round 1", **more: Any
) -> SimpleNamespace:
    """Play a throw and return it flattened."""
    return flatten(table.play(RoundRequest(prompt, tuple(players), title=title, **more)), players)
