"""Filming by touch at a simulated table: consent, agreed throws, marks and the report; stopped, gone on with, deleted;
a full disk and a lost camera."""

import csv
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera import clip
from device.camera.base import CameraError
from device.camera.clip import read_clip, write_clip
from device.camera.frames import BgrFrame, Frame, Size
from device.camera.picamera import Picamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers import fake_picamera2 as library
from tests.helpers.scripted_display import touch_labels
from throwlock import film_runner
from throwlock.cli.main import run_command
from throwlock.film_runner import film_from_home, run_filming
from throwlock.filming import folder as folder_module
from throwlock.filming.folder import (
    Consent,
    FilmingError,
    FilmingFolder,
    Label,
    Licence,
    SeatConsent,
    Take,
    newest_folder,
)
from throwlock.filming.measurement import CUE_NS, Report, compare_take, compose_take, measure, readme_text, report_page
from throwlock.filming.schedule import AgreedThrow, Hand, SimulatedActors, plan_takes
from throwlock.filming.session import FilmingSession, FilmingTable
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match.pause import PausableDisplay
from throwlock.tables.camera_table import CameraTable
from tools.trials.real import make_trials, read_throws
from ui.i18n.language import set_language
from ui.screen.core.display import PauseRequestedError, WindowClosedError
from ui.screen.core.png_display import PANEL_SIZES
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.filming import (
    BACK,
    FILM_ANSWER,
    NOTHING_MARKED,
    NOTHING_SENT,
    STOP_ANSWER,
    AgreementPage,
    ConsentAnswer,
    ConsentView,
    FilmingMenu,
    FilmingReport,
    FilmingStep,
    TakePage,
    consent_text,
)
from ui.screen.pages.labelling import HandToLabel, LabelAnswer, LabelPage, Mark
from ui.screen.pages.notice import Notice
from ui.screen.views import Reply, View
from vision.lock.inference import TimeEstimate
from vision.lock.judge import Judge
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict
from vision.zones import Zone

MS, S = 1_000_000, 1_000_000_000
SMALL: Size = (320, 180)
CONSENT = Consent(
    text="You are filmed.",
    language="en",
    licence=Licence.CC0,
    table_seats=2,
    seats={1: SeatConsent(by="player", at="2026-11-23T18:00:00+00:00")},
)
TAKES = """{{"takes": {{"1": {{"number": 1, "beat_ms": 600, "exposed_ms": [{exposed}], "hands": {{}}}}}}}}"""


@dataclass
class Person:
    """A display before which somebody touches the targets with these labels, and answers other pages by ``answers``."""

    touches: list[str] = field(default_factory=list)
    size: Size = PANEL_SIZES[0]
    answers: dict[type[View], Callable[[Any], Any]] = field(default_factory=dict)
    seen: list[Any] = field(default_factory=list)
    on_show: Callable[[Any], None] = lambda view: None

    def show(self, view: Any) -> None:
        self.seen.append(view)
        self.on_show(view)

    def ask(self, view: Any) -> Any:
        self.seen.append(view)
        if type(view) in self.answers:
            return self.answers[type(view)](view)
        return touch_labels(view, self.touches, self.size)

    def of(self, kind: type[Any]) -> list[Any]:
        return [view for view in self.seen if isinstance(view, kind)]


@dataclass
class Box:
    """A session at a small simulated table. ``camera`` is the one that is open."""

    root: Path
    person: Person
    clock: SimulatedClock = field(default_factory=SimulatedClock)
    camera: SimulatedTable | None = None
    opened: int = 0
    judge: Callable[[int], Any] = Judge

    def run(self) -> None:
        self.display = PausableDisplay(self.person)
        session = FilmingSession(self.display, self.clock, self.root, "simulated", self.open_table, self.judge)
        try:
            session.run()
        except WindowClosedError:
            assert self.person.touches == []

    @contextmanager
    def open_table(self, seats: int) -> Iterator[FilmingTable]:
        self.opened += 1
        self.camera = camera = SimulatedTable(self.clock, 2, 3, size=SMALL, fps=30)
        camera.start()
        actors = SimulatedActors(camera)
        yield FilmingTable(
            CameraTable(
                camera=camera,
                zones=tuple(Zone(*zone) for zone in camera.zones)[:seats],
                display=self.display,
                clock=self.clock,
                house_rules=HouseRules(),
                listener=actors,
            ),
            actors,
        )
        camera.stop()


