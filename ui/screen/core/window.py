"""The screen as a window, or the whole of a touchscreen: pygame's events in the main thread, the match in another.
Fingers, a mouse and a keyboard all do; a picture is drawn anew only when something changed or moves."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TypeVar

import pygame
from pygame import Rect

from device.camera.frames import Size
from device.gpio.buttons import SeatStroke
from device.gpio.lights import Lights
from device.system.clock import Clock, SteadyClock
from ui.i18n.language import spoken
from ui.screen.core.display import NoScreenError, WindowClosedError
from ui.screen.core.dragging import Dragging, thinned
from ui.screen.core.focus import SETTLE_NS, Focus, main, stroked
from ui.screen.core.keys import SeatKeys, written
from ui.screen.core.light_signals import Followed
from ui.screen.core.page_stack import Asking, Count, Dialogue, Page, Press, Set, Sit, next_page
from ui.screen.core.scene import COUNT_S, FRAME_S, IDLE_S, Scene, same_beat
from ui.screen.core.stage import Stage
from ui.screen.drawing.canvas import Canvas, Target, under
from ui.screen.drawing.registry import paint
from ui.screen.drawing.theme import BACKGROUND, MUTED, TEXT, Theme
from ui.screen.pages import strings
from ui.screen.pages.ask.group_view import GatherPage
from ui.screen.pages.ask.view import Put, Reply
from ui.screen.pages.dispute.view import Seek
from ui.screen.pages.seating.view import LettersPage, Rub
from ui.screen.pages.settings.view import Adjust
from ui.screen.pages.views import IDLE, Answer, Attract, Cadence, Judging, View
from ui.screen.pages.zones.view import Grab

T = TypeVar("T")
STROKE = pygame.USEREVENT + 1
"""The event of a stroke of a seat's button."""
HOLD_NS, REPEAT_NS = 500_000_000, 120_000_000
"""A finger that stays on a button that changes a value repeats it after the one, every other."""
LEAVE_NS = 2_000_000_000
"""Escape twice within this time leaves."""
MOUSE = -1
"""The mouse's name among the fingers (SDL numbers those from 0), and the touch device SDL makes up for a mouse."""
FORWARD = {pygame.K_RIGHT, pygame.K_DOWN, pygame.K_TAB}
BACKWARD = {pygame.K_LEFT, pygame.K_UP}
TOUCHES = (pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN, STROKE)
PRESS = {pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE}


@dataclass
class _Held:
    """A target somebody holds down: when it is due again, and whether it was repeated already."""

    target: Target
    due_ns: int
    repeated: bool = False

    @property
    def repeats(self) -> bool:
        """Whether holding it goes on changing a value."""
        return isinstance(self.target.press, Put | Set | Sit | Count | Adjust | Rub | Seek)


