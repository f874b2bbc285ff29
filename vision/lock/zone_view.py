"""One seat's sight of the ring: the hand in its zone in any frame asked for, looked up once and remembered. Where a
hand was found lately, the next look is closer; where nothing has moved since, there is no next look; what the zone does
not hold is never looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from device.camera.frames import Box, Frame, Pixels
from rules.throws import Throw
from vision.hands.augmented_looks import Finder, Look, look
from vision.hands.detector import Hand
from vision.hands.shapes import Reading, read, read_together
from vision.zones import Zone

LOOK_PX = 448
"""Longest side of the picture given to the hand model: its own inputs are 192 and 224 px wide."""
CLOSE = 2.4
"""Side of a close look in lengths of the hand: it fills 40 % of it, where the model finds it best (25–60 %)."""
LOOKS = (Look(), Look(pad=1.5))
"""As it is, then with room around it: further looks find too little for their time in a run of frames, and softening,
which helps with sharp pictures, loses hands that are blurred already."""
FURTHER = (Look(soft=True), Look(soft=True, pad=2.0))
"""Looks that find some of the hands in motion that the others miss, for the few frames in which that matters."""
AGAIN = (Look(soft=True), Look(soft=True, pad=1.5))
"""Looks taken together with the first at a hand that is held and may be no throw."""
NO_THROW = 0.08
"""Hands at a table are no throw less often than those the classifier was trained on, where about one in three is:
with this, one in 25."""
HELD_NO_THROW = 4.0
"""The same for an open hand that is held and in doubt: most of those are no throw. Read in three looks, 94 rendered
hands that kept a throw were it by odds of 159 and more as the classifier was trained, 31 half-open ones by 2.4 at
most."""
NEAR_NS = 200_000_000
"""A hand seen within this time is looked for where it was."""
THUMB_PX = 64
"""Longest side of the small pictures of the zone by which frames are told to be alike: what the model would have cost
11 ms to say costs less than one."""
STILL, STILL_SHARE = 6, 0.005
"""Two frames are alike when no more than this share of their small pictures differs by more than so many levels of
255. On 150 rendered rounds a hand that opened or changed differed by 24 and more."""
STILL_NS = 400_000_000
"""However alike frames are, a look is good for this long."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A hand in a frame, its landmarks in pixels of the whole frame."""

    hand: Hand
    reading: Reading
    again: tuple[Hand, ...] = ()
    """The same hand as further looks at the frame found it; the reading is that of all together."""

    @property
    def chances(self) -> Mapping[Throw | None, float]:
        """The probability (0–1) of each throw, and of a hand that is none of them (None)."""
        return self.reading.chances

    @property
    def length(self) -> float:
        """The longer side of the hand's box, in pixels."""
        return float(np.ptp(self.hand.landmarks, axis=0).max())

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the hand's box, in pixels of the frame."""
        low, high = self.hand.landmarks.min(0), self.hand.landmarks.max(0)
        return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2


