"""Sample players, hands and images that the samples of several pages share."""

from dataclasses import replace

import numpy as np
import pygame

from device.camera.frames import Pixels
from rules.battle.text import TEXT as BATTLE_TEXT
from rules.redeux.text import TEXT as REDEUX_TEXT
from rules.throws import Throw
from ui.screen.drawing.icons import icon
from ui.screen.drawing.theme import Colour
from ui.screen.pages.common.view import Player
from ui.screen.pages.scoreboard.view import Fact

NAMES = ("Ann", "Bartholomew", "Chidi", "Dolores", "Emil", "Friederike", "Gus", "Hanako")
COUNT_WORDS = ("ROCK", "PAPER", "SCISSORS", "SHOOT")
SKIN_COLOURS: tuple[Colour, ...] = ((236, 188, 160), (150, 98, 66), (205, 150, 112), (92, 60, 44))
CLOTH_COLOURS: tuple[Colour, ...] = ((38, 66, 122), (56, 92, 74), (96, 52, 60), (70, 70, 84))


def crop(throw: Throw | None, seat: int) -> Pixels:
    """A stand-in for a seat's crop: the drawing of a hand, in a skin's colour on a cloth's."""
    surface = pygame.Surface((240, 240), 0, 32)
    surface.fill(CLOTH_COLOURS[seat // 2 % len(CLOTH_COLOURS)])
    if throw is not None:
        surface.blit(icon(throw, 190, SKIN_COLOURS[seat % len(SKIN_COLOURS)]), (25, 35))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


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
        (Fact("streaks", 3), Fact("bets", 10), Fact("claims", "rock")),
        (Fact("streaks", -2), Fact("bets", 0), Fact("folded", True)),
        (Fact("health", 5, BATTLE_TEXT), Fact("cards", 4), Fact("out", True)),
    )
    return tuple(replace(player, fouls=player.seat % 3, facts=fact_sets[player.seat % 3]) for player in players(count))


STAKE_FACTS = (Fact("phase", "risk rounds", REDEUX_TEXT), Fact("round", 3), Fact("goal", 100), Fact("pot", 17))
"""Facts about the table: what is at stake in a round."""
