"""A table at which players throw with printed cards. The box waits until each card lies face down with the hand away,
trackers that it stays there, counts, and reads all cards from one exposure."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from device.camera.base import CameraError
from device.camera.frames import Frame
from rules.engine import Answers, Choices, Game, Prompt, Seat
from throwlock.match.house_rules import HouseRules, ThrowWith
from throwlock.tables.card_count import CardCount, tracks_cards
from throwlock.tables.hands import FRAME_DELAY_NS, Table, ThrownRound
from ui.i18n.language import t
from ui.screen.pages.common.view import Player
from ui.screen.pages.countdown.view import Countdown, Judging
from ui.screen.pages.group_question.view import CameraAnswers, GroupQuestion
from ui.screen.pages.question.hints import TURN_CARD_OVER, first_time_hint
from ui.text.cards import CARD_PROMPTS
from vision.cards.card_tracker import OBSERVATION_INTERVAL_NS, CardTracker
from vision.cards.lock import CardJudge
from vision.cards.observations import CardFamily, ObservedFrame
from vision.lock.judge import MIN_FRAMES, Judge, Judgement, void_judgement
from vision.lock.verdict import SEARCH_AFTER_LOCK_NS

FACE_DOWN = Choices(("down",))
"""The options of a prompt that is answered by laying a card face down."""
RING_MARGIN_NS = 300_000_000
"""Time before the window that is judged as well."""
LAY_TIMEOUT_NS = 120_000_000_000
"""How long the box waits for cards if nobody can be asked."""


@runtime_checkable
class CardListener(Protocol):
    """Is told when cards are to be laid: the simulated players; people see it on the screen."""

    def on_cards_wanted(self, prompt: Prompt, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        """From ``now_ns`` of the camera's clock on, these seats are to lay a card face down."""


def uses_cards(game: Game, throw_with: ThrowWith) -> bool:
    """Whether at least some rounds of a game are thrown with printed cards."""
    return throw_with is ThrowWith.CARDS or tracks_cards(game)


class NullHandJudge(Judge):
    """The judge of a table without hands; it loads no model."""

    def __init__(self) -> None:
        self.workers = 0

    def close(self) -> None:
        """See Judge."""

    @property
    def progress(self) -> float:
        """See Judge."""
        return 0.0


def hand_judge_for(game: Game, house_rules: HouseRules, nice: int) -> Judge:
    """Return the judge of a game's hands: a NullHandJudge if all throws are cards. Raises ModelError."""
    future = game.rules.name == "future"
    if house_rules.throw_with is ThrowWith.CARDS or (tracks_cards(game) and not future):
        return NullHandJudge()
    return Judge(game.setup.seats, nice)


