"""One round at the table: the count, the throw, the lock, and what the house makes of it. Nothing is decided here that
is not on the camera's frames."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from device.camera.base import Camera, CameraError, Exposing, started_again
from device.camera.frames import Frame
from device.sound.sound import NoSound, Sound, count_of
from device.system.clock import Clock
from rules.engine import Ask, Seat, Value
from throwlock.journal.journal import Evidence
from throwlock.match.dispute import Film, filmed
from throwlock.match.foul_policy import _not_held, _untold, ruled, to_blame
from throwlock.match.house_rules import House
from throwlock.match.judgement_json import judged
from throwlock.match.verdict_text import said_of
from ui.screen.core.display import Display
from ui.screen.pages.ask.hints import hint
from ui.screen.pages.standing.view import of_ask
from ui.screen.pages.views import Cadence, Judging, Player, Reveal, SeatReveal
from ui.text import verdicts
from ui.text.cards import OF_CARDS
from vision.evidence import crop_of, evidence_of
from vision.lock.judge import FEWEST, Judge, Judgement, unjudged
from vision.lock.verdict import AFTER_NS, BEFORE_NS, SeatVerdict, Verdict
from vision.zones import Zone

GET_READY_NS = 1_500_000_000
"""From the screen saying that a throw comes to the first word of the count."""
SETTLED_NS = 100_000_000
"""A camera's newest frames reach the ring this much after their exposure."""
VOID = "void"
"""In place of every verdict on a round that can't be judged."""
PREVIEW = (320, 180)
"""Size in pixels of the live picture beside the count."""
PREVIEW_NS = 100_000_000
"""Between two live pictures."""


