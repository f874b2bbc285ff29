"""Other hands in a zone: its owner's second one, another player's, or somebody's who reached over. Looked for around
the lock, and told apart by where their arms come from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from device.camera.frames import Box, Frame
from vision.hands.augmented_looks import Finder, Look, in_original
from vision.lock.arms import Points, comes_through, cover, heading, palms_apart, size, turned_by
from vision.lock.verdict import SeatVerdict, Verdict
from vision.lock.void_reasons import Trouble, TroubleKind
from vision.lock.zone_view import LOOK_PX, Sight

AROUND_NS = (0, -50_000_000, 50_000_000)
"""When a zone is looked at, after the lock: at it, and if another hand may be there on both sides of it."""
SEEN = 2
"""Looks of those that must show another hand: one may be wrong."""
PLAIN, WIDE = Look(), Look(pad=1.5)
SAME_SIDE_DEG = 50.0
"""Arms that differ by less come from the same side. A player's own two differ by up to 18° rendered, arms of others
by 59° and more."""
PALMS, PALMS_BESIDE = 0.8, 1.2
"""How far the palms of two hands lie apart at least, in their own lengths, or it is one hand found twice; more where
both point the same way. Rendered: 0.8 for a hand half over another, 1.4 for a player's two hands."""
INSIDE = 0.9
"""Share of a hand's landmarks inside the zone, or it is a neighbour's at its edge."""
LIKE = 0.5
"""A hand less than this share of the other's size is none."""
BY = 0.4
"""Share of a zone's side beside it that an arm of its seat may come by."""
ASTRAY_DEG = 60.0
"""A hand that points so far from where most looks of the round saw it point is another one: owners' hands differed by
less than 40° in all rendered rounds."""
CONFUSED = (Verdict.UNCLEAR, Verdict.UNSEEN, Verdict.EARLY)
"""Verdicts that a hand over the owner's brings about. A late throw, or a changed one, is not excused by a wrist that
turned: on a real clip it turned so far."""
ANOTHER_DEG = 80.0
"""A hand that points so far off is another one whatever the verdict: no wrist turns so far. Hands that reached over
differed from the owner's by 85° to 161°."""
ASTRAY = 2
"""Looks that must show another hand, where only one at a time is found."""
THUMB_PX = 48
"""Side of the small pictures in which a zone is compared with itself before."""
CHANGED = 40
"""Levels of 255 by which a pixel of these has changed for certain."""
BEFORE, BEFORE_NS = 6, 65_000_000
"""How many of them are taken from the beginning of the round, and how far apart: a hand that pumps is not in most."""
STRANGE, ALL = 0.12, 0.8
"""Share of a zone, beside where its owner's hand and arm ever were, whose change means that something is over it; and
from which that is no arm. In honest rendered rounds it was 0.00, under arms up to 0.22."""