AGREE = [
    "Agree",
    "2",
    "Go on",
    "Everybody",
    "Player 1",
    "I agree",
    "Player 2",
    "I’m under age: my guardian agrees",
    "Go on",
]


@pytest.mark.parametrize("size", PANEL_SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_throw_is_filmed_and_marked_by_touch(tmp_path: Path, size: Size) -> None:
    marks = [
        "One frame on",
        "Begins to form",
        "Five frames on",
        "Complete",
        "Undo",
        "Complete",
        "Five frames on",
        "Held until",
    ]
    person = Person([*AGREE, "Film it", "Stop for now", "Mark", "Not sure", *marks, "Next hand", "Done"], size)
    box = Box(tmp_path / "films", person)
    box.run()
    folder = newest_folder(box.root)
    assert folder is not None and not person.touches
    assert [(seat, one.by) for seat, one in folder.consent.seats.items()] == [(1, "player"), (2, "guardian")]
    assert folder.consent.licence == Licence.CC0 and str(NOTHING_SENT) in folder.consent.text
    assert "publicdomain/zero" in (folder.path / "LICENSE").read_text()
    (take,) = folder.takes
    assert take.hands[1].label == Label(kind="unsure")
    first = take.frame_at(-150.0)
    second = take.hands[2].label
    assert second == Label(kind="throw", throw=Throw.PAPER, onset=first + 1, settled=first + 6, held_until=first + 11)
    rows = list(csv.DictReader((folder.path / "labels.csv").open()))
    names = ("kind", "label", "onset_frame", "settled_frame", "held_until_frame", "seat", "hand", "licence")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("unsure", "none", "", "", "", "1", "right", "CC0-1.0"),
        ("throw", "paper", str(first + 1), str(first + 6), str(first + 11), "2", "right", "CC0-1.0"),
    ]
    assert {row["cue_frame"] for row in rows} == {str(take.frame_at(0))}
    for seat, hand in take.hands.items():
        frames = read_clip(folder.clip(hand)).frames
        assert len(frames) == len(take.exposed_ms)
        assert box.camera is not None
        assert frames[0].size == Zone(*box.camera.zones[seat - 1]).box(SMALL).size_within(480), "only the zone is kept"
    assert min(take.exposed_ms) == pytest.approx(-1500, abs=40) and max(take.exposed_ms) == pytest.approx(1500, abs=40)


def test_who_does_not_agree_is_not_filmed(tmp_path: Path) -> None:
    no = [
        *AGREE[:4],
        "Player 1",
        "No, don’t film me",
        "Player 2",
        "I agree",
        "Go on",
        "Film it",
        "Stop for now",
        "Done",
    ]
    box = Box(tmp_path, Person(no))
    box.run()
    folder = newest_folder(tmp_path)
    assert folder is not None and set(folder.consent.seats) == {2}
    assert [set(take.hands) for take in folder.takes] == [{2}]
    assert [path.name for path in folder.path.glob("*.avi")] == ["take-01-1-seat-2.avi"]
    assert {player.seat for view in box.person.of(Countdown) for player in view.players} == {2}


@given(st.dictionaries(st.integers(1, 3), st.sampled_from(["player", "guardian", None])))
def test_nobody_is_filmed_before_all_have_answered_and_one_agrees(answers: dict[int, Any]) -> None:
    page = AgreementPage(ConsentView(3, "here"), False, answers)
    reply = page.finish()
    if len(answers) < 3 or not any(answers.values()):
        assert reply is None
    else:
        assert reply is not None and isinstance(reply.value, ConsentAnswer)
        assert dict(reply.value.seats) == {seat: one for seat, one in answers.items() if one is not None}


