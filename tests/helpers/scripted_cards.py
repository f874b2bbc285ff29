"""Cards that need no renderer and no reader: frames that know what lies in the zones, and a reader that is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from device.camera.frames import Box, Frame, Pixels, Size, StoredFrame
from rules.markers import SIDE_MM, Kind, Printed, of_kind
from vision.cards import observations
from vision.cards.card_tracker import LOOK_NS, SeatWatch
from vision.cards.lock import CardJudge
from vision.cards.observations import Family, Look
from vision.cards.reader import Card
from vision.lock.judge import Judgement

MS = 1_000_000
SIZE = (320, 180)
ZONES = (Box(0, 0, 160, 180), Box(160, 0, 160, 180))
MIDDLES = ((80.0, 90.0), (240.0, 90.0))
PX_PER_MM = 0.8
CARDS = of_kind(Kind.CARD)
BACK, FUTURE_BACK = of_kind(Kind.CARD_BACK)[0], of_kind(Kind.FUTURE_BACK)[0]
ROCK, PAPER, SCISSORS = CARDS[0], CARDS[24], CARDS[48]
CUE = 10_000 * MS
WINDOW = 1_000 * MS
FPS = 30


@dataclass(frozen=True)
class There:
    """A card in a picture: its marker, its place in mm beside the middle of the zone, and its turn in degrees."""

    printed: Printed
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0


Doing = Callable[[int], Sequence[There]]
"""What lies in a zone at a time, in ms after the cue."""


def read(there: There, seat: int) -> Card:
    """The card as the reader gives it."""
    half = SIDE_MM[there.printed.kind] * PX_PER_MM / 2
    angle = np.radians(there.turn)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ turned
    middle = np.add(MIDDLES[seat], (there.x * PX_PER_MM, there.y * PX_PER_MM))
    return Card(there.printed, (square + middle).astype(np.float32), 1.0)


@dataclass(frozen=True)
class CardFrame(Frame):
    """A frame all of one light, with its time written into its first pixel."""

    level: int = 255
    doing: tuple[Doing, ...] = field(default=(), repr=False, compare=False)

    @property
    def cards(self) -> list[Card]:
        """What lies there."""
        after = (self.exposed_ns - CUE) // MS
        return [read(there, seat) for seat, doing in enumerate(self.doing) for there in doing(after)]

    def pixels(self, box: Box | None = None, size: Size | None = None) -> Pixels:
        """See Frame. Where a card lies the picture is white, elsewhere dark."""
        bgr = np.full((SIZE[1], SIZE[0], 3), 30, np.uint8)
        for card in self.cards:
            x, y = (round(part) for part in card.centre)
            bgr[max(0, y - 35) : y + 35, max(0, x - 25) : x + 25] = self.level
        bgr[0, 0] = [self.number % 256, self.number // 256, 0]
        return StoredFrame(self.number, self.exposed_ns, 0, self.size, bgr).pixels(box, size)


def number_in(picture: Pixels) -> int:
    """The number of the frame a picture is of."""
    return int(picture[0, 0, 2]) + 256 * int(picture[0, 0, 1])


def frames_of(*doing: Doing, since_ms: int = -6_000, until_ms: int = 3_500) -> list[CardFrame]:
    """Frames of what goes on in the zones."""
    numbers = range(round((CUE / MS + since_ms) * FPS / 1000), round((CUE / MS + until_ms) * FPS / 1000))
    return [CardFrame(n, round(n * 1e9 / FPS), 0, SIZE, doing=doing) for n in numbers]


def told(monkeypatch: pytest.MonkeyPatch, frames: Sequence[CardFrame]) -> None:
    """Have the reader read what the frames say."""
    by_number = {frame.number: frame for frame in frames}
    monkeypatch.setattr(observations, "read_cards", lambda picture: by_number[number_in(picture)].cards)


def watched(frames: Sequence[CardFrame], until_ns: int = CUE - WINDOW, family: Family = Family.DECK) -> list[SeatWatch]:
    """Watches that have looked at the frames as the table does."""
    watches = [SeatWatch(zone, family) for zone in ZONES]
    last = 0
    for frame in frames:
        if frame.exposed_ns <= until_ns and frame.exposed_ns - last >= LOOK_NS:
            last = frame.exposed_ns
            for watch in watches:
                watch.look(Look(frame))
    return watches


def judged(monkeypatch: pytest.MonkeyPatch, *doing: Doing, judge: CardJudge | None = None) -> Judgement:
    """A round of two in which that goes on in the zones."""
    frames = frames_of(*doing)
    told(monkeypatch, frames)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - WINDOW - 300 * MS]
    return (judge or CardJudge(Family.DECK))(late, watched(frames), CUE, WINDOW)


def turns(printed: Printed, at_ms: int = 100, takes_ms: int = 200) -> Doing:
    """An honest player: lays a card 4 s before the cue, and it shows its face from ``at_ms`` after the cue on."""

    def doing(after_ms: int) -> Sequence[There]:
        if after_ms < -4_000 or at_ms - takes_ms <= after_ms < at_ms:
            return ()
        return (There(BACK if after_ms < at_ms else printed),)

    return doing
