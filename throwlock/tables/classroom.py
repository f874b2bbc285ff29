"""Battle for a class: attendance over the live image, one shout, and all throws read from one exposure. A round is
journaled like any other; of the image, only the cards are saved."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Self

from typing_extensions import override

from device.camera.base import Camera, CameraError, restart_camera
from device.camera.frames import Frame
from device.sound.base import Tone
from device.system.periodic import ThreadTicker
from messages import N
from rules.engine import Seat
from throwlock.journal.journal import Evidence
from throwlock.nonessential import nonessential
from throwlock.tables.camera_table import CameraTable
from throwlock.tables.foul_policy import apply_class_rule
from throwlock.tables.presence import ask_page
from throwlock.tables.record import record_judgement
from throwlock.tables.round_frames import RoundFrames, collect_frames
from throwlock.tables.source import PeopleLeftError, PlayedRound, RoundRequest, ThrownRound
from ui.screen.pages.classroom import HOME_ANSWER, Attendance, RollCall
from ui.screen.pages.countdown import Countdown, Judging
from ui.text import verdicts
from ui.text.rounds import class_verdict_text
from vision.cards.classroom_reader import (
    SEARCH_AROUND_LOCK_NS,
    ClassReading,
    assign_cards,
    blank_all_but_cards,
    judge_class,
)
from vision.cards.outlines import MIN_MARKER_PX
from vision.cards.reader import LiveReader
from vision.evidence import encode_jpeg, resize_to_fit
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict
from vision.zones import Zone

LOCK_IMAGE_PX = 1920
"""Longest side of the saved lock image, in which everything but the cards is blank."""
CARD_IMAGE_PX = 120
"""Longest side of the saved image of a card."""
HOLD_HINT = N(
    "Hold the card to your chest with your throw’s edge up. On {word}, turn it to the camera.",
    word=verdicts.COUNT_WORDS[-1],
)
NO_ZONE = Zone(0.0, 0.0, 0.0, 0.0)
"""The zone of a student whose card is not in the lock frame."""
RESCAN_S = 0.01
"""How long the scanner waits for a new frame."""


class AttendanceScanner:
    """Reads the cards of a class from a camera's newest frames, in a thread of its own.

    with AttendanceScanner(camera, range(1, 31)) as scanner:
        ...
        print(scanner.attendance.seen)
    """

    def __init__(self, camera: Camera, numbers: Sequence[Seat], min_marker_px: float = MIN_MARKER_PX) -> None:
        self._camera = camera
        self._numbers = numbers
        self._reader = LiveReader(min_marker_px)
        self._scanned_frame: int | None = None
        self.attendance = Attendance()
        """The current attendance; replaced as a whole."""

    def __enter__(self) -> Self:
        self._ticker = ThreadTicker(lambda: 0.0 if self.scan() else RESCAN_S, "attendance")
        return self

    def __exit__(self, *fault: object) -> None:
        self._ticker.stop()

    def scan(self) -> bool:
        """Read the newest frame. Return False if it was already read, or there is none."""
        try:
            frame = self._camera.latest()
        except CameraError as error:
            self.attendance = replace(self.attendance, camera_error=error.text)
            return False
        if frame.number == self._scanned_frame:
            return False
        self._scanned_frame = frame.number
        reading = assign_cards(self._reader.read(frame), self._numbers)
        self.attendance = update_attendance(self.attendance, reading)
        return True


def update_attendance(attendance: Attendance, reading: ClassReading) -> Attendance:
    """Return the attendance after a reading of the class."""
    seen = attendance.seen | reading.read_numbers
    return Attendance(seen, reading.duplicate_numbers, reading.unknown_numbers)


@dataclass(kw_only=True)
class ClassTable(CameraTable):
    """A CameraTable for a class."""

    zones: tuple[Zone, ...] = ()
    people_answer: bool = False
    """Whether attendance is taken before each shout, except before a second look."""
    keep_whole_image: bool = False
    """Whether the whole lock image is saved, faces included."""
    min_marker_px: float = MIN_MARKER_PX
    """The side of the smallest marker to be found."""

    @override
    def throw(self, request: RoundRequest) -> PlayedRound:
        """Play a shout. Raises PeopleLeftError if people leave, NobodyThereError if nobody is there."""
        if self.people_answer and request.prompt.about.get("phase") != "second look":
            self.take_attendance(request)
        return super().throw(request)

    def take_attendance(self, request: RoundRequest) -> None:
        """Show the attendance until people say that all are ready. Raises PeopleLeftError and NobodyThereError."""
        with AttendanceScanner(self.camera, [player.seat for player in request.players], self.min_marker_px) as scanner:
            names = tuple(player.name for player in request.players)
            view = RollCall(request.title, names, lambda: scanner.attendance, rethrow_reason=request.rethrow_reason)
            if ask_page(self.display, view) == HOME_ANSWER:
                raise PeopleLeftError

    @override
    def count(self, request: RoundRequest, view: Countdown) -> int:
        """The hint is shown before every shout."""
        return super().count(request, replace(view, hint=None if view.rethrow_reason else HOLD_HINT))

    @override
    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """Of the judgement's lock frame, only the cards are visible unless the whole image is kept."""
        window_ns = self.house_rules.card_window_ms * 1_000_000
        lock_ns = cue_ns + window_ns
        frames: list[Frame] = []

        def frames_until(until_ns: int) -> Sequence[Frame]:
            self._wait_for_frame(until_ns)
            since_ns = frames[-1].exposed_ns + 1 if frames else lock_ns - SEARCH_AROUND_LOCK_NS
            frames.extend(self.camera.frames_between(since_ns, until_ns))
            return tuple(frames) or [self.camera.latest()]

        self.sound.play(Tone.LOCK, lock_ns)
        seats = tuple(request.prompt.seats)
        try:
            self._wait_for_frame(lock_ns)
            self.display.show(Judging(request.players))
            judgement, reading = judge_class(frames_until, seats, cue_ns, window_ns, self.min_marker_px)
        except CameraError:
            frame = restart_camera(self.camera, self.clock)
            judgement, reading = judge_class(lambda _: [frame], seats, cue_ns, window_ns, self.min_marker_px)
        finally:
            self.camera.unlock_exposure()
        lock_frame = judgement.lock_frame
        if not self.keep_whole_image:
            judgement = replace(judgement, lock_frame=blank_all_but_cards(lock_frame, reading))
        return judgement, [lock_frame]

    def finish_round(self, request: RoundRequest, judgement: Judgement, frames: Sequence[Frame]) -> PlayedRound:
        """Build the round's result. A missing throw is no foul; the game has a rule for it. If the round can't be
        judged, or nobody threw, everybody throws again."""
        record = record_judgement(judgement, {seat.seat: _zone(seat, judgement.lock_frame) for seat in judgement.seats})
        throws = apply_class_rule(record)
        thrown = ThrownRound(
            judgement,
            record,
            (),
            class_verdict_text(record, verdicts.seat_placeholders(record.seats)),
            _lock_frames(judgement, frames),
            is_empty=throws is None and judgement.void_reason is None,
            is_timed=False,
        )
        evidence: list[Evidence] = []
        with nonessential("the round has no pictures"):
            evidence = class_evidence(judgement, self.keep_whole_image)
        return PlayedRound(throws, thrown, tuple(evidence))


