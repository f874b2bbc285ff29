"""Cards without a renderer or a reader: frames with a script of what lies in the zones, and a fake reader for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from device.camera.frames import BgrFrame, Box, Frame, Pixels, Size
from rules.markers import MARKER_SIDE_MM, MarkerKind, PrintedMarker, markers_of_kind
from vision.cards import observations
from vision.cards.card_tracker import OBSERVATION_INTERVAL_NS, CardTracker
from vision.cards.lock import CardJudge
from vision.cards.observations import CardFamily, ObservedFrame
from vision.cards.reader import Card
from vision.lock.judgement import Judgement

MS = 1_000_000
SIZE = (320, 180)
ZONES = (Box(0, 0, 160, 180), Box(160, 0, 160, 180))
ZONE_CENTRES = ((80.0, 90.0), (240.0, 90.0))
PX_PER_MM = 0.8
CARDS = markers_of_kind(MarkerKind.CARD)
BACK, FUTURE_BACK = markers_of_kind(MarkerKind.CARD_BACK)[0], markers_of_kind(MarkerKind.FUTURE_BACK)[0]
ROCK, PAPER, SCISSORS = CARDS[0], CARDS[24], CARDS[48]
CUE = 10_000 * MS
WINDOW = 1_000 * MS
FPS = 30


@dataclass(frozen=True)
class PlacedCard:
    """A card in a zone: its marker, its position in mm from the centre of the zone, and its rotation in degrees."""

    printed: PrintedMarker
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0


CardScript = Callable[[int], Sequence[PlacedCard]]
"""What lies in a zone at a time, in ms after the cue."""


def card_at(placed: PlacedCard, seat: int) -> Card:
    """Return the card as the reader would."""
    half = MARKER_SIDE_MM[placed.printed.kind] * PX_PER_MM / 2
    angle = np.radians(placed.turn_deg)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ turned
    centre = np.add(ZONE_CENTRES[seat], (placed.x_mm * PX_PER_MM, placed.y_mm * PX_PER_MM))
    return Card(placed.printed, (square + centre).astype(np.float32), 1.0)


@dataclass(frozen=True)
class ScriptedCardFrame(Frame):
    """A frame with even light, with its number written into its first pixel."""

    level: int = 255
    scripts: tuple[CardScript, ...] = field(default=(), repr=False, compare=False)

    @property
    def cards(self) -> list[Card]:
        """The cards in all zones."""
        after_ms = (self.exposed_ns - CUE) // MS
        return [card_at(card, seat) for seat, script in enumerate(self.scripts) for card in script(after_ms)]

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """Return an image that is white where a card lies and dark elsewhere; see Frame."""
        bgr = np.full((SIZE[1], SIZE[0], 3), 30, np.uint8)
        for card in self.cards:
            x, y = (round(part) for part in card.centre)
            bgr[max(0, y - 35) : y + 35, max(0, x - 25) : x + 25] = self.level
        bgr[0, 0] = [self.number % 256, self.number // 256, 0]
        return BgrFrame(self.number, self.exposed_ns, 0, self.size, bgr).pixels(box, size)


def frame_number(image: Pixels) -> int:
    """Return the number of the frame that an image shows."""
    return int(image[0, 0, 2]) + 256 * int(image[0, 0, 1])


def card_frames(*scripts: CardScript, since_ms: int = -6_000, until_ms: int = 3_500) -> list[ScriptedCardFrame]:
    """Return frames of zones that follow scripts."""
    numbers = range(round((CUE / MS + since_ms) * FPS / 1000), round((CUE / MS + until_ms) * FPS / 1000))
    return [ScriptedCardFrame(n, round(n * 1e9 / FPS), 0, SIZE, scripts=scripts) for n in numbers]


def patch_reader(monkeypatch: pytest.MonkeyPatch, frames: Sequence[ScriptedCardFrame]) -> None:
    """Make ``read_cards`` return the cards of these frames."""
    by_number = {frame.number: frame for frame in frames}
    monkeypatch.setattr(observations, "read_cards", lambda image: by_number[frame_number(image)].cards)


def track_cards(
    frames: Sequence[ScriptedCardFrame], until_ns: int = CUE - WINDOW, family: CardFamily = CardFamily.DECK
) -> list[CardTracker]:
    """Return a tracker per zone that has observed the frames up to a time, at the interval the table uses."""
    trackers = [CardTracker(zone, family) for zone in ZONES]
    last = 0
    for frame in frames:
        if frame.exposed_ns <= until_ns and frame.exposed_ns - last >= OBSERVATION_INTERVAL_NS:
            last = frame.exposed_ns
            for tracker in trackers:
                tracker.observe(ObservedFrame(frame))
    return trackers


def judge_cards(monkeypatch: pytest.MonkeyPatch, *scripts: CardScript, judge: CardJudge | None = None) -> Judgement:
    """Judge a round of two whose zones follow scripts."""
    frames = card_frames(*scripts)
    patch_reader(monkeypatch, frames)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - WINDOW - 300 * MS]
    return (judge or CardJudge(CardFamily.DECK))(late, track_cards(frames), CUE, WINDOW)


def turns_over(printed: PrintedMarker, at_ms: int = 100, takes_ms: int = 200) -> CardScript:
    """Return the script of an honest player: a card is laid 4 s before the cue and shows its face from ``at_ms`` after
    it on."""

    def script(after_ms: int) -> Sequence[PlacedCard]:
        if after_ms < -4_000 or at_ms - takes_ms <= after_ms < at_ms:
            return ()
        return (PlacedCard(BACK if after_ms < at_ms else printed),)

    return script
