"""The display in a window or on the full screen, with pygame's events in the main thread and the match in another.
Takes input from fingers, a mouse, a keyboard and the seats' buttons; a frame is drawn only when something changed."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TypeVar

import pygame
from typing_extensions import override

from device.camera.frames import Size
from device.gpio.buttons import ButtonAction, ButtonEvent
from device.gpio.lights import Lights
from device.system.clock import Clock, MonotonicClock
from ui.i18n.language import current_language
from ui.screen.core.display import Display, PauseRequestedError, WindowClosedError
from ui.screen.core.event_waiter import EventWaiter
from ui.screen.core.light_signals import LightController
from ui.screen.core.scene import COUNTDOWN_INTERVAL_S, FRAME_INTERVAL_S, IDLE_INTERVAL_S, WindowScene, is_same_beat
from ui.screen.core.screen import Screen, current_rotation, dark_after_ns
from ui.screen.core.window_painter import Look, WindowPainter
from ui.screen.drawing.canvas import Target, target_at
from ui.screen.input import (
    SETTLE_TIME_NS,
    Dragging,
    Focus,
    SeatKeys,
    drop_repeated_moves,
    handle_button,
    main_target,
    settle_time_ns,
    type_key,
)
from ui.screen.pages import pause as pause_page
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.countdown import Countdown, Judging, Preparing
from ui.screen.pages.group_question import GroupQuestionPage
from ui.screen.pages.home import IDLE_ANSWER
from ui.screen.pages.zones import ZonesPage
from ui.screen.views import PAUSE, Answer, Dialogue, InteractiveView, Press, Reply, TypingPage, View

ResultT = TypeVar("ResultT")
BUTTON_EVENT = pygame.USEREVENT + 1
"""The pygame event that carries a ``ButtonEvent``."""
HOLD_DELAY_NS, REPEAT_INTERVAL_NS = 500_000_000, 120_000_000
"""A finger held on a button that changes a value repeats it after the delay, once every interval."""
ESCAPE_TWICE_NS = 2_000_000_000
"""Escape pressed twice within this time closes the window."""
MOUSE_FINGER = -1
"""The mouse's number among the fingers, which SDL numbers from 0; also SDL's touch device for mouse events."""
FORWARD_KEYS = {pygame.K_RIGHT, pygame.K_DOWN, pygame.K_TAB}
BACKWARD_KEYS = {pygame.K_LEFT, pygame.K_UP}
INPUT_EVENTS = (pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN, BUTTON_EVENT)
WAKING_EVENTS = (*INPUT_EVENTS, pygame.MOUSEMOTION)
PRESS_KEYS = {pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE}


@dataclass
class _HeldTarget:
    """A target that is held down, when it repeats next, and whether it has repeated already."""

    target: Target
    due_ns: int
    repeated: bool = False


class Window(Display):
    """A window of ``size`` (width, height) pixels, or the full screen, or on a ``screen`` that may be open already;
    ``clock`` drives what moves. In the window's thread, ``on_drawn`` is called with the page after each new frame, and
    ``on_loop`` at least twice a second. Before each new frame, ``on_page`` is called with the page, the page as it is
    drawn now, and since when it is shown, in ns of the clock. The seats' ``lights`` follow the pages.

    >>> Window((800, 480)).run(lambda display: display.ask(Notice("Hello", "All is well.")))  # doctest: +SKIP
    'go on'
    """

    def __init__(
        self,
        size: Size = (800, 480),
        *,
        fullscreen: bool = False,
        clock: Clock | None = None,
        on_drawn: Callable[[View], None] | None = None,
        on_loop: Callable[[], None] = lambda: None,
        lights: Lights | None = None,
        screen: Screen | None = None,
        on_page: Callable[[View, View, int], None] | None = None,
    ) -> None:
        self._screen = screen or Screen(size, fullscreen=fullscreen)
        self._on_drawn, self._on_loop, self._on_page = on_drawn, on_loop, on_page
        self._lights = LightController(lights)
        self._clock = clock or MonotonicClock()
        self._lock = threading.Lock()
        self._events = EventWaiter()
        self._scene: WindowScene | None = None
        self._closed = False
        self._ended = False
        self._shown: WindowScene | None = None
        self._drawn_state: tuple[object, ...] | None = None
        self._painter = WindowPainter(self._screen)
        self._targets: Sequence[Target] = ()
        self._held: dict[int, _HeldTarget] = {}
        self._dragging = Dragging()
        self._focus = Focus()
        self._seat_keys = SeatKeys()
        self._buttons_used = False
        self._page_since_ns = -SETTLE_TIME_NS
        self._keyboard_used = False
        self._escape_ns: int | None = None
        self._last_input_ns = self._last_busy_ns = 0
        self._is_dark = False
        self._woken_ns = -SETTLE_TIME_NS
        self._pause_requested = False

    @property
    def targets(self) -> Sequence[Target]:
        """The targets on the current page, none once it is answered; read them only in the window's thread, such as in
        ``on_drawn``."""
        return () if self._shown is not None and self._shown.answered else self._targets

    @override
    def show(self, view: View) -> None:
        """The view is on the screen within a frame."""
        with self._lock:
            before = self._scene
            since = now = self._clock.now_ns()
            moving = False
            if before is not None and isinstance(before.view, Countdown) and isinstance(view, Countdown):
                if is_same_beat(before.view, view):
                    since = before.shown_ns
                    moving = before.unchanged_s(now) <= FRAME_INTERVAL_S
                if view.preview is None and before.view.title == view.title:
                    # A count keeps its live image until a newer one comes, so that its words do not jump.
                    view = replace(view, preview=before.view.preview)
            self._set_scene(WindowScene(view, since), wake=not moving)  # a new live image can wait for the next frame

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Blocks the calling thread, not the window's."""
        scene = WindowScene(view, self._clock.now_ns(), Dialogue(view))
        with self._lock:
            self._set_scene(scene)
        answer = scene.reply.get()
        if isinstance(answer, WindowClosedError):
            raise answer
        return answer

    def leave(self) -> None:
        """Close the window as people would. May be called from any thread and from a signal handler."""
        self._events.post(pygame.event.Event(pygame.QUIT))

    def judging_ns(self) -> int:
        """Return for how many nanoseconds the screen has shown that a round is being judged; 0 if it doesn't."""
        judging = self._scene if self._scene and isinstance(self._scene.view, Judging) else None
        return self._clock.now_ns() - judging.shown_ns if judging else 0

    def run(self, play: Callable[["Window"], ResultT]) -> ResultT:
        """Open the window, run ``play(self)`` in a thread, and close the window when it is over. Must be called in the
        main thread, which runs the window's loop. Returns what ``play`` returned, or raises what it raised.

        Raises:
            NoScreenError: There is no screen to open a window on.
            WindowClosedError: People closed the window, and ``play`` didn't catch that.
        """
        outcome: Future[ResultT] = Future()
        self._screen.open()
        worker = threading.Thread(target=self._play, args=(play, outcome), name="play", daemon=True)
        worker.start()
        try:
            self._run_loop()
        finally:
            self._close()
            worker.join()
        return outcome.result()

    def handle_button(self, event: ButtonEvent) -> None:
        """Take an event of a seat's button. May be called from any thread."""
        with self._lock:
            if not self._closed and pygame.display.get_init():
                self._events.post(pygame.event.Event(BUTTON_EVENT, {"button_event": event}))

    def _play(self, play: Callable[["Window"], ResultT], outcome: Future[ResultT]) -> None:
        try:
            outcome.set_result(play(self))
        except BaseException as error:
            outcome.set_exception(error)
        finally:
            with self._lock:
                self._ended = True
                self._wake()

    def _set_scene(self, scene: WindowScene, *, wake: bool = True) -> None:
        if self._closed:
            raise WindowClosedError("the window was closed")
        if self._pause_requested:
            self._pause_requested = False
            raise PauseRequestedError("people paused")
        self._scene = scene
        if wake:
            self._wake()

    def _wake(self) -> None:
        if not self._closed:
            self._events.post(pygame.event.Event(pygame.USEREVENT))

    # The rest runs in the main thread.

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            scene = self._scene
        if scene is not None and scene.dialogue is not None and not scene.answered:
            scene.reply.put(WindowClosedError("the window was closed"))
        self._lights.show(None)
        self._screen.close()

    def _run_loop(self) -> None:
        due = time.perf_counter()
        while True:
            self._repaint()
            self._on_loop()
            with self._lock:
                scene, ended = self._scene, self._ended
            if ended:
                return
            rest = scene.unchanged_s(self._clock.now_ns()) if scene is not None else IDLE_INTERVAL_S
            holds = self._seat_keys.any_down or any(held.target.repeats for held in self._held.values())
            if self._is_dark:
                rest = IDLE_INTERVAL_S
            elif self._escape_ns is not None or holds:
                rest = min(rest, COUNTDOWN_INTERVAL_S)
            now = time.perf_counter()
            if now >= due:  # waking up early does not delay the next frame
                due = max(due + rest, now)
            due = min(due, now + rest)
            self._painter.prepare_beat()
            for event in drop_repeated_moves(self._events.wait(due - time.perf_counter())):
                self._repaint()  # a touch is judged by what it leaves on the screen, however many come at once
                if not self.handle_event(event):
                    return

    def handle_event(self, event: pygame.event.Event) -> bool:
        """Handle one event, in the main thread. Return False when people close the window."""
        if event.type in WAKING_EVENTS and self._wakes_screen():
            return True
        if event.type in INPUT_EVENTS and self._shown is not None and isinstance(self._shown.view, AttractMode):
            self._answer(self._shown, Reply("home"))  # any input means that somebody is there
            return True
        match event.type:
            case pygame.QUIT:
                return False
            case pygame.TEXTINPUT | pygame.KEYDOWN | pygame.KEYUP if self._handle_typing(event):
                self._keyboard_used = True
            case pygame.KEYDOWN:
                return self._handle_key(event.key)
            case _ if event.type == BUTTON_EVENT:
                self._handle_button_event(event.button_event)
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP if event.button == 1 and not event.touch:
                at = self._screen.page_position(event.pos)
                self._handle_pointer(MOUSE_FINGER, at, event.type == pygame.MOUSEBUTTONDOWN)
            case pygame.FINGERDOWN | pygame.FINGERUP | pygame.FINGERMOTION if event.touch_id != MOUSE_FINGER:
                pygame.mouse.set_visible(False)
                width, height = pygame.display.get_window_size()
                at = self._screen.page_position((round(event.x * (width - 1)), round(event.y * (height - 1))))
                if event.type == pygame.FINGERMOTION:
                    self._drag(event.finger_id, at)
                else:
                    self._handle_pointer(event.finger_id, at, event.type == pygame.FINGERDOWN)
            case pygame.MOUSEMOTION if not event.touch:
                pygame.mouse.set_visible(True)
                self._drag(MOUSE_FINGER, self._screen.page_position(event.pos))
            case pygame.WINDOWEXPOSED | pygame.VIDEORESIZE | pygame.WINDOWSIZECHANGED:
                self._redraw()
        return True

    def _wakes_screen(self) -> bool:
        """Note that there was input. Return whether it only wakes the dark screen, as do the other events that come
        with it, such as SDL's mouse event for a touch."""
        self._last_input_ns = now = self._clock.now_ns()
        if self._is_dark:
            self._woken_ns = now
        return now - self._woken_ns < SETTLE_TIME_NS

    def _handle_pointer(self, finger: int, at: tuple[int, int], down: bool) -> None:
        touched = target_at(self._targets, at)
        if down:
            self._focus, self._buttons_used = Focus(), False
            page = None if self._dialogue is None else self._dialogue.page
            if touched is not None and touched.grip is not None and isinstance(page, ZonesPage):
                self._go_to(self._dragging.begin(finger, page, touched.grip, at))
            elif touched is not None and self._is_settled():
                self._held[finger] = _HeldTarget(touched, self._clock.now_ns() + HOLD_DELAY_NS)
            if touched is not None and touched.press == PAUSE:
                self._pause_shown_view()
            return
        if self._dragging.end(finger):
            return
        held = self._held.pop(finger, None)
        if touched is not None and held is not None and held.target == touched and not held.repeated:
            self._press_target(touched)

    def _drag(self, finger: int, at: tuple[int, int]) -> None:
        """Drag what a finger has hold of, or scrub the timeline with a finger that is down on it."""
        page = None if self._dialogue is None else self._dialogue.page
        if isinstance(page, ZonesPage):
            self._go_to(self._dragging.move(finger, page, at))
        held, touched = self._held.get(finger), target_at(self._targets, at)
        if held is None or touched is None or not (held.target.slides and touched.slides) or touched == held.target:
            return
        self._held[finger] = _HeldTarget(touched, self._clock.now_ns() + HOLD_DELAY_NS)
        self._press_target(touched)

    def _handle_typing(self, event: pygame.event.Event) -> bool:
        """Handle a key that types a text or is a seat's. Return whether it was either."""
        page = None if self._dialogue is None else self._dialogue.page
        after = type_key(page, event) if isinstance(page, TypingPage) else None
        if after is not None:
            self._go_to(after)
            return True
        if not self._seat_keys.is_seat_key(getattr(event, "scancode", -1)):
            return False
        if event.type != pygame.TEXTINPUT:
            down = event.type == pygame.KEYDOWN
            for button_event in self._seat_keys.handle_key(event.scancode, self._clock.now_ns(), down):
                self._handle_button_event(button_event)
        return True

    def _repeat_held(self, now_ns: int) -> None:
        """Press again what is held down; the button in its place may mean the next value by now."""
        for button_event in self._seat_keys.advance(now_ns):
            self._handle_button_event(button_event)
        for held in list(self._held.values()):
            if held.target.repeats and now_ns >= held.due_ns:
                target = next((target for target in self._targets if target.rect == held.target.rect), None)
                held.due_ns, held.repeated = now_ns + REPEAT_INTERVAL_NS, True
                if target is not None:
                    self._press_target(target)

    @property
    def _dialogue(self) -> Dialogue | None:
        """The dialogue on the screen, until it is answered."""
        return None if self._shown is None or self._shown.answered else self._shown.dialogue

    def _is_settled(self, settle_ns: int = SETTLE_TIME_NS) -> bool:
        since = max(self._shown.shown_ns if self._shown else 0, self._page_since_ns)
        return self._clock.now_ns() - since >= settle_ns

    def _handle_key(self, key: int) -> bool:
        self._keyboard_used = True
        now = self._clock.now_ns()
        if key == pygame.K_ESCAPE:
            if self._escape_ns is not None and now - self._escape_ns <= ESCAPE_TWICE_NS:
                return False
            self._escape_ns = now
            self._press_pause()
            return True
        focused = self._focus.find_target(self._targets)
        if key in FORWARD_KEYS | BACKWARD_KEYS:
            self._focus = self._focus.move(self._targets, 1 if key in FORWARD_KEYS else -1)
        elif key in PRESS_KEYS and focused is not None and self._is_settled():
            self._press_target(focused, focused.button_press)
        return True

    def _handle_button_event(self, event: ButtonEvent) -> None:
        """Handle an event of a seat's button, unless it came too soon after the view."""
        scene, dialogue = self._shown, self._dialogue
        if dialogue is None and event.action is ButtonAction.CONFIRM_HOLD:
            self._press_pause()
        if scene is None or dialogue is None or event.when_ns - scene.shown_ns < SETTLE_TIME_NS:
            return
        self._buttons_used = True
        settled = self._is_settled(settle_time_ns(dialogue.page))
        outcome = handle_button(dialogue.page, self._targets, self._focus, event, settled=settled)
        self._focus = outcome.focus
        if outcome.counted:
            self._lights.blink(event.seat)
        if outcome.result is not None:
            self._go_to(outcome.result)

    def _press_target(self, target: Target, press: Press | None = None) -> None:
        if (dialogue := self._dialogue) is not None:
            self._go_to(dialogue.page.press(press or target.press))

    def _press_pause(self) -> None:
        """Pause, if the page has the pause button."""
        target = next((target for target in self._targets if target.press == PAUSE), None)
        if target is not None and self._dialogue is not None:
            self._press_target(target)
        elif target is not None:
            self._pause_shown_view()

    def _pause_shown_view(self) -> None:
        """Interrupt a view that is shown and not answered, such as the count, where views follow each other faster than
        a finger is lifted. Until the match has noticed, the screen says that it is paused."""
        with self._lock:
            scene = self._scene
            if scene is None or scene.dialogue is not None or scene is not self._shown or self._closed:
                return
            self._pause_requested = True
            self._scene = WindowScene(Preparing("", heading=pause_page.PAUSED), self._clock.now_ns())

    def _go_to(self, result: Press) -> None:
        """Go to a page, or answer with a reply."""
        scene, dialogue = self._shown, self._dialogue
        if scene is None or dialogue is None:
            return
        page_key = dialogue.page.key
        reply = dialogue.go_to(result)
        if reply is not None:
            self._answer(scene, reply)
        elif page_key != dialogue.page.key:
            self._focus = Focus()
            self._page_since_ns = self._clock.now_ns()

    def _answer(self, scene: WindowScene, reply: Reply) -> None:
        scene.answered = True
        self._held.clear()
        self._focus = Focus()
        scene.reply.put(reply.value)

    def _repaint(self) -> None:
        now = self._clock.now_ns()
        with self._lock:
            scene = self._scene
        if self._escape_ns is not None and now - self._escape_ns > ESCAPE_TWICE_NS:
            self._escape_ns = None
        key = scene.dialogue.page.key if scene is not None and scene.dialogue is not None else None
        if scene is not None and (reply := scene.automatic_reply(now, self._last_input_ns)) is not None:
            self._answer(scene, reply)
        elif scene is not None and scene.dialogue is not None and scene.dialogue.page.key != key:
            self._held.clear()
            self._focus, self._page_since_ns = Focus(), now
        if scene is not None and scene.is_idle(max(scene.shown_ns, self._last_input_ns), now):
            self._answer(scene, Reply(IDLE_ANSWER))
        self._darken_or_wake(scene, now)
        if scene is not self._shown:
            self._shown = scene
            self._held.clear()
            self._dragging.clear()
            self._focus = Focus()
        self._repeat_held(now)
        page = scene.page_at(now) if scene is not None else None
        look = self._look()
        state = (scene, page, look)
        if scene is not None and page is not None and self._on_page is not None and state != self._drawn_state:
            self._on_page(scene.view if scene.dialogue is None else scene.dialogue.page, page, scene.shown_ns)
        if state != self._drawn_state and not self._is_dark:
            self._drawn_state = state
            self._lights.show(page)
            drawn = self._painter.paint(page, look)
            self._targets = self._painter.targets
            if drawn and page is not None and self._on_drawn is not None:
                self._on_drawn(page)
            self._show_first_focus()

    def _redraw(self) -> None:
        """Draw all of the page again."""
        self._drawn_state = None
        self._painter.invalidate()

    def _look(self) -> Look:
        held = tuple(held.target for held in self._held.values())
        is_typing = self._dialogue is not None and isinstance(self._dialogue.page, TypingPage)
        escape = self._escape_ns is not None
        return Look(current_language(), current_rotation(), self._focus, held, self._keyboard_used, is_typing, escape)

    def _darken_or_wake(self, scene: WindowScene | None, now_ns: int) -> None:
        """Make a full screen dark after a while in which nobody plays and touches it, and wake it for anything else."""
        if scene is None or not scene.may_go_dark:
            self._last_busy_ns = now_ns
        limit = dark_after_ns() if self._screen.fullscreen else None
        dark = limit is not None and now_ns - max(self._last_busy_ns, self._last_input_ns) >= limit
        if dark == self._is_dark:
            return
        self._is_dark = dark
        if dark:
            self._screen.switch_off()
        else:
            self._screen.switch_on()
            self._redraw()

    def _show_first_focus(self) -> None:
        """Once buttons are used, focus the page's main target; but not where each seat's buttons answer for itself."""
        moves_focus = self._dialogue is not None and not isinstance(self._dialogue.page, GroupQuestionPage)
        if moves_focus and self._buttons_used and self._focus.rect is None and (first := main_target(self._targets)):
            self._focus = Focus(first.rect.copy())
            self._repaint()
