"""Tracks a seat's card from when it is laid face down until it is turned over: it is committed once it lies still with
the hand away; lifting, moving or hiding it afterwards, or adding another, is a foul."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame
from vision.cards.observations import (
    BACK_KINDS,
    FACE_KINDS,
    CardFamily,
    CardPose,
    ObservedFrame,
    card_patch,
    card_pose,
    has_free_border,
    has_glare,
    measure_paper_level,
)
from vision.cards.reader import Card

OBSERVATION_INTERVAL_NS = 125_000_000
"""Time between two observations: a card can't be lifted, seen and put back exactly in less."""
COMMIT_NS = 500_000_000
"""How long a card must lie still with its whole border visible to be committed: four observations, in which a hand
that lets go has moved away."""
COMMIT_HIDDEN_BORDER_NS = 2_000_000_000
"""The same for a card whose border is not wholly visible: curled, or in a shadow."""
MAX_STILL_MM, MAX_STILL_DEG = 2.0, 3.0
"""How far a card that lies still may seem to move: the reader's error is below one pixel, 0.6 mm for a table of 0.76 m
across 1280 pixels."""
MIN_MOVED_MM, MIN_MOVED_DEG = 5.0, 6.0
"""From how far on a committed card counts as moved. A knock on the table moves every card a little."""
MAX_HIDDEN_NS = 400_000_000
"""How long a committed card may be out of sight: an arm or a shadow passes."""
MAX_TURNING_NS = 500_000_000
"""A card that shows its face within this time after it moved or was hidden was being turned over."""
MIN_PATCH_LIKENESS = 0.5
"""Correlation of a card's place with its earlier image from which an unreadable card is still there, in a shadow."""


class CommitObstacle(StrEnum):
    """Why a seat's card is not committed yet."""

    NO_CARD = "no card"
    FACE_UP = "face up"
    TWO = "two cards"
    WRONG_DECK = "wrong deck"
    MOVING = "moving"


class CommitBreach(StrEnum):
    """What happened to a committed card before it may be turned over."""

    MOVED = "moved"
    HIDDEN = "hidden"
    TWO = "two cards"
    TURNED = "turned over"


@dataclass(frozen=True, eq=False)
class CommittedCard:
    """A committed card: since when, its pose, the level of its paper and the thumbnail of its marker."""

    since_ns: int
    pose: CardPose
    paper_level: float
    patch: NDArray[np.float32]