def test_going_back_from_consent_keeps_nothing(tmp_path: Path) -> None:
    box = Box(tmp_path / "films", Person(["Agree", "2", "Go on", "Back", "Back", "Agree", "Back", "Done"]))
    box.run()
    assert not box.root.exists() and box.opened == 0


def test_a_step_is_open_once_there_is_something_to_do(tmp_path: Path) -> None:
    box = Box(tmp_path, Person([*AGREE, "Stop for now", "Done"]))
    box.run()
    nothing, begun = box.person.of(FilmingMenu)
    assert [step for step in FilmingStep if nothing.is_open(step)] == [FilmingStep.AGREE]
    assert [step for step in FilmingStep if begun.is_open(step)] == [FilmingStep.FILM]
    assert begun.next_step is FilmingStep.FILM


@pytest.mark.slow
def test_filming_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    Box(tmp_path, Person([*AGREE, "Film it", "Film it", "Stop for now", "Done"])).run()
    later = Box(
        tmp_path, Person(["Film", "Film it", "Film the last one again", "Film it", "Skip", "Stop for now", "Done"])
    )
    later.run()
    assert [view.number for view in later.person.of(TakePage)] == [3, 4, 3, 4, 5]
    folder = newest_folder(tmp_path)
    assert folder is not None and [take.number for take in folder.takes] == [1, 2, 3]
    assert sorted(path.name for path in folder.path.glob("take-03*")) == [
        "take-03-2-seat-1.avi",
        "take-03-2-seat-2.avi",
    ]


def test_the_last_throw_can_be_filmed_again_before_marking(tmp_path: Path) -> None:
    alone = ["Agree", "1", "Go on", "Only Throwlock", "Player 1", "I agree", "Go on"]
    skips = ["Skip"] * (len(plan_takes([1])) - 1)
    person = Person([*alone, *skips, "Film it", "Film the last one again", "Film it", "Go on", "Done"])
    Box(tmp_path, person).run()
    folder = newest_folder(tmp_path)
    assert folder is not None and [path.name for path in folder.path.glob("*.avi")] == ["take-06-2-seat-1.avi"]
    assert "not to be published" in folder.consent.text and folder.consent.licence == Licence.PROJECT
    assert "may not be published" in (folder.path / "LICENSE").read_text()


def test_a_report_on_nothing_says_so(tmp_path: Path) -> None:
    folder, _ = small_folder(tmp_path, {1: PAPER})
    folder.set_label(1, 1, Label(kind="unsure"))
    report = measure(folder, lambda *_: pytest.fail("judged"), 150)  # type: ignore[arg-type]
    page = report_page(folder, report)
    assert page.note == str(NOTHING_MARKED)
    assert {(answer, good) for _, answer, good in page.rows} == {("–", None)}
    assert "| Read as you marked it | – |" in readme_text(folder, report)


def test_consent_is_kept_in_the_language_in_which_it_was_read() -> None:
    set_language("de")
    text = consent_text("/da", public=True)
    set_language("en")
    assert "Nichts wird gesendet." in text and "/da" in text and "Gemeinfrei (CC0)" in text and "sent" not in text


def test_everything_is_deleted_after_a_second_question(tmp_path: Path) -> None:
    other = tmp_path / "not ours"
    other.mkdir()
    Box(tmp_path, Person([*AGREE, "Film it", "Stop for now", "Delete everything", "Keep it", "Done"])).run()
    assert newest_folder(tmp_path) is not None
    Box(tmp_path, Person(["Delete everything", "Delete", "Done"])).run()
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.parametrize("takes", ["{", TAKES.format(exposed=""), TAKES.format(exposed="0.1, NaN")])
def test_records_that_cannot_be_read_can_be_deleted(tmp_path: Path, takes: str) -> None:
    path = FilmingFolder.create(tmp_path, "2026-11-23", "usb:0", CONSENT).path
    (path / "takes.json").write_text(takes)
    person = Person(["Back"])
    Box(tmp_path, person).run()
    assert "takes.json can’t be read" in person.of(Notice)[0].text and path.exists()
    Box(tmp_path, Person(["Delete everything", "Delete", "Done"])).run()
    assert not path.exists()


