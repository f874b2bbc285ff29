"""Detects rounds the camera cannot judge: too few frames, a covered lens, darkness, a camera that was moved. A few
small grey thumbnails are compared; the hand model is not used."""

from collections.abc import Iterable, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Frame, Pixels
from vision.hands.limits import DIM_LEVEL, bright_level
from vision.lock.arms import Landmarks, paint_arm
from vision.lock.reasons import VoidKind, VoidReason

THUMBNAIL_WIDTH_PX = 256
"""Width of the thumbnails: they still show a cloth's grain, and little of the sensor's noise."""
SHADE_SIGMA_PX = 4.0
"""Standard deviation, in pixels of the thumbnail, of the blur that is subtracted as light and shade."""
MAX_SHAKE_PX = 2
"""A shift up to this many pixels of the thumbnail, 0.8 % of its width, is ignored: a table that shakes."""
SAME_SCENE_CORRELATION = 0.10
"""Correlation from which an image shows the same scene in the same place: with a still camera the least of 120 rendered
rounds was 0.32, with images of something else the most was 0.05. Below it, the image is examined further."""
TURNS_DEG, ZOOM_FACTORS = range(-6, 7), (0.92, 0.96, 1.0, 1.04, 1.08)
"""By how much a knocked camera may have turned, and changed the size of what it shows."""
CHANGED_LEVELS, MIN_UNCHANGED_SHARE = 20.0, 0.5
"""Levels of 255 by which a changed pixel differs, and the share of the image that must remain without those."""
FOUND_SCENE_CORRELATION = 0.085
"""Correlation with the turned, zoomed and shifted image from which that is where the camera points now: covered cameras
and other scenes reach 0.08."""
MIN_DETAIL_SHARE = 0.7
"""Share of the first image's detail from which an image is only dark, and not covered."""
CHANGE_SIGMA_PX, COVER_SIGMA_PX = 2.0, 4.0
"""Standard deviations, in pixels of the thumbnail, of the blur before two images are compared for changes, and for
something in front of the lens, which is out of focus."""
MAX_COVER_DETAIL_SHARE, MAX_COVER_DETAIL_LEVELS = 0.5, 0.7
"""What is out of focus has at most this share of the detail that was there, or at most so many levels of it: a sensor's
noise leaves 0.3 to 0.5, a cloth of one colour 0.6 and more."""
MIN_COVER_CHANGE_LEVELS = 10.0
"""Levels of 255 by which its colour differs, in some channel: a brown hand before a red cloth by 15."""
MAX_COVER_CORRELATION = 0.3
"""Correlation of the details below which a smooth part no longer shows what was there: when the light fades, it still
does."""
MIN_COVERED_SHARE, MIN_PARTLY_COVERED_SHARE = 0.4, 0.15
"""Share of the image that must be covered, and the share that suffices where the scene can't be found again. Of 24
rendered rounds in which 0.7 and more of it were, the least was 0.70; without a cover the most was 0.07."""
MIN_CAMERA_SHIFT = 0.02
"""Share of the frame's width from which the camera counts as moved: a fifth of a hand's length at a table of eight,
less than any swing. Zones leave several times that around a hand."""
DARK_LEVEL = 30.0
"""Brightness (of 255) below which it is too dark to detect hands: of 46 real hands, darkened to it with a noise of 2.5
levels, 25 were found, and 9 at a brightness of 20."""

Grey = NDArray[np.float32]
Spectrum = NDArray[np.complexfloating]


def check_frame_gaps(times_ns: Sequence[int], since_ns: int, until_ns: int, max_gap_ns: int) -> VoidReason | None:
    """Return why the round is void if two successive exposures between ``since_ns`` and ``until_ns`` are more than
    ``max_gap_ns`` apart; its measurement is the longest gap in ms."""
    inside = [time for time in times_ns if since_ns < time < until_ns]
    before = max((time for time in times_ns if time <= since_ns), default=since_ns)
    after = min((time for time in times_ns if time >= until_ns), default=until_ns)
    longest = int(np.diff([before, *inside, after]).max())
    return VoidReason(VoidKind.FEW_FRAMES, measurement=longest / 1e6) if longest > max_gap_ns else None