def _zone(seat: SeatVerdict, lock: Frame) -> Zone:
    if seat.card_marker is None:
        return NO_ZONE
    (wide, high), box = lock.size, seat.crop
    return Zone(box.x / wide, box.y / high, box.w / wide, box.h / high)


def class_evidence(judgement: Judgement, whole: bool) -> list[Evidence]:
    """Return the evidence of a class's lock: ``lock.jpg``, at full size if it is the ``whole`` image, and each card
    that is in it as ``seat-N.jpg``."""
    lock = judgement.lock_frame
    image = lock.pixels() if whole else resize_to_fit(lock, None, LOCK_IMAGE_PX)
    seen = [seat for seat in judgement.seats if seat.card_marker is not None]
    cards = [(f"seat-{seat.seat}.jpg", resize_to_fit(lock, seat.crop, CARD_IMAGE_PX)) for seat in seen]
    return [Evidence(name, "image/jpeg", encode_jpeg(pixels)) for name, pixels in [("lock.jpg", image), *cards]]


def _lock_frames(judgement: Judgement, frames: Sequence[Frame]) -> Future[RoundFrames]:
    """Keep the lock frame in memory for a dispute; a student without a card is shown in the whole image."""
    collected: Future[RoundFrames] = Future()
    try:
        collected.set_result(collect_frames(judgement, frames))
    except Exception as error:
        collected.set_exception(error)
    return collected
