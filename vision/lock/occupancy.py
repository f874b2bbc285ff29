"""Other hands in a zone: its owner's second hand, another player's, or somebody's who reached over. They are detected
around the lock, and told apart by where their arms come from."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from device.camera.frames import Box, Frame
from rules.record.judgement import Verdict
from vision.hands.augmentation import Augmentation, Detector, detect_in_frame
from vision.lock.arms import (
    MIN_PALM_DISTANCE,
    Landmarks,
    angle_between_deg,
    hand_size,
    heading,
    paint_arm,
    palm_distance,
    passes_through,
)
from vision.lock.reasons import VoidKind, VoidReason
from vision.lock.verdict import SeatVerdict
from vision.lock.zone_view import MAX_INPUT_PX, ZoneView

CHECK_OFFSETS_NS = (0, -50_000_000, 50_000_000)
"""When a zone is checked, after the lock: at the lock and, if another hand may be there, on both sides of it."""
MIN_FRAMES_WITH_PAIR = 2
"""Checked frames that must show another hand: one may be wrong."""
PLAIN, PADDED = Augmentation(), Augmentation(pad=1.5)
SAME_SIDE_DEG = 50.0
"""Arms whose headings differ by less come from the same side. A player's own two differ by up to 18° rendered, arms of
others by 59° and more."""
MIN_PALM_DISTANCE_SAME_SIDE = 1.2
"""The same as ``MIN_PALM_DISTANCE`` where both hands point the same way. Rendered: 1.4 for a player's two hands."""
MIN_INSIDE_SHARE = 0.9
"""Least share of a hand's landmarks inside the zone, or it is a neighbour's at its edge."""
MIN_SIZE_RATIO = 0.5
"""Something less than this share of the other hand's size is no hand."""
ARM_MARGIN_SHARE = 0.4
"""How far outside its zone an arm of a seat may pass, as a share of the zone's side."""
ARM_HALF_WIDTH = 0.45
"""Half the width of an arm with its sleeve, in lengths of the hand, as where a round's arms are painted out."""
FOREIGN_HEADING_DEG = 60.0
"""A hand that points this far from where most observations of the round point is another one: owners' hands differed by
less than 40° in all rendered rounds."""
EXCUSABLE_VERDICTS = (Verdict.UNCLEAR, Verdict.UNSEEN, Verdict.EARLY)
"""Verdicts that a hand over the owner's can cause. A late or changed throw is not excused by a turned wrist: on a real
clip one turned that far."""
CERTAINLY_FOREIGN_DEG = 80.0
"""A hand that points this far off is another one whatever the verdict: no wrist turns that far. Hands that reached over
differed from the owner's by 85° to 161°."""
MIN_FOREIGN_PALM_SHARE = 0.6
"""Least size of another hand's palm, as a share of the usual one in the zone. A fist misread in the blur of its swing
has 0.23 to 0.7; owners' hands below one that reached over had 0.64 and more."""
MIN_TURNING_DEG = 30.0
"""A hand seen to point this far off, but less than ``FOREIGN_HEADING_DEG``, next to frames in which it points farther
off, turns: it is the same hand. On a real clip one turns by 100° as it opens. In 16 rendered rounds with a hand that
reached over, no hand pointed between 7° and 70° off."""
MIN_FOREIGN_FRAMES = 2
"""Frames that must show another hand, where only one at a time is found."""
MAX_PASSING_FRAMES = 1
"""Frames of a round that may show something in the zone of a hand that is elsewhere: its own arm, or a shadow."""
THUMBNAIL_PX = 48
"""Side of the thumbnails in which a zone is compared with its earlier self."""
CHANGED_LEVELS = 40
"""Levels of 255 by which a pixel of these has surely changed."""
BACKGROUND_FRAMES, BACKGROUND_STEP_NS = 6, 65_000_000
"""How many thumbnails are taken from the start of the round, and how far apart: a pumping hand is not in most."""
FOREIGN_AREA_SHARE, COVERED_AREA_SHARE = 0.12, 0.8
"""Share of a zone, outside of where its owner's hand and arm ever were, that must change for something to be over it;
and the share from which that is no arm. In honest rendered rounds it was 0.00, under arms up to 0.22."""


