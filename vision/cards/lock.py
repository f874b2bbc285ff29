"""The lock for cards: when every card was turned over, the instant after which nothing counts, and everybody's card
read from one single exposure. What can't be read there is asked for again, never guessed."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from device.camera.frames import Box, Frame
from rules.markers import Printed
from vision.cards.card_tracker import LOOK_NS, Broken, SeatWatch
from vision.cards.observations import BACKS, FACES, Family, Looks, paper_share
from vision.cards.reader import Card
from vision.lock.camera_checks import camera_trouble, few_frames
from vision.lock.inference import Instant
from vision.lock.judge import Judgement
from vision.lock.verdict import AFTER_NS, CHANGES_NS, SeatVerdict, Verdict
from vision.lock.void_reasons import Trouble, TroubleKind

CARD_WINDOW_NS = 1_000_000_000
"""From the first card that shows its face to the lock. The choice was made when the cards were laid, so it need not be
shorter than a reaction, and turning a card over and letting go of it takes a part of it: docs/cards.md."""
COARSE_NS = 100_000_000
"""Between the frames in which a face is looked for first; the one in which it was read first is found by halving."""
TURNS_NS = 1_500_000_000
"""From the last sight of a card's back, with a hand already on it, to that of its face: what takes longer was more than
turning it over."""
SECOND_CARD = 2
"""Looks that must show a second card: one may be of a card that is on its way through the zone."""
TOGETHER_NS = 300_000_000
"""All cards out of sight within this time are no player's doing."""
CROP_MM = 190.0
"""Side of the part of a zone that is kept: a card turned anyhow, turned over to a side, and a part of the hand."""
PAPER = 0.25
"""Share of a card that must be seen of white paper for a card to be there that can't be read."""


class CardCause(StrEnum):
    """What was wrong with a card, beside its verdict."""

    MOVED = "moved"
    HIDDEN = "hidden"
    TOOK_LONG = "took long"
    NOT_TURNED = "not turned over"
    NO_CARD = "no card"
    PILE = "in a match pile"
    DISCARD = "discarded"


Check = Callable[[int, Printed], tuple[Verdict, CardCause | None] | None]
"""What is wrong, by the count of the cards, with a card that the seat at a place (from 0, as judged) shows."""


@dataclass
class _Seat:
    """What one seat's zone showed of a round: the frame of the first face and that before it."""

    watch: SeatWatch
    looked: dict[int, list[Card]]
    shown: int | None = None
    before: int | None = None
    printed: Printed | None = None

    @property
    def zone(self) -> Box:
        """The seat's zone in pixels."""
        return self.watch.zone


