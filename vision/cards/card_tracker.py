"""A seat's card from when it is laid face down until it is turned over: committed once it lies still with the hand
away, and a foul where it is lifted, moved, hidden or joined by another afterwards."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame
from vision.cards.observations import BACKS, FACES, Family, Lie, Look, is_dazzled, is_free, lie_of, patch_of, white_of
from vision.cards.reader import Card

LOOK_NS = 125_000_000
"""Between two looks: a card can't be lifted, seen and put back exactly as it lay in less."""
SETTLED_NS = 500_000_000
"""A card that lay still for so long with its whole border seen is committed: four looks, in which a hand that lets go
has moved on."""
HELD_NS = 2_000_000_000
"""The same for a card whose border is not seen whole: curled, or in a shadow."""
STILL_MM, STILL_DEG = 2.0, 3.0
"""What a card that lies still may seem to move by: the reader is off by less than a pixel, 0.6 mm at a table of 0.76 m
across 1280 pixels."""
MOVED_MM, MOVED_DEG = 5.0, 6.0
"""From where on a committed card was moved. A table that is knocked moves every card."""
HIDDEN_NS = 400_000_000
"""A committed card may be out of sight for so long: an arm or a shadow that passes."""
TURNING_NS = 500_000_000
"""A card that shows its face so soon after it moved or was hidden was being turned over."""
LIKE = 0.5
"""Likeness of a card's place to itself from which an unread card is still there, in a shadow."""


class Note(StrEnum):
    """Why a seat's card is not committed yet."""

    NONE = "no card"
    FACE_UP = "face up"
    TWO = "two cards"
    WRONG_DECK = "wrong deck"
    MOVING = "moving"


class Broken(StrEnum):
    """What became of a committed card before it may be turned over."""

    MOVED = "moved"
    HIDDEN = "hidden"
    TWO = "two cards"
    TURNED = "turned over"


@dataclass(frozen=True, eq=False)
class Down:
    """A committed card: since when, how it lies, the level of its white and the small picture of its marker."""

    since_ns: int
    lie: Lie
    white: float
    patch: NDArray[np.float32]


class SeatWatch:
    """Watches one zone (pixels of the frame), look after look, in order of time.

    ``down`` is the committed card, ``note`` what is lacking while there is none, ``broken`` the first thing that
    became of it, at ``broken_ns``, with ``proof``, the frame that shows it; ``seen_ns`` is when its back was
    last seen where it lay.
    """

    def __init__(self, zone: Box, family: Family) -> None:
        self.zone = zone
        self._family = family
        self.down: Down | None = None
        self.note: Note | None = Note.NONE
        self.broken: Broken | None = None
        self.broken_ns = 0
        self.proof: Frame | None = None
        self._noticed_ns = 0
        self.seen_ns = 0
        self._begun: tuple[int, Lie] | None = None
        self._avoid: Lie | None = None
        self._hidden_ns: int | None = None

    def begin_anew(self, changed: bool = False) -> None:
        """Wait for a card again; with ``changed`` not for the one that lies there now."""
        self._avoid = self.down.lie if changed and self.down else None
        self.down, self.note, self.broken, self.proof = None, Note.NONE, None, None
        self._begun, self._hidden_ns = None, None

    def look(self, look: Look) -> None:
        """Take in what the zone shows now."""
        cards = look.within(self.zone)
        if self.down is None:
            self._wait(look, cards)
        elif self.broken is None:
            self._guard(look, cards, self.down)
        elif self._being_turned(look) and any(card.printed.kind in FACES for card in cards):
            self.broken = Broken.TURNED

    def _wait(self, look: Look, cards: list[Card]) -> None:
        backs = [card for card in cards if card.printed.kind is self._family.back]
        self.note = self._lacking(cards, backs)
        if self.note is not None:
            self._begun = None
            self._avoid = None if self.note is Note.NONE else self._avoid  # the one before was taken up
            return
        lie = lie_of(backs[0])
        self.note = Note.MOVING
        if self._avoid is not None and _there(self._avoid, lie):
            return
        self._avoid = None
        if self._begun is None or not _still(self._begun[1], lie):
            self._begun = (look.when_ns, lie)
            return
        lain_ns = look.when_ns - self._begun[0]
        if lain_ns < SETTLED_NS:
            return
        pixels = look.pixels
        if lain_ns >= HELD_NS or is_free(pixels, backs[0]):
            self.down = Down(look.when_ns, lie, white_of(pixels, backs[0]), patch_of(pixels, lie))
            self.note, self.seen_ns = None, look.when_ns

    def _lacking(self, cards: list[Card], backs: list[Card]) -> Note | None:
        if any(card.printed.kind is self._family.face for card in cards):
            return Note.FACE_UP
        if len(cards) > len(backs):
            return Note.WRONG_DECK
        return Note.NONE if not backs else Note.TWO if len(backs) > 1 else None

    def _guard(self, look: Look, cards: list[Card], down: Down) -> None:
        lies = [lie_of(card) for card in cards if card.printed.kind in BACKS]
        here = [lie for lie in lies if _there(down.lie, lie)]
        if len(cards) > 1:
            self._break(Broken.TWO, look)
        elif any(card.printed.kind in FACES for card in cards):
            self._break(Broken.TURNED, look)
        elif lies and not here:
            self._break(Broken.MOVED, look)
        elif here or _still_there(look, down):
            self.seen_ns, self._hidden_ns = look.when_ns, None
        elif self._hidden_ns is None:
            self._hidden_ns = look.when_ns
        elif look.when_ns - self._hidden_ns >= HIDDEN_NS:
            self._break(Broken.HIDDEN, look)

    def _being_turned(self, look: Look) -> bool:
        """Whether what was taken for lifting may be the beginning of turning over."""
        return self.broken in (Broken.MOVED, Broken.HIDDEN) and look.when_ns - self._noticed_ns <= TURNING_NS

    def _break(self, how: Broken, look: Look) -> None:
        began = self._hidden_ns if how is Broken.HIDDEN else None
        self.broken, self.broken_ns, self.proof = how, began or look.when_ns, look.frame
        self._noticed_ns = look.when_ns


def _still_there(look: Look, down: Down) -> bool:
    """Whether a card that can't be read lies there all the same, in a shadow or a reflection."""
    pixels = look.pixels
    return float((patch_of(pixels, down.lie) * down.patch).sum()) >= LIKE or is_dazzled(pixels, down.lie)


def _still(one: Lie, other: Lie) -> bool:
    return one.away_mm(other) < STILL_MM and one.turned(other) < STILL_DEG


def _there(one: Lie, other: Lie) -> bool:
    return one.away_mm(other) < MOVED_MM and one.turned(other) < MOVED_DEG