@dataclass(frozen=True)
class ZoneOccupancy:
    """The hands in one zone around the lock."""

    hands_by_frame: tuple[tuple[Landmarks, ...], ...]
    """Of each checked frame, the landmarks of each hand in pixels of the frame."""
    heading_offsets_deg: tuple[float, ...] = ()
    """For each inspected frame of the whole round, how far its hand points from where most do; at most
    ``FOREIGN_HEADING_DEG`` for one that can't be another hand, being too small or the same one as it turns."""
    usual_heading: float | None = None
    """Where most of them point, in radians; None where no hand was found."""
    changed_area: float = 0.0
    """The share of the zone that has changed outside of where its owner's hand was; only measured where that hand can't
    be read."""

    @property
    def may_have_foreign_hand(self) -> bool:
        """Whether the frames of the round probably show different hands at different times."""
        return sum(offset > FOREIGN_HEADING_DEG for offset in self.heading_offsets_deg) >= MIN_FOREIGN_FRAMES

    @property
    def has_foreign_hand(self) -> bool:
        """Whether the frames certainly show different hands, so that even a late throw may be somebody else's."""
        return sum(offset > CERTAINLY_FOREIGN_DEG for offset in self.heading_offsets_deg) >= MIN_FOREIGN_FRAMES

    @property
    def pairs(self) -> list[tuple[Landmarks, Landmarks]]:
        """The two hands of each frame that shows two; empty if fewer than ``MIN_FRAMES_WITH_PAIR`` do."""
        hand_pairs = [(hands[0], hands[1]) for hands in self.hands_by_frame if len(hands) > 1]
        return hand_pairs if len(hand_pairs) >= MIN_FRAMES_WITH_PAIR else []

    @property
    def has_two_from_one_side(self) -> bool:
        """Whether there are two hands whose arms come from the same side."""
        same_side = [angle_between_deg(heading(a), heading(b)) < SAME_SIDE_DEG for a, b in self.pairs]
        return sum(same_side) >= MIN_FRAMES_WITH_PAIR

    def has_arm_from(self, box: Box, reach: float, usual_heading: float | None) -> bool:
        """Whether there is a hand whose arm comes through another zone's ``box``; where arms from two sides meet, next
        to that box counts too, since people lean over there. ``usual_heading`` is where that zone's own hand pointed,
        if it was found: an arm from quite another side is not its owner's, but may be what hides it. ``reach`` is the
        length of an arm in pixels."""
        if usual_heading is not None and self.pairs and not self.has_two_from_one_side:
            x, y = round(ARM_MARGIN_SHARE * box.w), round(ARM_MARGIN_SHARE * box.h)
            box = Box(box.x - x, box.y - y, box.w + 2 * x, box.h + 2 * y)

        def may_be_owners(hand: Landmarks) -> bool:
            own_side = usual_heading is None or angle_between_deg(heading(hand), usual_heading) < FOREIGN_HEADING_DEG
            return own_side and passes_through(hand, box, reach)

        return sum(any(map(may_be_owners, hands)) for hands in self.hands_by_frame) >= MIN_FRAMES_WITH_PAIR


def detect_occupancy(
    view: ZoneView, seat: SeatVerdict, lock_ns: int, anybody_missing: bool, detector: Detector
) -> ZoneOccupancy:
    """Detect the hands in a seat's zone around the lock. One call of the hand model where there is one hand and nothing
    is wrong at the table, else up to four. ``anybody_missing``: whether the hand of some seat is nowhere to be seen."""

    def detect(offset_ns: int, augmentation: Augmentation) -> tuple[Landmarks, ...]:
        look = view.nearest_frame(lock_ns + offset_ns), augmentation
        if look not in view.hands_by_look:
            vivid = replace(augmentation, saturation=view.saturation)
            view.hands_by_look[look] = detect_hands(view.frames[look[0]], view.box, detector, vivid)
        return view.hands_by_look[look]

    augmentation, at_lock = PLAIN, detect(0, PLAIN)
    if len(at_lock) < 2 and (seat.verdict.is_foul or anybody_missing):
        padded = detect(0, PADDED)
        if len(padded) > len(at_lock):
            augmentation, at_lock = PADDED, padded
    hands_by_frame = [at_lock]
    if len(at_lock) > 1 or (anybody_missing and at_lock):
        hands_by_frame += [detect(offset_ns, augmentation) for offset_ns in CHECK_OFFSETS_NS[1:]]
    is_lost = seat.verdict in (Verdict.UNSEEN, Verdict.UNCLEAR)
    return ZoneOccupancy(
        tuple(hands_by_frame), *_heading_offsets(view), changed_area(view, lock_ns) if is_lost else 0.0
    )


def changed_area(view: ZoneView, lock_ns: int) -> float:
    """Return the share (0–1) of a zone that looks different at the lock from the start of the round, outside of where
    its own hand and arm were seen; 0 where they never were."""
    hands = [seen.hand.landmarks for i in view.inspected_frames() if (seen := view(i))]
    if not hands:
        return 0.0
    usual_heading = _usual_heading([heading(hand) for hand in hands])
    free = np.full((THUMBNAIL_PX, THUMBNAIL_PX), 255, np.uint8)
    for hand in hands:
        if angle_between_deg(heading(hand), usual_heading) < FOREIGN_HEADING_DEG:
            in_thumbnail = (hand - (view.box.x, view.box.y)) * np.divide(THUMBNAIL_PX, (view.box.w, view.box.h))
            paint_arm(free, in_thumbnail, 0.15, 0.8)
    start_ns = int(view.times_ns[0])
    background = [_thumbnail(view, start_ns + step * BACKGROUND_STEP_NS) for step in range(BACKGROUND_FRAMES)]
    difference = np.abs(_thumbnail(view, lock_ns) - np.median(background, axis=0)).max(2)
    return float(((difference > CHANGED_LEVELS) & (free > 0)).mean())


