"""When pictures were recorded, and when a player shows them: not the same in slow motion. A timeline has pieces, each
at one speed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from device.media.edits import Edit


@dataclass(frozen=True)
class Piece:
    """A part of a recording that is shown at one speed."""

    shown_ns: int
    """When a player begins to show it, from the beginning of the file."""
    recorded_ns: int
    """When it was recorded."""
    slowed: float
    """How many times as long as it was recorded it is shown: 4 for 60 frames a second shown as 15, 1 at the recorded
    speed."""
    recorded_for_ns: int | None = None
    """How long it was recorded; None: to the end."""

    @property
    def is_real_time(self) -> bool:
        """Whether it is shown as fast as it was recorded."""
        return abs(self.slowed - 1) < 0.001

    @property
    def recorded_end_ns(self) -> float:
        """When its last picture was recorded."""
        return float("inf") if self.recorded_for_ns is None else self.recorded_ns + self.recorded_for_ns


@dataclass(frozen=True)
class Timeline:
    """When each picture was recorded, and is shown. Both count in ns from the beginning of the file."""

    pieces: Sequence[Piece]
    """In the order in which they are shown, at least one."""

    def recorded_ns(self, shown_ns: int) -> int:
        """Return when what a player shows at ``shown_ns`` was recorded."""
        piece = next((piece for piece in reversed(self.pieces) if piece.shown_ns <= shown_ns), self.pieces[0])
        return piece.recorded_ns + round((shown_ns - piece.shown_ns) / piece.slowed)

    def shown_ns(self, recorded_ns: int) -> int:
        """Return when a player shows what was recorded at ``recorded_ns``."""
        nearest = self.pieces[0 if recorded_ns < self.pieces[0].recorded_ns else -1]
        piece = next((p for p in self.pieces if p.recorded_ns <= recorded_ns < p.recorded_end_ns), nearest)
        return piece.shown_ns + round((recorded_ns - piece.recorded_ns) * piece.slowed)

    def has(self, recorded_ns: int) -> bool:
        """Return whether a player shows what was recorded at ``recorded_ns``."""
        return any(piece.recorded_ns <= recorded_ns < piece.recorded_end_ns for piece in self.pieces)

    def at_rate(self, share: float) -> "Timeline":
        """Return the timeline of the same pictures if what was recorded took only ``share`` of that time."""
        return Timeline(
            [
                Piece(
                    piece.shown_ns,
                    round(piece.recorded_ns * share),
                    piece.slowed / share,
                    None if piece.recorded_for_ns is None else round(piece.recorded_for_ns * share),
                )
                for piece in self.pieces
            ]
        )

    def joint(self, since_ns: int, until_ns: float, tolerance_ns: int) -> int | None:
        """Return when a player shows the first joint of two pieces that do not follow one another within
        ``tolerance_ns``, between two recorded times; None without one."""
        for before, after in pairwise(self.pieces):
            is_inside = since_ns < before.recorded_end_ns and after.recorded_ns < until_ns
            if is_inside and abs(before.recorded_end_ns - after.recorded_ns) > tolerance_ns:
                return after.shown_ns
        return None


def edited_timeline(edits: Sequence[Edit]) -> Timeline:
    """Return the timeline of a recording with these edits; what was recorded counts as it is stored. Stills have no
    time of their own."""
    return Timeline(
        [
            Piece(edit.shown_ns, edit.stored_ns, 1 / edit.rate, round(edit.shown_for_ns * edit.rate) or None)
            for edit in edits
            if edit.rate > 0
        ]
    )