class CardJudge:
    """Judges rounds of cards that were watched until they could be turned over.

    judge = CardJudge(Family.DECK)
    judgement = judge(frames, watches, cue_ns, CARD_WINDOW_NS)

    ``check`` knows where every card should be. ``groups`` gives for a seat's place the table it plays at: only cards of
    the same deck can be copies.
    """

    def __init__(
        self, family: Family, check: Check = lambda place, card: None, groups: Mapping[int, int] | None = None
    ) -> None:
        self._family = family
        self._check = check
        self._groups = groups or {}
        self.progress = 0.0

    def __call__(
        self, frames: Sequence[Frame], watches: Sequence[SeatWatch], cue_ns: int, window_ns: int = CARD_WINDOW_NS
    ) -> Judgement:
        """Judge a round. ``frames`` are in order of time, from before cue − window on; the ``watches`` have looked at
        all before that."""
        looks = Looks(frames)
        seats = [_Seat(watch, {}) for watch in watches]
        since_ns = cue_ns - window_ns
        self._find(looks, seats, cue_ns, window_ns)
        firsts = [_time(looks, seat.shown) for seat in seats if seat.shown is not None and seat.watch.broken is None]
        first_ns = min((when for when in firsts if when >= since_ns), default=None)
        lock_ns = max(cue_ns, (cue_ns if first_ns is None else first_ns) + window_ns)
        lock = looks.index(lock_ns)
        verdicts = []
        for place, seat in enumerate(seats):
            verdicts.append(self._verdict(place, seat, looks, lock, since_ns, lock_ns))
        judgement = Judgement(cue_ns, first_ns, lock_ns, window_ns, looks.looks[lock].frame, tuple(verdicts))
        judgement = self._copies(judgement)
        trouble = self._trouble(judgement, frames, watches)
        return judgement if trouble is None else replace(judgement, trouble=trouble)

    def _find(self, looks: Looks, seats: Sequence[_Seat], cue_ns: int, window_ns: int) -> None:
        """Find for every seat the first frame in which a face is read. Looking goes on until the latest thing that
        could count is over."""
        start, end = looks.index(cue_ns - window_ns), looks.index(cue_ns + 2 * window_ns + AFTER_NS)
        at, last = start, start
        while at < end:
            self.progress = (at - start) / (end - start)
            for seat in seats:
                if _faces(_seen(looks, seat, at)) and seat.shown is None:
                    self._halve(looks, seat, last, at)
            shown = [_time(looks, seat.shown) for seat in seats if seat.shown is not None]
            if len(shown) == len(seats):
                end = min(end, looks.index(max(cue_ns, min(shown)) + window_ns + CHANGES_NS))
            last, at = at, max(at + 1, looks.index(_time(looks, at) + COARSE_NS))

    def _halve(self, looks: Looks, seat: _Seat, low: int, high: int) -> None:
        """The first frame with a face, between one without (``low``) and one with."""
        while high - low > 1:
            middle = (low + high) // 2
            if _faces(_seen(looks, seat, middle)):
                high = middle
            else:
                low = middle
        seat.shown, seat.before = high, low
        seat.printed = _faces(_seen(looks, seat, high))[0].printed

    def _verdict(self, place: int, seat: _Seat, looks: Looks, lock: int, since_ns: int, lock_ns: int) -> SeatVerdict:
        at_lock = _seen(looks, seat, lock)
        faces = _faces(at_lock)
        read = faces[0].printed if len(faces) == 1 else None
        shown = _instant(looks, seat)
        came = read or seat.printed
        plain = SeatVerdict(
            place + 1,
            Verdict.ON_TIME,
            came.throw if came else None,
            read.throw if read else None,
            shown,
            _crop(seat.watch),
            inferences=len(seat.looked),
            card=came.marker if came else None,
            proof=seat.watch.proof,
        )
        verdict, cause = self._judged(place, seat, looks, lock, since_ns, lock_ns, read)
        if verdict is Verdict.CHANGED:
            then = next((face.printed for face in _later(looks, seat, lock) if face.printed is not read), None)
            first = seat.printed.throw if seat.printed else None
            return replace(plain, verdict=verdict, throw=first, then=then.throw if then else plain.at_lock)
        return replace(plain, verdict=verdict, cause=cause)

    def _judged(
        self,
        place: int,
        seat: _Seat,
        looks: Looks,
        lock: int,
        since_ns: int,
        lock_ns: int,
        read: Printed | None,
    ) -> tuple[Verdict, CardCause | None]:
        """The verdict on a seat and its cause: what happened first comes first."""
        foul = _before(seat, looks, since_ns) or self._strange(seat) or self._untimely(seat, looks, lock, lock_ns)
        return foul or self._shown(place, seat, looks, lock, read)

    def _untimely(self, seat: _Seat, looks: Looks, lock: int, lock_ns: int) -> tuple[Verdict, CardCause | None] | None:
        """What is wrong with when a card was turned over, if anything."""
        if seat.shown is None:
            if any(card.printed.kind in BACKS for card in _seen(looks, seat, lock)):
                return Verdict.LATE, CardCause.NOT_TURNED
            return self._missing(seat, looks, lock)
        shown_ns = _time(looks, seat.shown)
        if shown_ns > lock_ns:
            return Verdict.LATE, None
        too_long = seat.watch.down is not None and shown_ns - _back_ns(seat, looks, shown_ns) > TURNS_NS
        return (Verdict.LIFTED, CardCause.TOOK_LONG) if too_long else None

    def _shown(
        self, place: int, seat: _Seat, looks: Looks, lock: int, read: Printed | None
    ) -> tuple[Verdict, CardCause | None]:
        """The verdict on a card that was turned over in time. Other frames only confirm what the lock frame shows."""
        faces = (*_faces(_seen(looks, seat, lock)), *_later(looks, seat, lock))
        if seat.printed is not None and {face.printed.marker for face in faces} - {seat.printed.marker}:
            return Verdict.CHANGED, None
        if read is None:
            return self._missing(seat, looks, lock)
        return self._check(place, read) or (Verdict.ON_TIME, None)

    def _strange(self, seat: _Seat) -> tuple[Verdict, CardCause | None] | None:
        """Cards that have no business there."""
        mixed = Counter(
            kind for cards in seat.looked.values() for kind in {_kind(card, self._family) for card in cards}
        )
        if mixed[False]:
            return Verdict.WRONG_DECK, None
        several = [cards for index, cards in sorted(seat.looked.items()) if len(cards) > 1 and _apart(cards)]
        if len(several) < SECOND_CARD:
            return None
        markers = Counter(card.printed.marker for card in several[-1] if card.printed.kind in FACES)
        return (Verdict.COPY if any(count > 1 for count in markers.values()) else Verdict.TWO_CARDS), None

    def _missing(self, seat: _Seat, looks: Looks, lock: int) -> tuple[Verdict, CardCause | None]:
        """No face is read at the lock: of a card that is there, or because none is."""
        if seat.watch.down is None:
            return Verdict.UNSEEN, CardCause.NO_CARD
        share = paper_share(looks.looks[lock].pixels, seat.zone, seat.watch.down.white, seat.watch.down.lie)
        return (Verdict.UNREAD, None) if share >= PAPER else (Verdict.UNSEEN, CardCause.NO_CARD)

    def _copies(self, judgement: Judgement) -> Judgement:
        """The same card in two zones: whose is the copy, only the count could tell, and it would have."""
        held = Counter(
            (self._groups.get(place, 0), seat.card)
            for place, seat in enumerate(judgement.seats)
            if seat.card is not None and seat.verdict is Verdict.ON_TIME
        )
        if not any(count > 1 for count in held.values()):
            return judgement
        marker = next(card for (_, card), count in held.items() if count > 1)
        return replace(judgement, trouble=Trouble(TroubleKind.COPIES, figure=float(marker or 0)))

    def _trouble(self, judgement: Judgement, frames: Sequence[Frame], watches: Sequence[SeatWatch]) -> Trouble | None:
        """Trouble with camera or light: nobody is blamed for it."""
        hidden = [watch.broken_ns for watch in watches if watch.broken is Broken.HIDDEN]
        if len(hidden) == len(watches) > 1 and max(hidden) - min(hidden) <= TOGETHER_NS:
            return Trouble(TroubleKind.COVERED)
        since_ns, most_ns = judgement.cue_ns - judgement.window_ns, COARSE_NS * 3
        if not judgement.fouls:  # cards that are read where they lie vouch for the camera
            times = [frame.exposed_ns for frame in frames]
            return few_frames(times, since_ns, judgement.lock_ns, most_ns) or judgement.trouble
        span_ns = since_ns, judgement.lock_ns
        return camera_trouble(frames, (), span_ns, most_ns, fouls=True) or judgement.trouble