def _thumbnail(view: ZoneView, time_ns: int) -> NDArray[np.float64]:
    frame = view.frames[view.nearest_frame(time_ns)]
    return frame.pixels(view.box, (THUMBNAIL_PX, THUMBNAIL_PX)).astype(float)


def detect_hands(frame: Frame, box: Box, detector: Detector, augmentation: Augmentation) -> tuple[Landmarks, ...]:
    """Return the landmarks of at most two hands in a zone, in pixels of the frame, without any that is found twice,
    lies at the zone's edge or is far smaller than the other."""
    (detected,) = detect_in_frame(detector, frame, box, MAX_INPUT_PX, (augmentation,))
    inside = [hand.landmarks for hand in detected if _inside_share(hand.landmarks, box) >= MIN_INSIDE_SHARE]
    if len(inside) > 1 and not _are_two_hands(inside[0], inside[1]):
        return (inside[0],)
    return tuple(inside[:2])


def _inside_share(hand: Landmarks, box: Box) -> float:
    within = (hand >= (box.x, box.y)) & (hand <= (box.x + box.w, box.y + box.h))
    return float(within.all(axis=1).mean())


def _are_two_hands(a: Landmarks, b: Landmarks) -> bool:
    """Whether these are two hands, not one found twice or something small."""
    is_same_side = angle_between_deg(heading(a), heading(b)) < SAME_SIDE_DEG
    min_distance = MIN_PALM_DISTANCE_SAME_SIDE if is_same_side else MIN_PALM_DISTANCE
    smaller, larger = sorted((hand_size(a), hand_size(b)))
    return palm_distance(a, b) >= min_distance and smaller >= MIN_SIZE_RATIO * larger


def _usual_heading(headings: Sequence[float]) -> float:
    """Return where most of these point: the one with the least angles to all others."""
    return min(headings, key=lambda usual: sum(angle_between_deg(usual, heading_) for heading_ in headings))


def _heading_offsets(view: ZoneView) -> tuple[tuple[float, ...], float | None]:
    """Return ``ZoneOccupancy.heading_offsets_deg``, and where most of the observed hands point."""
    observed = [seen for i in view.inspected_frames() if (seen := view(i))]
    if not observed:
        return (), None
    headings = [heading(seen.hand.landmarks) for seen in observed]
    usual_heading = _usual_heading(headings)
    offsets = np.array([angle_between_deg(angle, usual_heading) for angle in headings])
    palms = np.array([seen.palm_size for seen in observed])
    is_small = palms < MIN_FOREIGN_PALM_SHARE * np.median(palms[offsets <= FOREIGN_HEADING_DEG])
    offsets[is_small] = offsets[is_small].clip(max=FOREIGN_HEADING_DEG)
    offsets[~is_small] = limit_turning(offsets[~is_small])
    return tuple(offsets.tolist()), usual_heading


