"""What a second screen shows now: taken from the touchscreen's window, for browsers that watch and the HDMI output."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Lock

from device.camera.frames import Pixels
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.guests import Guesser, GuestsPage, GuestsStatus
from ui.screen.pages.lobby import Lobby
from ui.screen.pages.message import GameMessage
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.second_screen import Choosing, PublicView, public_view, with_guessers
from ui.screen.pages.showdown import Showdown
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.views import View
from ui.web.live import Viewers
from vision.evidence import encode_jpeg

MAX_SCREENS = 8
"""Browsers that watch at once."""
KEPT_SCENES = 3
"""The scenes whose pictures a browser can still get."""
JPEG_QUALITY = 80
SAME_COUNT_MS = 100.0
"""A word of a count comes at most this long after the time that was set for it."""


Pictures = Mapping[str, Callable[[], Pixels]]
"""The pictures of a scene by name, each made when it is asked for."""


@dataclass(frozen=True)
class Scene:
    """What everybody may see of a page of the touchscreen."""

    number: int
    """Which its pictures are asked for by; each scene has another."""
    view: PublicView
    shown_at_ms: float
    """Since when, by the box's monotonic clock."""
    words_at_ms: tuple[float, ...] = ()
    """Of a count, the times of its words; the last is the call to throw. A browser counts by itself."""


class SecondScreen:
    """The window's thread says what it shows, which takes some microseconds; scenes are made in the threads of those
    who watch, if anybody does. ``now_ns`` is the window's clock."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.viewers = Viewers(MAX_SCREENS)
        """Who watches: browsers, while it is open, and the HDMI output."""
        self.joining: Callable[[], GuestsStatus | None] = lambda: None
        """Returns where people join while nobody plays, and who is here; None while they can't."""
        self.guessers: Callable[[], tuple[Guesser, ...]] = tuple
        """Returns who has guessed in the match, the best first."""
        self._now_ns = now_ns
        self._scene_lock = Lock()  # the window's thread never waits for it
        self._source: View | None = None
        self._shown: tuple[View, int] = AttractMode(), now_ns()
        self._message: GameMessage | None = None
        self._scene_of: tuple[View, int] | None = None
        self._scene: Scene | None = None
        self._pictures: dict[int, Pictures] = {}
        self._encoded: dict[tuple[int, str], bytes] = {}

    def show(self, page: View, drawn: View, shown_ns: int) -> None:
        """Take note of what the window shows: ``page``, since ``shown_ns`` of its clock, and as it is ``drawn`` now.
        Pages are animated where they are shown; only a showdown has more to tell as time passes, and so have the pages
        on which phones join."""
        is_followed = isinstance(page, Showdown | GuestsPage | PhonesPage)
        if page is self._source and (not is_followed or drawn == self._shown[0]):
            return
        if page is not self._source:
            public = public_view(page)
            if isinstance(public, GameMessage):
                self._message = public
            elif isinstance(public, AttractMode | MatchResult):  # the match is over
                self._message = None
        self._source, self._shown = page, (drawn if is_followed else page, shown_ns)
        self.viewers.wake()

    def current(self) -> tuple[PublicView, int]:
        """Return what is public of what is shown now, and since when, in ns of the window's clock."""
        view, shown_ns = self._shown
        return self._public_view(view), shown_ns

    def _public_view(self, view: View) -> PublicView:
        return with_guessers(public_view(view, self._message, self.joining()), self.guessers())

    def now_ms(self) -> float:
        """Return the box's monotonic time in ms."""
        return self._now_ns() / 1e6

    def scene(self) -> Scene:
        """Return the scene that is shown now: the same one as long as nothing changes."""
        with self._scene_lock:
            shown, scene = self._shown, self._scene
            joins = scene is not None and isinstance(scene.view, AttractMode | Lobby)
            if scene is None or shown is not self._scene_of or (joins and scene.view != self._public_view(shown[0])):
                self._scene_of, self._scene = shown, (scene := self._next_scene(*shown))
            return scene

    def _next_scene(self, shown_view: View, shown_ns: int) -> Scene:
        before, view, shown_at_ms = self._scene, self._public_view(shown_view), shown_ns / 1e6
        words_at_ms = word_times(view, shown_at_ms) if isinstance(view, Countdown) else ()
        if before is not None and words_at_ms and _is_same_count(before, view, words_at_ms):
            return before
        if before is not None and isinstance(view, Choosing) and view == before.view:
            return before  # only the touchscreen shows the time that is left
        scene = Scene(1 if before is None else before.number + 1, view, shown_at_ms, words_at_ms)
        self._pictures[scene.number] = _pictures(view)
        for old in [number for number in self._pictures if number <= scene.number - KEPT_SCENES]:
            del self._pictures[old]
        self._encoded = {key: data for key, data in self._encoded.items() if key[0] in self._pictures}
        return scene

    def picture(self, number: int, name: str) -> bytes | None:
        """Return a picture of scene ``number`` as JPEG, made when the first browser asks for it; None if it is not, or
        no longer, there."""
        with self._scene_lock:
            encoded = self._encoded.get((number, name))
            make = self._pictures.get(number, {}).get(name)
        if encoded is not None or make is None:
            return encoded
        encoded = encode_jpeg(make(), JPEG_QUALITY)
        with self._scene_lock:
            if number in self._pictures:
                self._encoded[number, name] = encoded
        return encoded


def word_times(view: Countdown, shown_at_ms: float) -> tuple[float, ...]:
    """Return when the words of a count come. Before the first one ``view.beat_s`` is the time until it, and
    ``view.word_s`` the length of a word."""
    next_at_ms = shown_at_ms + view.animation_s * 1e3
    word_ms = (view.word_s or view.beat_s) * 1e3
    return tuple(next_at_ms + (number - view.beat - 1) * word_ms for number in range(len(view.words)))


def _is_same_count(before: Scene, view: PublicView, words_at_ms: tuple[float, ...]) -> bool:
    """Whether a view is a later word of a count, which keeps the times that were set when it began: its words are shown
    a little after theirs."""
    if not isinstance(view, Countdown) or not isinstance(before.view, Countdown):
        return False
    if _told(before.view) != _told(view):
        return False
    pairs = zip(before.words_at_ms, words_at_ms, strict=True)
    return all(abs(old_ms - new_ms) <= SAME_COUNT_MS for old_ms, new_ms in pairs)


def _told(count: Countdown) -> object:
    return count.players, count.title, count.words, count.rethrow_reason, count.facts, count.throwing


def _pictures(view: PublicView) -> Pictures:
    pictures: dict[str, Callable[[], Pixels]] = {}
    if isinstance(view, Reveal) and not view.in_class:
        for seat, images in view.pictures.items():
            pictures[f"seat-{seat}"] = partial(_same, images.at_lock)
            if images.proof is not None:
                pictures[f"foul-{seat}"] = partial(_same, images.proof)
    motion = view.deciding if isinstance(view, MatchResult) else view
    if isinstance(motion, SlowMotion):
        for player in motion.players:
            for frame in shown_frames(motion):
                pictures[f"frame-{player.seat}-{frame}"] = partial(motion.hand_image, player.seat, frame)
    return pictures


def _same(image: Pixels) -> Pixels:
    return image


def shown_frames(view: SlowMotion) -> list[int]:
    """Return the frames that are shown in slow motion."""
    first_hand = view.at_time(0.0).frame
    times = enumerate(view.frame_times_ms)
    return [frame for frame, at_ms in times if view.start_ms <= at_ms <= view.end_ms or frame == first_hand]
