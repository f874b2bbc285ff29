"""One seat's view of a recording: the hand in its zone in any frame, detected when first asked for and remembered.
Where a hand was found shortly before, detection uses a close-up; where nothing has moved since, it is not repeated.
Nothing outside the zone is ever inspected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame, Pixels
from rules.throws import Throw
from vision.hands.augmentation import (
    VIVID_SATURATION,
    Augmentation,
    HandTracker,
    detect_in_frame,
    first_hand,
    track_in_frame,
)
from vision.hands.detector import DetectedHand
from vision.hands.limits import bright_level
from vision.hands.shapes import HandReading, read_detections
from vision.lock.arms import MIN_PALM_DISTANCE, palm_distance
from vision.zones import Zone

MAX_INPUT_PX = 448
"""Longest side of the image given to the hand model, whose own inputs are 192 and 224 px wide."""
CLOSEUP_HAND_LENGTHS = 2.4
"""Side of a close-up in lengths of the hand: the hand fills 40 % of it, where the model finds it best (25–60 %)."""
FIRST_AUGMENTATIONS = (Augmentation(), Augmentation(pad=1.5))
"""The image itself, then padded. Further augmentations find too little for their time in a sequence of frames, and
blurring, which helps with sharp images, loses hands that are blurred already."""
HARDER_AUGMENTATIONS = (Augmentation(blur=True), Augmentation(blur=True, pad=2.0))
"""Augmentations that find some of the hands in motion that the first miss, for the few frames where that matters."""
REREAD_AUGMENTATIONS = (Augmentation(blur=True), Augmentation(blur=True, pad=1.5))
"""Augmentations read together with the first for a held hand that may be no throw."""
NO_THROW_PRIOR = 0.08
"""How often hands at a table are no throw, relative to the hands the classifier was trained on (about one in three):
about one in 25."""
FIST_NO_THROW_PRIOR = 0.02
"""The same for a hand that is a fist rather than paper or scissors: a refused fist accuses an honest player. Of 1,110
pictures of fists one less is refused than with the usual prior, of 203 hands that are no throw none is read as one more
than 4; a rendered fist seen with its fingertips was at 0.16 to 0.66 with the usual one."""
HELD_NO_THROW_PRIOR = 4.0
"""The same for an open hand that is held and doubtful: most of those are no throw. Read in three augmentations, the
odds for a throw (with the prior of the training) were at least 159 for 94 rendered hands that kept one, and at most 2.4
for 31 half-open ones."""
NEARBY_NS = 200_000_000
"""Within this time after or before it was found, a hand is searched for in a close-up of where it was."""
MAX_THUMBNAIL_PX = 64
"""Longest side of the thumbnails of the zone that are compared to find unchanged frames: under 1 ms instead of the 11
ms of the model."""
STILL_LEVELS, STILL_SHARE = 6, 0.005
"""Two frames are unchanged when at most this share of their thumbnails differs by more than this many levels of 255. On
150 rendered rounds a hand that opened or changed differed by 24 and more."""
MAX_GREYISH_SATURATION = 64.0
"""Mean saturation (of 255) below which a zone is searched with more vivid colours too: of 28 images with a mean of 16
to 30 in which no hand was found, 7 were read correctly so, and none wrongly."""
SAME_COLOUR_LEVELS = 16
"""Levels (of 255, in each channel of L*a*b*) by which a part of the zone may differ from the hand's colour to be taken
for it."""
MAX_REUSE_NS = 400_000_000
"""However little changes, an observation is reused for at most this long."""


PALM_LANDMARKS = [0, 1, 5, 9, 13, 17]
"""The landmarks a hand's place goes by: fingers twitch."""