def limit_turning(offsets_deg: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far a hand points off in successive frames, at most ``FOREIGN_HEADING_DEG`` where it is seen to
    turn."""
    limited: list[float] = []
    for is_off, group in groupby(offsets_deg.tolist(), key=lambda offset: offset > MIN_TURNING_DEG):
        run = list(group)
        is_turning = is_off and min(run) <= FOREIGN_HEADING_DEG
        limited += [min(offset, FOREIGN_HEADING_DEG) for offset in run] if is_turning else run
    return np.array(limited)


def resolve_foreign_hands(
    seats: Sequence[SeatVerdict], occupancies: Sequence[ZoneOccupancy], frame_size: tuple[int, int]
) -> tuple[tuple[SeatVerdict, ...], VoidReason | None]:
    """Return the verdicts with the hands in each zone taken into account, and why the round is void where the owner of
    a hand is unknown."""
    reach = math.hypot(*frame_size)
    resolved, void_reason = list(seats), None
    excused: set[int] = set()  # seats whose zones a hand in a wrong zone, or its arm, entered or left
    covers: list[VoidReason] = []
    missing = [
        seat.seat
        for seat, occupancy in zip(seats, occupancies, strict=True)
        if seat.verdict is Verdict.UNSEEN and len(occupancy.heading_offsets_deg) <= MAX_PASSING_FRAMES
    ]
    for zone, occupancy in enumerate(occupancies, 1):
        owner = resolved[zone - 1]
        intruder = _find_intruder(zone, seats, occupancies, missing, reach)
        if intruder is not None:
            resolved[intruder.seat - 1] = replace(intruder, verdict=Verdict.WRONG_ZONE, cause=None, entered_zone=zone)
            resolved[zone - 1] = _excuse_owner(owner, occupancy, intruder.crop, reach)
            excused |= {zone, intruder.seat}
            # The intruder's arm may lie across further zones: whoever it hides is not to blame.
            for bystander in resolved:
                if bystander.seat not in excused and _is_under_arm(bystander, occupancy, intruder.crop, reach):
                    resolved[bystander.seat - 1] = _without_throw(bystander)
                    excused.add(bystander.seat)
        elif zone in excused:
            continue  # what else is seen in this zone is the intruder's hand or arm
        elif occupancy.has_two_from_one_side:
            # From the owner's own side only the owner can reach in.
            resolved[zone - 1] = replace(owner, verdict=Verdict.TWO_HANDS, at_lock=None, changed_to=None, cause=None)
        elif (
            occupancy.pairs
            or occupancy.has_foreign_hand
            or (occupancy.may_have_foreign_hand and owner.verdict in EXCUSABLE_VERDICTS)
        ):
            # Somebody's hand, nobody knows whose: no seat lacks one. The round is void rather than an owner blamed.
            void_reason = void_reason or VoidReason(VoidKind.REACHING, zone)
        elif occupancy.changed_area >= FOREIGN_AREA_SHARE:
            # Something without a readable hand: it voids the round only if it is no intruder's arm, known at the end.
            kind = VoidKind.REACHING if occupancy.changed_area < COVERED_AREA_SHARE else VoidKind.COVERED
            covers.append(VoidReason(kind, zone, occupancy.changed_area))
    # What covers the zone of a hand that is elsewhere, or one between, is that hand's arm.
    return tuple(resolved), void_reason or next((cover for cover in covers if cover.seat not in excused), None)


def _find_intruder(
    zone: int, seats: Sequence[SeatVerdict], occupancies: Sequence[ZoneOccupancy], missing: Sequence[int], reach: float
) -> SeatVerdict | None:
    """Return the seat whose hand is in another's zone: one that was not seen in its own, and whose arm comes from
    there; or the only one ``missing``, where there is a hand too many."""
    occupancy = occupancies[zone - 1]
    for seat in seats:
        if seat.seat == zone or seat.verdict is not Verdict.UNSEEN:
            continue
        has_hand_too_many = bool(occupancy.pairs) or occupancy.has_foreign_hand
        if occupancy.has_arm_from(seat.crop, reach, occupancies[seat.seat - 1].usual_heading) or (
            missing == [seat.seat] and has_hand_too_many
        ):
            return seat
    return None


def _excuse_owner(owner: SeatVerdict, occupancy: ZoneOccupancy, box: Box, reach: float) -> SeatVerdict:
    """Return the verdict on a zone's owner when a hand whose arm comes through ``box`` is next to or over theirs: their
    own verdict if it was surely their hand that was observed; else no foul and no throw."""
    foreign = [
        heading(hand) for hands in occupancy.hands_by_frame for hand in hands if passes_through(hand, box, reach)
    ]
    is_own_hand = (
        occupancy.usual_heading is not None
        and bool(foreign)
        and all(angle_between_deg(occupancy.usual_heading, other) > FOREIGN_HEADING_DEG for other in foreign)
    )
    if is_own_hand and not occupancy.may_have_foreign_hand and not owner.verdict.is_foul:
        return owner
    return _without_throw(owner)


def _is_under_arm(seat: SeatVerdict, occupancy: ZoneOccupancy, box: Box, reach: float) -> bool:
    """Whether a hand in another zone has its arm, which comes through ``box``, lie across this seat's zone too, and may
    be why this seat's hand was not read; or its arm touches this seat's hand, and may hide what it throws."""

    def may_hide(hand: Landmarks) -> bool:
        if seat.verdict in EXCUSABLE_VERDICTS:
            return passes_through(hand, box, reach) and passes_through(hand, seat.crop, reach)
        margin = round(ARM_HALF_WIDTH * hand_size(hand))
        touched = [Box(x - margin, y - margin, w + 2 * margin, h + 2 * margin) for x, y, w, h in seat.hand_boxes]
        return any(passes_through(hand, part, reach) for part in touched)

    return sum(may_hide(hand) for hands in occupancy.hands_by_frame for hand in hands) >= MIN_FRAMES_WITH_PAIR


def _without_throw(seat: SeatVerdict) -> SeatVerdict:
    """Return the verdict on a seat whose hand something hid: no foul and no throw."""
    return replace(seat, verdict=Verdict.ON_TIME, throw=None, at_lock=None, shown=None, changed_to=None, cause=None)
