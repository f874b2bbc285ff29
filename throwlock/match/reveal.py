"""Shows what happens in a match: every throw with its result, showdowns, messages and notices; on the screen, by voice
and on the terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from device.camera.frames import Box, Frame, Pixels
from device.sound.base import COUNT_BEATS, NullSound, Sound, Tone
from device.system.clock import Clock
from messages import join
from rules.board.events import BoardShown
from rules.engine import GameEvent, Result, Seat, visible_events
from rules.events import Scores, ThrowsShown
from rules.record.judgement import JudgementRecord, Verdict
from rules.record.round import RoundView, SeatView, beaten_pairs, game_outcomes
from throwlock.journal import recovery
from throwlock.journal.events import Answered
from throwlock.match.answers import can_undo
from throwlock.match.clip_sharing import ClipSharing
from throwlock.match.ongoing import OngoingMatch
from throwlock.match.pause import PausedError
from throwlock.match.reveal_tones import reveal_tone
from throwlock.nonessential import nonessential
from throwlock.settings.model import SlowMotionRule
from throwlock.tables.round_frames import RoundFrames
from throwlock.tables.source import AnswerSource, ThrownRound
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.common import (
    DISPUTE_ANSWER,
    GO_ON_ANSWER,
    SLOW_MOTION_ANSWER,
    TAKE_HOME_ANSWER,
    UNDO_ANSWER,
    Player,
)
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PauseChoice
from ui.screen.pages.reveal import FaceDown, Reveal, SeatPictures
from ui.screen.pages.showdown import SHOWDOWN_EVENTS, Showdown, showdown_from_events, split_showdown
from ui.screen.pages.slow_motion import SlowMotion, slow_motion_of
from ui.text import labels, verdicts
from vision.evidence import seat_crop

CLOSE_MS = 60.0
"""A round in which everybody showed within this time was close."""

MAX_SPOKEN_SCORES = 4
"""The most players whose scores are spoken."""
MAX_PAGE_LETTERS = 140
"""The most letters of a message's sentences on one page, if they are more than one: with a scoreboard of eight players,
German fits both panels in type that everybody can read."""

FACE_DOWN_S = 0.75
"""How long entered throws lie face down, while the drum of a count is heard, before all are turned over."""

OTHER_THROW = (Verdict.LATE, Verdict.TOO_CLOSE, Verdict.EARLY, Verdict.CHANGED)
"""Verdicts on hands and cards that showed another throw than at the lock."""
NO_PICTURE: Pixels = np.zeros((1, 1, 3), np.uint8)
"""Of a student whose card was not seen, and of what can't be drawn."""


@dataclass(frozen=True)
class Pace:
    """How long reveals and messages are shown, in seconds."""

    reveal_s: float = 3.5
    message_s: float = 2.5
    entered_throw_s: float = 10.0
    """The result of a throw that was entered on the screen, if nobody touches "go on": nothing else shows it, and
    everybody has to read it (at worst eight names with their points, some twenty words) and find their own mistake
    before the next question."""
    short_reveal_s: float = 2.0
    """A reveal after slow motion, or after which everybody throws again: nobody has to find their points."""
    scores_s: float = 1.2
    """A message without a sentence: the scoreboard alone, whose points the next page has as well."""
    slow_motion: SlowMotionRule = "never"
    """After which rounds slow motion is shown by itself; with "never" nobody can ask for it either."""


CLASS_PACE = Pace(30.0, 120.0, short_reveal_s=30.0, scores_s=120.0)
"""How long a class's result is shown if nobody touches "go on"."""


@dataclass(frozen=True)
class MatchOutput:
    """Where a match is shown, heard and printed, and for how long."""

    display: Display
    clock: Clock
    announce: Callable[[str], object]
    """Takes each line for the terminal."""
    pace: Pace = field(default_factory=Pace)
    sound: Sound = field(default_factory=NullSound)
    quiet: bool = False
    """Whether only that the match is resumed, and its result, are announced: the display shows everything else."""
    people_answer: bool = False
    """Whether people at the display can pause, and take back what they entered."""
    clips: ClipSharing = field(default_factory=ClipSharing)
    """What people take the clips of rounds home with."""
    for_children: bool = False
    """Whether the match is shown without fouls and numbers."""

    @property
    def can_share(self) -> bool:
        """Whether people can take clips home."""
        return self.people_answer and self.clips.network is not None