def test_a_full_disk_keeps_what_was_filmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(tmp_path, Person([*AGREE, "Film it", "Film it", "Stop for now", "Done"]))
    written: list[Path] = []

    def write(path: Path, images: Any, fps: float) -> None:
        written.append(path)
        if len(written) > 3:  # the second hand of the second throw
            raise OSError(28, "No space left on device", str(path))
        write_clip(path, images, fps)

    monkeypatch.setattr(folder_module, "write_clip", write)
    box.run()
    last = box.person.of(TakePage)[-1]
    assert last.number == 2 and last.has_error and "is full: free some space, then go on" in last.message
    folder = newest_folder(tmp_path)
    assert folder is not None and [take.number for take in folder.takes] == [1]
    assert len(list(folder.path.glob("*.avi"))) == 2


def test_no_throw_is_begun_without_room_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MIN_FREE_BYTES", 1 << 62)
    box = Box(tmp_path, Person([*AGREE, "Film it", "Stop for now", "Done"]))
    box.run()
    assert "is full" in box.person.of(TakePage)[-1].message and box.person.of(Countdown) == []


def test_a_camera_lost_in_the_count_loses_only_that_throw(tmp_path: Path) -> None:
    person = Person([*AGREE, "Film it", "Film it", "Film it", "Stop for now", "Done"])
    box = Box(tmp_path, person)
    lost: list[bool] = []

    def lose(view: Any) -> None:
        if isinstance(view, Countdown) and view.beat == 1 and view.title.startswith("Throw 2") and not lost:
            lost.append(True)
            assert box.camera is not None
            box.camera.stop()

    person.on_show = lose
    box.run()
    pages = person.of(TakePage)
    assert [page.number for page in pages] == [1, 2, 2, 3]
    assert pages[2].has_error and "film it again" in pages[2].message, "the camera was started again"
    folder = newest_folder(tmp_path)
    assert folder is not None and [take.number for take in folder.takes] == [1, 2]


def test_a_missing_camera_is_told_on_the_first_page(tmp_path: Path) -> None:
    person = Person([*AGREE, "Done"])
    box = Box(tmp_path, person)

    @contextmanager
    def no_camera(seats: int) -> Iterator[FilmingTable]:
        raise CameraError("no camera usb:0: plug one in")
        yield

    box.open_table = no_camera
    box.run()
    assert person.of(FilmingMenu)[-1].note == "No camera usb:0: plug one in"


def test_a_pause_in_the_count_films_nothing(tmp_path: Path) -> None:
    person = Person([*AGREE, "Film it", "Go on", "Film it", "Stop filming", "Done"])

    def pause(view: Any) -> None:
        if isinstance(view, Countdown) and view.beat == 0:
            raise PauseRequestedError

    person.on_show = pause
    Box(tmp_path, person).run()
    assert person.touches == []
    folder = newest_folder(tmp_path)
    assert folder is not None and folder.takes == ()


