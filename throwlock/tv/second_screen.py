"""What a second screen shows now: taken from the touchscreen's window, made into scenes for browsers that watch."""

import time
from collections.abc import Callable
from threading import Lock

from ui.i18n.language import current_language
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.second_screen import PublicView, public_view
from ui.screen.pages.showdown import Showdown
from ui.screen.views import View
from ui.web.events import Viewers
from ui.web.tv.build import Pictures, build_scene
from ui.web.tv.host import TV_PATH
from ui.web.tv.scene import CountScene, Scene, SceneMessage
from vision.evidence import encode_jpeg

MAX_SCREENS = 8
"""Browsers that watch at once."""
KEPT_MESSAGES = 3
"""The messages whose pictures a browser can still get."""
JPEG_QUALITY = 80
SAME_COUNT_MS = 100.0
"""A word of a count comes at most this long after the time that was set for it."""


class SecondScreen:
    """See ``ui.web.tv.host.TvHost``. The window's thread says what it shows, which takes some microseconds; scenes are
    made in the threads of those who watch, if anybody does. ``now_ns`` is the window's clock."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.viewers = Viewers(MAX_SCREENS)
        self._now_ns = now_ns
        self._build_lock = Lock()  # the window's thread never waits for it
        self._source: View | None = None
        self._shown: tuple[View, int] = AttractMode(), now_ns()
        self._built: tuple[View, int, str] | None = None
        self._message: SceneMessage | None = None
        self._pictures: dict[int, Pictures] = {}
        self._encoded: dict[tuple[int, str], bytes] = {}
        self._is_open = False

    def show(self, page: View, drawn: View, shown_ns: int) -> None:
        """Take note of what the window shows: ``page``, since ``shown_ns`` of its clock, and as it is ``drawn`` now.
        Pages are animated where they are shown; only a showdown has more to tell as time passes."""
        if page is self._source and not isinstance(page, Showdown):
            return
        self._source, self._shown = page, (drawn if isinstance(page, Showdown) else page, shown_ns)
        self.viewers.wake()

    def current(self) -> tuple[PublicView, int]:
        """Return what is public of what is shown now, and since when, in ns of the window's clock."""
        view, shown_ns = self._shown
        return public_view(view), shown_ns

    def open(self) -> None:
        """Let browsers watch."""
        self._is_open = True

    def close(self) -> None:
        """Let nobody watch any more: the streams end."""
        self._is_open = False
        self.viewers.wake()

    @property
    def is_open(self) -> bool:
        """See TvHost."""
        return self._is_open

    def now_ms(self) -> float:
        """See TvHost."""
        return self._now_ns() / 1e6

    def newest(self) -> SceneMessage:
        """See TvHost."""
        with self._build_lock:
            view, shown_ns = self._shown
            state = view, shown_ns, current_language()
            message, built = self._message, self._built
            if message is not None and built is not None and built[0] is view and built[1:] == state[1:]:
                return message
            self._built = state
            scene, pictures = build_scene(public_view(view), shown_ns / 1e6)
            if message is None or not _is_same(message, scene, shown_ns / 1e6):
                message = self._add_message(scene, shown_ns)
                self._pictures[message.number] = pictures
            return message

    def _add_message(self, scene: Scene, shown_ns: int) -> SceneMessage:
        number = 1 if self._message is None else self._message.number + 1
        for old in [one for one in self._pictures if one <= number - KEPT_MESSAGES]:
            del self._pictures[old]
        self._encoded = {key: data for key, data in self._encoded.items() if key[0] in self._pictures}
        self._message = SceneMessage.model_validate(
            {
                "number": number,
                "folder": f"{TV_PATH}/image/{number}",
                "shown_at_ms": shown_ns / 1e6,
                "language": current_language(),
                "scene": scene,
            }
        )
        return self._message

    def picture(self, number: int, name: str) -> bytes | None:
        """See TvHost. Made when the first browser asks for it."""
        with self._build_lock:
            encoded = self._encoded.get((number, name))
            make = self._pictures.get(number, {}).get(name)
        if encoded is not None or make is None:
            return encoded
        encoded = encode_jpeg(make(), JPEG_QUALITY)
        with self._build_lock:
            if number in self._pictures:
                self._encoded[number, name] = encoded
        return encoded


def _is_same(message: SceneMessage, scene: Scene, shown_at_ms: float) -> bool:
    """Whether a message says all that there is to say. A count keeps the times that were set when it began: its later
    words are shown a little after theirs."""
    before = message.scene
    if message.language != current_language():
        return False
    if isinstance(before, CountScene) and isinstance(scene, CountScene):
        if before.model_copy(update={"words_at_ms": scene.words_at_ms}) != scene:
            return False
        pairs = zip(before.words_at_ms, scene.words_at_ms, strict=True)
        return all(abs(old - new) <= SAME_COUNT_MS for old, new in pairs)
    return before == scene and message.shown_at_ms == shown_at_ms