class Performers(Protocol):
    """Whoever has to be told beforehand when a throw comes: the simulated table's players. People hear the count."""

    def throw_at(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """The count begins; the cue is at ``cue_ns`` of the camera's clock."""


@dataclass(frozen=True)
class Round:
    """A round that was thrown. ``answers`` is None when it is void and thrown again; ``fouls`` are the seats to blame;
    ``body`` and ``evidence`` are what the journal keeps of it, without names, ``film`` what is kept for a dispute."""

    answers: Mapping[Seat, Value] | None
    fouls: tuple[Seat, ...]
    reveal: Reveal
    judgement: Judgement
    body: Mapping[str, Any]
    evidence: tuple[Evidence, ...]
    film: Future[Film]


@dataclass
class Table:
    """What a round is thrown at: a camera, everybody's zones, a judge, a screen and a clock. ``live`` shows the
    camera's picture beside the count; ``sound`` beats it. ``hinted`` are the kinds of ask that people were told once
    what to do at."""

    camera: Camera
    zones: tuple[Zone, ...]
    judge: Judge
    display: Display
    clock: Clock
    house: House
    performers: Performers | None = None
    live: bool = False
    sound: Sound = field(default_factory=NoSound)
    hinted: set[str] = field(default_factory=set)

    def close(self) -> None:
        """Stop what goes on beside the rounds; may be called twice."""

    def throw(self, ask: Ask, players: Sequence[Player], title: str, again: str | None = None) -> Round:
        """Count, let everybody asked throw, and judge it. A camera that stops is started again and the round is void.
        Raises CameraError when it does not run again."""
        seats = tuple(ask.seats)
        if isinstance(self.camera, Exposing):
            self.camera.hold_exposure()
        told = None if ask.kind in self.hinted else self.hint_of(ask)
        self.hinted.add(ask.kind)
        stakes = of_ask(ask).table
        count = Cadence(tuple(players), title, verdicts.COUNT, -1, again=again, facts=stakes, throwing=seats, hint=told)
        cue_ns = self.count(seats, count)
        return self.settled(ask, players, *self.judged(seats, players, cue_ns))

    def hint_of(self, ask: Ask) -> str | None:
        """What to do, for who never threw at this table."""
        return hint(ask)

    def judged(
        self, seats: Sequence[Seat], players: Sequence[Player], cue_ns: int
    ) -> tuple[Judgement, Sequence[Frame]]:
        """Wait until all that may count is over, and judge it: the judgement and the round's frames. Raises
        CameraError."""
        window_ns = self.house.window_ms * 1_000_000
        end_ns = cue_ns + 2 * window_ns + AFTER_NS
        self.clock.wait_until(end_ns + SETTLED_NS)
        self.display.show(Judging(tuple(players), progress=lambda: self.judge.progress))
        frames = self.exposed(cue_ns - BEFORE_NS - self.house.beat_ms * 1_000_000, end_ns)
        zones = [self.zones[seat - 1] for seat in seats]
        judging = self.judge if len(frames) >= FEWEST else unjudged
        return judging(frames, zones, cue_ns, window_ns), frames

    def exposed(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """The frames of a round that is over, one at least. Raises CameraError."""
        try:
            return self.camera.ring(since_ns, until_ns) or [self.camera.latest()]
        except CameraError:
            return [started_again(self.camera, self.clock)]
        finally:
            if isinstance(self.camera, Exposing):
                self.camera.free_exposure()

    def count(self, seats: Sequence[Seat], view: Cadence) -> int:
        """Show and beat the count of ``view``, whose last word is the cue, until that word's time is over too. Returns
        the cue's time. All tones are asked for at the beginning, for the times of their words. Raises CameraError."""
        beat_ns = self.house.beat_ms * 1_000_000
        first_ns = self.clock.now_ns() + GET_READY_NS
        times = [first_ns + beat * beat_ns for beat in range(len(view.words))]
        self.called(seats, times[-1], beat_ns)
        for tone, at_ns in zip(count_of(len(times)), times, strict=True):
            self.sound.play(tone, at_ns)
        try:
            self._show_until(replace(view, seconds=GET_READY_NS / 1e9), first_ns)
            for beat, at_ns in enumerate(times):
                self._show_until(replace(view, beat=beat, seconds=beat_ns / 1e9), at_ns + beat_ns)
        except BaseException:
            self.sound.hush()
            raise
        return times[-1]

    def called(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """The count begins, of which the cue will be at ``cue_ns``: tell whoever has to know beforehand."""
        if self.performers:
            self.performers.throw_at(seats, cue_ns, beat_ns)

    def settled(self, ask: Ask, players: Sequence[Player], judgement: Judgement, frames: Sequence[Frame]) -> Round:
        """What the house makes of a judged round."""
        seats = tuple(ask.seats)
        judgement = replace(
            judgement, seats=tuple(replace(s, seat=seat) for seat, s in zip(seats, judgement.seats, strict=True))
        )
        names = {player.seat: player.name for player in players}
        kept_as = verdicts.places(names)
        fouls = to_blame(judgement, ask)
        spent = tuple(player.seat for player in players if self.house.spent(player.fouls or 0))
        answers = ruled(judgement, self.house.on_foul, ask, spent)
        sentence = said_of(judgement, fouls, answers is not None, kept_as, self.house.on_foul)
        if answers is not None and (wrong := _not_held(answers, ask)):
            sentence = verdicts.not_held({kept_as[seat]: answers[seat] for seat in wrong})
            answers, fouls = None, (*fouls, *wrong)
        reveal = Reveal(
            tuple(
                _revealed(seat, judgement, next(p for p in players if p.seat == seat.seat)) for seat in judgement.seats
            ),
            verdicts.named(sentence, names),
            judgement.after_first_ms(judgement.lock_ns),
        )
        zones = {seat: self.zones[seat - 1] for seat in seats}
        body = {"judgement": judged(judgement, zones), "fouls": list(fouls), "sentence": sentence}
        kept = tuple(Evidence(*piece) for piece in evidence_of(judgement, frames))
        return Round(answers, fouls, reveal, judgement, body, kept, filmed(judgement, frames))

    def _show_until(self, view: Cadence, until_ns: int) -> None:
        """Show a word of the count, with the live picture if there is one, until the next."""
        self.display.show(view)
        while self.live and self.clock.now_ns() + PREVIEW_NS < until_ns:
            with suppress(CameraError):  # a camera that has stopped is started again when the round is over
                self.display.show(replace(view, preview=self.camera.latest().pixels(None, PREVIEW)))
            self.clock.wait_until(min(self.clock.now_ns() + PREVIEW_NS, until_ns))
        self.clock.wait_until(until_ns)


def _revealed(seat: SeatVerdict, judgement: Judgement, player: Player) -> SeatReveal:
    void = judgement.trouble is not None or (_untold(seat) and seat.verdict is not Verdict.UNREAD)
    timed = seat.shown is not None and judgement.first_ns is not None and not void and seat.verdict not in OF_CARDS
    after = judgement.after_first_ms(seat.shown.when_ns) if timed and seat.shown else None
    throw = seat.throw if seat.verdict is Verdict.LATE else seat.at_lock
    foul, word = (False, VOID) if void else (seat.verdict.foul, str(seat.verdict))
    return SeatReveal(player, crop_of(judgement.lock_frame, seat.crop), throw, word, foul, after)
