"""The lock for cards: when every card was turned over, the time after which nothing counts, and everybody's card read
from one single exposure. A card that can't be read there makes the round void; it is never guessed."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from device.camera.frames import Box, Frame
from rules.markers import PrintedMarker
from vision.cards.card_tracker import OBSERVATION_INTERVAL_NS, CardTracker, CommitBreach
from vision.cards.observations import BACK_KINDS, FACE_KINDS, CardFamily, ObservedFrames, paper_share
from vision.cards.reader import Card
from vision.lock.camera_checks import check_camera, check_frame_gaps
from vision.lock.inference import TimeEstimate
from vision.lock.judge import Judgement
from vision.lock.verdict import HOLD_AFTER_LOCK_NS, SEARCH_AFTER_LOCK_NS, SeatVerdict, Verdict
from vision.lock.void_reasons import VoidKind, VoidReason

CARD_WINDOW_NS = 1_000_000_000
"""From the first card that shows its face to the lock. The choice was made when the cards were laid, so it need not be
shorter than a reaction time, and includes turning a card over and letting go of it: docs/cards.md."""
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


CardCheck = Callable[[int, PrintedMarker], tuple[Verdict, CardCause | None] | None]
"""Returns what is wrong with a card by the count of the cards, given the index (from 0) of the seat that shows it."""


@dataclass
class _SeatCards:
    """One seat's cards in a round, with the first frame that shows a face and the last before it without."""

    tracker: CardTracker
    cards_by_frame: dict[int, list[Card]]
    face_frame: int | None = None
    before_face_frame: int | None = None
    face: PrintedMarker | None = None

    @property
    def zone(self) -> Box:
        """The seat's zone in pixels."""
        return self.tracker.zone


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
        """Judge a round.

        Args:
            frames: The recording, in order of time, from before cue − window on.
            trackers: A tracker per seat, which has observed the time before that.
            cue_ns: The cue.
            window_ns: From the first face to the lock.
        """
        observed = ObservedFrames(frames)
        seats = [_SeatCards(tracker, {}) for tracker in trackers]
        since_ns = cue_ns - window_ns
        self._find_faces(observed, seats, cue_ns, window_ns)
        firsts = [
            _time_ns(observed, seat.face_frame)
            for seat in seats
            if seat.face_frame is not None and seat.tracker.breach is None
        ]
        first_ns = min((time for time in firsts if time >= since_ns), default=None)
        lock_ns = max(cue_ns, (cue_ns if first_ns is None else first_ns) + window_ns)
        lock = observed.nearest_frame(lock_ns)
        verdicts = tuple(
            self._verdict(index, seat, observed, lock, since_ns, lock_ns) for index, seat in enumerate(seats)
        )
        judgement = Judgement(cue_ns, first_ns, lock_ns, window_ns, observed.frames[lock].frame, verdicts)
        judgement = self._check_copies(judgement)
        void_reason = self._check_camera(judgement, frames, trackers)
        return judgement if void_reason is None else replace(judgement, void_reason=void_reason)

    def _find_faces(self, frames: ObservedFrames, seats: Sequence[_SeatCards], cue_ns: int, window_ns: int) -> None:
        """Find the first frame with a face for every seat, searching until nothing later could count."""
        start = frames.nearest_frame(cue_ns - window_ns)
        end = frames.nearest_frame(cue_ns + 2 * window_ns + SEARCH_AFTER_LOCK_NS)
        at, last = start, start
        while at < end:
            self.progress = (at - start) / (end - start)
            for seat in seats:
                if _faces(_cards_in(frames, seat, at)) and seat.face_frame is None:
                    self._bisect(frames, seat, last, at)
            shown = [_time_ns(frames, seat.face_frame) for seat in seats if seat.face_frame is not None]
            if len(shown) == len(seats):
                end = min(end, frames.nearest_frame(max(cue_ns, min(shown)) + window_ns + HOLD_AFTER_LOCK_NS))
            last, at = at, max(at + 1, frames.nearest_frame(_time_ns(frames, at) + COARSE_STEP_NS))

    def _bisect(self, frames: ObservedFrames, seat: _SeatCards, low: int, high: int) -> None:
        """Find the first frame with a face by bisection between a frame without (``low``) and one with."""
        while high - low > 1:
            middle = (low + high) // 2
            if _faces(_cards_in(frames, seat, middle)):
                high = middle
            else:
                low = middle
        seat.face_frame, seat.before_face_frame = high, low
        seat.face = _faces(_cards_in(frames, seat, high))[0].printed

    def _verdict(
        self, index: int, seat: _SeatCards, frames: ObservedFrames, lock: int, since_ns: int, lock_ns: int
    ) -> SeatVerdict:
        at_lock = _cards_in(frames, seat, lock)
        faces = _faces(at_lock)
        read = faces[0].printed if len(faces) == 1 else None
        shown = _shown_estimate(frames, seat)
        card = read or seat.face
        on_time = SeatVerdict(
            index + 1,
            Verdict.ON_TIME,
            card.throw if card else None,
            read.throw if read else None,
            shown,
            _crop_box(seat.tracker),
            inferences=len(seat.cards_by_frame),
            card_marker=card.marker if card else None,
            proof_frame=seat.tracker.proof_frame,
        )
        verdict, cause = self._judge_seat(index, seat, frames, lock, since_ns, lock_ns, read)
        if verdict is Verdict.CHANGED:
            later = next((face.printed for face in _faces_after(frames, seat, lock) if face.printed is not read), None)
            first = seat.face.throw if seat.face else None
            return replace(on_time, verdict=verdict, throw=first, changed_to=later.throw if later else on_time.at_lock)
        return replace(on_time, verdict=verdict, cause=cause)

    def _judge_seat(
        self,
        index: int,
        seat: _SeatCards,
        frames: ObservedFrames,
        lock: int,
        since_ns: int,
        lock_ns: int,
        read: PrintedMarker | None,
    ) -> tuple[Verdict, CardCause | None]:
        """Return the verdict on a seat and its cause; what happened first takes precedence."""
        foul = (
            _judge_commitment(seat, frames, since_ns)
            or self._judge_extra_cards(seat)
            or self._judge_timing(seat, frames, lock, lock_ns)
        )
        return foul or self._judge_face(index, seat, frames, lock, read)

    def _judge_timing(
        self, seat: _SeatCards, frames: ObservedFrames, lock: int, lock_ns: int
    ) -> tuple[Verdict, CardCause | None] | None:
        """Return what is wrong with the time at which a card was turned over, if anything."""
        if seat.face_frame is None:
            if any(card.printed.kind in BACK_KINDS for card in _cards_in(frames, seat, lock)):
                return Verdict.LATE, CardCause.NOT_TURNED
            return self._judge_missing_face(seat, frames, lock)
        shown_ns = _time_ns(frames, seat.face_frame)
        if shown_ns > lock_ns:
            return Verdict.LATE, None
        if seat.tracker.committed is not None and shown_ns - _last_back_ns(seat, frames, shown_ns) > MAX_TURN_OVER_NS:
            return Verdict.LIFTED, CardCause.TOOK_LONG
        return None

    def _judge_face(
        self, index: int, seat: _SeatCards, frames: ObservedFrames, lock: int, read: PrintedMarker | None
    ) -> tuple[Verdict, CardCause | None]:
        """Return the verdict on a card that was turned over in time. Other frames only confirm what the lock frame
        shows."""
        faces = (*_faces(_cards_in(frames, seat, lock)), *_faces_after(frames, seat, lock))
        if seat.face is not None and {face.printed.marker for face in faces} - {seat.face.marker}:
            return Verdict.CHANGED, None
        if read is None:
            return self._judge_missing_face(seat, frames, lock)
        return self._check(index, read) or (Verdict.ON_TIME, None)

    def _judge_extra_cards(self, seat: _SeatCards) -> tuple[Verdict, CardCause | None] | None:
        """Return the foul of a foreign or second card, if there is one."""
        if not all(_is_family(card, self._family) for cards in seat.cards_by_frame.values() for card in cards):
            return Verdict.WRONG_DECK, None
        several = [cards for _, cards in sorted(seat.cards_by_frame.items()) if len(cards) > 1 and _are_apart(cards)]
        if len(several) < MIN_SECOND_CARD_FRAMES:
            return None
        markers = Counter(card.printed.marker for card in several[-1] if card.printed.kind in FACE_KINDS)
        return (Verdict.COPY if any(count > 1 for count in markers.values()) else Verdict.TWO_CARDS), None

    def _judge_missing_face(
        self, seat: _SeatCards, frames: ObservedFrames, lock: int
    ) -> tuple[Verdict, CardCause | None]:
        """Return the verdict where no face is read at the lock: either the card is unreadable or there is none."""
        committed = seat.tracker.committed
        if committed is None:
            return Verdict.UNSEEN, CardCause.NO_CARD
        share = paper_share(frames.frames[lock].pixels, seat.zone, committed.paper_level, committed.pose)
        return (Verdict.UNREAD, None) if share >= MIN_PAPER_SHARE else (Verdict.UNSEEN, CardCause.NO_CARD)

    def _check_copies(self, judgement: Judgement) -> Judgement:
        """Make the round void if the same card is in two zones: the count of the cards did not show whose is the
        copy."""
        counts = Counter(
            (self._groups.get(index, 0), seat.card_marker)
            for index, seat in enumerate(judgement.seats)
            if seat.card_marker is not None and seat.verdict is Verdict.ON_TIME
        )
        if not any(count > 1 for count in counts.values()):
            return judgement
        marker = next(card for (_, card), count in counts.items() if count > 1)
        return replace(judgement, void_reason=VoidReason(VoidKind.COPIES, measurement=float(marker or 0)))

    def _check_camera(
        self, judgement: Judgement, frames: Sequence[Frame], trackers: Sequence[CardTracker]
    ) -> VoidReason | None:
        """Return why camera or light make the round void; None if they don't."""
        hidden = [tracker.breach_ns for tracker in trackers if tracker.breach is CommitBreach.HIDDEN]
        if len(hidden) == len(trackers) > 1 and max(hidden) - min(hidden) <= MAX_JOINT_HIDING_NS:
            return VoidReason(VoidKind.COVERED)
        since_ns, max_gap_ns = judgement.cue_ns - judgement.window_ns, COARSE_STEP_NS * 3
        if not judgement.fouls:  # cards read where they were laid prove that the camera can see
            times_ns = [frame.exposed_ns for frame in frames]
            return check_frame_gaps(times_ns, since_ns, judgement.lock_ns, max_gap_ns) or judgement.void_reason
        span_ns = since_ns, judgement.lock_ns
        return check_camera(frames, (), span_ns, max_gap_ns, has_fouls=True) or judgement.void_reason


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


