"""Monitors whether the hands stay inside their zones, from the rounds' judgements: each problem is reported once."""

from collections.abc import Mapping, Sequence

from device.camera.frames import Box
from messages import N
from rules.engine import Seat
from rules.record.judgement import Verdict
from rules.throws import Throw
from ui.screen.pages.zones import ZoneProblem, zone_problem_sentence
from vision.hands.limits import MIN_HAND_PX
from vision.lock.judgement import Judgement
from vision.lock.verdict import SeatVerdict

NEAR_EDGE = 0.01
"""A hand this close to its zone's edge, as a fraction of the zone, counts as cut off: landmarks end inside the skin."""
MAX_HAND_SHARE, MIN_HAND_SHARE = 0.8, 0.15
"""Share of the zone's length that an open hand may fill: at 80 % a tenth of the fists are missed, at 15 % a quarter."""
FIST_LENGTH = 0.5
"""A fist's length as a fraction of the open hand's."""
ROUNDS_TO_FORGET = 3
"""Consecutive good rounds before a problem is reported again: a fist fits where an open hand does not."""
ROUNDS_TO_REPORT_MISSING = 2
"""Consecutive rounds without a hand before its zone is suspected."""


class ZoneMonitor:
    """Watches the zones over the rounds of one match."""

    def __init__(self) -> None:
        self._current: dict[Seat, tuple[ZoneProblem, float]] = {}
        self._reported: dict[Seat, ZoneProblem] = {}
        self._missed_rounds: dict[Seat, int] = {}
        self._good_rounds: dict[Seat, int] = {}

    def observe(self, judgement: Judgement) -> None:
        """Take in a round. A round that could not be judged, or without any hand, is ignored."""
        if judgement.void_reason is not None or all(seat.verdict is Verdict.UNSEEN for seat in judgement.seats):
            return
        for seat in judgement.seats:
            unseen = seat.verdict is Verdict.UNSEEN
            self._missed_rounds[seat.seat] = self._missed_rounds.get(seat.seat, 0) + 1 if unseen else 0
            missing: tuple[ZoneProblem, float] = ("missing", 0.0)
            wrong = missing if self._missed_rounds[seat.seat] >= ROUNDS_TO_REPORT_MISSING else _find_problem(seat)
            if wrong is not None:
                self._current[seat.seat] = wrong
            elif not unseen:
                self._current.pop(seat.seat, None)
            self._good_rounds[seat.seat] = 0 if wrong or unseen else self._good_rounds.get(seat.seat, 0) + 1
            if self._good_rounds[seat.seat] >= ROUNDS_TO_FORGET:
                self._reported.pop(seat.seat, None)

    def new_warnings(self, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """Return a sentence for each problem that was not reported yet."""
        lines = []
        for seat, (what, share) in self._current.items():
            if self._reported.get(seat) != what:
                self._reported[seat] = what
                lines.append(zone_problem_sentence(names.get(seat) or N("Seat {seat}", seat=seat), what, share))
        return tuple(lines)


def _find_problem(seat: SeatVerdict) -> tuple[ZoneProblem, float] | None:
    """Return a hand's problem in all frames around the lock, and the share of the zone that it fills, or its length in
    pixels if it is "far"; None without one."""
    if not seat.hand_boxes or seat.verdict in (Verdict.TWO_HANDS, Verdict.WRONG_ZONE):
        return None
    shares = sorted(max(box.w / seat.crop.w, box.h / seat.crop.h) for box in seat.hand_boxes)
    share = shares[len(shares) // 2]
    if share > MAX_HAND_SHARE:
        return "large", share
    beyond = [_overshoot(box, seat.crop) for box in seat.hand_boxes]
    if all(max(distances.values()) > 0 for distances in beyond):
        sides: Sequence[ZoneProblem] = ("left", "right", "top", "bottom")
        return max(sides, key=lambda side: sum(distances[side] for distances in beyond)), share
    longest_px = max(max(box.w, box.h) for box in seat.hand_boxes)
    whole = FIST_LENGTH if seat.at_lock is Throw.ROCK else 1.0
    if longest_px < MIN_HAND_PX * whole:
        return "far", longest_px
    longest = longest_px / max(seat.crop.w, seat.crop.h)
    return ("small", longest) if longest < MIN_HAND_SHARE * whole else None


def _overshoot(box: Box, crop: Box) -> dict[ZoneProblem, float]:
    """Return how far a hand reaches beyond each edge of its zone, as a fraction of the zone's length."""
    out: dict[ZoneProblem, float] = {
        "left": (crop.x - box.x) / crop.w,
        "right": (box.x + box.w - crop.x - crop.w) / crop.w,
        "top": (crop.y - box.y) / crop.h,
        "bottom": (box.y + box.h - crop.y - crop.h) / crop.h,
    }
    return {side: max(0.0, by + NEAR_EDGE) for side, by in out.items()}