@pytest.mark.slow
def test_the_report_compares_marks_with_what_the_box_reads(tmp_path: Path) -> None:
    """Marks where the simulated hands truly open: the box reads them right, on time and late."""
    takes = plan_takes([1, 2])
    number = len(takes)
    assert takes[-1][2].late
    skips = ["Skip"] * (number - 2)

    def mark(view: HandToLabel) -> LabelAnswer:
        late, seat = view.title.startswith(f"Throw {number} ") and view.seat == 2, view.seat
        shown_ms = 20 + 10 * (seat - 1) + (600 if late else 0)
        at = min(range(len(view.times_ms)), key=lambda frame: abs(view.times_ms[frame] - shown_ms))
        spread = 0 if view.throw is Throw.ROCK else 1
        marks = {Mark.ONSET: at - spread, Mark.SETTLED: at + spread, Mark.HELD: len(view.times_ms) - 3}
        return LabelAnswer("marked", view.throw, marks)

    person = Person(
        [*AGREE, "Film it", *skips, "Film it", "Go on", "Mark", "Compare", "Done", "Done"], answers={HandToLabel: mark}
    )
    Box(tmp_path, person).run()
    folder = newest_folder(tmp_path)
    assert folder is not None and person.touches == []
    report = Report.model_validate_json((folder.path / "report.json").read_text())
    assert (report.read_right.count, report.read_right.total) == (4, 4)
    assert (report.accused.count, report.accused.total) == (0, 3)
    assert (report.caught.count, report.caught.total) == (1, 1)
    assert max(report.errors_ms) < 2 * report.frame_ms and len(report.difference_errors_ms) == 2
    (page,) = person.of(FilmingReport)
    assert page.rows[0][1:] == ("4 of 4", True)
    assert "| Read as you marked it | 4 of 4 |" in (folder.path / "README.md").read_text()
    throws = read_throws(folder.path)
    assert {throw.throw for throw in throws.values()} == {Throw.ROCK, Throw.PAPER, Throw.SCISSORS} - (
        set(Throw) - {one.throw for take in (takes[0], takes[number - 1]) for one in take.values()}
    )
    assert make_trials(throws), "tools.trials.real takes the folder"
    folder.set_label(1, 1, None)
    assert not folder.has_report, "a report that no longer fits the marks is gone"


def test_a_simulated_filming_runs_from_the_settings(tmp_path: Path) -> None:
    person = Person(["Done"])
    film_from_home(LaunchOptions(tmp_path / "a.journal", "simulated"), person, 1)
    assert [type(view) for view in person.seen] == [FilmingMenu]
    refused = Person(["Go on"])
    film_from_home(LaunchOptions(tmp_path / "a.journal", "clip:throw.mp4"), refused, 1)
    assert "a clip can’t be filmed" in refused.of(Notice)[0].text.replace("A clip", "a clip")


def test_the_runner_opens_a_simulated_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person([*AGREE, "Stop for now", "Done"])
    run_filming(LaunchOptions(tmp_path / "a.journal", "simulated"), person, SimulatedClock(), tmp_path / "films")
    assert person.touches == [] and newest_folder(tmp_path / "films") is not None


class ExposingClock(SimulatedClock):
    """A clock with which the fake picamera2 exposes 60 frames a second."""

    def wait_until(self, when_ns: int) -> None:
        while self.now_ns() + S // 60 <= when_ns:
            super().wait_until(self.now_ns() + S // 60)
            for camera in library.Picamera2.instances[-1:]:
                camera.expose(self.now_ns())
        super().wait_until(when_ns)


def test_a_pi_camera_s_zones_are_filmed_with_its_exposure_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fake camera's image is red, green and blue in thirds: the first seat has no blue, the other no red."""
    clock = ExposingClock(S)
    monkeypatch.setattr(library.Picamera2, "now_ns", staticmethod(clock.now_ns))
    monkeypatch.setattr(library.Picamera2, "instances", [])
    camera = Picamera(0, clock, (320, 180), import_library=lambda: library)
    monkeypatch.setattr(film_runner, "open_camera", lambda name, clock, seats, seed: camera)
    person = Person([*AGREE, "Film it", "Stop for now", "Done"])
    locked: list[bool] = []

    def note(view: Any) -> None:
        if isinstance(view, Countdown):
            locked.append(not library.Picamera2.instances[-1].controls["AeEnable"])

    person.on_show = note
    options = LaunchOptions(tmp_path / "a.journal", "picamera2", zones=("0,0,0.5,1", "0.5,0,0.5,1"))
    run_filming(options, person, clock, tmp_path)
    folder = newest_folder(tmp_path)
    assert folder is not None and folder.camera == "picamera2"
    (take,) = folder.takes
    assert take.fps == pytest.approx(60, abs=0.1) and len(take.exposed_ms) >= 180
    left, right = (read_clip(folder.clip(hand)).frames[90].bgr.max(axis=(0, 1)) for hand in take.hands.values())
    assert [bool(side > 120) for side in (left[2], left[0], right[2], right[0])] == [True, False, False, True]
    assert all(locked) and library.Picamera2.instances[-1].controls["AeEnable"] is True


def test_without_a_camera_the_command_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["film", "--camera", "none"]) == 2
    assert "filming needs a camera that sees your hands" in capsys.readouterr().err


