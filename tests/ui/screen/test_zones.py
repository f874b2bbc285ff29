"""The zones page: the meaning of a finger that drags, on the page and in the window; the live image; the way
through."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.base import CameraError
from device.camera.frames import BgrFrame, Frame
from device.system.clock import Clock, SimulatedClock
from tests.helpers.page_rules import drawn
from tests.helpers.samples.common import table_image
from tests.helpers.waiting import LIMIT_S
from tests.helpers.window_users import SIZE, RunInWindow, WindowUser, run_in_window
from throwlock.table_setup import zone_setup
from throwlock.table_setup.zone_setup import LivePreview, set_up_from_home, set_up_zones, zones_error, zones_for_match
from throwlock.table_setup.zone_store import TableZones, ZoneSource, ZoneStore
from ui.screen.core.display import Display
from ui.screen.drawing.canvas import Canvas
from ui.screen.input import drop_repeated_moves
from ui.screen.pages.notice import Notice
from ui.screen.pages.zones import (
    MIN_ZONE_SIDE,
    LiveImage,
    ZoneArea,
    ZoneDetection,
    ZonePart,
    ZonesAnswer,
    ZonesPage,
    drag_zone,
    handle_centres,
    start_drag,
    zone_on_screen,
)
from ui.screen.pages.zones import ZoneEditor as View_
from ui.screen.pages.zones_picture import NO_CAMERA_IMAGE
from ui.screen.views import Answer, ImageGrip, InteractiveView, Reply, View
from vision.zones import Zone, ZoneError, default_zones

__all__ = ["run_in_window"]
HD = (1280, 720)
ASPECT = 16 / 9
TWO: tuple[ZoneArea, ...] = ((0.05, 0.2, 0.3, 0.5), (0.6, 0.2, 0.3, 0.5))
SHOT = LiveImage(table_image(2))
GRAB = ImageGrip(100, 50, 640, 360, 52)
part = st.floats(0, 1)
by = st.floats(-2, 2)


def check(zones: Sequence[ZoneArea]) -> str | None:
    return zones_error(zones, HD)


def view(zones: tuple[ZoneArea, ...] = TWO, said: str = "") -> View_:
    return View_(zones, lambda: SHOT, check, default_zones(len(zones)), ASPECT, ("Ada", "Ben"), said)


def page(zones: tuple[ZoneArea, ...] = TWO, seat: int = 1) -> ZonesPage:
    return replace(view(zones).first_page(), seat=seat, image=SHOT)


zone = st.tuples(part, part, part, part).map(
    lambda s: (
        s[0] * (1 - MIN_ZONE_SIDE),
        s[1] * (1 - MIN_ZONE_SIDE * ASPECT),
        MIN_ZONE_SIDE + s[2] * (1 - MIN_ZONE_SIDE - s[0] * (1 - MIN_ZONE_SIDE)),
        MIN_ZONE_SIDE * ASPECT + s[3] * (1 - MIN_ZONE_SIDE * ASPECT - s[1] * (1 - MIN_ZONE_SIDE * ASPECT)),
    )
)


@given(zone, st.sampled_from(["all", *handle_centres((0, 0, 1, 1), GRAB)]), by, by)
def test_a_dragged_zone_stays_in_the_picture_and_large_enough(
    zone: ZoneArea, what: ZonePart, dx: float, dy: float
) -> None:
    x, y, w, h = after = drag_zone(zone, what, dx, dy, ASPECT)
    edge = 1 + 1e-9
    assert x >= 0 and y >= 0 and x + w <= edge and y + h <= edge
    assert w >= MIN_ZONE_SIDE - 1e-9 and h >= MIN_ZONE_SIDE * ASPECT - 1e-9
    if what == "all":
        assert (w, h) == zone[2:]
    else:  # the opposite corner stays
        fixed_x = (zone[0] + zone[2], x + w) if "left" in what else (zone[0], x)
        fixed_y = (zone[1] + zone[3], y + h) if "upper" in what else (zone[1], y)
        assert fixed_x[0] == pytest.approx(fixed_x[1]) and fixed_y[0] == pytest.approx(fixed_y[1])
    assert drag_zone(after, what, 0, 0, ASPECT) == pytest.approx(after)


@given(
    zone, st.sampled_from(["all", *handle_centres((0, 0, 1, 1), GRAB)]), st.floats(-0.05, 0.05), st.floats(-0.05, 0.05)
)
def test_a_small_drag_inside_the_picture_moves_just_that(zone: ZoneArea, what: ZonePart, dx: float, dy: float) -> None:
    x, y, w, h = zone
    if not (x >= 0.05 and y >= 0.05 and x + w <= 0.95 and y + h <= 0.95 and w >= MIN_ZONE_SIDE + 0.05 and h >= 0.3):
        return
    if what == "all":
        wanted = (x + dx, y + dy, w, h)
    else:
        wanted = (
            x + (dx if "left" in what else 0),
            y + (dy if "upper" in what else 0),
            w + (-dx if "left" in what else dx),
            h + (-dy if "upper" in what else dy),
        )
    assert drag_zone(zone, what, dx, dy, ASPECT) == pytest.approx(wanted)


def test_a_finger_takes_hold_of_corners_and_zones() -> None:
    here = page()
    for what, middle in handle_centres(TWO[0], GRAB).items():
        drag = start_drag(here, GRAB, (middle[0] + 5, middle[1] - 5))
        assert drag is not None and (drag.seat, drag.part) == (1, what)
    left, top, _wide, _high = zone_on_screen(TWO[1], GRAB)
    drag = start_drag(here, GRAB, (left + 3, top + 3))
    assert drag is not None and (drag.seat, drag.part) == (2, "all"), "only the chosen zone has handles"
    assert start_drag(here, GRAB, (GRAB.left + 300, GRAB.top + 10)) is None
    moved = drag.moved_to(here, (left + 3 + 64, top + 3 - 36))
    assert moved.zones == (TWO[0], pytest.approx((0.7, 0.1, 0.3, 0.5)))
    assert moved == replace(here, zones=moved.zones, seat=2)


def test_the_smallest_zone_can_be_moved_and_resized() -> None:
    least: ZoneArea = (0.0, 0.0, MIN_ZONE_SIDE, MIN_ZONE_SIDE * ASPECT)
    here = page((least, TWO[1]))
    left, top, wide, high = zone_on_screen(least, GRAB)
    middle = start_drag(here, GRAB, (left + wide / 2, top + high / 2))
    assert middle is not None and middle.part == "all"
    corner = start_drag(here, GRAB, (left + wide + 5, top + high + 5))
    assert corner is not None and corner.part == "lower right"


def test_under_the_chosen_zone_lies_another() -> None:
    over: tuple[ZoneArea, ...] = ((0.1, 0.1, 0.6, 0.6), (0.2, 0.2, 0.3, 0.4))
    spot = (GRAB.left + 0.35 * GRAB.width, GRAB.top + 0.4 * GRAB.height)
    for seat in (1, 2):
        drag = start_drag(page(over, seat), GRAB, spot)
        assert drag is not None and drag.seat == seat


@given(st.integers(2, 8))
def test_numbers_go_round_and_zones_spread(seats: int) -> None:
    zones = default_zones(seats)
    here = replace(replace(view(), zones=zones).first_page(), seat=1)
    turned = here.renumber_seats()
    assert turned.zones[1:] == zones[:-1] and turned.zones[0] == zones[-1] and turned.seat == 2
    for _ in range(seats - 1):
        turned = turned.renumber_seats()
    assert (turned.zones, turned.seat) == (zones, 1)
    spread = next(target.press for target in drawn(here).targets if target.label == "Spread evenly")
    assert isinstance(spread, ZonesPage) and spread.zones == here.view.even_zones


def wish(canvas: Canvas, name: str) -> ZonesAnswer | None:
    replies = [target.press.value for target in canvas.targets if isinstance(target.press, Reply)]
    return next((value for value in replies if isinstance(value, ZonesAnswer) and value.action == name), None)


@pytest.mark.parametrize("size", [(800, 480), (720, 1280), (1280, 720)])
def test_done_is_refused_in_words_while_zones_overlap(size: tuple[int, int]) -> None:
    fine = drawn(page(), size)
    assert wish(fine, "done") == ZonesAnswer("done", TWO)
    overlap = page().move_zone(2, (0.2, 0.2, 0.3, 0.5))
    refused = drawn(overlap, size)
    assert wish(refused, "done") is None
    assert "The zones of seats 1 and 2 overlap: a hand there would count for both" in [t.text for t in refused.texts]
    assert wish(refused, "leave") == ZonesAnswer("leave", TWO), "as it was, not as it is"
    grab = grab_of(overlap, size)
    assert grab.handle_side >= refused.theme.touch_size
    assert grab.width / grab.height == pytest.approx(ASPECT, rel=0.01), "all of the picture, and nothing but it"


@pytest.mark.parametrize("aspect", [4 / 3, 9 / 16, 1.0, 2.4])
def test_a_picture_of_any_shape_is_shown_whole(aspect: float) -> None:
    shown = replace(page(), view=replace(view(), aspect_ratio=aspect))
    for size in ((800, 480), (720, 1280)):
        grab = grab_of(shown, size)
        assert grab.width / grab.height == pytest.approx(aspect, rel=0.02)


def test_where_the_camera_gives_no_picture_that_is_said() -> None:
    texts = [text.text for text in drawn(replace(page(), image=None)).texts]
    assert str(NO_CAMERA_IMAGE) in texts


# -------- in the window


def grab_of(shown: ZonesPage, size: tuple[int, int] = SIZE) -> ImageGrip:
    return next(target.grip for target in drawn(shown, size).targets if target.grip is not None)


def spot(shown: ZonesPage, x: float, y: float) -> tuple[int, int]:
    grab = grab_of(shown)
    return round(grab.left + x * grab.width), round(grab.top + y * grab.height)


def done_at(shown: ZonesPage) -> tuple[int, int]:
    return next(
        target.rect.center
        for target in drawn(shown).targets
        if isinstance(target.press, Reply)
        and isinstance(target.press.value, ZonesAnswer)
        and target.press.value.action == "done"
    )


def slid(shown: ZonesPage, start: tuple[int, int], end: tuple[int, int]) -> ZonesPage:
    """The page after a finger slid from ``start`` to ``end``."""
    drag = start_drag(shown, grab_of(shown), start)
    assert drag is not None
    return drag.moved_to(shown, end)


def test_fingers_drag_two_zones_at_once_and_done_keeps_them(run_in_window: RunInWindow) -> None:
    first, second = spot(page(), 0.2, 0.45), spot(page(), 0.75, 0.45)
    to_first, to_second = (first[0] + 40, first[1] + 60), (second[0] + 30, second[1] - 50)
    after = slid(slid(page(), first, to_first), second, to_second)

    def part(hand: WindowUser) -> None:
        hand.wait_for(page())
        hand.post_finger(first, pygame.FINGERDOWN, 1)
        hand.post_finger(second, pygame.FINGERDOWN, 2)
        for share in (0.3, 0.7, 1.0):
            for finger, start, end in ((1, first, to_first), (2, second, to_second)):
                at = tuple(a + (b - a) * share for a, b in zip(start, end, strict=True))
                hand.post_finger((at[0], at[1]), pygame.FINGERMOTION, finger)
        hand.post_finger(to_first, pygame.FINGERUP, 1)
        hand.post_finger(to_second, pygame.FINGERUP, 2)
        hand.post_finger((5, 5), pygame.FINGERMOTION, 1)  # lifted: drags nothing any more
        hand.wait_for(after)
        hand.tap(done_at(after))

    answer = run_in_window(lambda display: display.ask(view()), part)
    assert answer == ZonesAnswer("done", after.zones)


def test_a_corner_is_dragged_by_mouse_and_touch(run_in_window: RunInWindow) -> None:
    x, y, w, h = TWO[0]
    corner = spot(page(), x + w, y + h)
    end = (corner[0] + 50, corner[1] + 20)
    after = slid(page(), corner, end)
    assert after.zones[0][2:] > TWO[0][2:]

    def part(hand: WindowUser) -> None:
        hand.wait_for(page())
        hand.post_mouse(corner, pygame.MOUSEBUTTONDOWN)
        pygame.event.post(
            pygame.event.Event(pygame.MOUSEMOTION, {"pos": (0, 0), "rel": (0, 0), "buttons": (1, 0, 0), "touch": True})
        )
        pygame.event.post(
            pygame.event.Event(pygame.MOUSEMOTION, {"pos": end, "rel": (0, 0), "buttons": (1, 0, 0), "touch": False})
        )
        hand.post_mouse(end, pygame.MOUSEBUTTONUP)
        hand.wait_for(after)
        hand.tap(done_at(after))

    assert run_in_window(lambda display: display.ask(view()), part) == ZonesAnswer("done", after.zones)


def test_the_live_picture_goes_on_while_people_drag_nothing(run_in_window: RunInWindow) -> None:
    shots = [LiveImage(table_image(2)), LiveImage(table_image(3)), LiveImage(table_image(4))]
    now = [shots[0]]
    live = replace(view(), latest_image=lambda: now[0])

    def part(hand: WindowUser) -> None:
        for shot in shots:
            now[0] = shot
            hand.wait_for(replace(page(), image=shot, view=live))
        hand.tap(done_at(page()))

    assert run_in_window(lambda display: display.ask(live), part) == ZonesAnswer("done", TWO)


def test_the_count_over_the_live_picture_goes_on_too(run_in_window: RunInWindow) -> None:
    shots = [LiveImage(table_image(2)), LiveImage(table_image(3))]
    now, seen = [shots[0]], threading.Event()
    held = ZoneDetection("Hold out your hands", lambda: now[0], seconds_left=3)

    def play(display: Display) -> bool:
        display.show(held)
        return seen.wait(LIMIT_S)

    def part(hand: WindowUser) -> None:
        for shot in shots:
            now[0] = shot
            hand.wait_for(replace(held, image=shot))
        seen.set()

    assert run_in_window(play, part) is True


def test_movements_that_others_follow_are_left_out() -> None:
    def event(kind: int, finger: int, x: float) -> pygame.event.Event:
        return pygame.event.Event(kind, {"finger_id": finger, "x": x})

    down, up = event(pygame.FINGERDOWN, 1, 0.1), event(pygame.FINGERUP, 1, 0.9)
    moves = [event(pygame.FINGERMOTION, 1, x / 10) for x in range(2, 9)]
    other = event(pygame.FINGERMOTION, 2, 0.5)
    assert drop_repeated_moves([down, *moves, up]) == [down, moves[-1], up]
    assert drop_repeated_moves([down, moves[0], other, moves[1], up]) == [down, moves[0], other, moves[1], up]
    assert drop_repeated_moves([down, up, down, up]) == [down, up, down, up]


# -------- the way through it


class Eye:
    """A camera whose every image is grey, until it is unplugged."""

    size, fps, dropped = HD, 30.0, 0

    def __init__(self) -> None:
        self.there = True

    def latest(self) -> Frame:
        if not self.there:
            raise CameraError("camera usb:0 has stopped sending images")
        return BgrFrame(0, 0, 0, HD, np.full((720, 1280, 3), 90, np.uint8))

    def start(self) -> None:
        pass

    stop = lock_exposure = unlock_exposure = start

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        return [self.latest()]


class People:
    """A screen whose people answer one thing after the other, and a notice with its last choice; it keeps what it
    showed."""

    def __init__(self, *answers: Callable[[View_], Answer]) -> None:
        self._answers: Iterator[Callable[[View_], Answer]] = iter(answers)
        self.asked: list[View_] = []
        self.shown: list[View] = []
        self.notices: list[str] = []
        self.notice_answer = ""
        self.notice_answers: list[str] = []

    def show(self, view: View) -> None:
        self.shown.append(view)

    def ask(self, view: InteractiveView) -> Answer:
        if isinstance(view, Notice):
            self.notices.append(view.text)
            assert view.choices[-1] == "back" or len(view.choices) == 1
            if self.notice_answers:
                return self.notice_answers.pop(0)
            return self.notice_answer or [choice for choice in view.choices if choice != "back"][-1]
        assert isinstance(view, View_)
        self.asked.append(view)
        return next(self._answers)(view)


def wishes(name: str, zones: tuple[ZoneArea, ...] | None = None) -> Callable[[View_], Answer]:
    return lambda view: ZonesAnswer(name, zones or view.zones)  # type: ignore[arg-type]  # one of the three


def test_hands_are_counted_in_looked_at_and_shown_for_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    found = default_zones(2)[::-1]
    monkeypatch.setattr(zone_setup, "find_zones_from_hands", lambda *args: found)
    people, clock = People(wishes("hands"), wishes("done")), SimulatedClock()
    assert set_up_zones(people, Eye(), clock, [Zone(*one) for one in TWO], ("Ada", "Ben")) == found
    assert [one.seconds_left for one in people.shown if isinstance(one, ZoneDetection)] == [3, 2, 1, None]
    assert people.asked[0].zones == TWO and people.asked[0].player_names == ("Ada", "Ben")
    assert people.asked[1].zones == found
    assert people.asked[1].message == "2 hands were found. Are their zones right?"
    assert clock.now_ns() == 3_000_000_000


def test_hands_that_are_not_found_are_said_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*args: object) -> tuple[Zone, ...]:
        raise ZoneError("only 1 hand was found for 2 seats: hold them out")

    monkeypatch.setattr(zone_setup, "find_zones_from_hands", none)
    mine = (TWO[1], TWO[0])
    people = People(wishes("hands", mine), wishes("leave"))
    assert set_up_zones(people, Eye(), SimulatedClock(), [Zone(*one) for one in TWO]) is None
    assert people.asked[1].zones == mine
    assert people.asked[1].message == "only 1 hand was found for 2 seats: hold them out."


def test_a_camera_that_stops_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zone_setup, "FIRST_FRAME_TIMEOUT_S", 0.0)
    eye = Eye()
    eye.there = False
    with pytest.raises(CameraError, match="stopped"):
        set_up_zones(People(wishes("done")), eye, SimulatedClock(), default_zones(2))


def test_live_pictures_are_small_and_end_with_the_camera() -> None:
    eye = Eye()
    with LivePreview(eye) as live:
        shot = live.latest()
        assert shot is not None and shot.pixels.shape == (360, 640, 3)
        live.check()


def test_a_first_frame_that_is_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class LateEye(Eye):
        looks = 0

        def latest(self) -> Frame:
            self.looks += 1
            self.there = self.looks > 2
            return super().latest()

    monkeypatch.setattr(zone_setup, "FIRST_FRAME_TIMEOUT_S", LIMIT_S)
    with LivePreview(LateEye()) as live:
        assert live.latest() is not None
        live.check()


def test_the_page_comes_up_before_the_first_match_only(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    clock, eye = SimulatedClock(), Eye()
    evenly = TableZones(default_zones(2), ZoneSource.DEFAULT, "zones.toml can’t be read")
    people = People(wishes("done", TWO))
    assert zones_for_match(people, eye, "usb:0", clock, evenly, ("Ada", "Ben")) == tuple(Zone(*one) for one in TWO)
    assert people.asked[0].message == "zones.toml can’t be read"
    assert ZoneStore().read("usb:0", 2, HD) == TWO
    nobody = People()
    kept = TableZones(tuple(Zone(*one) for one in TWO), ZoneSource.SAVED)
    assert zones_for_match(nobody, eye, "usb:0", clock, kept, ()) == TWO
    assert zones_for_match(People(wishes("leave")), eye, "usb:1", clock, evenly, ()) == default_zones(2)
    assert ZoneStore().read("usb:1", 2, HD) is None


def test_zones_set_up_from_home_are_kept(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    opened = list[str]()

    def open_camera(name: str, clock: Clock, seats: int, seed: int) -> Eye:
        opened.append(name)
        return Eye()

    monkeypatch.setattr(zone_setup, "open_camera", open_camera)
    people = People(wishes("done"))
    set_up_from_home(people, "usb:2", 0)
    assert (opened, people.notices) == (["usb:2"], ["How many will sit at the table?"])
    assert people.asked[0].zones == default_zones(8)
    assert ZoneStore().read("usb:2", 8, HD) == default_zones(8)
    people = People()
    people.notice_answer = "back"
    set_up_from_home(people, "usb:3", 0)
    assert opened == ["usb:2"] and not people.asked, "there is a way back"


def test_missing_camera_is_said_from_home_and_can_be_tried_again() -> None:
    people = People()
    people.notice_answers = ["2", "try again", "back"]
    set_up_from_home(people, "webcam", 0)
    assert [text.startswith("No camera is called 'webcam'") for text in people.notices] == [False, True, True]


@pytest.mark.parametrize(
    ("zones", "said"),
    [
        (TWO, None),
        (((0, 0, 0.6, 1), (0.5, 0, 0.5, 1)), "overlap"),
        (((0, 0, 1.2, 1), (0.5, 0, 0.5, 1)), "not inside the frame"),
        (((0, 0, 0.01, 1), (0.5, 0, 0.5, 1)), "too small"),
    ],
)
def test_what_is_wrong_with_zones_is_said(zones: tuple[ZoneArea, ...], said: str | None) -> None:
    told = zones_error(zones, HD)
    assert told is None if said is None else told is not None and said in told