class Presenter:
    """Shows what happens in ``match``. ``dispute`` shows people the evidence of the last rounds, and returns whether a
    correction changed the match; ``answers`` tells players what is for them alone."""

    def __init__(
        self, match: OngoingMatch, output: MatchOutput, answers: AnswerSource, dispute: Callable[[], bool]
    ) -> None:
        self._match, self._output, self._answers, self._dispute = match, output, answers, dispute
        self._pace, self._display, self._sound = output.pace, output.display, output.sound
        self._spoken_scores: object = None
        self._notices_shown: set[str] = set()

    @property
    def can_undo(self) -> bool:
        """Whether people can take back what they entered last."""
        return self._output.people_answer and can_undo(self._match)

    def announce(self, line: str) -> None:
        """Announce on the terminal what happens during the match, unless it is quiet."""
        if not self._output.quiet:
            self._output.announce(line)

    def announce_resumed(self) -> None:
        """Announce that the match is resumed, if it is."""
        throws = self._match.throw_count
        if throws:
            count = f"{throws} {'throw' if throws == 1 else 'throws'}"
            self._output.announce(f"The match resumes after {count}. {self._match.score_line}")

    def announce_result(self, result: Result) -> None:
        """Announce how the match ended, and its proof code."""
        sentence = verdicts.result_sentence(result, self._match.names)
        self._output.announce(sentence)
        self._output.announce(f"Proof code: {self._match.proof_code}")
        self._sound.play(Tone.WIN)
        self._sound.say(sentence)

    def notify(self, notice: Notice, *, can_pause: bool = True) -> None:
        """Show a notice for a while, or until people go on."""
        if self._output.people_answer:
            choices = ("go on",)
            self._display.ask(replace(notice, choices=choices, seconds_left=self._pace.reveal_s, in_match=can_pause))
        else:
            self._display.show(notice)
            self._wait(self._pace.reveal_s)

    def show_journal_notice(self, text: str) -> None:
        """Show once what people have to know about the journal."""
        if text not in self._notices_shown:
            self._notices_shown.add(text)
            self.announce(text)
            self.notify(Notice(recovery.NOTICE_TITLE, text, ()), can_pause=False)

    def reveal(self, thrown: ThrownRound | None) -> bool:
        """Show everybody's throw in the newest round, or the newest throws that were entered, and the result. Return
        whether people disputed it and a correction changed the match."""
        return self._turn_over() if thrown is None else self._reveal_round(thrown)

    def _reveal_round(self, thrown: ThrownRound) -> bool:
        newest = self._match.view.rounds[-1]
        events = visible_events(newest.events)
        view = build_reveal(thrown, newest.seats, self._players_before(), events)
        self._announce_throws(thrown, view)
        tone = reveal_tone(self._match.view.steps, went_wrong=thrown.went_wrong)
        self._sound.play(Tone.TIE if self._match.just_says_again(thrown.fouls, thrown.record) else tone)
        verdict = () if thrown.went_wrong else self.game_verdict(events)
        sentence = join(verdict) if verdict else self._match.sentence_on(thrown)
        rule = self._pace.slow_motion
        view = replace(view, sentence=sentence, has_slow_motion=rule != "never" and has_slow_motion(view))
        if self._match.for_children:
            pictures = {seat: replace(shown, proof=None) for seat, shown in view.pictures.items()}
            view = replace(view, pictures=pictures, is_judged=False)
        comes_first = view.has_slow_motion and (
            rule == "always" or is_important(thrown, decides=self._match.view.prompt is None)
        )

        def show_slow_motion() -> None:
            if (slow_motion := slow_motion_of_round(view, thrown.record, thrown.frames.result)) is not None:
                self._play_slow_motion(slow_motion)

        if comes_first:
            show_slow_motion()
        self._sound.say(sentence)
        self._say_score(events)  # with the next page there would be no time for it before the next count
        is_short = comes_first or (not thrown.went_wrong and view.all_tied)
        return self._show_for(view, self._reveal_s(is_short), show_slow_motion)

    def _reveal_s(self, is_short: bool) -> float:
        return min(self._pace.short_reveal_s, self._pace.reveal_s) if is_short else self._pace.reveal_s

    @property
    def turns_over(self) -> bool:
        """Whether the newest answers were throws that were entered, and all of them are shown now."""
        newest = self._match.view.steps[-1]
        is_showdown = any(isinstance(event, SHOWDOWN_EVENTS) for event in newest.events)
        return bool(newest.seats) and not is_showdown and len(self._match.names) <= len(SEAT_MARKS)

    def _turn_over(self) -> bool:
        """Show everybody's entered throw, which all lie face down at first, and the result."""
        newest = self._match.view.steps[-1]
        events = visible_events(newest.events)
        by_seat = {player.seat: player for player in self._players_before()}
        players = tuple(by_seat[seat.seat] for seat in newest.seats)
        if self._pace.reveal_s:
            start_ns = self._output.clock.now_ns()
            for number, beat in enumerate(COUNT_BEATS, 1):  # a loudspeaker is too late for one that is due at once
                self._sound.play(beat, start_ns + round(number * FACE_DOWN_S / (len(COUNT_BEATS) + 1) * 1e9))
            self._display.show(FaceDown(players, self.can_undo))
            self._wait(FACE_DOWN_S)
        self._sound.play(reveal_tone(self._match.view.steps, went_wrong=False))
        sentence = join(self.game_verdict(events))
        self._sound.say(sentence)
        self._say_score(events)
        view = Reveal(
            newest.seats,
            players,
            {},
            sentence,
            0.0,
            beaten_pairs(events),
            can_dispute=self._match.can_dispute,
            can_undo=self.can_undo,
            is_judged=False,
        )
        return self._show_page(view, self._pace.entered_throw_s if self.can_undo else self._reveal_s(view.all_tied))

    def _players_before(self) -> list[Player]:
        """Return the players as they were before the newest answers, whose messages come later."""
        scores = self._match.scores(len(self._match.newest_events))
        return [replace(player, facts=(), score=scores.get(player.seat)) for player in self._match.players()]

    def _announce_throws(self, thrown: ThrownRound, view: Reveal) -> None:
        """Announce everybody's throw, and what was wrong."""
        for seat in view.seats:
            self.announce(f"  {seat_line(seat)}")
        if thrown.went_wrong:
            self.announce(f"  {view.sentence}")
        if thrown.fouls:
            self.announce(f"  {self._match.foul_line}")

    def _play_slow_motion(self, slow_motion: SlowMotion) -> None:
        """Show the last round in slow motion; people may take its clip home."""
        if self._display.ask(replace(slow_motion, can_take_home=self._output.can_share)) == TAKE_HOME_ANSWER:
            self._output.clips.open(self._display, self._match.events[-1].number)

    def deciding_round(self) -> SlowMotion | None:
        """Return the round that decided the match, at its end; None unless the match ended with a thrown round of which
        there are pictures."""
        last = self._match.view.steps[-1]
        if self._output.quiet or not isinstance(last, RoundView) or last.is_void:
            return None
        players = {player.seat: player for player in self._match.players()}
        reveal = Reveal(
            last.seats,
            tuple(players[seat.seat] for seat in last.seats),
            {},
            "",
            last.judgement.lock_after_first_ms,
        )
        motion = slow_motion_of_round(reveal, last.judgement, lambda: self._match.frames.of(last.event, last.judgement))
        return None if motion is None else (motion.at_lock() if self._pace.slow_motion == "never" else motion).as_part()

    def game_verdict(self, events: Sequence[GameEvent]) -> Sequence[str]:
        """Return the game's verdict on the throws: of a single event one sentence, the second where the first has the
        counts."""
        thrown = [
            event for event in events if isinstance(event, ThrowsShown) and not isinstance(event, SHOWDOWN_EVENTS)
        ]
        lines = self._sentences(thrown)
        return lines if len(thrown) > 1 else lines[:2][-1:]

    def _sentences(self, events: Sequence[GameEvent]) -> Sequence[str]:
        """Return the sentences about events that one page shows: short ones for children."""
        if self._match.for_children:
            return [verdicts.short_sentence(event, self._match.names) for event in events]
        return verdicts.page_sentences(events, self._match.names)

    def _show_for(
        self, view: Reveal | Showdown | GameMessage, seconds: float, show_slow_motion: Callable[[], None] | None = None
    ) -> bool:
        """Show a view for ``seconds``, or until people go on or dispute; again after ``show_slow_motion`` if people ask
        for that. Return whether a correction changed the match."""
        until_ns = self._output.clock.now_ns() + round(seconds * 1e9)
        choice = self._display.ask(replace(view, seconds_left=seconds, ends_match=self._match.view.prompt is None))
        if choice == SLOW_MOTION_ANSWER and show_slow_motion is not None:
            show_slow_motion()
            return self._show_for(view, seconds, show_slow_motion)
        if choice == UNDO_ANSWER:
            raise PausedError(PauseChoice.UNDO)
        if choice == DISPUTE_ANSWER and self._dispute():
            return True
        if choice != GO_ON_ANSWER:
            self._output.clock.wait_until(until_ns)
        return False

    def show_messages(
        self, events: Sequence[GameEvent], shown: Sequence[str] = (), *, cards_turned: bool = False
    ) -> None:
        """Show a showdown among the game's events, then the other events, without the sentences ``shown`` in the reveal
        before; after that each player their own. ``cards_turned``: that reveal showed the cards."""
        showdown, events = split_showdown(events)
        if showdown:
            self._announce_events(showdown)
            view = showdown_from_events(showdown, self._match.players(showdown, len(events)), turned=cards_turned)
            if not cards_turned:
                self._sound.play(Tone.REVEAL)
            view = replace(view, can_dispute=self._match.can_dispute, can_undo=self.can_undo)
            if self._show_page(view, view.animation_s + self._pace.reveal_s if self._pace.reveal_s else 0.0):
                return
            self._sound.say(view.outcome)
        public = visible_events(events)
        self._announce_events(public)
        if public and self._show_public_messages(public, shown):
            return
        if private := [event for event in events if event.only is not None]:
            self._answers.tell(private, self._match.players())

    def _announce_events(self, events: Sequence[GameEvent]) -> None:
        """Announce what events say that everybody may see."""
        for event in events:
            for line in verdicts.event_sentences(event, self._match.names):
                self.announce(line)

    def show_last_showdown(self) -> None:
        """Show the showdown that followed the last answers, if there was one, and what came after it: nobody may have
        seen it before the match was interrupted."""
        events = self._match.newest_events
        if any(isinstance(event, SHOWDOWN_EVENTS) for event in events):
            self.show_messages(events)

    def _show_public_messages(self, public: Sequence[GameEvent], shown: Sequence[str]) -> bool:
        """Show public events, on as many pages as their sentences take. Return whether a correction changed the
        match."""
        messages = [event for event in public if event.kind not in verdicts.SCOREBOARD_KINDS] or public
        lines = self._sentences(messages)
        new_lines = [line for line in lines if line not in shown]
        how = self._match.scoreboards.facts(self._match.view.events, None, public)
        view = GameMessage(
            self._match.players(public),
            messages[-1],
            (),
            () if self._match.for_children else how.table,
            already_revealed=not new_lines,
            can_dispute=self._match.can_dispute,
            can_undo=self.can_undo,
            outcomes=game_outcomes(public),
        )
        if new_lines:
            self._sound.say(join(new_lines))
        self._say_score(public)
        one_page = self._output.quiet or isinstance(messages[-1], BoardShown)
        pages = [new_lines] if one_page else split_sentences(new_lines)
        return bool(lines) and any(
            self._show_page(
                replace(view, event=messages[-1 if page is pages[-1] else 0], sentences=tuple(page)),
                self._message_s(public, revealed=bool(shown))
                if new_lines
                else min(self._pace.scores_s, self._pace.message_s),
            )
            for page in pages
        )

    def _show_page(self, page: Reveal | Showdown | GameMessage, seconds: float) -> bool:
        """Show a page for ``seconds``, or until people go on or dispute. Return whether a correction changed the
        match."""
        if self._output.people_answer or self._match.can_dispute:
            return self._show_for(page, seconds)
        self._display.show(replace(page, ends_match=self._match.view.prompt is None))
        self._wait(seconds)
        return False

    def _message_s(self, public: Sequence[GameEvent], *, revealed: bool) -> float:
        """Return how long messages are shown: longer if they are all that is seen of throws, which were entered and not
        ``revealed``."""
        last = self._match.events[-1].body
        throws = isinstance(last, Answered) and (
            last.prompt == "throw" or any(isinstance(event, ThrowsShown) for event in public)
        )
        entered = throws and not revealed and self.can_undo
        return max(self._pace.message_s, self._pace.entered_throw_s) if entered else self._pace.message_s

    def _say_score(self, events: Sequence[GameEvent]) -> None:
        """Speak the score if it is among public events, it is another than was spoken last, and there are not more
        players than anybody would listen to."""
        scores = next((event.scores for event in reversed(events) if isinstance(event, Scores)), None)
        if scores is None or len(scores) > MAX_SPOKEN_SCORES or scores == self._spoken_scores:
            return
        self._spoken_scores = scores
        names = self._match.names
        self._sound.say(verdicts.score_sentence({names[seat]: points for seat, points in scores.items()}))

    def _wait(self, seconds: float) -> None:
        self._output.clock.wait_until(self._output.clock.now_ns() + round(seconds * 1e9))


