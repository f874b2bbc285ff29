"""Whether every hand keeps inside its zone, from what the judge has seen anyway: who does not is told once, until it
changes."""

from collections.abc import Mapping, Sequence

from device.camera.frames import Box
from rules.engine import Seat
from rules.throws import Throw
from ui.i18n.language import N
from ui.text.zones import Astray, astray
from vision.lock.judge import Judgement
from vision.lock.verdict import SeatVerdict, Verdict

NEAR_EDGE = 0.01
"""A hand so near its zone's edge, in lengths of the zone, is taken for cut off: the landmarks end inside the skin."""
LARGE, SMALL = 0.8, 0.15
"""The shares of its zone that an open hand may fill: at 80 % a tenth of the fists are missed, at 15 % a quarter."""
FIST = 0.5
"""A fist's length in lengths of the open hand."""
KEPT = 3
"""Rounds in a row that a hand must be whole before a trouble is told anew: a fist fits where an open hand does not."""
MISSED = 2
"""Rounds in a row after which a hand that is not found is a matter of its zone."""


class ZoneWatch:
    """Looks at the rounds of one match as they are judged."""

    def __init__(self) -> None:
        self._now: dict[Seat, tuple[Astray, float]] = {}
        self._told: dict[Seat, Astray] = {}
        self._missed: dict[Seat, int] = {}
        self._fine: dict[Seat, int] = {}

    def look(self, judgement: Judgement) -> None:
        """Take in a round. One that is void for the camera's or the light's sake, or that nobody came to, says nothing
        of zones."""
        if judgement.trouble is not None or all(seat.verdict is Verdict.UNSEEN for seat in judgement.seats):
            return
        for seat in judgement.seats:
            unseen = seat.verdict is Verdict.UNSEEN
            self._missed[seat.seat] = self._missed.get(seat.seat, 0) + 1 if unseen else 0
            missing: tuple[Astray, float] = ("missing", 0.0)
            wrong = missing if self._missed[seat.seat] >= MISSED else _astray(seat)
            if wrong is not None:
                self._now[seat.seat] = wrong
            elif not unseen:
                self._now.pop(seat.seat, None)
            self._fine[seat.seat] = 0 if wrong or unseen else self._fine.get(seat.seat, 0) + 1
            if self._fine[seat.seat] >= KEPT:
                self._told.pop(seat.seat, None)

    def news(self, names: Mapping[Seat, str]) -> tuple[str, ...]:
        """What is to be told now: a sentence for each seat whose hand is astray and that was not told so yet."""
        lines = []
        for seat, (what, share) in self._now.items():
            if self._told.get(seat) != what:
                self._told[seat] = what
                lines.append(astray(names.get(seat) or N("Seat {seat}", seat=seat), what, share))
        return tuple(lines)


def _astray(seat: SeatVerdict) -> tuple[Astray, float] | None:
    """What is wrong with a hand in its zone in every look around the lock, and the share of the zone that it fills."""
    if not seat.held or seat.verdict in (Verdict.TWO_HANDS, Verdict.WRONG_ZONE):
        return None
    shares = sorted(max(box.w / seat.crop.w, box.h / seat.crop.h) for box in seat.held)
    share = shares[len(shares) // 2]
    if share > LARGE:
        return "large", share
    beyond = [_beyond(box, seat.crop) for box in seat.held]
    if all(max(one.values()) > 0 for one in beyond):
        sides: Sequence[Astray] = ("left", "right", "top", "bottom")
        return max(sides, key=lambda side: sum(one[side] for one in beyond)), share
    longest = max(max(box.w, box.h) for box in seat.held) / max(seat.crop.w, seat.crop.h)
    least = SMALL * FIST if seat.at_lock is Throw.ROCK else SMALL
    return ("small", longest) if longest < least else None


def _beyond(box: Box, crop: Box) -> dict[Astray, float]:
    """How far a hand reaches beyond each edge of its zone, in lengths of the zone; 0 where it does not."""
    out: dict[Astray, float] = {
        "left": (crop.x - box.x) / crop.w,
        "right": (box.x + box.w - crop.x - crop.w) / crop.w,
        "top": (crop.y - box.y) / crop.h,
        "bottom": (box.y + box.h - crop.y - crop.h) / crop.h,
    }
    return {side: max(0.0, by + NEAR_EDGE) for side, by in out.items()}