@dataclass(frozen=True, eq=False)
class HandObservation:
    """A hand in a frame, its landmarks in pixels of the whole frame."""

    hand: DetectedHand
    reading: HandReading
    extra_hands: tuple[DetectedHand, ...] | None = None
    """The same hand as found in further augmentations of the frame; the reading is that of all together. None if it was
    not read again."""

    @property
    def probabilities(self) -> Mapping[Throw | None, float]:
        """The probability (0–1) of each throw, and of a hand that is none of them (None)."""
        return self.reading.probabilities

    @cached_property
    def palm_position(self) -> tuple[float, float, float]:
        """The centre of the palm (x, y), and the mean distance of its landmarks from there, in pixels of the frame."""
        points = self.hand.landmarks[PALM_LANDMARKS]
        x, y = points.mean(0)
        return float(x), float(y), float(np.linalg.norm(points - (x, y), axis=1).mean())

    @property
    def palm_size(self) -> float:
        """The mean distance of the palm's landmarks from its centre, in pixels of the frame."""
        return self.palm_position[2]

    @cached_property
    def length(self) -> float:
        """The longer side of the hand's box, in pixels."""
        return float(np.ptp(self.hand.landmarks, axis=0).max())

    @cached_property
    def centre(self) -> tuple[float, float]:
        """The centre of the hand's box, in pixels of the frame."""
        low, high = self.hand.landmarks.min(0), self.hand.landmarks.max(0)
        return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2


