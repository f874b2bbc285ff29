"""A table with a camera: the count, the throw, the lock, and the foul rule. What is read from the frames is up to the
table: hands, cards, a class."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from device.camera.base import Camera, CameraError, restart_camera
from device.camera.frames import Frame
from device.sound.base import NullSound, Sound, Tone
from device.system.clock import Clock
from rules.engine import Prompt
from rules.engine.scoreboard import FactForm
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Evidence
from throwlock.nonessential import nonessential
from throwlock.tables.foul_policy import decide_round, is_empty_round
from throwlock.tables.record import record_judgement
from throwlock.tables.round_frames import collect_frames_async
from throwlock.tables.source import PlayedRound, RoundRequest, ThrowListener, ThrownRound
from ui.screen.core.display import Display
from ui.screen.pages.countdown import Countdown, Judging
from ui.screen.pages.question import first_time_hint
from ui.screen.pages.scoreboard import Facts, prompt_facts
from ui.text import verdicts
from ui.text.rounds import verdict_text
from vision.evidence import render_evidence
from vision.lock.judgement import Judgement, LockError, void_judgement
from vision.zones import Zone

logger = logging.getLogger(__name__)

GET_READY_NS = 1_500_000_000
"""Time from announcing the first throw on the screen to the first word of the count."""
NEXT_READY_NS = 1_000_000_000
"""The same for a further throw, for which players' hands are at the table."""
FRAME_DELAY_NS = 100_000_000
"""The camera's frames reach the ring at most this long after their exposure."""
FRAME_POLL_NS = 4_000_000
"""Time between two looks for a frame that is about to arrive: a quarter of a frame at 60 a second."""
PREVIEW_SIZE = (320, 180)
"""Size of the live image next to the count, in pixels."""
PREVIEW_INTERVAL_NS = 100_000_000
"""Time between two live images."""


@dataclass(frozen=True)
class RoundTimes:
    """The times of a round, in ns."""

    cue_ns: int
    window_ns: int
    """From the first throw to the lock."""
    since_ns: int
    """From when on its frames are read."""
    sounded_ns: int
    """When the lock is heard."""
    announced_ns: int
    """When people are told that the box is still looking, if there is no verdict yet; until then they see the last word
    of the count, and nothing flickers before the reveal."""


def stakes(prompt: Prompt) -> Facts:
    """Return what is at stake in a round: the facts about the table that are not in its title."""
    return tuple(fact for fact in prompt_facts(prompt).table if fact.shown.form is not FactForm.TITLE)


