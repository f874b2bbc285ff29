"""Sample people for the gallery: their names and points, their hands, and a reveal with every verdict."""

import numpy as np
import pygame

from device.camera.frames import Pixels
from rules.throws import Throw
from ui.screen.drawing.icons import icon
from ui.screen.drawing.theme import Colour
from ui.screen.pages.views import Player, Reveal, SeatReveal

NAMES = ("Ann", "Bartholomew", "Chidi", "Dolores", "Emil", "Friederike", "Gus", "Hanako")
WORDS = ("ROCK", "PAPER", "SCISSORS", "SHOOT")
SKINS: tuple[Colour, ...] = ((236, 188, 160), (150, 98, 66), (205, 150, 112), (92, 60, 44))
CLOTHS: tuple[Colour, ...] = ((38, 66, 122), (56, 92, 74), (96, 52, 60), (70, 70, 84))


def crop(throw: Throw | None, seat: int) -> Pixels:
    """A stand-in for a seat's crop: the drawing of a hand, in a skin's colour on a cloth's."""
    surface = pygame.Surface((240, 240), 0, 32)
    surface.fill(CLOTHS[seat // 2 % len(CLOTHS)])
    if throw is not None:
        surface.blit(icon(throw, 190, SKINS[seat % len(SKINS)]), (25, 35))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def table(seats: int) -> Pixels:
    """A stand-in for the live picture of the table."""
    surface = pygame.Surface((640, 360), 0, 32)
    surface.fill(CLOTHS[0])
    for seat in range(seats):
        x = round(640 * (seat + 0.5) / seats)
        surface.blit(icon(Throw.ROCK, 70, SKINS[seat % len(SKINS)]), (x - 35, 145))
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1))


def players(count: int, scores: bool = True) -> tuple[Player, ...]:
    """Some players with points."""
    return tuple(Player(seat, NAMES[seat - 1], (seat * 35) % 105 if scores else None) for seat in range(1, count + 1))


def reveal(count: int) -> Reveal:
    """A reveal with a foul in it, and with every verdict where there are enough seats."""
    throws = (Throw.PAPER, Throw.SCISSORS, Throw.ROCK, Throw.PAPER, None, Throw.SCISSORS, Throw.ROCK, None)
    after = (0.0, 212.0, 31.0, 88.0, 140.0, 60.0, -320.0, None)
    verdicts = ("on time", "late", "on time", "on time", "unclear", "changed", "early", "unseen")
    seats = tuple(
        SeatReveal(player, crop(throw, player.seat), throw, verdict, verdict in ("late", "early", "changed"), ms)
        for player, throw, verdict, ms in zip(players(count), throws, verdicts, after, strict=False)
    )
    return Reveal(seats, f"{NAMES[1]} was late: throw again", 150.0)
