"""A table at which players throw with printed cards. The box waits until each card lies face down with the hand away,
checks that it stays there, counts, and reads all cards from one exposure."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from typing_extensions import override

from device.camera.base import CameraError
from device.camera.frames import Frame
from device.system.periodic import ThreadTicker
from messages import N
from rules.engine import Answers, Choices, Game, Prompt, Seat
from rules.markers import MarkerKind
from throwlock.house_rules import ThrowWith
from throwlock.tables.camera_table import CameraTable, RoundTimes
from throwlock.tables.card_count import CardCount, count_cards
from throwlock.tables.presence import ask_group
from throwlock.tables.source import PlayedRound, RoundRequest
from ui.i18n.language import t
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, LiveAnswers
from ui.screen.pages.question import TURN_CARD_OVER, first_time_hint
from ui.text.verdicts import CARD_PROMPTS
from vision.cards.card_tracker import OBSERVATION_INTERVAL_NS, CardTracker
from vision.cards.lock import CardJudge
from vision.cards.observations import CardFamily, ObservedFrame
from vision.lock.judgement import Judgement
from vision.lock.verdict import HOLD_AFTER_LOCK_NS

FACE_DOWN = Choices(("down",))
"""The options of a prompt that is answered by laying a card face down."""
RING_MARGIN_NS = 300_000_000
"""Time before the window that is judged as well."""
LAY_TIMEOUT_NS = 120_000_000_000
"""How long the box waits for cards if nobody can be asked."""


def uses_cards(game: Game, throw_with: ThrowWith) -> bool:
    """Whether at least some rounds of a game are thrown with printed cards."""
    return throw_with is ThrowWith.CARDS or game.uses_printed_cards


def throws_hands(game: Game, throw_with: ThrowWith) -> bool:
    """Whether at least some rounds of a game are thrown with hands: all, or those of phases that never use cards."""
    return throw_with is not ThrowWith.CARDS and (not game.uses_printed_cards or bool(game.rules.bare_hand_phases))


@dataclass(kw_only=True)
class CardTable(CameraTable):
    """A CameraTable at which throws are made with cards, at least those that the game has cards for."""

    game: Game
    people_answer: bool = False
    """Whether people can be asked, on the screen or with buttons."""
    _count: CardCount = field(default_factory=CardCount, init=False)
    _trackers: dict[Seat, CardTracker] = field(default_factory=dict, init=False)
    _trusted: set[Seat] = field(default_factory=set, init=False)
    _processed_ns: int = field(default=0, init=False)
    _until_ns: int | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _ticker: ThreadTicker | None = field(default=None, init=False)

    @property
    def family(self) -> CardFamily:
        """The family of the cards in play."""
        return CardFamily.of_faces(MarkerKind(self.game.rules.printed_cards))

    def is_thrown_with_cards(self, prompt: Prompt) -> bool:
        """Whether a throw is made with cards, as all are by the house rules or those that the game has cards for."""
        has_cards = self.game.uses_printed_cards and prompt.about.get("phase") not in self.game.rules.bare_hand_phases
        return self.house_rules.throw_with is ThrowWith.CARDS or has_cards

    def is_answered_by_laying(self, prompt: Prompt) -> bool:
        """Whether a prompt is answered by laying a card face down."""
        return prompt.kind == "place" and all(options == FACE_DOWN for options in prompt.seats.values())

    @override
    def plays(self, prompt: Prompt) -> bool:
        return self.is_answered_by_laying(prompt) or (prompt.kind == "throw" and self.is_thrown_with_cards(prompt))

    @override
    def play(self, request: RoundRequest) -> PlayedRound:
        if self.is_answered_by_laying(request.prompt):
            return PlayedRound(self._lay_new_cards(request))
        return self.throw(request)

    def _lay_new_cards(self, request: RoundRequest) -> Answers:
        """Wait until each of the prompt's seats has laid a new card. Raises CameraError."""
        self._count = count_cards(request.steps)
        with self._lock:
            for seat in request.prompt.seats:
                self._trusted.discard(seat)
                if seat in self._trackers:
                    self._trackers[seat].restart(must_change=True)
        self._wait_for(request, tuple(request.prompt.seats))
        return dict.fromkeys(request.prompt.seats, "down")

    @override
    def throw(self, request: RoundRequest) -> PlayedRound:
        """Wait first until each card lies there; afterwards all are picked up."""
        self._count = count_cards(request.steps)
        seats = tuple(request.prompt.seats)
        missing = tuple(seat for seat in seats if not self._has_laid(seat))
        if missing:
            prompt = Prompt("place", request.prompt.seats, request.prompt.about, text=request.prompt.text)
            self._wait_for(replace(request, prompt=prompt), missing)
        try:
            return super().throw(request)
        finally:
            with self._lock:
                self._until_ns = None
                for seat in seats:
                    self._trackers.pop(seat, None)
                    self._trusted.discard(seat)

    @override
    def hint_for(self, prompt: Prompt) -> str | None:
        return TURN_CARD_OVER

    @override
    def announce_cue(self, request: RoundRequest, cue_ns: int, beat_ns: int) -> None:
        """Cards may be turned over from one window before the cue on."""
        self._until_ns = cue_ns - self.house_rules.card_window_ms * 1_000_000
        super().announce_cue(request, cue_ns, beat_ns)

    @override
    def judge_round(self, request: RoundRequest, cue_ns: int) -> tuple[Judgement, Sequence[Frame]]:
        """Cards are read as they are turned over."""
        seats = tuple(request.prompt.seats)
        window_ns = self.house_rules.card_window_ms * 1_000_000
        announced_ns = cue_ns + 2 * window_ns + HOLD_AFTER_LOCK_NS  # all that turned in time have been read
        groups = {index: self._count.table(seat) for index, seat in enumerate(seats)}
        strict = self.game.uses_printed_cards
        card_judge = CardJudge(
            self.family, lambda index, card: self._count.violation(seats[index], card) if strict else None, groups
        )

        def judge(frames_until: Callable[[int], Sequence[Frame]], announce: Callable[[], None]) -> Judgement:
            del announce  # the cards of a frame are read in no time
            self.process_frames()
            with self._lock:
                trackers = [self._trackers[seat] for seat in seats]
            return card_judge.judge_live(frames_until, trackers, cue_ns, window_ns)

        times = RoundTimes(cue_ns, window_ns, cue_ns - window_ns - RING_MARGIN_NS, cue_ns + window_ns, announced_ns)
        return self.judge_live(request, times, judge, lambda: card_judge.progress)

    @override
    def close(self) -> None:
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        super().close()

    def process_frames(self) -> None:
        """Pass the frames since the last call to the trackers, one per observation interval."""
        with self._lock:
            until_ns = self.clock.now_ns() if self._until_ns is None else self._until_ns
            if not self._trackers or until_ns <= self._processed_ns:
                return
            for frame in self.camera.frames_between(self._processed_ns + 1, until_ns):
                if frame.exposed_ns - self._processed_ns >= OBSERVATION_INTERVAL_NS:
                    self._processed_ns = frame.exposed_ns
                    observed = ObservedFrame(frame)
                    for tracker in self._trackers.values():
                        tracker.observe(observed)

    def _wait_for(self, request: RoundRequest, seats: Sequence[Seat]) -> None:
        """Wait for the cards of ``seats``. Raises CameraError, and NobodyThereError if nobody is there."""
        with self._lock:
            for seat in seats:
                if seat not in self._trackers:
                    box = self.zones[seat - 1].box(self.camera.size)
                    self._trackers[seat] = CardTracker(box, self.family)
            self._processed_ns = max(self._processed_ns, self.clock.now_ns() - OBSERVATION_INTERVAL_NS)
        self.listener.on_cards_wanted(request, seats, self._count, self.clock.now_ns())
        prompt = replace(request.prompt, seats=dict.fromkeys(seats, FACE_DOWN))
        hint = self.hint_once(prompt, first_time_hint(prompt))
        view = GroupQuestion(request.players, prompt, hint=hint, poll_answers=lambda _: self._laid_cards(seats))
        if self.people_answer:
            self._ticker = self._ticker or ThreadTicker(self._process_periodically, "cards")
            ask_group(self.display, view)
            self._trusted |= {seat for seat in seats if self._trackers[seat].committed is None}
            return
        self.display.show(view)
        until_ns = self.clock.now_ns() + LAY_TIMEOUT_NS
        while len(self._laid_cards(seats).answers) < len(seats):
            if self.clock.now_ns() > until_ns:
                raise CameraError(
                    N("nobody laid a card that the camera can read: lay cards flat, face down, in the zones")
                )
            self.clock.wait_until(self.clock.now_ns() + OBSERVATION_INTERVAL_NS)
            self.process_frames()

    def _has_laid(self, seat: Seat) -> bool:
        """Whether a seat has laid a card: the camera has seen it, or people have confirmed it."""
        tracker = self._trackers.get(seat)
        return tracker is not None and (tracker.committed is not None or seat in self._trusted)

    def _laid_cards(self, seats: Sequence[Seat]) -> LiveAnswers:
        """Return which seats the camera has seen a card of, and a note for each of the others."""
        trackers = {seat: self._trackers[seat] for seat in seats}
        answers = {seat: "down" for seat, tracker in trackers.items() if tracker.committed is not None}
        obstacles = {seat: tracker.obstacle for seat, tracker in trackers.items()}
        return LiveAnswers(
            answers, {seat: t(CARD_PROMPTS[obstacle]) for seat, obstacle in obstacles.items() if obstacle is not None}
        )

    def _process_periodically(self) -> float:
        with suppress(CameraError):  # a stopped camera is reported by the round
            self.process_frames()
        return OBSERVATION_INTERVAL_NS / 1e9

    def _show_until(self, view: Countdown, until_ns: int) -> None:
        super()._show_until(view, until_ns)
        with suppress(CameraError):
            self.process_frames()