# -------- parts


@given(st.lists(st.integers(1, 8), min_size=1, max_size=4, unique=True))
def test_every_seat_throws_everything_with_either_hand(seats: list[int]) -> None:
    takes = plan_takes(seats)
    for seat in seats:
        on_time = {(take[seat].throw, take[seat].hand) for take in takes if not any(one.late for one in take.values())}
        assert on_time == {(throw, hand) for throw in Throw for hand in Hand}
    late = [one for take in takes for one in take.values() if one.late]
    assert len(late) == (2 if len(seats) > 1 else 0) and all(one.throw is not Throw.ROCK for one in late)
    assert all(sum(one.late for one in take.values()) <= 1 for take in takes)


def label_page(throw: Throw | None = Throw.PAPER, frames: int = 40) -> LabelPage:
    times = tuple(number * 33.0 for number in range(frames))
    return HandToLabel("Throw 1", 1, times, lambda frame: np.zeros((9, 9, 3), np.uint8), throw, 10).first_page()


@given(st.lists(st.tuples(st.sampled_from(Mark), st.integers(-9, 60)), max_size=12))
def test_marks_are_always_in_the_order_of_time(steps: list[tuple[Mark, int]]) -> None:
    page = label_page()
    for mark, frame in steps:
        page = page.with_frame(frame).with_mark(mark)
        assert page.marks[mark] == page.frame and 0 <= page.frame < 40
        found = [page.marks[one] for one in Mark if one in page.marks]
        assert found == sorted(found)
        before = page.undo()
        assert isinstance(before, LabelPage) and before.frame == page.frame
    for _ in steps:
        undone = page.undo()
        assert isinstance(undone, LabelPage)
        page = undone
    assert page.marks == {} and page.earlier is None


def test_a_rock_needs_no_opening_and_no_throw_no_marks() -> None:
    rock = label_page(Throw.ROCK)
    assert rock.wanted_marks == (Mark.SETTLED, Mark.HELD)
    done = rock.with_mark(Mark.SETTLED).with_frame(20).with_mark(Mark.HELD).finish()
    assert done is not None and done.value == LabelAnswer("marked", Throw.ROCK, {Mark.SETTLED: 10, Mark.HELD: 20})
    nothing = label_page(Throw.SCISSORS).with_next_throw()
    assert nothing.throw is None and nothing.finish() == Reply(LabelAnswer("marked", None, {}))
    assert nothing.undo().throw is Throw.SCISSORS
    assert label_page().finish() is None


def test_a_clip_plays_at_a_quarter_of_its_speed() -> None:
    page = label_page().play()
    assert page.playing and page.animation_s > 0
    page = page.pass_time(0.14, 0).pass_time(0.13, 0)
    assert page.frame == 12, "0.27 s at a quarter of the speed are two frames of 33 ms"
    page = page.pass_time(60, 0)
    assert page.frame == 39 and not page.playing and page.animation_s == 0
    assert page.play().frame == 0 and label_page().play().with_frame(10).playing is False


