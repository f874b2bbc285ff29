"""The lock for cards: when every card was turned over, the time after which nothing counts, and everybody's card read
from one single exposure. A card that can't be read there makes the round void; it is never guessed."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations

from device.camera.frames import Box, Frame
from rules.markers import PrintedMarker
from rules.record.judgement import Verdict
from vision.cards.card_tracker import OBSERVATION_INTERVAL_NS, CardTracker, CommitBreach
from vision.cards.observations import (
    BACK_KINDS,
    FACE_KINDS,
    CardFamily,
    ObservedFrames,
    card_pose,
    measure_paper_level,
    paper_share,
)
from vision.cards.reader import Card
from vision.lock.camera_checks import check_camera, check_frame_gaps
from vision.lock.inference import TimeEstimate
from vision.lock.judgement import MIN_FRAMES, Judgement, check_frame_count
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.verdict import HOLD_AFTER_LOCK_NS, SeatVerdict, search_end_ns

CARD_WINDOW_NS = 1_000_000_000
"""From the first card that shows its face to the lock. The choice was made when the cards were laid, so it need not be
shorter than a reaction time, and includes turning a card over and letting go of it:
measurements/2026-11/printed-cards.md."""
COARSE_STEP_NS = 100_000_000
"""Time between the frames first searched for a face; the first frame that shows it is then found by bisection."""
MAX_TURN_OVER_NS = 1_500_000_000
"""Longest time from when a card's back was last seen to its face: what takes longer was more than turning it over."""
MIN_SECOND_CARD_FRAMES = 2
"""Frames that must show a second card: a single one may show a card on its way through the zone."""
MAX_JOINT_HIDING_NS = 300_000_000
"""If all cards are hidden within this time, no player did it."""
CROP_MM = 190.0
"""Side of the saved part of a zone: a card at any angle, turned over to a side, and a part of the hand."""
MIN_PAPER_SHARE = 0.25
"""White paper, as a share of a card's area, from which an unreadable card is there."""


class CardCause(StrEnum):
    """What was wrong with a card, in addition to its verdict."""

    MOVED = "moved"
    HIDDEN = "hidden"
    TOOK_LONG = "took long"
    NOT_TURNED = "not turned over"
    NO_CARD = "no card"
    PILE = "in a match pile"
    DISCARD = "discarded"


Finding = tuple[Verdict, CardCause | None]
"""A verdict on a seat and what was wrong with its card."""
CardCheck = Callable[[int, PrintedMarker], Finding | None]
"""Returns what is wrong with a card by the count of the cards, given the index (from 0) of the seat that shows it."""