@dataclass(kw_only=True)
class CardTable(Table):
    """A Table at which throws are made with cards, at least those that the game has cards for. ``people_answer``:
    whether people can be asked, on the screen or with buttons. ``card_count`` is derived anew from the journal before
    each round."""

    game: Game
    people_answer: bool = False
    card_count: CardCount = field(default_factory=CardCount)
    _trackers: dict[Seat, CardTracker] = field(default_factory=dict, init=False)
    _trusted: set[Seat] = field(default_factory=set, init=False)
    _processed_ns: int = field(default=0, init=False)
    _until_ns: int | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _done: threading.Event = field(default_factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    @property
    def family(self) -> CardFamily:
        """The family of the cards in play."""
        return CardFamily.FUTURE if self.game.rules.name == "future" else CardFamily.DECK

    def is_thrown_with_cards(self, prompt: Prompt) -> bool:
        """Whether a throw is made with cards. In Future RPS, the throw for the first turn is made with hands."""
        if self.house_rules.throw_with is ThrowWith.CARDS:
            return True
        return tracks_cards(self.game) and (self.family is CardFamily.DECK or "turn" in prompt.about)

    def is_answered_by_laying(self, prompt: Prompt) -> bool:
        """Whether a prompt is answered by laying a card face down."""
        return prompt.kind == "place" and all(options == FACE_DOWN for options in prompt.seats.values())

    def wait_for_cards(self, prompt: Prompt, players: Sequence[Player]) -> Answers:
        """Wait until each of the prompt's seats has laid a new card. Raises CameraError."""
        with self._lock:
            for seat in prompt.seats:
                self._trusted.discard(seat)
                if seat in self._trackers:
                    self._trackers[seat].restart(must_change=True)
        self._wait_for(prompt, tuple(prompt.seats), players)
        return dict.fromkeys(prompt.seats, "down")

    def throw(
        self, prompt: Prompt, players: Sequence[Player], title: str, void_sentence: str | None = None
    ) -> ThrownRound:
        """See Table. Waits first until each card lies there; afterwards all are picked up."""
        if not self.is_thrown_with_cards(prompt):
            return super().throw(prompt, players, title, void_sentence)
        seats = tuple(prompt.seats)
        missing = tuple(seat for seat in seats if not self._has_laid(seat))
        if missing:
            self._wait_for(replace(prompt, kind="place", sealed=False, secret=False), missing, players)
        try:
            return super().throw(prompt, players, title, void_sentence)
        finally:
            with self._lock:
                self._until_ns = None
                for seat in seats:
                    self._trackers.pop(seat, None)
                    self._trusted.discard(seat)

    def hint_for(self, prompt: Prompt) -> str | None:
        """See Table."""
        return TURN_CARD_OVER if self.is_thrown_with_cards(prompt) else super().hint_for(prompt)

    def announce_cue(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int) -> None:
        """See Table. Cards may be turned over from one window before the cue on."""
        if all(seat in self._trackers for seat in seats):
            self._until_ns = cue_ns - self.house_rules.card_window_ms * 1_000_000
        super().announce_cue(seats, cue_ns, beat_ns)

    def judge_round(
        self, seats: Sequence[Seat], players: Sequence[Player], cue_ns: int
    ) -> tuple[Judgement, Sequence[Frame]]:
        """See Table."""
        if self._until_ns is None or any(seat not in self._trackers for seat in seats):
            return super().judge_round(seats, players, cue_ns)
        window_ns = self.house_rules.card_window_ms * 1_000_000
        end_ns = cue_ns + 2 * window_ns + SEARCH_AFTER_LOCK_NS
        self.clock.wait_until(end_ns + FRAME_DELAY_NS)
        groups = {index: self.card_count.table(seat) for index, seat in enumerate(seats)}
        strict = tracks_cards(self.game)
        judge = CardJudge(
            self.family, lambda index, card: self.card_count.violation(seats[index], card) if strict else None, groups
        )
        self.display.show(Judging(tuple(players), progress=lambda: judge.progress))
        frames = self.frames_between(cue_ns - window_ns - RING_MARGIN_NS, end_ns)  # before the ring overwrites them
        self.process_frames()
        if len(frames) < MIN_FRAMES:
            return void_judgement(frames, [self.zones[seat - 1] for seat in seats], cue_ns, window_ns), frames
        with self._lock:
            return judge(frames, [self._trackers[seat] for seat in seats], cue_ns, window_ns), frames

    def close(self) -> None:
        """Stop reading cards; may be called twice."""
        self._done.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

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

    def _wait_for(self, prompt: Prompt, seats: Sequence[Seat], players: Sequence[Player]) -> None:
        """Wait for the cards of ``seats``. Raises CameraError."""
        with self._lock:
            for seat in seats:
                if seat not in self._trackers:
                    box = self.zones[seat - 1].box(self.camera.size)
                    self._trackers[seat] = CardTracker(box, self.family)
            self._processed_ns = max(self._processed_ns, self.clock.now_ns() - OBSERVATION_INTERVAL_NS)
        if isinstance(self.throw_listener, CardListener):
            self.throw_listener.on_cards_wanted(prompt, seats, self.card_count, self.clock.now_ns())
        lay_prompt = replace(prompt, seats=dict.fromkeys(seats, FACE_DOWN))
        hint = None if lay_prompt.kind in self.hinted_kinds else first_time_hint(lay_prompt)
        self.hinted_kinds.add(lay_prompt.kind)
        view = GroupQuestion(tuple(players), lay_prompt, hint=hint, poll_camera=lambda: self._laid_cards(seats))
        if self.people_answer:
            self._start_looking()
            self.display.ask(view)
            self._trusted |= {seat for seat in seats if self._trackers[seat].committed is None}
            return
        self.display.show(view)
        until_ns = self.clock.now_ns() + LAY_TIMEOUT_NS
        while len(self._laid_cards(seats).answers) < len(seats):
            if self.clock.now_ns() > until_ns:
                raise CameraError(
                    "nobody laid a card that the camera can read: lay cards flat, face down, in the zones"
                )
            self.clock.wait_until(self.clock.now_ns() + OBSERVATION_INTERVAL_NS)
            self.process_frames()

    def _has_laid(self, seat: Seat) -> bool:
        """Whether a seat has laid a card: the camera has seen it, or people have confirmed it."""
        tracker = self._trackers.get(seat)
        return tracker is not None and (tracker.committed is not None or seat in self._trusted)

    def _laid_cards(self, seats: Sequence[Seat]) -> CameraAnswers:
        """Return which seats the camera has seen a card of, and a note for each of the others."""
        trackers = {seat: self._trackers[seat] for seat in seats}
        answers = {seat: "down" for seat, tracker in trackers.items() if tracker.committed is not None}
        notes = {
            seat: t(CARD_PROMPTS[tracker.obstacle])
            for seat, tracker in trackers.items()
            if tracker.obstacle is not None
        }
        return CameraAnswers(answers, notes)

    def _start_looking(self) -> None:
        """Process frames in a thread of its own from now on."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._keep_looking, name="cards", daemon=True)
            self._thread.start()

    def _keep_looking(self) -> None:
        while not self._done.wait(OBSERVATION_INTERVAL_NS / 1e9):
            with suppress(CameraError):  # a stopped camera is reported by the round
                self.process_frames()

    def _show_until(self, view: Countdown, until_ns: int) -> None:
        super()._show_until(view, until_ns)
        with suppress(CameraError):
            self.process_frames()
