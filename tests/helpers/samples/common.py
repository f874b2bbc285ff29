"""Sample players, hands and images that the samples of several pages share."""

from dataclasses import replace

import numpy as np
import pygame

from device.camera.frames import Pixels
from rules.battle.text import TEXT as BATTLE_TEXT
from rules.engine import GameText, Json
from rules.future.text import TEXT as FUTURE_TEXT
from rules.redeux.text import TEXT as REDEUX_TEXT
from rules.text import SHARED_TEXT
from rules.throws import Throw
from ui.screen.drawing.icons import icon
from ui.screen.pages.common import Player
from ui.screen.pages.how_to_play_shots import CLOTH_COLOURS, SKIN_COLOURS
from ui.screen.pages.scoreboard import Fact

NAMES = ("Ann", "Bartholomew", "Chidi", "Dolores", "Emil", "Friederike", "Gus", "Hanako")
COUNT_WORDS = ("ROCK", "PAPER", "SCISSORS", "SHOOT")


def declared_fact(name: str, value: Json, text: GameText) -> Fact:
    """A fact as the game with the words ``text`` declares one that is called ``name``."""
    declared = {**SHARED_TEXT.scoreboard, **text.scoreboard}
    shown = next(shown for key, shown in declared.items() if shown and (shown.name or key.split(".")[-1]) == name)
    return Fact(name, value, text, shown)


def table_image(seats: int) -> Pixels:
    """A stand-in for the live image of the table."""
    surface = pygame.Surface((640, 360), 0, 32)
    surface.fill(CLOTH_COLOURS[0])
    for seat in range(seats):
        x = round(640 * (seat + 0.5) / seats)
        surface.blit(icon(Throw.ROCK, 70, SKIN_COLOURS[seat % len(SKIN_COLOURS)]), (x - 35, 145))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def players(count: int, scores: bool = True) -> tuple[Player, ...]:
    """Some players with points."""
    return tuple(Player(seat, NAMES[seat - 1], (seat * 35) % 105 if scores else None) for seat in range(1, count + 1))


def players_with_fouls(count: int) -> tuple[Player, ...]:
    """Some players with points and fouls."""
    return tuple(replace(player, fouls=player.seat % 3) for player in players(count))


def players_with_facts(count: int) -> tuple[Player, ...]:
    """Players with many facts about each."""
    fact_sets = (
        (
            declared_fact("streaks", 3, BATTLE_TEXT),
            declared_fact("bets", 10, REDEUX_TEXT),
            declared_fact("claims", "rock", FUTURE_TEXT),
        ),
        (
            declared_fact("streaks", -2, BATTLE_TEXT),
            declared_fact("bets", 0, REDEUX_TEXT),
            declared_fact("folded", True, FUTURE_TEXT),
        ),
        (
            declared_fact("health", 5, BATTLE_TEXT),
            declared_fact("cards", 4, REDEUX_TEXT),
            declared_fact("out", True, SHARED_TEXT),
        ),
    )
    return tuple(replace(player, fouls=player.seat % 3, facts=fact_sets[player.seat % 3]) for player in players(count))


STAKE_FACTS = (
    declared_fact("phase", "risk rounds", REDEUX_TEXT),
    declared_fact("round", 3, REDEUX_TEXT),
    declared_fact("goal", 100, REDEUX_TEXT),
    declared_fact("pot", 17, FUTURE_TEXT),
)
"""Facts about the table: what is at stake in a round."""
