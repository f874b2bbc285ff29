"""One round at a table with a camera: the count, the throw, the lock, and the foul rule."""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from device.camera.base import Camera, CameraError, ExposureControl, restart_camera
from device.camera.frames import Frame
from device.sound.base import NullSound, Sound, count_tones
from device.system.clock import Clock
from rules.engine import Prompt, Seat, Value
from throwlock.journal.journal import Evidence
from throwlock.match.dispute import RoundFrames, collect_frames_async
from throwlock.match.foul_policy import apply_foul_rule, fouling_seats, illegal_throws, is_unreadable
from throwlock.match.house_rules import HouseRules
from throwlock.match.judgement_json import judgement_to_json
from throwlock.match.verdict_text import verdict_text
from ui.screen.core.display import Display
from ui.screen.pages.common.view import Player
from ui.screen.pages.countdown.view import Countdown, Judging
from ui.screen.pages.question.hints import first_time_hint
from ui.screen.pages.reveal.view import Reveal, SeatReveal
from ui.screen.pages.scoreboard.view import prompt_facts
from ui.text import verdicts
from ui.text.cards import CARD_VERDICTS
from vision.evidence import render_evidence, seat_crop
from vision.lock.judge import MIN_FRAMES, Judge, Judgement, void_judgement
from vision.lock.verdict import SEARCH_AFTER_LOCK_NS, SEARCH_BEFORE_CUE_NS, SeatVerdict, Verdict
from vision.zones import Zone

logger = logging.getLogger(__name__)

GET_READY_NS = 1_500_000_000
"""Time from announcing a throw on the screen to the first word of the count."""
FRAME_DELAY_NS = 100_000_000
"""The camera's frames reach the ring at most this long after their exposure."""
VOID_WORD = "void"
"""Replaces every verdict of a round that can't be judged."""
PREVIEW_SIZE = (320, 180)
"""Size of the live image next to the count, in pixels."""
PREVIEW_INTERVAL_NS = 100_000_000
"""Time between two live images."""


class ThrowListener(Protocol):
    """Is told in advance when a throw is due: the simulated players; people hear the count."""

    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """The count begins; the cue is at ``cue_ns`` of the camera's clock, each word takes ``beat_ns``."""


@dataclass(frozen=True)
class ThrownRound:
    """A judged round. ``answers`` is None if it is void and thrown again; ``fouls`` are the seats that fouled; ``body``
    and ``evidence`` are its journal entry, without names; ``frames`` are its frames for a dispute."""

    answers: Mapping[Seat, Value] | None
    fouls: tuple[Seat, ...]
    reveal: Reveal
    judgement: Judgement
    body: Mapping[str, Any]
    evidence: tuple[Evidence, ...]
    frames: Future[RoundFrames]