def _is_family(card: Card, family: CardFamily) -> bool:
    """Whether a card is of the family."""
    return card.printed.kind in (family.face, family.back)


def _time_ns(frames: ObservedFrames, index: int) -> int:
    return int(frames.times_ns[index])


def _cards_in(frames: ObservedFrames, seat: _SeatCards, index: int) -> list[Card]:
    """Return the cards in a seat's zone in a frame."""
    if index not in seat.cards_by_frame:
        seat.cards_by_frame[index] = frames.frames[index].cards_in(seat.zone)
    return seat.cards_by_frame[index]


def _faces(cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card.printed.kind in FACE_KINDS]


def _are_apart(cards: Sequence[Card]) -> bool:
    """Whether markers are so far apart that they are on different cards."""
    return any(
        abs(one.centre[0] - other.centre[0]) + abs(one.centre[1] - other.centre[1]) > one.side_px * 0.3
        for index, one in enumerate(cards)
        for other in cards[index + 1 :]
    )


def _shown_estimate(frames: ObservedFrames, seat: _SeatCards) -> TimeEstimate | None:
    """Return when a face was shown: at any time between its first frame and the one before, with equal probability."""
    if seat.tracker.breach is CommitBreach.TURNED:
        return TimeEstimate(seat.tracker.breach_ns, round(OBSERVATION_INTERVAL_NS / 12**0.5))
    if seat.face_frame is None or seat.before_face_frame is None:
        return None
    gap_ns = _time_ns(frames, seat.face_frame) - _time_ns(frames, seat.before_face_frame)
    return TimeEstimate(_time_ns(frames, seat.face_frame), round(gap_ns / 12**0.5))