def is_important(thrown: ThrownRound, *, decides: bool) -> bool:
    """Whether people want to see a round again: somebody fouled, it is too close to call, everybody showed at nearly
    the same time, or it ``decides`` the match."""
    times = [seat.shown_ms for seat in thrown.record.seats.values() if seat.shown_ms is not None]
    is_close = len(times) == len(thrown.record.seats) > 1 and max(times) - min(times) <= CLOSE_MS
    return decides or is_close or (thrown.went_wrong and thrown.record.void_reason is None)


def has_slow_motion(reveal: Reveal) -> bool:
    """Whether a round can be shown in slow motion: a hand showed its throw in it."""
    return any(seat.timed_ms is not None for seat in reveal.seats)


def slow_motion_of_round(
    reveal: Reveal, record: JudgementRecord, frames: Callable[[], RoundFrames]
) -> SlowMotion | None:
    """Return a round in slow motion, from its ``frames``; None without them, or if no hand showed. Waits until those in
    memory are ready: about a tenth of a second."""
    first_ms = record.first_shown_ms
    if first_ms is None:
        return None
    with nonessential("the round can't be shown in slow motion"):
        made = frames()
        return slow_motion_of(reveal, [at - first_ms for at in made.times_ms], made.image)
    return None


def seat_line(seat: SeatView) -> str:
    """Return what a seat did in a round, as the terminal says it."""
    throws = ", then ".join(seat.throws) or "no throw"
    after = f" {seat.timed_ms:+.0f} ms" if seat.timed_ms is not None else ""
    after = after if seat.early_ms is None else f", {verdicts.early_time(seat.early_ms)}"
    return f"{seat.player.name}: {throws}, {labels.seat_verdict(seat)}{after}"


