"""Filming by touch: agree, throw, mark, compare. Each step can be stopped and gone on with later."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path

from device.camera.base import CameraError
from device.camera.clip import read_clip
from device.camera.frames import Pixels
from device.system.clock import Clock
from errors import ThrowlockError
from messages import N, capitalise
from rules.engine import Seat, ThrowPrompt
from rules.throws import THROW_CHOICES, WINDOW_MS
from throwlock.filming.folder import (
    Consent,
    FilmedHand,
    FilmingError,
    FilmingFolder,
    Label,
    Licence,
    SeatConsent,
    Take,
    delete_all,
    newest_folder,
    total_bytes,
)
from throwlock.filming.measurement import Report, measure, readme_text, report_page
from throwlock.filming.schedule import AgreedThrow, Hand, SimulatedActors, plan_takes
from throwlock.match.pause import PausableDisplay, PausedError, pause_page
from throwlock.tables.camera_table import FRAME_DELAY_NS, CameraTable
from throwlock.tables.source import RoundRequest
from ui.i18n.language import current_language
from ui.screen.pages import filming as filming_page
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import Countdown, Judging, Preparing
from ui.screen.pages.filming import (
    AGAIN_ANSWER,
    DELETE_ANSWER,
    FILM_ANSWER,
    NEW_ANSWER,
    SKIP_ANSWER,
    ConsentAnswer,
    ConsentView,
    FilmingMenu,
    FilmingStep,
    Progress,
    TakePage,
    ThrowCall,
)
from ui.screen.pages.labelling import HandToLabel, LabelAnswer, Mark
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import STOP_FILMING, PauseChoice
from ui.text import verdicts
from vision.hands.model import ModelError
from vision.lock.judge import Judge
from vision.zones import ZoneError

logger = logging.getLogger(__name__)

SEAT_CHOICES = ("1", "2", "3", "4")
"""How many players can be filmed together: more than four would have to mark for half an hour."""
BEFORE_CUE_NS, AFTER_CUE_NS = 1_500_000_000, 1_500_000_000
"""How much of a take is kept before the cue, with two pumps in it, and after it; of a late throw one beat more."""
MAX_GAP_FRAMES = 4
"""A take that lacks more frames in a row than this is filmed again."""
LABEL_FROM_MS = 150.0
"""How long before the agreed time of a throw marking begins, in ms."""
CACHED_IMAGES = 64
"""How many images of a clip are kept as they are shown."""
BACK_CHOICE, KEEP_CHOICE, DELETE_CHOICE = "back", "keep it", "delete"
GO_ON_CHOICE, LAST_AGAIN_CHOICE = "go on", "film the last one again"


@dataclass(frozen=True)
class FilmingTable:
    """A table that is ready to be filmed."""

    table: CameraTable
    """What counts."""
    actors: SimulatedActors | None = None
    """Its players; None if they are real people."""


OpenTable = Callable[[int], AbstractContextManager[FilmingTable]]
"""Opens a table with so many seats. Raises CameraError or ZoneError."""


@dataclass
class FilmingSession:
    """The steps of filming throws, shown on a display."""

    display: PausableDisplay
    clock: Clock
    root: Path
    """The folder in which the folders of clips are kept."""
    camera: str
    """The camera's name."""
    open_table: OpenTable
    open_judge: Callable[[int], Judge] = Judge
    """Loads the judge of so many seats."""
    window_ms: int = WINDOW_MS
    """The window with which that judges, from the first hand to the lock."""

    def run(self) -> None:
        """Show the steps until people leave. Raises WindowClosedError."""
        self.display.menu = partial(pause_page, stop_label=STOP_FILMING)
        note = ""
        while True:
            try:
                folder = newest_folder(self.root)
            except FilmingError as error:
                title, text = filming_page.TITLE, capitalise(error.text)
                if self.display.ask(Notice(title, text, (BACK_CHOICE, DELETE_ANSWER))) != DELETE_ANSWER:
                    return
                folder = None
                answer: object = DELETE_ANSWER
            else:
                answer = self.display.ask(self._menu(folder, note))
            try:
                note = ""
                if not self._do(answer, folder):
                    return
            except (FilmingError, CameraError, ZoneError, ModelError) as error:
                logger.warning("filming: %s", error)
                note = capitalise(error.text)

    def _do(self, answer: object, folder: FilmingFolder | None) -> bool:
        """Do what people chose; return False if they leave."""
        if answer in (FilmingStep.AGREE, NEW_ANSWER):
            folder = self._agree()
            if folder is not None:
                self._film(folder)
        elif answer == DELETE_ANSWER:
            self._delete()
        elif folder is not None and answer == FilmingStep.FILM:
            self._film(folder)
        elif folder is not None and answer == FilmingStep.LABEL:
            self._label(folder)
        elif folder is not None and answer == FilmingStep.MEASURE:
            self._measure(folder)
        else:
            return False
        return True

    def _menu(self, folder: FilmingFolder | None, note: str) -> FilmingMenu:
        if folder is None:
            return FilmingMenu(dict.fromkeys(FilmingStep, Progress()), note=note)
        seats, hands = len(folder.consent.seats), _hands(folder)
        labelled = sum(hand.label is not None for _, _, hand in hands)
        progress = {
            FilmingStep.AGREE: Progress(seats, seats),
            FilmingStep.FILM: Progress(len(folder.takes), len(plan_takes(tuple(folder.consent.seats)))),
            FilmingStep.LABEL: Progress(labelled, len(hands)),
            FilmingStep.MEASURE: Progress(int(folder.has_report), 1),
        }
        return FilmingMenu(progress, str(folder.path), round(total_bytes(self.root) / 1e6), note)

    def _agree(self) -> FilmingFolder | None:
        """Ask for everybody's consent; return a new folder, or None if people go back. Raises FilmingError."""
        question = N("How many players are filmed?")
        seats = self.display.ask(Notice(filming_page.TITLE, question, (*SEAT_CHOICES, BACK_CHOICE)))
        if seats not in SEAT_CHOICES:
            return None
        answer = self.display.ask(ConsentView(int(str(seats)), str(self.root)))
        if not isinstance(answer, ConsentAnswer):
            return None
        now = datetime.now(UTC)
        at = now.isoformat(timespec="seconds")
        consent = Consent(
            text=filming_page.consent_text(str(self.root), answer.public),
            language=current_language(),
            licence=Licence.CC0 if answer.public else Licence.PROJECT,
            table_seats=int(str(seats)),
            seats={seat: SeatConsent(by=by, at=at) for seat, by in answer.seats.items()},
        )
        return FilmingFolder.create(self.root, now.astimezone().date().isoformat(), self.camera, consent)

    def _film(self, folder: FilmingFolder) -> None:
        """Film the agreed throws that are missing, one take after the other, until people stop; all of them again if
        none is missing. Raises CameraError, ZoneError, FilmingError."""
        takes = plan_takes(tuple(folder.consent.seats))
        filmed = {take.number for take in folder.takes}
        missing = [number for number in range(1, len(takes) + 1) if number not in filmed]
        numbers = missing or list(range(1, len(takes) + 1))
        self.display.show(Preparing(filming_page.TITLE))
        with self.open_table(folder.consent.table_seats) as filming:
            index, has_error = 0, False
            message: str = filming_page.FIRST_TAKE
            while index < len(numbers):
                number, agreed = numbers[index], takes[numbers[index] - 1]
                calls = tuple(
                    ThrowCall(seat, filmed.throw, filmed.hand is Hand.LEFT, filmed.late)
                    for seat, filmed in agreed.items()
                )
                page = TakePage(number, len(takes), calls, message, has_error, can_repeat=index > 0)
                answer = self.display.ask(page)
                if answer == FILM_ANSWER:
                    try:
                        folder.check_space()
                        self._film_take(folder, filming, number, agreed)
                        index, message, has_error = index + 1, N("Throw {number} is filmed.", number=number), False
                    except (CameraError, FilmingError, MissingFramesError) as error:
                        logger.warning("take %d: %s", number, error)
                        message, has_error = capitalise(error.text), True
                    except PausedError as paused:
                        if paused.choice is not PauseChoice.GO_ON:
                            return
                        message, has_error = filming_page.FIRST_TAKE, False
                    if index == len(numbers) and self._wants_last_again():
                        index, message = index - 1, ""
                elif answer in (SKIP_ANSWER, AGAIN_ANSWER):
                    index, message, has_error = index + (1 if answer == SKIP_ANSWER else -1), "", False
                else:
                    return

    def _wants_last_again(self) -> bool:
        """Tell that everything is filmed; return whether people want the last throw again."""
        notice = Notice(
            filming_page.TITLE, N("All throws are filmed. Next you mark them."), (GO_ON_CHOICE, LAST_AGAIN_CHOICE)
        )
        return self.display.ask(notice) == LAST_AGAIN_CHOICE

    def _film_take(
        self, folder: FilmingFolder, filming: FilmingTable, number: int, agreed: dict[Seat, AgreedThrow]
    ) -> None:
        """Count, film and write one take. Raises CameraError, FilmingError, MissingFramesError, PausedError."""
        table = filming.table
        players = tuple(Player(seat, verdicts.default_name(seat)) for seat in agreed)
        title = filming_page.take_title(number, len(plan_takes(tuple(agreed))))
        request = RoundRequest(ThrowPrompt(dict.fromkeys(agreed, THROW_CHOICES)), players, title=title)
        if filming.actors:
            filming.actors.agreed = agreed
        table.camera.lock_exposure()
        try:
            cue_ns = table.count(request, Countdown(players, title, verdicts.COUNT_WORDS, -1))
        except BaseException:
            table.camera.unlock_exposure()
            raise
        beat_ns = table.house_rules.beat_ms * 1_000_000
        self.clock.wait_until(cue_ns + beat_ns)
        self.display.show(Preparing(title, heading=N("Hold still")))
        end_ns = cue_ns + AFTER_CUE_NS + (beat_ns if any(throw.late for throw in agreed.values()) else 0)
        self.clock.wait_until(end_ns + FRAME_DELAY_NS)
        self.display.show(Preparing(title, heading=N("Saving")))
        since_ns = cue_ns - BEFORE_CUE_NS
        frames = table.frames_between(since_ns, end_ns)
        _check_gaps([frame.exposed_ns for frame in frames], since_ns, end_ns, table.camera.fps)
        zones = {seat: table.zones[seat - 1] for seat in agreed}
        folder.add_take(number, agreed, zones, frames, cue_ns, table.house_rules.beat_ms)

    def _label(self, folder: FilmingFolder) -> None:
        """Let people mark the hands that have no label yet, or all of them again, until they stop. Raises CameraError,
        FilmingError."""
        hands = _hands(folder)
        missing = [index for index, (_, _, hand) in enumerate(hands) if hand.label is None]
        index = missing[0] if missing else 0
        skipped: set[int] = set()
        while 0 <= index < len(hands):
            take, seat, hand = hands[index]
            self.display.show(Preparing(filming_page.TITLE))
            answer = self.display.ask(_hand_to_label(folder, take, seat, hand, has_previous=index > 0))
            if not isinstance(answer, LabelAnswer) or answer.action == "stop":
                return
            if answer.action == "previous":
                index -= 1
                continue
            if answer.action == "skip":
                skipped.add(index)
            else:
                folder.set_label(take.number, seat, _label_of(answer))
                hands = _hands(folder)
            later = range(index + 1, len(hands))
            left = [at for at in later if hands[at][2].label is None and at not in skipped] if missing else list(later)
            index = min(left, default=len(hands))

    def _measure(self, folder: FilmingFolder) -> None:
        """Judge what is labelled, write the report and show it. Raises CameraError, ModelError, FilmingError."""
        done = 0.0
        players = tuple(Player(seat, verdicts.default_name(seat)) for seat in folder.consent.seats)
        self.display.show(Judging(players, progress=lambda: done))

        def note_progress(share: float) -> None:
            nonlocal done
            done = share

        with self.open_judge(len(folder.consent.seats)) as judge:
            report: Report = measure(folder, judge, self.window_ms, note_progress)
        folder.write_report(report.model_dump_json(indent=1) + "\n", readme_text(folder, report))
        self.display.ask(report_page(folder, report))

    def _delete(self) -> None:
        """Ask again, then delete everything that was ever filmed here. Raises FilmingError."""
        text = N(
            "All clips and marks on this box, {size} MB, are deleted for good.",
            size=round(total_bytes(self.root) / 1e6),
        )
        if self.display.ask(Notice(N("Delete everything?"), text, (KEEP_CHOICE, DELETE_CHOICE))) == DELETE_CHOICE:
            delete_all(self.root)


