"""What of a round the camera can't vouch for: too few frames, a covered lens, darkness, a camera that was moved. Told
from a few small grey pictures; the hand model is not asked."""

from collections.abc import Iterable, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Frame
from vision.lock.arms import Points, cover
from vision.lock.void_reasons import Trouble, TroubleKind

THUMB_PX = 256
"""Width of the small pictures: a cloth's grain is still in them, most of the sensor's noise is not."""
COARSE_PX = 4.0
"""Standard deviation, in pixels of the small picture, of what is taken off as light and shade."""
NEAR_PX = 2
"""A shift of so many pixels of the small picture, 0.8 % of its width, is none: a table that shakes."""
LIKE = 0.10
"""Likeness from which a picture shows the same scene in the same place: with a still camera the least of 120 rendered
rounds was 0.32, of pictures that show something else the most 0.05. Below, it is looked at more closely."""
TURNS, ZOOMS = range(-6, 7), (0.92, 0.96, 1.0, 1.04, 1.08)
"""Degrees by which a knocked camera may have turned, and how much larger or smaller it may see things."""
CHANGED, LEFT = 20.0, 0.5
"""Levels of 255 by which something has come or gone, and the share of the picture that must be left without that."""
SURE = 0.085
"""Likeness to the turned, zoomed and shifted picture from which that is where the camera looks now: covered cameras and
other scenes reach 0.08."""
KEPT = 0.7
"""Share of the first picture's detail from which a scene that can't be found again is one that moved, not one that is
covered."""
MOVED = 0.02
"""Share of the frame's width from which the camera counts as moved: a fifth of a hand's length at a table of eight,
below which the lock takes nothing for a swing. Zones leave several times that around a hand."""
DARK = 30.0
"""Level (of 255) that 2 in 100 pixels pass, below which the picture is too dark to find hands in: of 46 real hands,
darkened to it with a noise of 2.5 levels, 25 were found, and 9 at 20."""

Grey = NDArray[np.float32]
Spectrum = NDArray[np.complexfloating]


def few_frames(times: Sequence[int], since_ns: int, until_ns: int, most_ns: int) -> Trouble | None:
    """Trouble where between two exposures from ``since_ns`` to ``until_ns`` more than ``most_ns`` went unseen; its
    figure is the longest such time in ms."""
    inside = [when for when in times if since_ns < when < until_ns]
    before = max((when for when in times if when <= since_ns), default=since_ns)
    after = min((when for when in times if when >= until_ns), default=until_ns)
    stops = np.array([before, *inside, after])
    longest = int(np.diff(stops).max())
    return Trouble(TroubleKind.FEW_FRAMES, figure=longest / 1e6) if longest > most_ns else None


