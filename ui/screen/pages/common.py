"""View classes that several pages share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine import Seat
from ui.i18n.language import t
from ui.screen.pages.scoreboard import Fact, Facts
from ui.text.game_words import code_word

DISPUTE_ANSWER = "dispute"
"""The answer of people who want to see how the last rounds were judged."""
SLOW_MOTION_ANSWER = "slow motion"
"""The answer of people who want to see a round in slow motion."""
TAKE_HOME_ANSWER = "take home"
"""The answer of people who want the clip of a round on their phone."""
GO_ON_ANSWER, SWITCH_ON_ANSWER = "go on", "on"
"""The answers of people who go on as it is, or switch the network on."""
BACK_ANSWER, HOME_ANSWER = "back", "home"
"""The answers of people who leave a page for the one before, or for the home page."""
UNDO_ANSWER = "undo"
"""The answer of people who take back the last answers."""


@dataclass(frozen=True)
class Player:
    """A player: seat, name, score so far (``None`` before there is one), number of fouls (``None`` where no hands are
    thrown, or they are not counted), and further facts such as a bet, a streak or being out."""

    seat: Seat
    name: str
    score: int | None = None
    fouls: int | None = None
    facts: Facts = ()
    role: Fact | None = None
    """The player's role in a game in which not all have the same, such as the game master's."""
    stars: int | None = None
    """How many stars win, where the score is shown as stars; None: it is shown as a number."""


def player_title(player: Player) -> str:
    """A player's name, with the role if not all have the same."""
    name = t(player.name)
    return name if player.role is None else f"{name} · {code_word(str(player.role.value), player.role.text)}"


def rank_players(players: Sequence[Player], winners: Sequence[Seat] = ()) -> dict[Seat, int]:
    """Return everybody's place: the winners share the first, and the others on the same points theirs."""
    standing = {player.seat: math.inf if player.seat in winners else player.score or 0 for player in players}
    return {seat: 1 + sum(better > own for better in standing.values()) for seat, own in standing.items()}


def players_by_place(players: Sequence[Player], winners: Sequence[Seat] = ()) -> tuple[Player, ...]:
    """Return the players as every list of scores has them: the best first, those of the same place by seat."""
    places = rank_players(players, winners)
    return tuple(sorted(players, key=lambda player: (places[player.seat], player.seat)))


@dataclass(frozen=True)
class JoinAddress:
    """Where phones join."""

    url: str
    """What a phone opens."""
    address: str
    """What can be typed instead, together with the code."""
    code: str