def _faces_after(frames: ObservedFrames, seat: _SeatCards, lock: int) -> list[Card]:
    """Return the faces read after the lock, for as long as a throw must be kept."""
    until_ns = _time_ns(frames, lock) + HOLD_AFTER_LOCK_NS
    return [
        face
        for index, cards in sorted(seat.cards_by_frame.items())
        if index > lock and _time_ns(frames, index) <= until_ns
        for face in _faces(cards)
    ]


def _last_back_ns(seat: _SeatCards, frames: ObservedFrames, shown_ns: int) -> int:
    """Return when the back was last seen before the face."""
    backs = [
        _time_ns(frames, index)
        for index, cards in seat.cards_by_frame.items()
        if _time_ns(frames, index) <= shown_ns and any(card.printed.kind in BACK_KINDS for card in cards)
    ]
    return max([seat.tracker.back_seen_ns, *backs])


def _judge_commitment(
    seat: _SeatCards, frames: ObservedFrames, since_ns: int
) -> tuple[Verdict, CardCause | None] | None:
    """Return the foul with a card before it might be turned over, if any."""
    match seat.tracker.breach:
        case CommitBreach.MOVED:
            return Verdict.LIFTED, CardCause.MOVED
        case CommitBreach.HIDDEN:
            return Verdict.LIFTED, CardCause.HIDDEN
        case CommitBreach.TWO:
            return Verdict.TWO_CARDS, None
        case CommitBreach.TURNED:
            return Verdict.EARLY, None
    early = (
        seat.face_frame is not None
        and seat.face_frame == seat.before_face_frame
        and _time_ns(frames, seat.face_frame) <= since_ns
    )
    return (Verdict.EARLY, None) if early else None