class ZoneView:
    """The hand in one seat's zone of ``frames`` (in order of time). Without ``tracks`` every frame is searched, and
    none read where the hand was before.

    Raises:
        ZoneError: The zone has no pixels in these frames.
    """

    def __init__(
        self, frames: Sequence[Frame], zone: Zone, detector: HandTracker | None = None, tracks: bool = True
    ) -> None:
        self.zone = zone
        self._tracks = tracks
        self.frames: Sequence[Frame] = ()
        self.box = zone.box(frames[0].size)
        self.times_ns = np.array([], np.int64)
        """The middle of each exposure of the zone's middle row, in ns; see ``hand_time_ns``."""
        self.extend(frames)
        self.detector = detector
        """Finds the hands; set for as long as new frames are inspected."""
        self.inferences = 0
        """Calls of the hand model for this seat, counted by the owner of the detector."""
        self.observations = 0
        """How often a frame was searched or reread for what was not known before."""
        self.hands_by_look: dict[tuple[int, Augmentation], tuple[NDArray[np.float64], ...]] = {}
        """The landmarks of each hand found when a frame was searched for more than one (``vision.lock.occupancy``)."""
        self.saturation = 1.0
        """How vivid its colours are made before it is searched."""
        self._hands: dict[int, HandObservation | None] = {}
        self._inspected: set[int] = set()
        self._thumbnails: dict[int, Pixels] = {}

    def extend(self, frames: Sequence[Frame]) -> None:
        """Go on with a recording that has grown: ``frames`` are those so far, and further ones."""
        middle_row = self.box.y + self.box.h / 2
        new_ns = [frame.row_ns(middle_row) for frame in frames[len(self.frames) :]]
        self.times_ns = np.append(self.times_ns, np.array(new_ns, np.int64))
        self.frames = frames

    def __call__(self, index: int) -> HandObservation | None:
        """Return the hand in frame ``index``; None where none is found, which is no evidence that there is none. A
        frame unchanged from an inspected one nearby has the same hand and is not inspected itself."""
        if index not in self._hands:
            same = next((near for near in self._inspected_neighbours(index) if self.is_unchanged(index, near)), None)
            if same is None:
                return self.exact(index)
            self._hands[index] = self._hands[same]
        return self._hands[index]

    def exact(self, index: int) -> HandObservation | None:
        """Return the hand in frame ``index``, inspecting this very frame."""
        if index not in self._inspected:
            self._inspected.add(index)
            self._hands.pop(index, None)
            self._hands[index] = self._search(index)
        return self._hands[index]

    def is_shared(self, index: int) -> bool:
        """Whether the observation of frame ``index`` also stands for other frames, in which nothing had moved."""
        seen = self._hands.get(index)
        return index in self._inspected and any(other is seen for i, other in self._hands.items() if i != index)

    def reread(self, index: int) -> HandObservation | None:
        """Return the hand in frame ``index``, read in ``REREAD_AUGMENTATIONS`` as well; also for the frames that share
        the observation."""
        seen = self.exact(index)
        if seen is None or seen.extra_hands is not None:
            return seen
        readings = (self._detect(self.frames[index], self.box, (each,)) for each in REREAD_AUGMENTATIONS)
        hands = [reading.hand for reading in readings if reading is not None]
        landmarks = seen.hand.landmarks
        extra_hands = tuple(hand for hand in hands if palm_distance(landmarks, hand.landmarks) < MIN_PALM_DISTANCE)
        combined = HandObservation(seen.hand, read_hands([seen.hand, *extra_hands], HELD_NO_THROW_PRIOR), extra_hands)
        for i in [i for i, reading in self._hands.items() if reading is seen]:
            self._hands[i] = combined
        return combined

    def search_harder(self, index: int) -> HandObservation | None:
        """Return the hand in frame ``index``, with ``HARDER_AUGMENTATIONS`` where the usual ones find none."""
        if self(index) is None:
            self._inspected.add(index)
            self._hands[index] = self._search(index, HARDER_AUGMENTATIONS)
        return self._hands[index]

    def hand_time_ns(self, index: int, points: Sequence[int] = tuple(range(21))) -> int:
        """Return the middle of the exposure, in ns, of the rows that these landmarks of the hand lie in: a rolling
        shutter exposes the top of the frame up to its readout time before the bottom. Where no hand is found, it is
        that of the zone's middle row."""
        seen = self(index)
        if seen is None or not self.frames[index].readout_ns:
            return int(self.times_ns[index])
        return self.frames[index].row_ns(float(seen.hand.landmarks[list(points), 1].mean()))

    def is_unchanged(self, first: int, second: int) -> bool:
        """Whether nothing in the zone moved between two frames."""
        red, green, blue = cv2.split(cv2.absdiff(self._thumbnail(first), self._thumbnail(second)))
        difference = cv2.max(cv2.max(red, green), blue)
        return int(np.count_nonzero(difference > STILL_LEVELS)) <= STILL_SHARE * difference.size

    def inspected_frames(self) -> list[int]:
        """Return the frames that have been inspected themselves, in order."""
        return sorted(self._inspected)

    def observed_frames(self) -> list[int]:
        """Return the frames that have been observed, in order: inspected themselves, or unchanged from one that was."""
        return sorted(self._hands)

    def nearest_frame(self, time_ns: int) -> int:
        """Return the frame whose exposure is nearest to a time."""
        after = int(np.searchsorted(self.times_ns, time_ns))
        around = [i for i in (after - 1, after) if 0 <= i < len(self.times_ns)]
        return min(around, key=lambda i: abs(int(self.times_ns[i]) - time_ns))

    def _inspected_neighbours(self, index: int) -> list[int]:
        """Return the nearest inspected frames before and after that are near enough to be reused."""
        time_ns = self.times_ns[index]
        near = [i for i in self._inspected if abs(int(self.times_ns[i] - time_ns)) <= MAX_REUSE_NS]
        before, after = [i for i in near if i < index], [i for i in near if i > index]
        return [*([max(before)] if before else []), *([min(after)] if after else [])]

    def _thumbnail(self, index: int) -> Pixels:
        """Return the zone, small and blurred, so that neither sensor noise nor the slightest shift counts."""
        if index not in self._thumbnails:
            pixels = self.frames[index].pixels(self.box, self.box.size_within(MAX_THUMBNAIL_PX))
            self._thumbnails[index] = np.asarray(cv2.blur(pixels, (3, 3)), np.uint8)
        return self._thumbnails[index]

    def bright_level(self, index: int) -> float:
        """Return the level (of 255) that 2 % of the zone in frame ``index`` exceed."""
        return bright_level(cv2.cvtColor(self._thumbnail(index), cv2.COLOR_RGB2GRAY))

    def share_like_hand(self, seen: int, index: int) -> float:
        """Return the share (0–1) of the zone in frame ``index`` that has the colour of the palm in frame ``seen``, in
        which the hand was found."""
        observation = self(seen)
        assert observation is not None  # the hand was found there
        thumbnail = self._thumbnail(seen)
        height, width = thumbnail.shape[:2]
        palm = observation.hand.landmarks[PALM_LANDMARKS]
        inside = (palm - (self.box.x, self.box.y)) * np.divide((width, height), (self.box.w, self.box.h))
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, cv2.convexHull(inside.round().astype(np.int32)), 255)
        colour = np.array(cv2.mean(cv2.cvtColor(thumbnail, cv2.COLOR_RGB2LAB), mask)[:3])
        difference = cv2.cvtColor(self._thumbnail(index), cv2.COLOR_RGB2LAB) - colour
        return float((np.abs(difference).max(2) <= SAME_COLOUR_LEVELS).mean())

    def _is_greyish(self, index: int) -> bool:
        saturation = cv2.cvtColor(self._thumbnail(index), cv2.COLOR_RGB2HSV)[..., 1]
        return float(saturation.mean()) < MAX_GREYISH_SATURATION

    def _search(
        self, index: int, augmentations: Sequence[Augmentation] = FIRST_AUGMENTATIONS
    ) -> HandObservation | None:
        """Search frame ``index`` for the hand: where it was in the nearest frame, then in a close-up of that place,
        then in the whole zone. As long as no frame has shown a hand, a greyish zone gets one more augmentation with
        vivid colours; if that finds it, further frames have them too."""
        frame, near = self.frames[index], self._nearest_hand(index)
        if near is not None and augmentations is FIRST_AUGMENTATIONS and (seen := self._track(frame, near)):
            return seen
        closeup = self._closeup_box(near) if near else None
        if closeup is not None and (seen := self._detect(frame, closeup, augmentations)):
            return seen
        is_first = not any(self._hands.values())
        seen = self._detect(frame, self.box, augmentations if closeup is None else augmentations[:1])
        if seen is None and is_first and self._is_greyish(index):
            self.saturation = VIVID_SATURATION
            seen = self._detect(frame, self.box, augmentations[:1])
            self.saturation = VIVID_SATURATION if seen else 1.0
        return seen

    def _nearest_hand(self, index: int) -> HandObservation | None:
        """Return the hand in the nearest frame in which it was found, if that is within ``NEARBY_NS``."""
        time_ns = self.times_ns[index]
        known = [(abs(int(self.times_ns[i] - time_ns)), i) for i, seen in self._hands.items() if seen is not None]
        distance_ns, near = min(known, default=(NEARBY_NS + 1, index))
        return self._hands[near] if distance_ns <= NEARBY_NS else None

    def _closeup_box(self, near: HandObservation) -> Box | None:
        """Return the box around where a hand was; None where that is nearly the whole zone anyway."""
        side = round(CLOSEUP_HAND_LENGTHS * near.length)
        if side >= 0.9 * min(self.box.w, self.box.h):
            return None
        x, y = (round(centre - side / 2) for centre in near.centre)
        x = min(max(x, self.box.x), self.box.x + self.box.w - side)
        y = min(max(y, self.box.y), self.box.y + self.box.h - side)
        return Box(x, y, side, side)

    def _detect(self, frame: Frame, box: Box, augmentations: Sequence[Augmentation]) -> HandObservation | None:
        if self.detector is None:
            raise RuntimeError("a zone view needs a detector to inspect a frame")
        self.observations += 1
        augmentations = [replace(each, saturation=self.saturation) for each in augmentations]
        return _read(first_hand(detect_in_frame(self.detector, frame, box, MAX_INPUT_PX, augmentations)))

    def _track(self, frame: Frame, near: HandObservation) -> HandObservation | None:
        """Return the hand where it was in a frame nearby; None if it is not found there."""
        if self.detector is None or not self._tracks or not self.detector.can_track:
            return None
        self.observations += 1
        box, landmarks = self._closeup_box(near) or self.box, near.hand.landmarks
        return _read(track_in_frame(self.detector, frame, box, MAX_INPUT_PX, landmarks, self.saturation))


def _read(hand: DetectedHand | None) -> HandObservation | None:
    return None if hand is None else HandObservation(hand, read_hands([hand], NO_THROW_PRIOR))


def read_hands(hands: Sequence[DetectedHand], no_throw_prior: float) -> HandReading:
    """Read one hand from one or several augmentations of an image: with this prior if it is open, else as a fist, since
    a doubtful fist is a badly seen fist rather than no throw."""
    return read_detections(hands, no_throw_prior, fist_no_throw_prior=FIST_NO_THROW_PRIOR)