def _crop(watch: SeatWatch) -> Box:
    """The part of a seat's zone that is kept of a round: around where its card was laid."""
    zone, down = watch.zone, watch.down
    if down is None:
        return zone
    side = round(CROP_MM * down.lie.px_per_mm)
    wide, high = min(side, zone.w), min(side, zone.h)
    x = min(max(zone.x, round(down.lie.x) - wide // 2), zone.x + zone.w - wide)
    y = min(max(zone.y, round(down.lie.y) - high // 2), zone.y + zone.h - high)
    return Box(x, y, wide, high)


def _kind(card: Card, family: Family) -> bool:
    """Whether a card is of the family."""
    return card.printed.kind in (family.face, family.back)


def _time(looks: Looks, index: int) -> int:
    return int(looks.times[index])


def _seen(looks: Looks, seat: _Seat, index: int) -> list[Card]:
    """The cards of a seat's zone in a frame."""
    if index not in seat.looked:
        seat.looked[index] = looks.looks[index].within(seat.zone)
    return seat.looked[index]


def _faces(cards: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card.printed.kind in FACES]


def _apart(cards: Sequence[Card]) -> bool:
    """Whether markers lie so far apart that they are on different cards."""
    return any(
        abs(one.centre[0] - other.centre[0]) + abs(one.centre[1] - other.centre[1]) > one.side * 0.3
        for place, one in enumerate(cards)
        for other in cards[place + 1 :]
    )


def _instant(looks: Looks, seat: _Seat) -> Instant | None:
    """When a face was first read: somewhere between that frame and the one before, all of it as likely."""
    if seat.watch.broken is Broken.TURNED:
        return Instant(seat.watch.broken_ns, round(LOOK_NS / 12**0.5))
    if seat.shown is None or seat.before is None:
        return None
    gap = _time(looks, seat.shown) - _time(looks, seat.before)
    return Instant(_time(looks, seat.shown), round(gap / 12**0.5))


def _later(looks: Looks, seat: _Seat, lock: int) -> list[Card]:
    """The faces that were looked at after the lock, as long as a throw must be kept."""
    until = _time(looks, lock) + CHANGES_NS
    return [
        face
        for index, cards in sorted(seat.looked.items())
        if index > lock and _time(looks, index) <= until
        for face in _faces(cards)
    ]


def _back_ns(seat: _Seat, looks: Looks, shown_ns: int) -> int:
    """When the back was last seen before the face."""
    backs = [
        _time(looks, index)
        for index, cards in seat.looked.items()
        if _time(looks, index) <= shown_ns and any(card.printed.kind in BACKS for card in cards)
    ]
    return max([seat.watch.seen_ns, *backs])


def _before(seat: _Seat, looks: Looks, since_ns: int) -> tuple[Verdict, CardCause | None] | None:
    """What became of a card before it might be turned over."""
    match seat.watch.broken:
        case Broken.MOVED:
            return Verdict.LIFTED, CardCause.MOVED
        case Broken.HIDDEN:
            return Verdict.LIFTED, CardCause.HIDDEN
        case Broken.TWO:
            return Verdict.TWO_CARDS, None
        case Broken.TURNED:
            return Verdict.EARLY, None
    early = seat.shown is not None and seat.shown == seat.before and _time(looks, seat.shown) <= since_ns
    return (Verdict.EARLY, None) if early else None