class Sight:
    """What one seat shows in ``frames`` (in order of time)."""

    def __init__(self, frames: Sequence[Frame], zone: Zone, finder: Finder | None = None) -> None:
        """Raises ZoneError when the zone has no pixels in these frames."""
        self.frames = frames
        self.box = zone.box(frames[0].size)
        middle = self.box.y + self.box.h / 2
        self.times = np.array([frame.row_ns(middle) for frame in frames], np.int64)
        """The middle of each exposure of the zone's middle row, in ns; see ``when``."""
        self.finder = finder
        """What finds the hands; lent for as long as frames are looked at."""
        self.inferences = 0
        """Calls of the hand model this seat has cost, counted by whoever lends the finder."""
        self._seen: dict[int, Seen | None] = {}
        self._looks: set[int] = set()
        self._thumbs: dict[int, Pixels] = {}

    def __call__(self, index: int) -> Seen | None:
        """The hand in frame ``index``, or None where none is found, which is no evidence that there is none. A frame
        that shows what one nearby showed is not looked at: it has the same hand."""
        if index not in self._seen:
            same = next((near for near in self._nearby(index) if self.alike(index, near)), None)
            if same is None:
                return self.itself(index)
            self._seen[index] = self._seen[same]
        return self._seen[index]

    def itself(self, index: int) -> Seen | None:
        """The hand in frame ``index``, for which this very frame has been looked at."""
        if index not in self._looks:
            self._looks.add(index)
            self._seen.pop(index, None)
            self._seen[index] = self._search(index)
        return self._seen[index]

    def held(self, index: int) -> bool:
        """Whether frame ``index`` was looked at for others as well, in which nothing had moved."""
        seen = self._seen.get(index)
        return index in self._looks and any(other is seen for i, other in self._seen.items() if i != index)

    def together(self, index: int) -> Seen | None:
        """The hand in frame ``index``, and in the frames that have it from there, read in AGAIN looks as well."""
        seen = self.itself(index)
        if seen is None or seen.again:
            return seen
        found = (self._look(self.frames[index], self.box, (way,)) for way in AGAIN)
        again = tuple(other.hand for other in found if other is not None)
        both = Seen(seen.hand, _in_doubt([seen.hand, *again]), again)
        for i in [i for i, other in self._seen.items() if other is seen]:
            self._seen[i] = both
        return both

    def harder(self, index: int) -> Seen | None:
        """The hand in frame ``index``, with FURTHER looks where the usual ones find none."""
        if self(index) is None:
            self._looks.add(index)
            self._seen[index] = self._search(index, FURTHER)
        return self._seen[index]

    def when(self, index: int, points: Sequence[int] = tuple(range(21))) -> int:
        """The middle of the exposure of the rows that ``points`` of the hand's landmarks lie in, in ns: a rolling
        shutter exposes a hand at the top of the frame up to its readout before one at the bottom. Where no hand is
        found, that of the zone's middle row."""
        seen = self(index)
        if seen is None or not self.frames[index].readout_ns:
            return int(self.times[index])
        return self.frames[index].row_ns(float(seen.hand.landmarks[list(points), 1].mean()))

    def alike(self, one: int, other: int) -> bool:
        """Whether nothing in the zone moved between two frames."""
        off = cv2.absdiff(self._thumb(one), self._thumb(other)).max(2)
        return bool(np.count_nonzero(off > STILL) <= STILL_SHARE * off.size)

    def looked_at(self) -> list[int]:
        """The frames that have been looked at themselves, in order."""
        return sorted(self._looks)

    def nearest(self, when_ns: int) -> int:
        """The frame whose exposure is nearest to ``when_ns``."""
        after = int(np.searchsorted(self.times, when_ns))
        around = [i for i in (after - 1, after) if 0 <= i < len(self.times)]
        return min(around, key=lambda i: abs(int(self.times[i]) - when_ns))

    def _nearby(self, index: int) -> list[int]:
        """The nearest frames looked at, before and after."""
        when = self.times[index]
        near = [i for i in self._looks if abs(int(self.times[i] - when)) <= STILL_NS]
        before, after = [i for i in near if i < index], [i for i in near if i > index]
        return [*([max(before)] if before else []), *([min(after)] if after else [])]

    def _thumb(self, index: int) -> Pixels:
        """The zone, small and softened, so that neither the sensor's noise nor a hair's breadth counts."""
        if index not in self._thumbs:
            scale = min(1.0, THUMB_PX / max(self.box.w, self.box.h))
            size = (max(1, round(self.box.w * scale)), max(1, round(self.box.h * scale)))
            self._thumbs[index] = np.asarray(cv2.blur(self.frames[index].pixels(self.box, size), (3, 3)), np.uint8)
        return self._thumbs[index]

    def _search(self, index: int, looks: Sequence[Look] = LOOKS) -> Seen | None:
        """Look for the hand in frame ``index``: close by where it was, then in the whole zone. Where it was not seen
        lately the zone gets one look only: on real clips a second one found it in 1 of 20."""
        frame, near = self.frames[index], self._near(index)
        close = self._close_box(near) if near else None
        if close is not None and (seen := self._look(frame, close, looks)):
            return seen
        lately = near is not None or not any(self._seen.values())
        return self._look(frame, self.box, looks if lately and close is None else looks[:1])

    def _near(self, index: int) -> Seen | None:
        """The hand in the nearest frame in which it was seen, if that is not long before or after."""
        when = self.times[index]
        known = [(abs(int(self.times[i] - when)), i) for i, seen in self._seen.items() if seen is not None]
        off, near = min(known, default=(NEAR_NS + 1, index))
        return self._seen[near] if off <= NEAR_NS else None

    def _close_box(self, near: Seen) -> Box | None:
        """Where a hand should be that was ``near``; None where that is nearly the whole zone anyway."""
        side = round(CLOSE * near.length)
        if side >= 0.9 * min(self.box.w, self.box.h):
            return None
        x, y = (round(centre - side / 2) for centre in near.middle)
        x = min(max(x, self.box.x), self.box.x + self.box.w - side)
        y = min(max(y, self.box.y), self.box.y + self.box.h - side)
        return Box(x, y, side, side)

    def _look(self, frame: Frame, box: Box, looks: Sequence[Look]) -> Seen | None:
        scale = min(1.0, LOOK_PX / max(box.w, box.h))
        size = (max(1, round(box.w * scale)), max(1, round(box.h * scale)))
        if self.finder is None:
            raise RuntimeError("a sight looks at frames only while it is lent a finder")
        hand = look(self.finder, frame.pixels(box, size), looks)
        if hand is None:
            return None
        to_frame = np.array([box.w / size[0], box.h / size[1]])
        whole = replace(hand, landmarks=hand.landmarks * to_frame + (box.x, box.y))
        return Seen(whole, read(whole, no_throw=NO_THROW))


def _in_doubt(hands: Sequence[Hand]) -> Reading:
    """What a hand in doubt shows, by several looks. A doubtful fist is one seen badly, sooner than no throw."""
    usual = read_together(hands, no_throw=NO_THROW)
    fist = max(Throw, key=usual.chances.__getitem__) is Throw.ROCK
    return usual if fist else read_together(hands, no_throw=HELD_NO_THROW)