class Window:
    """A window of ``size`` pixels, or all of the screen; ``clock`` drives what moves. ``drawn`` is called in the
    window's thread with what is on the screen, right after every picture that is new there; ``turned`` whenever its
    loop has turned, twice a second at least. The seats' ``lights`` say to each what the page says to all.

    >>> Window((800, 480)).run(lambda display: display.ask(Notice("Hello", "All is well.")))  # doctest: +SKIP
    'go on'
    """

    def __init__(
        self,
        size: Size = (800, 480),
        *,
        fullscreen: bool = False,
        clock: Clock | None = None,
        drawn: Callable[[View | Page], None] | None = None,
        turned: Callable[[], None] = lambda: None,
        lights: Lights | None = None,
    ) -> None:
        self._size = size
        self._tell, self._turned = drawn, turned
        self._followed = Followed(lights)
        self._fullscreen = fullscreen
        self._clock = clock or SteadyClock()
        self._lock = threading.Lock()
        self._scene: Scene | None = None
        self._closed = False
        self._ended = False
        self._shown: Scene | None = None
        self._drawn: tuple[object, ...] | None = None
        self._stage = Stage()
        self._over: tuple[object, ...] = ()
        self._above: pygame.Surface | None = None
        self._unseen: list[Cadence] = []
        self._targets: Sequence[Target] = ()
        self._pressed: dict[int, _Held] = {}
        self._dragging = Dragging()
        self._focus = Focus()
        self._seat_keys = SeatKeys()
        self._strokes_seen = False
        self._turned_ns = -SETTLE_NS
        self._ready: tuple[object, ...] = ()
        self._keys_seen = False
        self._leave_ns: int | None = None
        self._active_ns = 0

    @property
    def targets(self) -> Sequence[Target]:
        """What can be touched on the page that is on the screen; to be read in the window's thread, as by ``drawn``."""
        return self._targets

    def show(self, view: View) -> None:
        """See Display. The view is on the screen within a frame."""
        with self._lock:
            before = self._scene
            since = now = self._clock.now_ns()
            moving = False
            if before is not None and isinstance(before.view, Cadence) and isinstance(view, Cadence):
                if same_beat(before.view, view):
                    since = before.since_ns
                    moving = before.rest_s(now) <= FRAME_S
                if view.preview is None and before.view.title == view.title:
                    # A count keeps its live picture until a newer one comes: its words must not jump about.
                    view = replace(view, preview=before.view.preview)
            self._put(Scene(view, since), wake=not moving)  # a new live picture can wait for the next frame

    def ask(self, view: Asking) -> Answer:
        """See Display. Blocks the calling thread, not the window's."""
        scene = Scene(view, self._clock.now_ns(), Dialogue(view))
        with self._lock:
            self._put(scene)
        answer = scene.reply.get()
        if isinstance(answer, WindowClosedError):
            raise answer
        return answer

    def leave(self) -> None:
        """Close the window as people would. From any thread, and from a signal's handler."""
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    def judging_ns(self) -> int:
        """For how long the screen has said nothing but that hands are being looked at."""
        judging = self._scene if self._scene and isinstance(self._scene.view, Judging) else None
        return self._clock.now_ns() - judging.since_ns if judging else 0

    def run(self, play: Callable[["Window"], T]) -> T:
        """Open the window, run ``play(self)`` in a thread of its own while this one, which must be the main thread,
        serves the window, and close it when ``play`` is over.

        Returns what ``play`` returned or raises what it raised: Closed, if people closed the window and ``play`` let
        that through. Raises NoScreenError where there is no screen to open a window on.
        """
        outcome: Future[T] = Future()
        self._open()
        worker = threading.Thread(target=self._play, args=(play, outcome), name="play", daemon=True)
        worker.start()
        try:
            self._serve()
        finally:
            self._close()
            worker.join()
        return outcome.result()

    def stroke(self, stroke: SeatStroke) -> None:
        """A seat's button was pressed or held. May be called from any thread."""
        with self._lock:
            if not self._closed and pygame.display.get_init():
                pygame.event.post(pygame.event.Event(STROKE, {"stroke": stroke}))

    def _play(self, play: Callable[["Window"], T], outcome: Future[T]) -> None:
        try:
            outcome.set_result(play(self))
        except BaseException as fault:
            outcome.set_exception(fault)
        finally:
            with self._lock:
                self._ended = True
                self._wake()

    def _put(self, scene: Scene, *, wake: bool = True) -> None:
        if self._closed:
            raise WindowClosedError("the window was closed")
        self._scene = scene
        if wake:
            self._wake()

    def _wake(self) -> None:
        if not self._closed:
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))

    # The rest runs in the main thread.

    def _open(self) -> None:
        flags = pygame.FULLSCREEN if self._fullscreen else pygame.RESIZABLE
        try:
            pygame.display.init()
            pygame.display.set_caption("Throwlock")
            pygame.display.set_mode((0, 0) if self._fullscreen else self._size, flags)
        except pygame.error as error:
            raise NoScreenError(f"there is no screen to open a window on ({error}): play with --headless") from error
        if self._fullscreen:
            pygame.mouse.set_visible(False)

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            scene = self._scene
        if scene is not None and scene.dialogue is not None and not scene.done:
            scene.reply.put(WindowClosedError("the window was closed"))
        self._followed.follow(None)
        pygame.display.quit()

    def _serve(self) -> None:
        due = time.perf_counter()
        while True:
            self._repaint()
            self._turned()
            with self._lock:
                scene, ended = self._scene, self._ended
            if ended:
                return
            rest = scene.rest_s(self._clock.now_ns()) if scene is not None else IDLE_S
            holds = self._seat_keys.held or any(held.repeats for held in self._pressed.values())
            if self._leave_ns is not None or holds:
                rest = min(rest, COUNT_S)
            now = time.perf_counter()
            if now >= due:  # what woke the window early does not put off the next frame
                due = max(due + rest, now)
            due = min(due, now + rest)
            self._get_ready()
            for event in thinned(_events(due - time.perf_counter())):
                self._repaint()  # a touch is judged by what it leaves on the screen, however many come at once
                if not self._handle(event):
                    return

    def _handle(self, event: pygame.event.Event) -> bool:
        """Take one event; False when people leave."""
        if event.type in (*TOUCHES, pygame.MOUSEMOTION):
            self._active_ns = self._clock.now_ns()
        if event.type in TOUCHES and self._shown is not None and isinstance(self._shown.view, Attract):
            self._answer(self._shown, Reply("home"))  # whatever it was meant for: somebody is there
            return True
        match event.type:
            case pygame.QUIT:
                return False
            case pygame.TEXTINPUT | pygame.KEYDOWN | pygame.KEYUP if self._typed(event):
                self._keys_seen = True
            case pygame.KEYDOWN:
                return self._key(event.key)
            case _ if event.type == STROKE:
                self._struck(event.stroke)
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP if event.button == 1 and not event.touch:
                self._point(MOUSE, event.pos, event.type == pygame.MOUSEBUTTONDOWN)
            case pygame.FINGERDOWN | pygame.FINGERUP | pygame.FINGERMOTION if event.touch_id != MOUSE:
                pygame.mouse.set_visible(False)
                width, height = pygame.display.get_window_size()
                at = (round(event.x * (width - 1)), round(event.y * (height - 1)))
                if event.type == pygame.FINGERMOTION:
                    self._drag(event.finger_id, at)
                else:
                    self._point(event.finger_id, at, event.type == pygame.FINGERDOWN)
            case pygame.MOUSEMOTION if not event.touch:
                pygame.mouse.set_visible(True)
                self._drag(MOUSE, event.pos)
            case pygame.WINDOWEXPOSED | pygame.VIDEORESIZE | pygame.WINDOWSIZECHANGED:
                self._drawn, self._over = None, ()
        return True

    def _point(self, finger: int, at: tuple[int, int], down: bool) -> None:
        touched = under(self._targets, at)
        if down:
            self._focus, self._strokes_seen = Focus(), False
            if touched is not None and isinstance(touched.press, Grab):
                self._grab(finger, touched.press, at)
            elif touched is not None and self._settled():
                self._pressed[finger] = _Held(touched, self._clock.now_ns() + HOLD_NS)
            return
        if self._dragging.end(finger):
            return
        held = self._pressed.pop(finger, None)
        if held is not None and held.target == touched and not held.repeated:
            self._touch(held.target)

    def _grab(self, finger: int, grab: Grab, at: tuple[int, int]) -> None:
        """A finger takes hold of something on the page it sees."""
        if self._shown is not None and self._shown.dialogue is not None:
            self._press(self._dragging.begin(finger, self._shown.dialogue.page, grab, at))

    def _drag(self, finger: int, at: tuple[int, int]) -> None:
        self._press(self._dragging.move(finger, at))
        self._slide(finger, at)

    def _slide(self, finger: int, at: tuple[int, int]) -> None:
        """A finger that is down on the time line takes it along."""
        held, touched = self._pressed.get(finger), under(self._targets, at)
        if held is None or touched is None or not isinstance(held.target.press, Seek):
            return
        if touched != held.target and touched.area is not None and touched.area == held.target.area:
            self._pressed[finger] = _Held(touched, self._clock.now_ns() + HOLD_NS)
            self._touch(touched)

    def _press(self, press: Press | None) -> None:
        """Take a press that answers nothing and leads to no other page."""
        if press is not None and (dialogue := self._asking) is not None:
            dialogue.touch(press)

    def _typed(self, event: pygame.event.Event) -> bool:
        """Take a key that writes a name, or is a seat's; whether it was either."""
        page = None if self._asking is None else self._asking.page
        presses = written(page, event) if isinstance(page, LettersPage) else None
        for press in presses or ():
            self._press(press)
        if presses is not None or not self._seat_keys.has(getattr(event, "scancode", -1)):
            return presses is not None
        if event.type != pygame.TEXTINPUT:
            down = event.type == pygame.KEYDOWN
            for stroke in self._seat_keys.turned(event.scancode, self._clock.now_ns(), down):
                self._struck(stroke)
        return True

    def _repeat(self, now_ns: int) -> None:
        """Touch again what is held down; the button in its place may mean the next value by now."""
        for stroke in self._seat_keys.until(now_ns):
            self._struck(stroke)
        for held in list(self._pressed.values()):
            if held.repeats and now_ns >= held.due_ns:
                now_there = next((target for target in self._targets if target.rect == held.target.rect), None)
                held.due_ns, held.repeated = now_ns + REPEAT_NS, True
                if now_there is not None:
                    self._touch(now_there)

    @property
    def _asking(self) -> Dialogue | None:
        """The dialogue of what is shown, while it is not answered."""
        return None if self._shown is None or self._shown.done else self._shown.dialogue

    def _settled(self) -> bool:
        since = max(self._shown.since_ns if self._shown else 0, self._turned_ns)
        return self._clock.now_ns() - since >= SETTLE_NS

    def _key(self, key: int) -> bool:
        self._keys_seen = True
        now = self._clock.now_ns()
        if key == pygame.K_ESCAPE:
            if self._leave_ns is not None and now - self._leave_ns <= LEAVE_NS:
                return False
            self._leave_ns = now
            return True
        on = self._focus.target(self._targets)
        if key in FORWARD | BACKWARD:
            self._focus = self._focus.moved(self._targets, 1 if key in FORWARD else -1)
        elif key in PRESS and on is not None and self._settled():
            self._touch(on)
        return True

    def _struck(self, stroke: SeatStroke) -> None:
        """A stroke of a seat's buttons; one made before what is shown could be read is for nothing."""
        scene, dialogue = self._shown, self._asking
        if scene is None or dialogue is None or stroke.when_ns - scene.since_ns < SETTLE_NS:
            return
        self._strokes_seen = True
        came = stroked(dialogue.page, self._targets, self._focus, stroke, settled=self._settled())
        self._focus = came.focus
        if came.counted:
            self._followed.struck(stroke.seat)
        if came.after is not None:
            self._go(scene, dialogue, came.after)

    def _touch(self, target: Target) -> None:
        scene, dialogue = self._shown, self._asking  # what the target belongs to, which need not be the newest
        if scene is not None and dialogue is not None:
            self._go(scene, dialogue, next_page(dialogue.page, target.press))

    def _go(self, scene: Scene, dialogue: Dialogue, after: Page | Reply) -> None:
        """Go to a page, or answer with what is a reply."""
        face = dialogue.face
        reply = dialogue.turn(after)
        if reply is not None:
            self._answer(scene, reply)
        elif face != dialogue.face:
            self._focus = Focus()
            self._turned_ns = self._clock.now_ns()

    def _answer(self, scene: Scene, reply: Reply) -> None:
        scene.done = True
        self._pressed.clear()
        self._focus = Focus()
        scene.reply.put(reply.value)

    def _repaint(self) -> None:
        now = self._clock.now_ns()
        with self._lock:
            scene = self._scene
        if self._leave_ns is not None and now - self._leave_ns > LEAVE_NS:
            self._leave_ns = None
        if scene is not None and (reply := scene.due(now)) is not None:
            self._answer(scene, reply)
        if scene is not None and scene.left_alone(max(scene.since_ns, self._active_ns), now):
            self._answer(scene, Reply(IDLE))
        if scene is not self._shown:
            self._shown = scene
            self._pressed.clear()
            self._dragging.clear()
            self._focus = Focus()
        self._repeat(now)
        moment = scene.moment(now) if scene is not None else None
        held = tuple(held.target for held in self._pressed.values())
        state = (scene, moment, spoken(), self._focus, held, self._keys_seen, self._leave_ns)
        if state != self._drawn:
            self._drawn = state
            self._followed.follow(moment)
            self._paint(moment, pygame.display.get_surface())
            self._first_focus()

    def _first_focus(self) -> None:
        """Where buttons are used, the focus begins on the page's main button, and is seen there; but where every seat
        has strokes of its own they lead no focus."""
        leads = self._asking is not None and not isinstance(self._asking.page, GatherPage)
        if leads and self._strokes_seen and self._focus.at is None and (first := main(self._targets)):
            self._focus = Focus(first.rect.copy())
            self._repaint()

    def _paint(self, moment: View | Page | None, screen: pygame.Surface | None) -> None:
        if screen is None:
            return
        if moment is None:
            screen.fill(BACKGROUND)
            pygame.display.flip()
            return
        held = tuple(held.target for held in self._pressed.values())
        over = (spoken(), self._focus, held, self._keys_seen, self._leave_ns)
        if over != self._over:  # what lies over the page can't be taken off but by drawing all anew
            self._over = over
            self._stage.forget()
            self._above = self._above_help(screen)
        surface = screen if self._above is None else self._above
        new = self._stage.draw(surface, moment)
        self._targets = self._stage.targets
        self._highlight(screen)
        if new == [surface.get_rect()]:
            pygame.display.flip()
        elif new:
            pygame.display.update(new)
        if isinstance(moment, Cadence):
            self._announce(moment, screen.get_size())
        if new and self._tell is not None:
            self._tell(moment)

    def _highlight(self, screen: pygame.Surface) -> None:
        """Edges around what is held or has the focus."""
        highlighted = [held.target for held in self._pressed.values()]
        if (on := self._focus.target(self._targets)) is not None:
            highlighted.append(on)
        theme = Theme(screen.get_size())
        for target in highlighted:
            edge = target.rect.inflate(theme.units(1), theme.units(1))
            pygame.draw.rect(screen, TEXT, edge, theme.units(0.9), theme.radius)

    def _announce(self, count: Cadence, size: Size) -> None:
        """A count goes on: of a new one every beat is to be drawn once, unseen."""
        known = (size, spoken(), count.title, count.words, count.again, count.preview is None)
        if known != self._ready:
            self._ready = known
            self._unseen = [replace(count, beat=beat) for beat in reversed(range(len(count.words)))]

    def _get_ready(self) -> None:
        """Draw the next beat to come, unseen: lettering and icons are kept, so no word comes late. One a frame."""
        screen = pygame.display.get_surface()
        if self._unseen and screen is not None:
            paint(pygame.Surface(screen.get_size(), 0, 32), self._unseen.pop())

    def _above_help(self, screen: pygame.Surface) -> pygame.Surface | None:
        """The part of the screen above the help line, which is there once somebody uses a keyboard; None before."""
        if not (self._keys_seen or self._leave_ns is not None):
            return None
        width, height = screen.get_size()
        line = Theme((width, height)).units(6)
        strip = Rect(0, height - line, width, line)
        help_line = Canvas(screen.subsurface(strip), BACKGROUND)
        size = round(line * 0.55)
        text = strings.KEYS if self._leave_ns is None else strings.LEAVE
        colour = MUTED if self._leave_ns is None else TEXT
        help_line.text(help_line.surface.get_rect().inflate(-line, 0), text, size, colour, least=6)
        return screen.subsurface(Rect(0, 0, width, height - line))


def _events(left_s: float) -> list[pygame.event.Event]:
    """What comes until ``left_s`` seconds have passed, or as soon as something comes."""
    until = time.perf_counter() + left_s
    first = pygame.event.wait(int(left_s * 1000)) if left_s >= 0.001 else pygame.event.poll()
    if first.type == pygame.NOEVENT:  # SDL waits for whole milliseconds
        time.sleep(max(0.0, until - time.perf_counter()))
    return [event for event in (first, *pygame.event.get()) if event.type != pygame.NOEVENT]