def test_a_clip_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    images = [np.full((40, 60, 3), (200, 30 + 8 * number, 10), np.uint8) for number in range(12)]
    path = tmp_path / "a.avi"
    write_clip(path, images, 29.97)
    whole = read_clip(path)
    read = whole.frames
    assert [abs(int(frame.bgr[20, 30, 1]) - (30 + 8 * n)) <= 3 for n, frame in enumerate(read)] == [True] * 12
    assert read[0].bgr[20, 30, 2] > 150 > read[0].bgr[20, 30, 0], "RGB"
    before = path.read_bytes()
    monkeypatch.setattr(cv2.VideoWriter, "write", lambda self, image: None, raising=False)
    monkeypatch.setattr(clip, "read_clip", lambda path: replace(whole, frames=read[:5]))
    with pytest.raises(OSError, match="No space left"):
        write_clip(path, images, 30)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def frame(number: int, exposed_ns: int) -> Frame:
    return BgrFrame(number, exposed_ns, 0, (64, 36), np.zeros((36, 64, 3), np.uint8))


def small_folder(tmp_path: Path, agreed: dict[int, AgreedThrow]) -> tuple[FilmingFolder, Take]:
    folder = FilmingFolder.create(tmp_path, "2026-11-23", "usb:0", CONSENT)
    frames = [frame(n, round(n * 1e9 / 30)) for n in range(30)]
    zones = {1: Zone(0, 0, 0.5, 1), 2: Zone(0.5, 0, 0.5, 0.8)}
    return folder, folder.add_take(1, agreed, zones, frames, 500 * MS, 600)


PAPER, ROCK = AgreedThrow(throw=Throw.PAPER, hand=Hand.RIGHT), AgreedThrow(throw=Throw.ROCK, hand=Hand.LEFT)


def test_a_take_is_composed_with_its_zones_and_its_own_times(tmp_path: Path) -> None:
    folder, take = small_folder(tmp_path, {1: PAPER, 2: ROCK})
    frames, zones = compose_take(folder, take)
    assert [tuple(zone.box(frames[0].size)) for zone in zones] == [(0, 0, 32, 36), (32, 0, 32, 29)]
    assert [one.exposed_ns - CUE_NS for one in frames[:2]] == [-500_000_000, -466_667_000]
    assert (
        take.fps == pytest.approx(30) and take.frame_at(0) == 15 and take.ms_at(15.5) == pytest.approx(16.667, abs=0.01)
    )


def test_the_newest_folder_of_a_day_is_taken(tmp_path: Path) -> None:
    names = [FilmingFolder.create(tmp_path, "2026-11-23", "usb:0", CONSENT).path.name for _ in range(3)]
    assert names == ["2026-11-23", "2026-11-23-2", "2026-11-23-3"]
    newest = newest_folder(tmp_path)
    assert newest is not None and newest.path.name == names[-1] and newest.camera == "usb:0"
    for name in names:
        os.utime(tmp_path / name / "consent.json", (4e9, 4e9))
    after_a_jump = FilmingFolder.create(tmp_path, "1970-01-01", "usb:0", CONSENT)
    assert newest_folder(tmp_path).path == after_a_jump.path


def test_an_unwritable_folder_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FilmingError, match="can’t be written"):
        FilmingFolder.create(tmp_path / "file", "2026-11-23", "usb:0", CONSENT)


def judged(*shown: tuple[Throw | None, float | None, Verdict]) -> Judgement:
    seats = tuple(
        SeatVerdict(
            seat, verdict, throw, throw, None if ms is None else TimeEstimate(CUE_NS + round(ms * MS), 4 * MS),
            Zone(0, 0, 1, 1).box((64, 36)),
        )
        for seat, (throw, ms, verdict) in enumerate(shown, 1)
    )  # fmt: skip
    return Judgement(CUE_NS, CUE_NS, CUE_NS + 150 * MS, 150 * MS, frame(0, CUE_NS), seats)