class CardJudge:
    """Judges rounds of cards that were tracked until they could be turned over::

        judge = CardJudge(CardFamily.DECK)
        judgement = judge(frames, trackers, cue_ns, CARD_WINDOW_NS)

    Args:
        family: The cards that are played.
        check: Checks a card against the count of all cards.
        groups: The table of each seat, by the seat's index: only cards of the same table can be copies.
    """

    def __init__(
        self, family: CardFamily, check: CardCheck = lambda index, card: None, groups: Mapping[int, int] | None = None
    ) -> None:
        self._family = family
        self._check = check
        self._groups = groups or {}
        self.progress = 0.0

    def __call__(
        self, frames: Sequence[Frame], trackers: Sequence[CardTracker], cue_ns: int, window_ns: int = CARD_WINDOW_NS
    ) -> Judgement:
        """Judge a recording, in order of time from before cue − window on, as ``judge_live`` does while it is made."""
        times_ns = [frame.exposed_ns for frame in frames]
        return self.judge_live(lambda until_ns: frames[: bisect_right(times_ns, until_ns)], trackers, cue_ns, window_ns)

    def judge_live(
        self,
        frames_until: Callable[[int], Sequence[Frame]],
        trackers: Sequence[CardTracker],
        cue_ns: int,
        window_ns: int = CARD_WINDOW_NS,
    ) -> Judgement:
        """Judge a round while its frames arrive. It is over ``HOLD_AFTER_LOCK_NS`` after the lock if every card was
        turned over; else when no card could be late any more.

        Args:
            frames_until: Waits for the frames until a time in ns, and returns all frames of the round until then, in
                order of time, from before cue − window on. Its times are never earlier than before.
            trackers: A tracker per seat, which has observed the time before that.
            cue_ns: The cue.
            window_ns: From the first face to the lock.

        Raises:
            LockError: There are fewer than ``MIN_FRAMES`` frames.
        """
        frames = frames_until(cue_ns)
        if len(frames) < MIN_FRAMES:
            frames = frames_until(search_end_ns(cue_ns, window_ns))
        check_frame_count(frames)
        observed = ObservedFrames(frames)
        seats = [_SeatCards(tracker, observed) for tracker in trackers]
        since_ns = cue_ns - window_ns
        self._find_faces(observed, frames_until, seats, cue_ns, window_ns)
        first_ns = _first_shown_ns(seats, since_ns)
        lock_ns = (cue_ns if first_ns is None else first_ns) + window_ns
        lock = observed.nearest_frame(lock_ns)
        verdicts = tuple(self._verdict(index, seat, lock, since_ns, lock_ns) for index, seat in enumerate(seats))
        judgement = Judgement(cue_ns, first_ns, lock_ns, window_ns, observed.frames[lock].frame, verdicts)
        frames = [entry.frame for entry in observed.frames]
        void_reason = self._check_camera(judgement, frames, trackers) or self._check_copies(judgement)
        return replace(judgement, void_reason=void_reason)

    def _find_faces(
        self,
        frames: ObservedFrames,
        frames_until: Callable[[int], Sequence[Frame]],
        seats: Sequence["_SeatCards"],
        cue_ns: int,
        window_ns: int,
    ) -> None:
        """Find the first frame with a face for every seat, searching until nothing later could count."""
        since_ns, end_ns = cue_ns - window_ns, search_end_ns(cue_ns, window_ns)
        length_ns = end_ns - since_ns
        at = last = frames.nearest_frame(since_ns)
        next_ns = frames.time_ns(at)
        while True:
            self.progress = min(1.0, (next_ns - since_ns) / length_ns)
            for seat in seats:
                if seat.faces(at) and seat.shown_ns is None:
                    seat.find_first_face(last, at)
            if all(seat.shown_ns is not None for seat in seats):
                first_ns = _first_shown_ns(seats, since_ns)
                end_ns = min(end_ns, (cue_ns if first_ns is None else first_ns) + window_ns + HOLD_AFTER_LOCK_NS)
            if next_ns >= end_ns:
                return
            last, next_ns = at, min(max(next_ns, frames.time_ns(at)) + COARSE_STEP_NS, end_ns)
            frames.extend(frames_until(max(next_ns, cue_ns)))
            at = min(max(at + 1, frames.nearest_frame(next_ns)), len(frames.frames) - 1)

    def _verdict(self, index: int, seat: "_SeatCards", lock: int, since_ns: int, lock_ns: int) -> SeatVerdict:
        """Return the verdict on a seat; what happened first takes precedence."""
        faces = seat.faces(lock)
        read = faces[0].printed if len(faces) == 1 else None
        card = read or seat.face
        on_time = SeatVerdict(
            index + 1,
            Verdict.ON_TIME,
            card.throw if card else None,
            read.throw if read else None,
            seat.shown_estimate(),
            _crop_box(seat.tracker),
            inferences=len(seat.cards_by_frame),
            card_marker=card.marker if card else None,
            proof_frame=seat.tracker.proof_frame,
        )
        finding = (
            seat.judge_commitment(since_ns)
            or seat.judge_extra_cards(self._family)
            or seat.judge_timing(lock, lock_ns)
            or seat.judge_face(lock, lock_ns, read)
        )
        if finding is None and read is not None:
            finding = self._check(index, read)
        verdict, cause = finding or (Verdict.ON_TIME, None)
        if verdict is Verdict.CHANGED:
            known = {card.marker for card in (seat.face, read) if card}
            shown = (face.printed for face in seat.faces_from_lock(lock, lock_ns))
            later = next((card for card in shown if card.marker not in known), None)
            first = seat.face.throw if seat.face else None
            return replace(
                on_time,
                verdict=verdict,
                throw=first,
                changed_to=later.throw if later else on_time.at_lock,
                proof_frame=seat.frame_of(later or seat.face),
            )
        if verdict in (Verdict.LATE, Verdict.EARLY) and read is None:
            return replace(on_time, verdict=verdict, cause=cause, proof_frame=seat.frame_of(seat.face))
        return replace(on_time, verdict=verdict, cause=cause)

    def _check_copies(self, judgement: Judgement) -> VoidReason | None:
        """Return why the round is void if the same card is in two zones: the count of the cards did not show whose is
        the copy."""
        counts = Counter(
            (self._groups.get(index, 0), seat.card_marker)
            for index, seat in enumerate(judgement.seats)
            if seat.card_marker is not None and seat.verdict is Verdict.ON_TIME
        )
        copies = [marker for (_, marker), count in counts.items() if count > 1]
        return VoidReason(VoidKind.COPIES, marker=copies[0]) if copies else None

    def _check_camera(
        self, judgement: Judgement, frames: Sequence[Frame], trackers: Sequence[CardTracker]
    ) -> VoidReason | None:
        """Return why camera or light make the round void; None if they don't."""
        hidden = [tracker.breach_ns for tracker in trackers if tracker.breach is CommitBreach.HIDDEN]
        if len(hidden) == len(trackers) > 1 and max(hidden) - min(hidden) <= MAX_JOINT_HIDING_NS:
            return VoidReason(VoidKind.COVERED)
        since_ns, max_gap_ns = judgement.cue_ns - judgement.window_ns, COARSE_STEP_NS * 3
        if not judgement.fouls:  # cards read where they were laid prove that the camera can see
            return check_frame_gaps([frame.exposed_ns for frame in frames], since_ns, judgement.lock_ns, max_gap_ns)
        return check_camera(frames, (), (since_ns, judgement.lock_ns), max_gap_ns, has_fouls=True)


