"""A fake archive for the tests of the pages: two matches with a late hand, a dispute, bets, a void and a dark round,
and names with markup. Marks and deletions are kept in memory."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import cv2
import numpy as np
from starlette.types import ASGIApp, Receive, Scope, Send

from errors import NotFoundError, RefusedError
from messages import LazyText
from rules.engine import GameText, Result, ThrowPrompt
from rules.events import Other
from rules.record.event import MAX_NOTE_LENGTH, ReviewMark
from rules.record.judgement import STRIP_OFFSETS_MS, JudgementRecord, SeatRecord, VoidReasonRecord
from rules.record.match import MatchState, MatchView, StepView
from rules.record.round import DisputeView, PlayerLink, RoundView, SeatView
from rules.throws import Throw
from tests.helpers.journal_events import seat_record
from tests.helpers.seat_entries import make_entry
from throwlock.review.archive import JournalArchive
from throwlock.review.statistics.throws import measure_throws
from throwlock.web.app import create_app
from ui.web.views import (
    Access,
    Classroom,
    Correction,
    EvidenceFile,
    MatchFilter,
    MatchLine,
    MatchPage,
    PlayerLine,
    PlayerPage,
    RoundPage,
)
from vision.evidence import encode_jpeg

TOKEN = "the-token-of-this-session"
ADA, BEN, CY = PlayerLink("a" * 16, "Ada"), PlayerLink("b" * 16, "Ben"), PlayerLink("c" * 16, "<b>Cy</b> & Co")
FORGOTTEN = PlayerLink(None, "Player 2")
WINDOW_MS = 150.0
ZONES = {1: (0.02, 0.1, 0.44, 0.8), 2: (0.5, 0.1, 0.48, 0.8)}
NO_ZONE = (0.0, 0.0, 0.0, 0.0)
"""Of a seat that is not in the image."""


class FakeJournalError(Exception):
    """Stands in for a JournalError."""


def make_seat(
    number: int,
    player: PlayerLink,
    throw: Throw | None,
    after_first_ms: float | None,
    verdict: str = "on time",
    at_lock: str | None = None,
    after_lock: str | None = None,
    **more: object,
) -> SeatView:
    """Return one seat of a round, on time by default, and showing the ``throw`` that counts."""
    shown = at_lock or throw
    record = seat_record(
        "unseen" if verdict == "void" else verdict,
        after_lock if verdict == "late" else shown,
        at_lock=shown,
        after_lock=None if verdict == "late" else after_lock,
        shown_ms=None if after_first_ms is None else after_first_ms - 20,
        uncertainty_ms=None if after_first_ms is None else 4.0,
        zone=ZONES.get(number, NO_ZONE),
    )
    judged = SeatRecord.model_validate_json(json.dumps(record))
    plain = SeatView(
        seat=number,
        player=player,
        record=judged,
        verdict=verdict,
        throws=tuple(Throw(word) for word in judged.shown_throws if word),
        throw=throw,
        reading=throw,
        is_foul=False,
        is_corrected=False,
        is_unsettled=False,
        after_first_ms=after_first_ms,
        interval_ms=0.0,
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def judge_seats(seats: Sequence[SeatView], void_kind: str | None = None) -> JudgementRecord:
    """Return the judgement of a round with these seats."""
    first = min((one.record.shown_ms for one in seats if one.record.shown_ms is not None), default=None)
    lock = WINDOW_MS + (first or 0.0)
    void = None if void_kind is None else {"kind": void_kind, "seat": None, "measured": 12.0}
    return JudgementRecord(
        first_shown_ms=first,
        lock_ms=lock,
        window_ms=WINDOW_MS,
        lock_frame_ms=lock + 3,
        void_reason=None if void is None else VoidReasonRecord.model_validate(void),
        seats={one.seat: one.record for one in seats},
    )


def sample_rounds() -> tuple[RoundView, ...]:
    """Return the thrown rounds of match 1."""
    late = (
        make_seat(1, ADA, None, 0.0, at_lock=Throw.ROCK, score_before=5, score_after=5, bet=5),
        make_seat(
            2,
            BEN,
            None,
            331.0,
            verdict="late",
            is_foul=True,
            at_lock=Throw.ROCK,
            after_lock=Throw.PAPER,
            score_before=5,
            score_after=5,
            bet=0,
        ),
    )
    good = (
        make_seat(1, ADA, Throw.SCISSORS, 41.0, score_before=5, score_after=0, bet=5),
        make_seat(2, BEN, Throw.ROCK, 0.0, score_before=5, score_after=10, bet=0),
    )
    dark = (
        make_seat(1, ADA, None, None, verdict="void"),
        make_seat(2, BEN, None, None, verdict="void"),
    )
    disputed = (
        make_seat(1, ADA, Throw.PAPER, 0.0, score_before=0, score_after=5),
        make_seat(2, BEN, Throw.ROCK, 12.0, at_lock=Throw.SCISSORS, score_before=10, score_after=10),
    )
    said = "Round 3: corrected by the players. Ben: rock instead of scissors."
    at = "2026-11-20T19:0{}:00+00:00"
    corrected = (DisputeView(10, at.format(5), False, 2, "scissors", "rock", said),)
    return (
        make_round(
            3, 1, at.format(1), 1, late, "Ben was late: paper 331 ms after the first hand. The round is replayed.",
            is_void=True,
        ),
        make_round(5, 2, at.format(2), 1, good, "Everyone was on time."),
        make_round(
            8, 3, at.format(3), 2, dark, "It was too dark to see hands (brightness 12 of 255): add more light.",
            void_kind="too dark", is_void=True,
        ),
        make_round(9, 4, at.format(4), 3, disputed, "Everyone was on time.", disputes=corrected),
    )  # fmt: skip


SCORES = GameText(sentences={"scored": "Score: Ada 5, Ben 10."})


def make_round(
    event: int,
    number: int,
    at: str,
    game_round: int,
    seats: tuple[SeatView, ...],
    text: str,
    void_kind: str | None = None,
    is_void: bool = False,
    disputes: tuple[DisputeView, ...] = (),
) -> RoundView:
    """Return a thrown round, in round ``game_round`` of its game."""
    return RoundView(
        event=event,
        number=number,
        at=at,
        game="RPS Redeux",
        players=(ADA, BEN),
        kind="throw",
        prompt=ThrowPrompt({}, text=GameText(headlines={"throw": lambda prompt: f"Round {game_round}"})),
        is_still_asked=True,
        judgement=judge_seats(seats, void_kind),
        fouls=tuple(seat.seat for seat in seats if seat.is_foul),
        text=text,
        was_judged=not is_void,
        is_void=is_void,
        is_dropped=False,
        answers={seat.seat: seat.throw for seat in seats if not is_void},
        seats=seats,
        disputes=disputes,
        events=(Other("scored", {}, text=SCORES),),
    )


def strip_jpeg() -> bytes:
    """Return a strip of numbered images in different greys."""
    pictures = [np.full((60, 60, 3), 40 + 20 * n, np.uint8) for n in range(len(STRIP_OFFSETS_MS))]
    for n, picture in enumerate(pictures):
        cv2.putText(picture, str(n), (18, 42), cv2.FONT_HERSHEY_SIMPLEX, 1, (255, 255, 255), 2)
    return encode_jpeg(np.hstack(pictures))


class FakeArchive(JournalArchive):
    """The archive, with ``more`` matches on the next day."""

    def tournament(self) -> None:
        return None

    def __init__(self, more: int = 0) -> None:
        self.marks: dict[int, ReviewMark | None] = {}
        self.deleted: set[int] = set()
        self.notes: dict[int, str] = {}
        self.lists: dict[str, tuple[str, ...]] = {}
        self.corrections: list[tuple[object, ...]] = []
        self.empty = False
        self.damaged = False
        self._more = more

    def _lines(self) -> list[MatchLine]:
        first = MatchLine(
            1, "2026-11-20T19:00:00+00:00", "redeux", "RPS Redeux", (ADA, BEN), (2,), "finished", 4, 1, 1,
            sum(mark is ReviewMark.TO_REVIEW for mark in self.marks.values()),
            1 not in self.deleted, self.notes.get(1, ""),
            sum(bool(note) for event, note in self.notes.items() if event > 1),
        )  # fmt: skip
        running = MatchLine(
            20,
            "2026-11-21T10:00:00+00:00",
            "classic",
            "Best of 3",
            (CY, FORGOTTEN),
            (),
            "in progress",
            0,
            0,
            0,
            0,
            False,
        )
        later = [
            replace(first, number=100 + n, at=f"2026-11-22T{n % 24:02}:00:00+00:00", rounds_to_review=0)
            for n in reversed(range(self._more))
        ]
        return [] if self.empty else [*later, running, first]

    def matches(self, wanted: MatchFilter) -> Sequence[MatchLine]:
        if self.damaged:
            raise FakeJournalError("evening.journal: event 7 can’t be read, throwlock verify has the details")
        lines = [
            line
            for line in self._lines()
            if wanted.game in (None, line.game)
            and wanted.day in (None, line.at[:10])
            and (wanted.player is None or wanted.player in [player.key for player in line.players])
            and (wanted.mark is not ReviewMark.TO_REVIEW or line.rounds_to_review)
            and (wanted.trouble is None or getattr(line, wanted.trouble))
        ]
        if wanted.after is not None:
            lines = [line for line in lines if line.number < wanted.after]
        return lines[: wanted.limit]

    def state(self) -> object:
        return self.empty, dict(self.marks), dict(self.notes)

    def days(self) -> Sequence[tuple[str, int]]:
        return [] if self.empty else [("2026-11-21", 1), ("2026-11-20", 1)]

    def games(self) -> Sequence[tuple[str, str, int]]:
        return [("classic", "Best of 3", 1), ("redeux", "RPS Redeux", 1)]

    def match(self, number: int) -> MatchPage:
        line = next((line for line in self._lines() if line.number == number), None)
        if line is None:
            raise NotFoundError(f"There is no match {number} in this journal.")
        steps: list[StepView | RoundView] = [*sample_rounds()] if line.rounds else []
        if steps:
            told = GameText(sentences={"won": "Ben wins 5 points; Ada loses 5 (Ada scissors, Ben rock)."})
            steps.insert(2, StepView(7, line.at, events=(Other("won", {}, text=told),)))
        view = MatchView(
            number=number,
            at=line.at,
            game=None,
            title=line.title,
            players=line.players,
            state=MatchState(line.state),
            steps=tuple(steps),
            scores={1: 5, 2: 10} if steps else {},
            fouls={},
            prompt=None,
            result=Result((2,), {1: 5, 2: 10}) if steps else None,
        )
        return MatchPage(
            line, {"foul": "replay", "forfeit_after": 3}, {"goal": 20}, "simulated", view, "7QK3M-0VXZ9-8HTBN-2WJRD",
            {event: mark for event, mark in self._round_marks.items() if mark is not None}, self.notes,
        )  # fmt: skip

    @property
    def _round_marks(self) -> dict[int, ReviewMark | None]:
        return {5: ReviewMark.REVIEWED, **self.marks}

    def round(self, event: int) -> RoundPage:
        lines = sample_rounds()
        found = next((n for n, line in enumerate(lines) if line.event == event), None)
        if found is None:
            raise NotFoundError(f"There is no round {event} in this journal.")
        line = lines[found]
        names = ["lock.jpg", "timeline.svg", *(f"{kind}-{n}.jpg" for n in (1, 2) for kind in ("seat", "strip"))]
        types = ["image/svg+xml" if name.endswith("svg") else "image/jpeg" for name in names]
        return RoundPage(
            self._lines()[-1], line,
            tuple(EvidenceFile(name, kind, 1 not in self.deleted) for name, kind in zip(names, types, strict=True)),
            tuple(float(at) for at in STRIP_OFFSETS_MS),
            lines[found - 1].event if found else None, lines[found + 1].event if found < len(lines) - 1 else None,
            Correction({1: ("paper", None), 2: ("rock", "scissors")}, can_void=True)
            if found else Correction(refusal="Only the last 5 rounds of a match can be corrected."),
            mark=self._round_marks.get(event), note=self.notes.get(event, ""),
        )  # fmt: skip

    def rounds(self, match: int) -> Iterator[RoundPage]:
        return (self.round(line.event) for line in self.match(match).view.rounds)

    def picture(self, event: int, name: str) -> tuple[str, bytes]:
        page = self.round(event)
        if not any(one.name == name and one.exists for one in page.pictures):
            raise NotFoundError("There is no such picture (any more).")
        if name.endswith("svg"):
            return "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>"
        return "image/jpeg", strip_jpeg() if name.startswith("strip") else encode_jpeg(
            np.full((90, 160, 3), 120, np.uint8)
        )

    def players(self) -> Sequence[PlayerLine]:
        at = "2026-11-20T19:00:00+00:00"
        return [PlayerLine(one, 1, 0, 4, 0, at) for one in (CY, BEN, ADA, FORGOTTEN)]

    def player(self, key: str) -> PlayerPage:
        line = next((line for line in self.players() if line.player.key == key), None)
        if line is None:
            raise NotFoundError("There is no such player in this journal.")
        figures = measure_throws([make_entry()] * 2)
        return PlayerPage(line, figures, {"on time": 2}, 0, 0, (), (), ())

    def classroom(self, day: str | None = None, match: int | None = None) -> Classroom:
        return Classroom(0, 0, 0, 0, 0, (), (), 0)

    def mark(self, event: int, mark: ReviewMark | None) -> None:
        self.round(event)
        self.marks[event] = mark

    def write_note(self, event: int, note: str) -> None:
        if len(note) > MAX_NOTE_LENGTH:
            raise RefusedError("A note has at most 500 characters.")
        self.notes[event] = note

    def correct(self, event: int, seat: int | None, reading: object = None) -> None:
        self.round(event)
        self.corrections.append((event, seat, reading))

    def reject_dispute(self, event: int) -> None:
        self.corrections.append((event, "stands"))

    def class_lists(self) -> dict[str, tuple[str, ...]]:
        return self.lists

    def save_class(self, name: str, names: str, old_name: str = "") -> None:
        if not names.strip():
            raise RefusedError("The list has no names: write one name on each line.")
        if name in self.lists and name != old_name:
            raise RefusedError(f"There is already a class named {name}.")
        self.lists.pop(old_name, None)
        self.lists[name] = tuple(names.splitlines())

    def delete_class(self, name: str) -> None:
        self.lists.pop(name, None)

    def delete_pictures(self, match: int) -> int:
        self.match(match)
        self.deleted.add(match)
        return 6

    def forget(self, key: str) -> Sequence[LazyText]:
        self.player(key)
        return ()

    def export(self, match: int, form: str, pictures: bool = True) -> tuple[str, str, bytes]:
        self.match(match)
        return f"match-{match}.{form}", {"json": "application/json", "csv": "text/csv"}.get(form, "text/html"), b"all"


def make_app(archive: JournalArchive, lan: bool = False) -> ASGIApp:
    """Return the pages over an archive, with full access and without its checks."""

    @contextmanager
    def open_archive() -> Iterator[JournalArchive]:
        yield archive

    pages = create_app(open_archive, user_errors=(FakeJournalError,))

    async def with_access(scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["access"] = Access(local=not lan, token=TOKEN, lan=lan)
        await pages(scope, receive, send)

    return with_access