@pytest.mark.parametrize(
    ("late_by", "verdict", "accused", "caught"),
    [
        (0, Verdict.ON_TIME, (0, 2), (0, 0)),
        (0, Verdict.LATE, (1, 2), (0, 0)),
        (4, Verdict.LATE, (0, 1), (0, 0)),  # 133 ms after the first: neither honest nor surely late
        (7, Verdict.LATE, (0, 1), (1, 1)),
        (7, Verdict.ON_TIME, (0, 1), (0, 1)),
    ],
)
def test_late_and_honest_are_counted_by_the_marks(
    tmp_path: Path, late_by: int, verdict: Verdict, accused: tuple[int, int], caught: tuple[int, int]
) -> None:
    folder, _ = small_folder(tmp_path, {1: ROCK, 2: PAPER})
    folder.set_label(1, 1, Label(kind="throw", throw=Throw.ROCK, onset=15, settled=15, held_until=28))
    at = 15 + late_by
    folder.set_label(1, 2, Label(kind="throw", throw=Throw.PAPER, onset=at - 1, settled=at + 1, held_until=28))
    answer = judged((Throw.ROCK, 4.0, Verdict.ON_TIME), (Throw.PAPER, late_by * 33.333 + 24, verdict))

    report = measure(folder, lambda *_: answer, 150)  # type: ignore[arg-type]

    assert (report.accused.count, report.accused.total) == accused
    assert (report.caught.count, report.caught.total) == caught
    assert report.errors_ms == pytest.approx((4.0, 24.0), abs=0.2)
    assert report.difference_errors_ms == pytest.approx((20.0,), abs=0.2)


def test_misread_undecided_unsure_and_no_throw_are_told_apart(tmp_path: Path) -> None:
    folder, _ = small_folder(tmp_path, {1: ROCK, 2: PAPER})
    wrong = judged((Throw.PAPER, 4.0, Verdict.ON_TIME), (None, None, Verdict.UNCLEAR))
    folder.set_label(1, 1, Label(kind="throw", throw=Throw.ROCK, onset=15, settled=15, held_until=28))
    folder.set_label(1, 2, Label(kind="none"))
    report = measure(folder, lambda *_: wrong, 150)  # type: ignore[arg-type]
    assert (report.read_right.count, report.misread.count, report.read_right.total) == (1, 1, 2)
    assert report.errors_ms == () and report.accused.total == 0, "not every hand of the take is marked"
    folder.set_label(1, 1, Label(kind="unsure"))
    assert [one.seat for one in compare_take(folder.takes[0], wrong)] == [2]


def test_the_consent_record_holds_the_words_and_no_name(tmp_path: Path) -> None:
    path = FilmingFolder.create(tmp_path, "2026-11-23", "usb:0", CONSENT).path
    written = json.loads((path / "consent.json").read_text())
    assert written["text"] == "You are filmed." and set(written["seats"]["1"]) == {"by", "at"}


def answers_of(*replies: Any) -> Callable[[Any], Any]:
    left: Sequence[Any] = list(replies)
    return lambda view: left.pop(0)  # type: ignore[attr-defined]


def test_skipped_hands_are_asked_for_next_time(tmp_path: Path) -> None:
    replies = [LabelAnswer("skip"), LabelAnswer("unsure")]
    person = Person(
        ["Film", "Mark", "Done"],
        answers={
            TakePage: answers_of(FILM_ANSWER, STOP_ANSWER),
            HandToLabel: answers_of(*replies),
        },
    )
    Box(tmp_path, Person([*AGREE, "Stop for now", "Done"])).run()
    Box(tmp_path, person).run()
    assert [view.seat for view in person.of(HandToLabel)] == [1, 2], "not asked for again in the same sitting"
    later = Person(["Mark", "Done"], answers={HandToLabel: answers_of(LabelAnswer("marked", None))})
    Box(tmp_path, later).run()
    assert [view.seat for view in later.of(HandToLabel)] == [1]
    again = Person(
        ["Mark", "Done"],
        answers={HandToLabel: answers_of(LabelAnswer("unsure"), LabelAnswer("previous"), LabelAnswer("stop"))},
    )
    Box(tmp_path, again).run()
    assert [(view.seat, view.has_previous) for view in again.of(HandToLabel)] == [(1, False), (2, True), (1, False)]


def test_leaving_the_first_page_ends_it(tmp_path: Path) -> None:
    person = Person(answers={FilmingMenu: lambda view: BACK})
    Box(tmp_path, person).run()
    assert len(person.seen) == 1