class _SeatCards:
    """One seat's cards in a round. ``face`` is the first that was shown, in the frame at ``shown_ns``;
    ``before_shown_ns`` is the time of the last frame before it without one."""

    def __init__(self, tracker: CardTracker, frames: ObservedFrames) -> None:
        self.tracker = tracker
        self.cards_by_frame: dict[int, list[Card]] = {}
        self.face: PrintedMarker | None = None
        self.shown_ns: int | None = None
        self.before_shown_ns: int | None = None
        self._frames = frames

    def cards(self, index: int) -> list[Card]:
        """Return the cards in the seat's zone in a frame."""
        if index not in self.cards_by_frame:
            self.cards_by_frame[index] = self._frames.frames[index].cards_in(self.tracker.zone)
        return self.cards_by_frame[index]

    def faces(self, index: int) -> list[Card]:
        """Return the faces in the seat's zone in a frame."""
        return [card for card in self.cards(index) if card.printed.kind in FACE_KINDS]

    def faces_from_lock(self, lock: int, lock_ns: int) -> list[Card]:
        """Return the faces read in the lock frame and after it, for as long as a throw must be kept."""
        until_ns = lock_ns + HOLD_AFTER_LOCK_NS
        since_lock = [i for i in sorted(self.cards_by_frame) if i >= lock and self._frames.time_ns(i) <= until_ns]
        return [face for index in since_lock for face in self.faces(index)]

    def frame_of(self, face: PrintedMarker | None) -> Frame | None:
        """Return the last frame in which ``face`` was read, in which it lies still; None if it was never read."""
        read = [i for i in sorted(self.cards_by_frame) if any(card.printed == face for card in self.faces(i))]
        return self._frames.frames[read[-1]].frame if read else self.tracker.proof_frame

    def find_first_face(self, low: int, high: int) -> None:
        """Find the first frame with a face by bisection between a frame without (``low``) and one with."""
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.faces(middle) else (middle, high)
        self.shown_ns, self.before_shown_ns = self._frames.time_ns(high), self._frames.time_ns(low)
        self.face = self.faces(high)[0].printed

    def shown_estimate(self) -> TimeEstimate | None:
        """Return when a face was shown: at any time between its first frame and the one before, with equal
        probability."""
        if self.tracker.breach is CommitBreach.TURNED:
            return TimeEstimate(self.tracker.breach_ns, round(OBSERVATION_INTERVAL_NS / 12**0.5))
        if self.shown_ns is None or self.before_shown_ns is None:
            return None
        return TimeEstimate(self.shown_ns, round((self.shown_ns - self.before_shown_ns) / 12**0.5))

    def judge_commitment(self, since_ns: int) -> Finding | None:
        """Return the foul with a card before it might be turned over, if any."""
        match self.tracker.breach:
            case CommitBreach.MOVED:
                return Verdict.LIFTED, CardCause.MOVED
            case CommitBreach.HIDDEN:
                return Verdict.LIFTED, CardCause.HIDDEN
            case CommitBreach.TWO:
                return Verdict.TWO_CARDS, None
            case CommitBreach.TURNED:
                return Verdict.EARLY, None
        early = self.shown_ns is not None and self.shown_ns == self.before_shown_ns and self.shown_ns <= since_ns
        return (Verdict.EARLY, None) if early else None

    def judge_extra_cards(self, family: CardFamily) -> Finding | None:
        """Return the foul of a foreign or second card, if there is one."""
        kinds = {card.printed.kind for cards in self.cards_by_frame.values() for card in cards}
        if kinds - {family.face, family.back}:
            return Verdict.WRONG_DECK, None
        several = [cards for _, cards in sorted(self.cards_by_frame.items()) if len(cards) > 1 and _are_apart(cards)]
        if len(several) < MIN_SECOND_CARD_FRAMES:
            return None
        markers = Counter(card.printed.marker for card in several[-1] if card.printed.kind in FACE_KINDS)
        return (Verdict.COPY if any(count > 1 for count in markers.values()) else Verdict.TWO_CARDS), None

    def judge_timing(self, lock: int, lock_ns: int) -> Finding | None:
        """Return what is wrong with the time at which a card was turned over, if anything."""
        if self.shown_ns is None:
            if any(card.printed.kind in BACK_KINDS for card in self.cards(lock)):
                return Verdict.LATE, CardCause.NOT_TURNED
            return self._judge_missing_face(lock)
        if self.shown_ns > lock_ns:
            return Verdict.LATE, None
        if self.tracker.committed is not None and self.shown_ns - self._last_back_ns(self.shown_ns) > MAX_TURN_OVER_NS:
            return Verdict.LIFTED, CardCause.TOOK_LONG
        return None

    def judge_face(self, lock: int, lock_ns: int, read: PrintedMarker | None) -> Finding | None:
        """Return what is wrong with a card that was turned over in time, if anything. Other frames only confirm what
        the lock frame shows."""
        markers = {face.printed.marker for face in self.faces_from_lock(lock, lock_ns)}
        if self.face is not None and markers - {self.face.marker}:
            return Verdict.CHANGED, None
        return self._judge_missing_face(lock) if read is None else None

    def _judge_missing_face(self, lock: int) -> Finding:
        """Return the verdict where no face is read at the lock: either the card is unreadable or there is none. What
        paper looks like, the committed card has shown; or another card does at the lock, where people confirmed one
        that the camera had not read."""
        frame, committed = self._frames.frames[lock], self.tracker.committed
        pixels = frame.pixels
        if committed is not None:
            paper_level, pose = committed.paper_level, committed.pose
        elif frame.cards:
            paper_level, pose = measure_paper_level(pixels, frame.cards[0]), card_pose(frame.cards[0])
        else:
            return Verdict.UNSEEN, CardCause.NO_CARD
        share = paper_share(pixels, self.tracker.zone, paper_level, pose)
        return (Verdict.UNREAD, None) if share >= MIN_PAPER_SHARE else (Verdict.UNSEEN, CardCause.NO_CARD)

    def _last_back_ns(self, shown_ns: int) -> int:
        backs = [
            time_ns
            for index, cards in self.cards_by_frame.items()
            if (time_ns := self._frames.time_ns(index)) <= shown_ns
            and any(card.printed.kind in BACK_KINDS for card in cards)
        ]
        return max([self.tracker.back_seen_ns, *backs])


def _first_shown_ns(seats: Sequence[_SeatCards], since_ns: int) -> int | None:
    """Return when the first card was shown that was neither lifted nor turned over before ``since_ns``."""
    shown = [seat.shown_ns for seat in seats if seat.shown_ns is not None and seat.tracker.breach is None]
    return min((time_ns for time_ns in shown if time_ns >= since_ns), default=None)


def _crop_box(tracker: CardTracker) -> Box:
    """Return the part of a seat's zone that is saved: around where its card was laid."""
    zone, committed = tracker.zone, tracker.committed
    if committed is None:
        return zone
    side = round(CROP_MM * committed.pose.px_per_mm)
    width, height = min(side, zone.w), min(side, zone.h)
    x = min(max(zone.x, round(committed.pose.x) - width // 2), zone.x + zone.w - width)
    y = min(max(zone.y, round(committed.pose.y) - height // 2), zone.y + zone.h - height)
    return Box(x, y, width, height)


def _are_apart(cards: Sequence[Card]) -> bool:
    return any(
        abs(a.centre[0] - b.centre[0]) + abs(a.centre[1] - b.centre[1]) > a.side_px * 0.3
        for a, b in combinations(cards, 2)
    )