class CameraCheck:
    """Compares the frames of a round with its first one, without the hands.

    Args:
        first: The first frame.
        hands: Landmarks of the hands in the round, in pixels of the frame; they and their arms are left out.
    """

    def __init__(self, first: Frame, hands: Iterable[Landmarks]) -> None:
        self._width, self._height = first.size
        self._colours = self.colour_thumbnail(first)
        self._grey = _to_grey(self._colours)
        self._mask = self._hand_free_mask(hands)
        self._window = _fading_window(self._mask)
        self._first = self._spectrum(self._grey)
        self.is_uniform = float(np.abs(self._detail(self._grey)).max()) < 1.0
        """Whether the first frame has a single colour: then nothing can be compared with it."""

    def thumbnail(self, frame: Frame) -> Grey:
        """Return a frame as a small grey image, levels 0–255."""
        return _to_grey(self.colour_thumbnail(frame))

    def colour_thumbnail(self, frame: Frame) -> Pixels:
        """Return a frame as a small R, G, B image."""
        return frame.pixels(None, (THUMBNAIL_WIDTH_PX, max(16, round(THUMBNAIL_WIDTH_PX * self._height / self._width))))

    def _hand_free_mask(self, hands: Iterable[Landmarks]) -> Grey:
        """Return a mask: 1 where no hand or arm was seen, blurred towards them."""
        free = np.full(self._grey.shape, 255, np.uint8)
        for points in hands:
            paint_arm(free, points * (THUMBNAIL_WIDTH_PX / self._width), 0.2, 0.9)
        return np.asarray(cv2.GaussianBlur(free.astype(np.float32) / 255, (0, 0), 1.0), np.float32)

    def _detail(self, grey: Grey) -> Grey:
        """Return the image without the light and shade that change with the hands."""
        shade = cv2.GaussianBlur(grey * self._mask, (0, 0), SHADE_SIGMA_PX)
        weight = cv2.GaussianBlur(self._mask, (0, 0), SHADE_SIGMA_PX) + 1e-3
        return np.asarray((grey - shade / weight) * self._mask, np.float32)

    def _spectrum(self, grey: Grey) -> Spectrum:
        return np.fft.rfft2(self._window * self._detail(grey))

    def exclude_changes(self, grey: Grey) -> None:
        """Leave out what differs in ``grey`` from the first image, unless that is most of it: hands and arms that were
        not detected come and go, all else stays where it is as long as the camera does."""
        changed = cv2.dilate(_changed(self._grey, grey, CHANGE_SIGMA_PX).astype(np.uint8), np.ones((9, 9), np.uint8))
        mask = np.asarray(self._mask * cv2.GaussianBlur(1.0 - changed.astype(np.float32), (0, 0), 1.0), np.float32)
        if mask.mean() >= MIN_UNCHANGED_SHARE * self._mask.mean():
            self._mask, self._window = mask, _fading_window(mask)
            self._first = self._spectrum(self._grey)

    def correlation(self, grey: Grey) -> float:
        """Return how like the first image this one is without a shift, 0 to 1, by phase correlation (Kuglin and Hines
        1975)."""
        surface = _phase_correlation(self._first, self._spectrum(grey))
        near = np.roll(surface, (MAX_SHAKE_PX, MAX_SHAKE_PX), (0, 1))
        return float(near[: 2 * MAX_SHAKE_PX + 1, : 2 * MAX_SHAKE_PX + 1].max())

    def detail_share(self, grey: Grey) -> float:
        """Return how much detail an image has compared with the first, at the same light: out of focus there is none,
        in any scene there is some."""
        first, this = (
            float(np.abs(self._detail(image)).sum()) / float(image.sum() + 1e-6) for image in (self._grey, grey)
        )
        return this / (first + 1e-9)

    def covered_share(self, colours: Pixels) -> float:
        """Return the share (0–1) of a thumbnail that is covered: it has another colour than in the first image, is out
        of focus, and no longer shows what was there."""
        first, this = self._grey, _to_grey(colours)
        fine = [grey - cv2.GaussianBlur(grey, (0, 0), CHANGE_SIGMA_PX) for grey in (first, this)]
        before, after = (cv2.GaussianBlur(np.abs(detail), (0, 0), COVER_SIGMA_PX) for detail in fine)
        is_smooth = after <= np.maximum(MAX_COVER_DETAIL_SHARE * before, MAX_COVER_DETAIL_LEVELS)
        covered = is_smooth & _changed(self._colours, colours, COVER_SIGMA_PX, MIN_COVER_CHANGE_LEVELS)
        if not covered.any():
            return 0.0
        old, new = (detail[covered] - detail[covered].mean() for detail in fine)
        correlation = float((old * new).sum() / (np.linalg.norm(old) * np.linalg.norm(new) + 1e-6))
        return float(covered.mean()) if correlation < MAX_COVER_CORRELATION else 0.0

    def find_view_shift(self, grey: Grey) -> tuple[float, float]:
        """Find the turn, zoom and shift with which an image fits the first one best, at half the size. Return the mean
        distance by which they move the corners, as a share of the frame's width, and the correlation (0–1) then."""
        height, width = (side // 2 for side in grey.shape)
        window = cv2.resize(self._window, (width, height))
        first = np.fft.rfft2(window * cv2.resize(self._detail(self._grey), (width, height)))
        detail = cv2.resize(self._detail(grey), (width, height))
        corners = np.array([(x, y, 1.0) for x in (0, width) for y in (0, height)])
        best_correlation, best_shift = -1.0, 0.0
        for turn, zoom in product(TURNS_DEG, ZOOM_FACTORS):
            transform = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
            turned = cv2.warpAffine(detail, transform, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            surface = _phase_correlation(first, np.fft.rfft2(window * turned))
            if surface.max() > best_correlation:
                best_correlation = float(surface.max())
                y, x = (int(part) for part in np.unravel_index(surface.argmax(), surface.shape))
                offset = [(x + width // 2) % width - width // 2, (y + height // 2) % height - height // 2]
                moved = (corners + np.array([*offset, 0])) @ transform.T
                best_shift = float(np.linalg.norm(moved - corners[:, :2], axis=1).mean()) / width
        return best_shift, best_correlation


def _to_grey(colours: Pixels) -> Grey:
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2GRAY), np.float32)


def _changed(
    first: Pixels | Grey, second: Pixels | Grey, sigma_px: float, min_levels: float = CHANGED_LEVELS
) -> NDArray[np.bool_]:
    """Return where two blurred images differ by more than ``min_levels``, in any channel."""
    blurred = (cv2.GaussianBlur(np.asarray(image, np.float32), (0, 0), sigma_px) for image in (first, second))
    difference = cv2.absdiff(*blurred)
    return np.asarray((difference if difference.ndim == 2 else difference.max(2)) > min_levels)


def _fading_window(mask: Grey) -> Grey:
    """Return a window that fades out towards the image's edges and the hands."""
    hann = cv2.createHanningWindow(mask.shape[::-1], cv2.CV_32F)
    return np.asarray(np.sqrt(hann) * mask, np.float32)


def _phase_correlation(first: Spectrum, second: Spectrum) -> NDArray[np.float64]:
    """Return the phase correlation of two images: 1 at the shift between them if they are otherwise the same."""
    cross = np.conj(first) * second
    return np.fft.irfft2(cross / (np.abs(cross) + 1e-3))


def check_camera(
    frames: Sequence[Frame],
    hands: Iterable[Landmarks],
    span_ns: tuple[int, int],
    max_gap_ns: int,
    has_fouls: bool,
    all_read: bool = False,
) -> VoidReason | None:
    """Return why camera or light make a round void; None if they don't.

    Args:
        frames: The recording, in order of time.
        hands: Landmarks of the hands in the round, in pixels of the frame.
        span_ns: The time in which everything has to be visible: from when a hand may first show to the lock.
        max_gap_ns: The longest time in it without a frame.
        has_fouls: Whether anybody would be blamed. Only then frames after the lock are checked too, and darkness makes
            the round void.
        all_read: Whether every hand was read at the lock, and seen around the cue. Then nothing covered the camera, and
            a scene that is not found again, as behind hands that fill most of a picture of a plain wall, is no evidence
            that it was moved.
    """
    since_ns, lock_ns = span_ns
    if void_reason := check_frame_gaps([frame.exposed_ns for frame in frames], since_ns, lock_ns, max_gap_ns):
        return void_reason
    check = CameraCheck(frames[0], hands)
    if check.is_uniform:
        return None
    end_ns = frames[-1].exposed_ns
    afterwards = ((2 * lock_ns + end_ns) // 3, end_ns) if has_fouls else ()
    for time_ns in (lock_ns, (since_ns + lock_ns) // 2, since_ns, *afterwards):
        colours = check.colour_thumbnail(min(frames, key=lambda frame: abs(frame.exposed_ns - time_ns)))
        grey = _to_grey(colours)
        correlation, detail = check.correlation(grey), check.detail_share(grey)
        if has_fouls and bright_level(grey) < DARK_LEVEL and detail >= MIN_DETAIL_SHARE:
            return VoidReason(VoidKind.DARK, measurement=bright_level(grey))
        is_dimmed = correlation >= SAME_SCENE_CORRELATION and bright_level(grey) < DIM_LEVEL
        covered = 0.0 if is_dimmed or all_read else check.covered_share(colours)
        if covered >= MIN_COVERED_SHARE:
            return VoidReason(VoidKind.COVERED, measurement=covered)
        if correlation >= SAME_SCENE_CORRELATION:
            continue
        check.exclude_changes(grey)
        if (correlation := check.correlation(grey)) >= SAME_SCENE_CORRELATION:
            continue
        shift, found_correlation = check.find_view_shift(grey)
        is_found = found_correlation >= FOUND_SCENE_CORRELATION
        if (is_found and shift < MIN_CAMERA_SHIFT) or (not is_found and all_read):
            continue
        is_covered = not is_found and covered >= MIN_PARTLY_COVERED_SHARE
        return VoidReason(*((VoidKind.COVERED, None, covered) if is_covered else (VoidKind.MOVED, None, shift)))
    return None