@dataclass(kw_only=True)
class CameraTable:
    """A PlayTable that judges throws from a camera's frames."""

    camera: Camera
    zones: tuple[Zone, ...]
    display: Display
    clock: Clock
    house_rules: HouseRules
    listener: ThrowListener = field(default_factory=ThrowListener)
    """Told when players have something to do."""
    show_preview: bool = False
    """Whether the live image is shown next to the count."""
    sound: Sound = field(default_factory=NullSound)
    judges_throws: bool = field(default=True, init=False)
    _hinted_kinds: set[str] = field(default_factory=set, init=False)
    _last_word: Countdown | None = field(default=None, init=False)
    """The last word of the newest count, as it was shown."""

    def plays(self, prompt: Prompt) -> bool:
        """Return whether a prompt asks for throws."""
        return prompt.kind == "throw"

    def play(self, request: RoundRequest) -> PlayedRound:
        """Count, and judge the throws. If the camera stops, it is restarted and the round is void.

        Raises:
            CameraError: The camera does not run again.
        """
        return self.throw(request)

    def close(self) -> None:
        """Stop background work: there is none."""

    def throw(self, request: RoundRequest) -> PlayedRound:
        """Count, and judge the throws of the prompt's seats. Raises CameraError."""
        prompt = request.prompt
        seats = tuple(prompt.seats)
        self.camera.lock_exposure()
        view = Countdown(
            request.players,
            request.title,
            verdicts.COUNT_WORDS,
            -1,
            rethrow_reason=request.rethrow_reason,
            facts=() if any(player.stars for player in request.players) else stakes(prompt),
            throwing=seats,
            hint=self.hint_once(prompt, self.hint_for(prompt)),
        )
        try:
            cue_ns = self.count(request, view)
        except BaseException:
            self.camera.unlock_exposure()
            raise
        judgement, frames = self.judge_round(request, cue_ns)
        return self.finish_round(request, judgement, frames)

    def hint_for(self, prompt: Prompt) -> str | None:
        """Return the hint for a throw."""
        return first_time_hint(prompt)

    def hint_once(self, prompt: Prompt, hint: str | None) -> str | None:
        """Return ``hint`` for the first prompt of a kind, None for any further one."""
        seen = prompt.kind in self._hinted_kinds
        self._hinted_kinds.add(prompt.kind)
        return None if seen else hint

    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """Wait until the round is over and judge it. Return the judgement and the round's frames. Raises
        CameraError."""
        raise NotImplementedError

    def judge_live(
        self,
        request: RoundRequest,
        times: RoundTimes,
        judge: Callable[[Callable[[int], Sequence[Frame]], Callable[[], None]], Judgement],
        progress: Callable[[], float],
    ) -> tuple[Judgement, Sequence[Frame]]:
        """Judge a round while its frames arrive, and then unlock the camera's exposure. Return the judgement and the
        frames it was made from.

        Args:
            request: The round.
            times: Its times.
            judge: Judges it with a function that waits for the frames until a time and returns all frames so far, and
                one that tells people that the box is looking, once it is time; it raises LockError if there are too
                few frames.
            progress: Returns the share (0–1) of the judging that is done.

        Raises:
            CameraError: The camera stopped, and does not run again.
        """
        frames: list[Frame] = []
        is_announced = False
        self.sound.play(Tone.LOCK, times.sounded_ns)

        def announce() -> None:
            nonlocal is_announced
            if not is_announced and self.clock.now_ns() >= times.announced_ns:
                is_announced = True
                self.display.show(Judging(request.players, progress=progress))

        def frames_until(until_ns: int) -> Sequence[Frame]:
            self._wait_for_frame(until_ns)
            announce()
            after_ns = frames[-1].exposed_ns + 1 if frames else times.since_ns
            frames.extend(self.camera.frames_between(after_ns, until_ns))
            return tuple(frames)

        try:
            with suppress(LockError):
                return judge(frames_until, announce), frames
            frames = frames or [self.camera.latest()]
        except CameraError:  # the round is void: a camera that hangs gets as long to recover as the round would take
            self.clock.wait_until(times.announced_ns + FRAME_DELAY_NS)
            frames = [restart_camera(self.camera, self.clock)]
        finally:
            self.camera.unlock_exposure()
        zones = [self.zones[seat - 1] for seat in request.prompt.seats]
        return void_judgement(frames, zones, times.cue_ns, times.window_ns), frames

    def _wait_for_frame(self, at_ns: int) -> None:
        """Wait until the frame of a time has arrived, at most ``FRAME_DELAY_NS`` after it. Raises CameraError."""
        self.clock.wait_until(at_ns)
        until_ns = at_ns + FRAME_DELAY_NS
        while (now_ns := self.clock.now_ns()) < until_ns and self.camera.latest().exposed_ns < at_ns:
            self.clock.wait_until(min(now_ns + FRAME_POLL_NS, until_ns))

    def frames_between(self, since_ns: int, until_ns: int) -> Sequence[Frame]:
        """Return the frames of a finished round, at least one, and sound the lock. Raises CameraError."""
        self.sound.play(Tone.LOCK)
        try:
            return self.camera.frames_between(since_ns, until_ns) or [self.camera.latest()]
        except CameraError:
            return [restart_camera(self.camera, self.clock)]
        finally:
            self.camera.unlock_exposure()

    def count(self, request: RoundRequest, view: Countdown) -> int:
        """Show and sound the count of ``view`` until its last word, the cue, is shown. Return the cue's time. All
        sounds are scheduled at the beginning. Raises CameraError."""
        beat_ns = self.house_rules.beat_ms * 1_000_000
        ready_ns = NEXT_READY_NS if request.throw_number else GET_READY_NS
        first_ns = self.clock.now_ns() + ready_ns
        times = [first_ns + beat * beat_ns for beat in range(len(view.words))]
        self.announce_cue(request, times[-1], beat_ns)
        self.sound.play_count(view.words, times)
        view = replace(view, word_s=beat_ns / 1e9)
        try:
            self._show_until(replace(view, beat_s=ready_ns / 1e9), first_ns)
            view = replace(view, beat_s=beat_ns / 1e9)
            for beat, until_ns in enumerate(times[1:]):
                self._show_until(replace(view, beat=beat), until_ns)
            self._last_word = replace(view, beat=len(times) - 1)
            self.display.show(self._last_word)
        except BaseException:
            self.sound.silence()
            raise
        return times[-1]

    def announce_cue(self, request: RoundRequest, cue_ns: int, beat_ns: int) -> None:
        """Announce the time of the cue to the listener."""
        self.listener.on_count(tuple(request.prompt.seats), cue_ns, beat_ns, request.throw_number)

    def finish_round(self, request: RoundRequest, judgement: Judgement, frames: Sequence[Frame]) -> PlayedRound:
        """Apply the foul rule and build the round's result."""
        prompt, players = request.prompt, request.players
        seats = tuple(prompt.seats)
        judgement = judgement.for_seats(seats)
        names = {player.seat: player.name for player in players}
        placeholders = verdicts.seat_placeholders(names)
        record = record_judgement(judgement, {seat: self.zones[seat - 1] for seat in seats})
        exhausted = tuple(player.seat for player in players if self.house_rules.replays_exhausted(player.fouls or 0))
        empty = is_empty_round(record, prompt)
        outcome = decide_round(record, self.house_rules.on_foul, prompt, exhausted)
        counts = outcome.answers is not None
        sentence = verdict_text(record, outcome.fouls, counts, placeholders, self.house_rules.on_foul)
        logger.info("round judged: %s", verdicts.fill_names(sentence, names))
        staged = self.listener.is_staged(request.throw_number)
        frames_later = collect_frames_async(judgement, frames)
        thrown = ThrownRound(judgement, record, outcome.fouls, sentence, frames_later, staged, empty)
        evidence: list[Evidence] = []
        with nonessential("the round has no pictures"):
            evidence.extend(Evidence(*piece) for piece in render_evidence(judgement, frames))
        return PlayedRound(outcome.answers, thrown, tuple(evidence))

    def _show_until(self, view: Countdown, until_ns: int) -> None:
        """Show a word of the count until the next one, with the live image if it is on."""
        self.display.show(view)
        while self.show_preview and self.clock.now_ns() + PREVIEW_INTERVAL_NS < until_ns:
            with suppress(CameraError):  # a stopped camera is restarted after the round
                self.display.show(replace(view, preview=self.camera.latest().pixels(None, PREVIEW_SIZE)))
            self.clock.wait_until(min(self.clock.now_ns() + PREVIEW_INTERVAL_NS, until_ns))
        self.clock.wait_until(until_ns)