class Watch:
    """Watches the still part of a round's pictures, whatever hands do in it.

    ``hands`` are landmarks of the hands seen in the round, in pixels of the frame: they and their arms are left out.
    """

    def __init__(self, first: Frame, hands: Iterable[Points]) -> None:
        self._wide, self._high = first.size
        self._grey = self.small(first)
        self._still = self._without(hands)
        self._window = _window(self._still)
        self._first = self._spectrum(self._grey)
        self.plain = float(np.abs(self._detail(self._grey)).max()) < 1.0
        """Whether the first picture is all of one colour: then nothing can be like or unlike it."""

    def small(self, frame: Frame) -> Grey:
        """A frame as a small grey picture, levels 0–255."""
        shown = frame.pixels(None, (THUMB_PX, max(16, round(THUMB_PX * self._high / self._wide))))
        return np.asarray(cv2.cvtColor(shown, cv2.COLOR_RGB2GRAY), np.float32)

    def _without(self, hands: Iterable[Points]) -> Grey:
        """Where no hand or arm was seen: 1, softened towards them."""
        free = np.full(self._grey.shape, 255, np.uint8)
        for points in hands:
            cover(free, points * (THUMB_PX / self._wide), 0.2, 0.9)
        return np.asarray(cv2.GaussianBlur(free.astype(np.float32) / 255, (0, 0), 1.0), np.float32)

    def _detail(self, grey: Grey) -> Grey:
        """The picture without the light and shade that change with the hands."""
        shade = cv2.GaussianBlur(grey * self._still, (0, 0), COARSE_PX)
        weight = cv2.GaussianBlur(self._still, (0, 0), COARSE_PX) + 1e-3
        return np.asarray((grey - shade / weight) * self._still, np.float32)

    def _spectrum(self, grey: Grey) -> Spectrum:
        return np.fft.rfft2(self._window * self._detail(grey))

    def leave_out(self, grey: Grey) -> None:
        """Leave out what is otherwise in ``grey`` than in the first picture, if that is not most of it: hands and arms
        that nobody looked at come and go, all else stays where the camera stays."""
        off = cv2.absdiff(cv2.GaussianBlur(grey, (0, 0), 2.0), cv2.GaussianBlur(self._grey, (0, 0), 2.0))
        changed = cv2.dilate((off > CHANGED).astype(np.uint8), np.ones((9, 9), np.uint8))
        still = np.asarray(self._still * cv2.GaussianBlur(1.0 - changed.astype(np.float32), (0, 0), 1.0), np.float32)
        if still.mean() >= LEFT * self._still.mean():
            self._still, self._window = still, _window(still)
            self._first = self._spectrum(self._grey)

    def likeness(self, grey: Grey) -> float:
        """How like a picture is to the first as it lies, 0 to 1, by phase correlation (Kuglin and Hines 1975)."""
        found = _correlated(self._first, self._spectrum(grey))
        near = np.roll(found, (NEAR_PX, NEAR_PX), (0, 1))
        return float(near[: 2 * NEAR_PX + 1, : 2 * NEAR_PX + 1].max())

    def kept(self, grey: Grey) -> float:
        """The share of the first picture's detail that a picture has, for as much light: what is out of focus has none,
        wherever the camera looks there is some."""
        one, two = (float(np.abs(self._detail(some)).sum()) / float(some.sum() + 1e-6) for some in (self._grey, grey))
        return two / (one + 1e-9)

    def way(self, grey: Grey) -> tuple[float, float]:
        """The share of the frame's width by which the picture's corners are off in the mean, if it shows the first
        one's scene from another place, and how like the two are then, 0 to 1: the turn, zoom and shift that fit best,
        tried at half the size."""
        high, wide = (side // 2 for side in grey.shape)
        window = cv2.resize(self._window, (wide, high))
        first = np.fft.rfft2(window * cv2.resize(self._detail(self._grey), (wide, high)))
        now = cv2.resize(self._detail(grey), (wide, high))
        corners = np.array([(x, y, 1.0) for x in (0, wide) for y in (0, high)])
        best, off = -1.0, 0.0
        for turn, zoom in product(TURNS, ZOOMS):
            way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, zoom)
            turned = cv2.warpAffine(now, way, (wide, high), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            found = _correlated(first, np.fft.rfft2(window * turned))
            if found.max() > best:
                best = float(found.max())
                y, x = (int(place) for place in np.unravel_index(found.argmax(), found.shape))
                shift = [(x + wide // 2) % wide - wide // 2, (y + high // 2) % high - high // 2]
                ends = (corners + np.array([*shift, 0])) @ way.T
                off = float(np.linalg.norm(ends - corners[:, :2], axis=1).mean()) / wide
        return off, best


def _window(still: Grey) -> Grey:
    """What fades out towards the picture's edges, and hands."""
    hann = cv2.createHanningWindow(still.shape[::-1], cv2.CV_32F)
    return np.asarray(np.sqrt(hann) * still, np.float32)


def _correlated(one: Spectrum, two: Spectrum) -> NDArray[np.float64]:
    """Phase correlation of two pictures: 1 at the shift between them, were they alike in all else."""
    cross = np.conj(one) * two
    return np.fft.irfft2(cross / (np.abs(cross) + 1e-3))


def light(grey: Grey) -> float:
    """The level (of 255) that 2 in 100 pixels of a small picture pass."""
    return float(np.percentile(grey, 98))


def camera_trouble(
    frames: Sequence[Frame], hands: Iterable[Points], span_ns: tuple[int, int], most_ns: int, fouls: bool
) -> Trouble | None:
    """Trouble with camera or light in a round, if there was any.

    ``span_ns`` is the time in which everything has to be seen: from when a hand may first show to the lock. A gap in it
    of more than ``most_ns`` is trouble. ``fouls``: whether anybody is to be blamed; then what came after the lock is
    looked at too. Darkness, and a scene that is nothing like the first, are trouble only where people would be blamed
    for it.
    """
    since_ns, lock_ns = span_ns
    if trouble := few_frames([frame.exposed_ns for frame in frames], since_ns, lock_ns, most_ns):
        return trouble
    watch = Watch(frames[0], hands)
    if watch.plain:
        return None
    end_ns = frames[-1].exposed_ns
    afterwards = ((2 * lock_ns + end_ns) // 3, end_ns) if fouls else ()
    for when_ns in (lock_ns, (since_ns + lock_ns) // 2, *afterwards):
        grey = watch.small(min(frames, key=lambda frame: abs(frame.exposed_ns - when_ns)))
        like, kept = watch.likeness(grey), watch.kept(grey)
        if fouls and light(grey) < DARK and kept >= KEPT:
            return Trouble(TroubleKind.DARK, figure=light(grey))
        if like >= LIKE:
            continue
        watch.leave_out(grey)
        if (like := watch.likeness(grey)) >= LIKE:
            continue
        way, sure = watch.way(grey)
        if sure >= SURE and way < MOVED:
            continue
        if sure >= SURE or kept >= KEPT:
            return Trouble(TroubleKind.MOVED, figure=way)
        return Trouble(TroubleKind.COVERED, figure=kept)
    return None