class CardTracker:
    """Tracks the card in one zone over successive frames.

    Args:
        zone: The zone in pixels of the frame.
        family: The cards that are played.

    Attributes:
        committed: The committed card, if any.
        obstacle: Why there is none yet.
        breach: The first thing that happened to it, at ``breach_ns``; ``proof_frame`` shows it.
        back_seen_ns: When its back was last seen where it lay.
    """

    def __init__(self, zone: Box, family: CardFamily) -> None:
        self.zone = zone
        self._family = family
        self.committed: CommittedCard | None = None
        self.obstacle: CommitObstacle | None = CommitObstacle.NO_CARD
        self.breach: CommitBreach | None = None
        self.breach_ns = 0
        self.proof_frame: Frame | None = None
        self._breach_noticed_ns = 0
        self.back_seen_ns = 0
        self._still_since: tuple[int, CardPose] | None = None
        self._ignored_pose: CardPose | None = None
        self._hidden_ns: int | None = None

    def restart(self, must_change: bool = False) -> None:
        """Wait for a new card; with ``must_change`` the one that lies there now does not count."""
        self._ignored_pose = self.committed.pose if must_change and self.committed else None
        self.committed, self.obstacle, self.breach, self.proof_frame = None, CommitObstacle.NO_CARD, None, None
        self._still_since, self._hidden_ns = None, None

    def observe(self, frame: ObservedFrame) -> None:
        """Update the state with a frame."""
        cards = frame.cards_in(self.zone)
        if self.committed is None:
            self._observe_uncommitted(frame, cards)
        elif self.breach is None:
            self._observe_committed(frame, cards, self.committed)
        elif self._may_be_turning(frame) and any(card.printed.kind in FACE_KINDS for card in cards):
            self.breach, self.breach_ns, self.proof_frame = CommitBreach.TURNED, frame.exposed_ns, frame.frame

    def _observe_uncommitted(self, frame: ObservedFrame, cards: list[Card]) -> None:
        backs = [card for card in cards if card.printed.kind is self._family.back]
        self.obstacle = self._find_obstacle(cards, backs)
        if self.obstacle is not None:
            self._still_since = None
            if self.obstacle is CommitObstacle.NO_CARD:  # the previous one was picked up
                self._ignored_pose = None
            return
        pose = card_pose(backs[0])
        self.obstacle = CommitObstacle.MOVING
        if self._ignored_pose is not None and _is_same_place(self._ignored_pose, pose):
            return
        self._ignored_pose = None
        if self._still_since is None or not _is_still(self._still_since[1], pose):
            self._still_since = (frame.exposed_ns, pose)
            return
        still_ns = frame.exposed_ns - self._still_since[0]
        if still_ns < COMMIT_NS:
            return
        pixels = frame.pixels
        if still_ns >= COMMIT_HIDDEN_BORDER_NS or has_free_border(pixels, backs[0]):
            self.committed = CommittedCard(
                frame.exposed_ns, pose, measure_paper_level(pixels, backs[0]), card_patch(pixels, pose)
            )
            self.obstacle, self.back_seen_ns = None, frame.exposed_ns

    def _find_obstacle(self, cards: list[Card], backs: list[Card]) -> CommitObstacle | None:
        if any(card.printed.kind is self._family.face for card in cards):
            return CommitObstacle.FACE_UP
        if len(cards) > len(backs):
            return CommitObstacle.WRONG_DECK
        return CommitObstacle.NO_CARD if not backs else CommitObstacle.TWO if len(backs) > 1 else None

    def _observe_committed(self, frame: ObservedFrame, cards: list[Card], committed: CommittedCard) -> None:
        poses = [card_pose(card) for card in cards if card.printed.kind in BACK_KINDS]
        in_place = [pose for pose in poses if _is_same_place(committed.pose, pose)]
        if len(cards) > 1:
            self._record_breach(CommitBreach.TWO, frame)
        elif any(card.printed.kind in FACE_KINDS for card in cards):
            self._record_breach(CommitBreach.TURNED, frame)
        elif poses and not in_place:
            self._record_breach(CommitBreach.MOVED, frame)
        elif in_place or _is_still_there(frame, committed):
            self.back_seen_ns, self._hidden_ns = frame.exposed_ns, None
        elif self._hidden_ns is None:
            self._hidden_ns = frame.exposed_ns
        elif frame.exposed_ns - self._hidden_ns >= MAX_HIDDEN_NS:
            self._record_breach(CommitBreach.HIDDEN, frame)

    def _may_be_turning(self, frame: ObservedFrame) -> bool:
        """Whether what looked like lifting may be the start of turning over."""
        return (
            self.breach in (CommitBreach.MOVED, CommitBreach.HIDDEN)
            and frame.exposed_ns - self._breach_noticed_ns <= MAX_TURNING_NS
        )

    def _record_breach(self, breach: CommitBreach, frame: ObservedFrame) -> None:
        began = self._hidden_ns if breach is CommitBreach.HIDDEN else None
        self.breach, self.breach_ns, self.proof_frame = breach, began or frame.exposed_ns, frame.frame
        self._breach_noticed_ns = frame.exposed_ns


def _is_still_there(frame: ObservedFrame, committed: CommittedCard) -> bool:
    """Whether a card that can't be read still lies there, in a shadow or a reflection."""
    pixels = frame.pixels
    likeness = float((card_patch(pixels, committed.pose) * committed.patch).sum())
    return likeness >= MIN_PATCH_LIKENESS or has_glare(pixels, committed.pose)


def _is_still(before: CardPose, after: CardPose) -> bool:
    return before.distance_mm(after) < MAX_STILL_MM and before.rotation_to_deg(after) < MAX_STILL_DEG


def _is_same_place(before: CardPose, after: CardPose) -> bool:
    return before.distance_mm(after) < MIN_MOVED_MM and before.rotation_to_deg(after) < MIN_MOVED_DEG
