"""What people see of a round they dispute: the frames kept of it, from memory for the last rounds and from the
journal's strips for those before, with the times the round was judged by."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from device.camera.frames import Frame, Pixels, StoredFrame
from rules.engine import Game, Seat, Value
from rules.throws import Throw
from throwlock.journal.journal import Event, Evidence
from throwlock.match.corrections import course_in, disputed, readable, readings_of
from ui.screen.pages.views import DisputedSeat, Disputing, Player
from ui.text import verdicts
from vision.evidence import jpeg, scaled
from vision.lock.judge import Judgement
from vision.lock.verdict import CHANGES_NS, Verdict
from vision.strips import STRIP_MS

ROUNDS = 5
"""The last rounds that can be disputed."""
IN_MEMORY = 3
"""The last rounds of which every frame around the lock is kept."""
KEPT_PX = 240
"""Longest side of a kept frame's crop in pixels."""
QUALITY = 75
"""Of a kept crop as JPEG."""
AROUND_NS = 200_000_000
"""How much is kept before the first and after the last that happened in a round."""
LOOKED_AT = 64
"""Pictures that are kept ready to be shown again."""
NOTHING: Pixels = np.zeros((3, 4, 3), np.uint8)
"""What is seen of evidence that can't be read."""
VOID = "void"
"""In place of the verdict on a seat that is not to blame for its round being void."""
READINGS: tuple[Value, ...] = (*(str(throw) for throw in Throw), None)
"""What a throw can be read as; None is no throw."""


@dataclass(frozen=True, eq=False)
class Film:
    """The frames kept of a round: their times in ms after the cue, in order, and ``picture(seat, number)``. ``size`` is
    what it takes in memory, in bytes of JPEG."""

    times_ms: tuple[float, ...]
    picture: Callable[[Seat, int], Pixels]
    size: int = 0


def film_of(judgement: Judgement, frames: Sequence[Frame]) -> Film:
    """What is kept of a round's frames: those around all that happened in it, each seat's crop of them. A frame that is
    made only when it is looked at is kept as it is."""
    when = [judgement.cue_ns, judgement.lock_ns, *(seat.shown.when_ns for seat in judgement.seats if seat.shown)]
    if any(seat.verdict is Verdict.CHANGED for seat in judgement.seats):
        when.append(judgement.lock_ns + CHANGES_NS)
    since, until = min(when) - AROUND_NS, max(when) + AROUND_NS
    kept = [frame for frame in frames if since <= frame.exposed_ns <= until]
    packed = {
        (seat.seat, number): jpeg(scaled(frame, seat.crop, KEPT_PX), QUALITY)
        for seat in judgement.seats
        for number, frame in enumerate(kept)
        if isinstance(frame, StoredFrame)
    }
    boxes = {seat.seat: seat.crop for seat in judgement.seats}

    @lru_cache(maxsize=LOOKED_AT)
    def picture(seat: Seat, number: int) -> Pixels:
        data = packed.get((seat, number))
        return scaled(kept[number], boxes[seat], KEPT_PX) if data is None else unpacked(data)

    return Film(
        tuple((frame.exposed_ns - judgement.cue_ns) / 1e6 for frame in kept),
        picture,
        sum(len(data) for data in packed.values()),
    )


def filmed(judgement: Judgement, frames: Sequence[Frame]) -> Future[Film]:
    """``film_of`` in a thread of its own: nobody waits for it, and the frames are let go of when it is done."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="film")
    making = pool.submit(film_of, judgement, frames)
    pool.shutdown(wait=False)
    return making


def film_from(thrown: Event, evidence: Sequence[Evidence]) -> Film:
    """What the journal keeps of a round: the exposures of its strips. Without strips there is nothing to be seen."""
    judged = thrown.body["judgement"]
    strips = {one.name: one.data for one in evidence}
    return film_of_strips([int(seat) for seat in judged["seats"]], float(judged["lock_ms"]), strips)


def film_of_strips(seats: Sequence[Seat], lock_ms: float, strips: Mapping[str, bytes]) -> Film:
    """The exposures of every seat's strip, JPEG by name, around a lock so many ms after the cue; none where the strip
    of a seat is missing."""

    @lru_cache(maxsize=LOOKED_AT)
    def pictures(seat: Seat) -> list[Pixels]:
        return np.array_split(unpacked(strips[f"strip-{seat}.jpg"]), len(STRIP_MS), axis=1)

    if any(f"strip-{seat}.jpg" not in strips for seat in seats):
        return Film((), lambda seat, number: NOTHING)
    times = tuple(lock_ms + after for after in STRIP_MS)
    return Film(times, lambda seat, number: pictures(seat)[number])


class Films:
    """The films of a match's last rounds."""

    def __init__(self, evidence: Callable[[int], Sequence[Evidence]]) -> None:
        self._evidence = evidence
        self._films: dict[int, Future[Film]] = {}

    def keep(self, number: int, film: Future[Film]) -> None:
        """Keep the film of what was thrown in event ``number``, and forget what is too long ago."""
        self._films[number] = film
        for old in list(self._films)[:-IN_MEMORY]:
            del self._films[old]

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Keep them by the new numbers of their events, where those have any."""
        self._films = {numbers.get(old, old): film for old, film in self._films.items()}

    def of(self, thrown: Event) -> Film:
        """The film of a round, as much of it as is left."""
        kept = self._films.get(thrown.number)
        return kept.result() if kept else film_from(thrown, self._evidence(thrown.number))

    @property
    def size(self) -> int:
        """What all of it takes in memory, in bytes."""
        return sum(film.result().size for film in self._films.values())


def evidence_view(
    game: Game, events: Sequence[Event], thrown: Event, film: Film, players: Sequence[Player], title: str
) -> Disputing:
    """The page on which the round of event ``thrown`` is looked at again. Raises CorrectionError when the match has
    taken another course since."""
    ask = disputed(game, events, thrown.number)
    readings = readings_of(events, thrown.number)
    judged: Mapping[str, Any] = thrown.body["judgement"]
    fouls = thrown.body.get("fouls", ())
    seats = tuple(
        DisputedSeat(
            player,
            VOID if player.seat in readings.open and player.seat not in fouls else one["verdict"],
            readings.values[player.seat],
            player.seat in readings.open,
            one["shown_ms"],
            one["plus_minus_ms"] or 0.0,
            readable(ask, player.seat, READINGS),
        )
        for player in players
        if (one := judged["seats"].get(str(player.seat)))
    )
    return Disputing(
        title,
        verdicts.named(thrown.body["sentence"], {player.seat: player.name for player in players}),
        seats,
        judged["first_ms"],
        judged["lock_ms"],
        film.times_ms,
        film.picture,
        void=thrown.number not in course_in(events),
    )


def unpacked(data: bytes) -> Pixels:
    """A JPEG's R, G, B picture; nothing much where it can't be read."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return NOTHING if picture is None else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)