def build_reveal(
    thrown: ThrownRound, seats: Sequence[SeatView], players: Sequence[Player], events: Sequence[GameEvent] = ()
) -> Reveal:
    """Return the reveal of a round: what its ``seats`` did, and what the game's ``events`` made of it."""
    by_seat = {player.seat: player for player in players}
    return Reveal(
        tuple(seats),
        tuple(by_seat[seat.seat] for seat in seats),
        seat_pictures(thrown),
        verdicts.fill_names(thrown.text, {player.seat: player.name for player in players}),
        thrown.record.lock_after_first_ms,
        beaten_pairs(events),
        in_class=not thrown.is_timed and len(players) > len(SEAT_MARKS),
    )


def seat_pictures(thrown: ThrownRound) -> dict[Seat, SeatPictures]:
    """Return each seat's pictures in a round; of a student whose card was not seen NO_PICTURE."""
    lock_frame, pictures = thrown.judgement.lock_frame, {}
    for judged in thrown.judgement.seats:
        is_seen = thrown.is_timed or judged.card_marker is not None
        proof = judged.proof_frame if thrown.record.displayed_verdict(judged.seat) in OTHER_THROW else None
        pictures[judged.seat] = SeatPictures(
            _picture(lock_frame, judged.crop) if is_seen else NO_PICTURE,
            None if proof is None else _picture(proof, judged.crop),
        )
    return pictures


def _picture(frame: Frame, box: Box) -> Pixels:
    """Return a seat's crop of a frame, NO_PICTURE if it can't be drawn."""
    with nonessential("a seat can't be shown"):
        return seat_crop(frame, box)
    return NO_PICTURE


def split_sentences(lines: Sequence[str]) -> list[list[str]]:
    """Return sentences by page: one page at least, no page empty unless there are no sentences."""
    pages: list[list[str]] = [[]]
    for line in lines:
        if pages[-1] and sum(map(len, map(str, (*pages[-1], line)))) > MAX_PAGE_LETTERS:
            pages.append([])
        pages[-1].append(line)
    return pages