@dataclass(frozen=True)
class Company:
    """The hands in one zone around the lock: of each look their landmarks in pixels of the frame. ``turned``: for each
    look of the whole round, how far the hand it found points from where most did, in degrees; ``usual`` is that way,
    None where no hand was found. ``strange`` is the share of the zone that has changed beside where its owner's hand
    was, looked at where that hand can't be read."""

    looks: tuple[tuple[Points, ...], ...]
    turned: tuple[float, ...] = ()
    usual: float | None = None
    strange: float = 0.0

    @property
    def mixed(self) -> bool:
        """Whether the round's looks found one hand now and another then."""
        return sum(off > ASTRAY_DEG for off in self.turned) >= ASTRAY

    @property
    def exchanged(self) -> bool:
        """Whether one hand now and another then are certain, so that even a late throw may be somebody else's."""
        return sum(off > ANOTHER_DEG for off in self.turned) >= ASTRAY

    @property
    def pairs(self) -> list[tuple[Points, Points]]:
        """The looks that show two hands."""
        found = [(look[0], look[1]) for look in self.looks if len(look) > 1]
        return found if len(found) >= SEEN else []

    @property
    def beside(self) -> bool:
        """Whether two hands are there whose arms come from the same side."""
        alike = [turned_by(heading(one), heading(two)) < SAME_SIDE_DEG for one, two in self.pairs]
        return sum(alike) >= SEEN

    def from_over(self, box: Box, reach: float, usual: float | None) -> bool:
        """Whether a hand is there whose arm comes through another zone's ``box``, or, where arms from two sides meet,
        by it: people lean over beside their zone too. ``usual`` is where that zone's own hand pointed, if it was seen:
        an arm that comes from quite another side is not its owner's, but may be what hides it."""
        if usual is not None and self.pairs and not self.beside:
            x, y = round(BY * box.w), round(BY * box.h)
            box = Box(box.x - x, box.y - y, box.w + 2 * x, box.h + 2 * y)

        def may_be(hand: Points) -> bool:
            own_side = usual is None or turned_by(heading(hand), usual) < ASTRAY_DEG
            return own_side and comes_through(hand, box, reach)

        return sum(any(map(may_be, look)) for look in self.looks) >= SEEN


def company_of(sight: Sight, verdict: SeatVerdict, lock_ns: int, anybody_missing: bool, finder: Finder) -> Company:
    """Who is in a seat's zone around the lock. One call of the hand model where one hand is there and nothing else is
    amiss, else up to four; ``anybody_missing``: whether some seat's hand is nowhere to be seen."""
    foul = verdict.verdict.foul
    first = hands_in(sight.frames[sight.nearest(lock_ns)], sight.box, finder, PLAIN)
    way = PLAIN
    if len(first) < 2 and foul:
        wide = hands_in(sight.frames[sight.nearest(lock_ns)], sight.box, finder, WIDE)
        if len(wide) > len(first):
            first, way = wide, WIDE
    looks = [first]
    if len(first) > 1 or (anybody_missing and first):
        for after_ns in AROUND_NS[1:]:
            looks.append(hands_in(sight.frames[sight.nearest(lock_ns + after_ns)], sight.box, finder, way))
    lost = verdict.verdict in (Verdict.UNSEEN, Verdict.UNCLEAR)
    return Company(tuple(looks), *_turned(sight), strange_share(sight, lock_ns) if lost else 0.0)


def strange_share(sight: Sight, lock_ns: int) -> float:
    """The share (0–1) of a zone that at the lock looks otherwise than at the beginning of the round, beside where its
    own hand and arm were seen; 0 where they never were."""
    hands = [seen.hand.landmarks for i in sight.looked_at() if (seen := sight(i))]
    if not hands:
        return 0.0
    usual = _usual([heading(points) for points in hands])
    free = np.full((THUMB_PX, THUMB_PX), 255, np.uint8)
    for points in hands:
        if turned_by(heading(points), usual) < ASTRAY_DEG:
            scaled = (points - (sight.box.x, sight.box.y)) * np.divide(THUMB_PX, (sight.box.w, sight.box.h))
            cover(free, scaled, 0.15, 0.8)
    start = int(sight.times[0])
    before = [_thumb(sight, start + step * BEFORE_NS) for step in range(BEFORE)]
    off = np.abs(_thumb(sight, lock_ns) - np.median(before, axis=0)).max(2)
    return float(((off > CHANGED) & (free > 0)).mean())


def _thumb(sight: Sight, when_ns: int) -> Points:
    frame = sight.frames[sight.nearest(when_ns)]
    return frame.pixels(sight.box, (THUMB_PX, THUMB_PX)).astype(float)