@dataclass
class Table:
    """A table with a camera: the seats' zones, a judge of hands, a display and a clock. ``show_preview`` shows the live
    image next to the count. ``hinted_kinds`` are the kinds of prompt whose hint people have seen."""

    camera: Camera
    zones: tuple[Zone, ...]
    judge: Judge
    display: Display
    clock: Clock
    house_rules: HouseRules
    throw_listener: ThrowListener | None = None
    show_preview: bool = False
    sound: Sound = field(default_factory=NullSound)
    hinted_kinds: set[str] = field(default_factory=set)

    def close(self) -> None:
        """Stop background work; may be called twice."""

    def throw(
        self, prompt: Prompt, players: Sequence[Player], title: str, void_sentence: str | None = None
    ) -> ThrownRound:
        """Count, and judge the throws of the prompt's seats. If the camera stops, it is restarted and the round is
        void; ``void_sentence`` says why the previous round was.

        Raises:
            CameraError: The camera does not run again.
        """
        seats = tuple(prompt.seats)
        if isinstance(self.camera, ExposureControl):
            self.camera.lock_exposure()
        hint = None if prompt.kind in self.hinted_kinds else self.hint_for(prompt)
        self.hinted_kinds.add(prompt.kind)
        stakes = prompt_facts(prompt).table
        count = Countdown(
            tuple(players),
            title,
            verdicts.COUNT_WORDS,
            -1,
            rethrow_reason=void_sentence,
            facts=stakes,
            throwing=seats,
            hint=hint,
        )
        cue_ns = self.count(seats, count)
        return self.finish_round(prompt, players, *self.judge_round(seats, players, cue_ns))

    def hint_for(self, prompt: Prompt) -> str | None:
        """Return the hint for the first prompt of a kind."""
        return first_time_hint(prompt)

    def judge_round(
        self, seats: Sequence[Seat], players: Sequence[Player], cue_ns: int
    ) -> tuple[Judgement, Sequence[Frame]]:
        """Wait until the round is over and judge it. Return the judgement and the round's frames. Raises
        CameraError."""
        window_ns = self.house_rules.window_ms * 1_000_000
        end_ns = cue_ns + 2 * window_ns + SEARCH_AFTER_LOCK_NS
        self.clock.wait_until(end_ns + FRAME_DELAY_NS)
        self.display.show(Judging(tuple(players), progress=lambda: self.judge.progress))
        frames = self.frames_between(cue_ns - SEARCH_BEFORE_CUE_NS - self.house_rules.beat_ms * 1_000_000, end_ns)
        zones = [self.zones[seat - 1] for seat in seats]
        judge = self.judge if len(frames) >= MIN_FRAMES else void_judgement
        return judge(frames, zones, cue_ns, window_ns), frames

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """Return the frames of a finished round, at least one. Raises CameraError."""
        try:
            return self.camera.frames_between(since_ns, until_ns) or [self.camera.latest()]
        except CameraError:
            return [restart_camera(self.camera, self.clock)]
        finally:
            if isinstance(self.camera, ExposureControl):
                self.camera.unlock_exposure()

    def count(self, seats: Sequence[Seat], view: Countdown) -> int:
        """Show and sound the count of ``view``, whose last word is the cue, until that word's time is over. Return the
        cue's time. All tones are scheduled at the beginning. Raises CameraError."""
        beat_ns = self.house_rules.beat_ms * 1_000_000
        first_ns = self.clock.now_ns() + GET_READY_NS
        times = [first_ns + beat * beat_ns for beat in range(len(view.words))]
        self.announce_cue(seats, times[-1], beat_ns)
        for tone, at_ns in zip(count_tones(len(times)), times, strict=True):
            self.sound.play(tone, at_ns)
        try:
            self._show_until(replace(view, beat_s=GET_READY_NS / 1e9), first_ns)
            for beat, at_ns in enumerate(times):
                self._show_until(replace(view, beat=beat, beat_s=beat_ns / 1e9), at_ns + beat_ns)
        except BaseException:
            self.sound.silence()
            raise
        return times[-1]

    def announce_cue(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """Announce the time of the cue to the throw listener."""
        if self.throw_listener:
            self.throw_listener.on_count(seats, cue_ns, beat_ns)

    def finish_round(
        self, prompt: Prompt, players: Sequence[Player], judgement: Judgement, frames: Sequence[Frame]
    ) -> ThrownRound:
        """Apply the foul rule and build the round's result."""
        seats = tuple(prompt.seats)
        judgement = replace(
            judgement,
            seats=tuple(replace(judged, seat=seat) for seat, judged in zip(seats, judgement.seats, strict=True)),
        )
        names = {player.seat: player.name for player in players}
        placeholders = verdicts.seat_placeholders(names)
        fouls = fouling_seats(judgement, prompt)
        exhausted = tuple(player.seat for player in players if self.house_rules.replays_exhausted(player.fouls or 0))
        answers = apply_foul_rule(judgement, self.house_rules.on_foul, prompt, exhausted)
        sentence = verdict_text(judgement, fouls, answers is not None, placeholders, self.house_rules.on_foul)
        if answers is not None and (illegal := illegal_throws(answers, prompt)):
            sentence = verdicts.illegal_throws_sentence({placeholders[seat]: answers[seat] for seat in illegal})
            answers, fouls = None, (*fouls, *illegal)
        reveal = Reveal(
            tuple(
                _seat_reveal(seat, judgement, next(p for p in players if p.seat == seat.seat))
                for seat in judgement.seats
            ),
            verdicts.fill_names(sentence, names),
            judgement.ms_after_first(judgement.lock_ns),
        )
        zones = {seat: self.zones[seat - 1] for seat in seats}
        logger.info("round judged: %s", verdicts.fill_names(sentence, names))
        body = {"judgement": judgement_to_json(judgement, zones), "fouls": list(fouls), "text": sentence}
        evidence = tuple(Evidence(*piece) for piece in render_evidence(judgement, frames))
        return ThrownRound(answers, fouls, reveal, judgement, body, evidence, collect_frames_async(judgement, frames))

    def _show_until(self, view: Countdown, until_ns: int) -> None:
        """Show a word of the count until the next one, with the live image if it is on."""
        self.display.show(view)
        while self.show_preview and self.clock.now_ns() + PREVIEW_INTERVAL_NS < until_ns:
            with suppress(CameraError):  # a stopped camera is restarted after the round
                self.display.show(replace(view, preview=self.camera.latest().pixels(None, PREVIEW_SIZE)))
            self.clock.wait_until(min(self.clock.now_ns() + PREVIEW_INTERVAL_NS, until_ns))
        self.clock.wait_until(until_ns)


def _seat_reveal(seat: SeatVerdict, judgement: Judgement, player: Player) -> SeatReveal:
    void = judgement.void_reason is not None or (is_unreadable(seat) and seat.verdict is not Verdict.UNREAD)
    timed = seat.shown is not None and judgement.first_ns is not None and not void and seat.verdict not in CARD_VERDICTS
    after = judgement.ms_after_first(seat.shown.time_ns) if timed and seat.shown else None
    throw = seat.throw if seat.verdict is Verdict.LATE else seat.at_lock
    foul, word = (False, VOID_WORD) if void else (seat.verdict.foul, str(seat.verdict))
    return SeatReveal(player, seat_crop(judgement.lock_frame, seat.crop), throw, word, foul, after)