class MissingFramesError(ThrowlockError):
    """The camera lost frames of a take. The message says to film it again."""


def _check_gaps(exposed_ns: list[int], since_ns: int, until_ns: int, fps: float) -> None:
    """Raise MissingFramesError if a take lacks more than MAX_GAP_FRAMES frames in a row."""
    times = [since_ns, *exposed_ns, until_ns]
    if max(after - before for before, after in pairwise(times)) > (MAX_GAP_FRAMES + 1) * 1e9 / fps:
        raise MissingFramesError(N("the camera lost images of this throw, so it was not kept: film it again"))


def _hands(folder: FilmingFolder) -> list[tuple[Take, Seat, FilmedHand]]:
    return [(take, seat, hand) for take in folder.takes for seat, hand in take.hands.items()]


def _hand_to_label(
    folder: FilmingFolder, take: Take, seat: Seat, hand: FilmedHand, *, has_previous: bool
) -> HandToLabel:
    """Return the page on which a hand is marked, from shortly before its throw was agreed. Raises CameraError."""
    frames = read_clip(folder.clip(hand)).frames

    @lru_cache(maxsize=CACHED_IMAGES)
    def image(frame: int) -> Pixels:
        return frames[frame].pixels()

    label, times = hand.label, take.exposed_ms[: len(frames)]
    marked = (
        {} if label is None else {Mark.ONSET: label.onset, Mark.SETTLED: label.settled, Mark.HELD: label.held_until}
    )
    first_frame = take.frame_at((take.beat_ms if hand.agreed.late else 0) - LABEL_FROM_MS)
    return HandToLabel(
        N("Throw {number} · {player}", number=take.number, player=verdicts.default_name(seat)),
        seat,
        times,
        image,
        hand.agreed.throw if label is None else label.throw,
        first_frame,
        {mark: at for mark, at in marked.items() if at is not None},
        has_previous,
    )


def _label_of(answer: LabelAnswer) -> Label:
    if answer.action == "unsure":
        return Label(kind="unsure")
    if answer.throw is None:
        return Label(kind="none")
    settled = answer.marks[Mark.SETTLED]
    onset = answer.marks.get(Mark.ONSET, settled)
    return Label(kind="throw", throw=answer.throw, onset=onset, settled=settled, held_until=answer.marks[Mark.HELD])