def hands_in(frame: Frame, box: Box, finder: Finder, way: Look) -> tuple[Points, ...]:
    """The hands in a zone, at most two, their landmarks in pixels of the frame: none that is found twice, lies at the
    zone's edge or is far smaller than the other."""
    scale = min(1.0, LOOK_PX / max(box.w, box.h))
    wide, high = max(1, round(box.w * scale)), max(1, round(box.h * scale))
    shown, back = way.at(frame.pixels(box, (wide, high)))
    to_frame = np.array([box.w / wide, box.h / high])
    found = [in_original(hand, back).landmarks * to_frame + (box.x, box.y) for hand in finder.find(shown)]
    whole = [points for points in found if _inside(points, box) >= INSIDE]
    if len(whole) > 1 and not _two(whole[0], whole[1]):
        return (whole[0],)
    return tuple(whole[:2])


def _inside(points: Points, box: Box) -> float:
    within = (points >= (box.x, box.y)) & (points <= (box.x + box.w, box.y + box.h))
    return float(within.all(axis=1).mean())


def _two(one: Points, two: Points) -> bool:
    """Whether these are two hands, not one found twice or something small."""
    same_side = turned_by(heading(one), heading(two)) < SAME_SIDE_DEG
    least = PALMS_BESIDE if same_side else PALMS
    sizes = sorted((size(one), size(two)))
    return palms_apart(one, two) >= least and sizes[0] >= LIKE * sizes[1]


def _usual(headings: Sequence[float]) -> float:
    """Where most of these point: the one least turned from all the others."""
    return min(headings, key=lambda one: sum(turned_by(one, other) for other in headings))


def _turned(sight: Sight) -> tuple[tuple[float, ...], float | None]:
    """How far the hands that were seen point from where most of them do, in degrees, and where that is."""
    headings = [heading(seen.hand.landmarks) for i in sight.looked_at() if (seen := sight(i))]
    if not headings:
        return (), None
    usual = _usual(headings)
    return tuple(turned_by(one, usual) for one in headings), usual


def refereed(
    seats: Sequence[SeatVerdict], found: Sequence[Company], size_px: tuple[int, int]
) -> tuple[tuple[SeatVerdict, ...], Trouble | None]:
    """The verdicts, once it is known who was in each zone, and the trouble of a hand whose owner can't be told."""
    reach = math.hypot(*size_px)
    after, trouble = list(seats), None
    for zone, one in enumerate(found, 1):
        stray = next(
            (
                number
                for number, seat in enumerate(seats, 1)
                if number != zone
                and seat.verdict is Verdict.UNSEEN
                and one.from_over(seat.crop, reach, found[number - 1].usual)
            ),
            None,
        )
        if stray is not None:
            after[stray - 1] = replace(seats[stray - 1], verdict=Verdict.WRONG_ZONE, cause=None, into=zone)
            after[zone - 1] = _spared(seats[zone - 1], one, seats[stray - 1].crop, reach)
        elif one.beside:
            after[zone - 1] = replace(seats[zone - 1], verdict=Verdict.TWO_HANDS, at_lock=None, then=None, cause=None)
        elif one.pairs or one.exchanged or (one.mixed and seats[zone - 1].verdict in CONFUSED):
            trouble = trouble or Trouble(TroubleKind.REACHING, zone)
        elif one.strange >= STRANGE:
            kind = TroubleKind.REACHING if one.strange < ALL else TroubleKind.COVERED
            trouble = trouble or Trouble(kind, zone, one.strange)
    return tuple(after), trouble


def _spared(owner: SeatVerdict, found: Company, box: Box, reach: float) -> SeatVerdict:
    """The verdict on a zone's owner beside whose hand, or over it, is one whose arm comes through ``box``: their own,
    if it was their hand that was looked at all along; else nothing is laid to them, and nothing is their throw."""
    strays = [heading(hand) for look in found.looks for hand in look if comes_through(hand, box, reach)]
    own = found.usual is not None and all(turned_by(found.usual, other) > ASTRAY_DEG for other in strays)
    if own and not found.mixed and not owner.verdict.foul:
        return owner
    return replace(owner, verdict=Verdict.ON_TIME, throw=None, at_lock=None, shown=None, then=None, cause=None)
