"""Runs a match: asks the game's prompts, writes each answer to the journal before showing its result, and resumes an
interrupted match from the journal."""

import logging
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial

from device.sound.base import NullSound, Sound, Tone
from device.system.clock import Clock
from errors import ThrowlockError
from messages import N, capitalise, join, ngettext_lazy
from rules.engine import BOX, STOP_ANSWER, Answers, GameEvent, IllegalAnswerError, Play, Prompt, Result, Seat, replay
from rules.record.judgement import Verdict
from throwlock.journal import recovery
from throwlock.journal.events import (
    Answered,
    Body,
    Corrected,
    DisputeRejected,
    MatchAbandoned,
    MatchEnded,
    RoundJudged,
    RoundVoided,
    record_result,
)
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.journal.recovery import append_with_recovery
from throwlock.match.clip_sharing import ClipSharing
from throwlock.match.dispute import RecentRoundFrames, dispute_view
from throwlock.match.explanation import explain_match
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.match.pause import PausedError, match_pause_page
from throwlock.match.random_answers import draw_answer
from throwlock.match.slow_motion import has_slow_motion, is_important, slow_motion_of_round
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.replay.corrections import (
    MAX_DISPUTABLE_ROUNDS,
    CorrectionError,
    correction_event,
    count_fouls,
    disputable_rounds,
    find_round,
    plan_break_off,
    plan_undo,
    rejection_event,
)
from throwlock.replay.tournaments import keep_draw
from throwlock.settings.model import SlowMotionRule
from throwlock.table_setup.zone_monitor import ZoneMonitor
from throwlock.tables.presence import ask_if_anybody_there, ask_page
from throwlock.tables.source import PeopleLeftError, PlayedRound, RoundRequest, RoundSource, ThrownRound
from ui.screen.core.display import Display
from ui.screen.pages.common import (
    DISPUTE_ANSWER,
    GO_ON_ANSWER,
    SLOW_MOTION_ANSWER,
    TAKE_HOME_ANSWER,
    UNDO_ANSWER,
    Player,
)
from ui.screen.pages.dispute import AgreedCorrection
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PauseChoice, PausePage
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.scoreboard import ScoreboardHistory, beaten_pairs, round_outcomes
from ui.screen.pages.showdown import SHOWDOWN_KINDS, Showdown, showdown_from_events, split_showdown
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.views import Page
from ui.text import verdicts
from ui.text.presence import NO_HAND
from ui.text.rounds import stored_text
from ui.text.zones import ZONE_PROBLEM_TITLE

logger = logging.getLogger(__name__)

MAX_UNSEEN_ROUNDS = 5
"""After this many rounds in a row with a missing hand or a failed camera, the box asks whether people are there."""
MAX_EMPTY_ROUNDS = 2
"""After this many rounds in a row without any hand it asks so as well."""


MAX_SPOKEN_SCORES = 4
"""The most players whose scores are spoken."""
MAX_PAUSE_NAMES = 4
"""The most players whose names fit the two lines that the pause has for them."""


MAX_PAGE_LETTERS = 140
"""The most letters of a message's sentences on one page, if they are more than one: with a scoreboard of eight players,
German fits both panels in type that everybody can read."""


def split_sentences(lines: Sequence[str]) -> list[list[str]]:
    """Return sentences by page: one page at least, no page empty unless there are no sentences."""
    pages: list[list[str]] = [[]]
    for line in lines:
        if pages[-1] and sum(map(len, map(str, (*pages[-1], line)))) > MAX_PAGE_LETTERS:
            pages.append([])
        pages[-1].append(line)
    return pages


class MatchError(ThrowlockError):
    """The match can't go on by itself; the message says why. The journal has everything so far."""


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


class RestartError(ThrowlockError):
    """People gave the match up to start it again."""


class Match:
    """One match, from its first prompt or resumed from the journal.

    ``source`` plays its rounds; ``announce`` takes each line for the terminal. A ``quiet`` match announces only that
    it is resumed, and its result: its display shows everything else. ``people_answer``: people at the display can
    pause, and take back what they entered. ``frame_keeper`` keeps the frames of its rounds for clips,
    which people take home with ``clips``.
    """

    def __init__(
        self,
        journal: Journal,
        number: int,
        source: RoundSource,
        display: Display,
        clock: Clock,
        announce: Callable[[str], None],
        pace: Pace | None = None,
        sound: Sound | None = None,
        quiet: bool = False,
        people_answer: bool = False,
        frame_keeper: FrameKeeper | None = None,
        clips: ClipSharing | None = None,
    ) -> None:
        """Raises JournalError if match ``number`` of the journal can't be resumed."""
        self.number = number
        self._journal = journal
        self._source = source
        self._announce = announce
        self._pace = pace or Pace()
        self._people_answer = people_answer
        self._display = display
        self._clock = clock
        self._sound = sound or NullSound()
        self._round_frames = RecentRoundFrames(journal.evidence)
        self._frame_keeper, self._clips = frame_keeper, clips or ClipSharing()
        self._events = journal.events(number)
        self._config = config_from_events(self._events)
        self._unseen_rounds = self._empty_rounds = 0
        self._spoken_scores: object = None
        self._wanted: PauseChoice | None = None
        self._zone_monitor = ZoneMonitor()
        self._notices_shown: set[str] = set()
        self._replay()
        self._may_have_missed = len(self._events) > 1
        self._announce_resumed()
        self.quiet = quiet

    def _replay(self) -> None:
        """Replay the journal."""
        self._play = Play(self._config.game)
        self._scores: dict[Seat, int] = {}
        self._scoreboards = ScoreboardHistory()
        try:
            self._between_rounds = self._optional_prompt()
            for answers in effective_answers(self._events).values():
                self._play.answer(answers)
                self._between_rounds = self._optional_prompt() or self._between_rounds
        except IllegalAnswerError as error:
            raise JournalError(
                N("match {number} can't be resumed: {why}", number=self.number, why=error.text)
            ) from error
        for event in self._play.events:
            self._note_score(event)
        self._fouls = count_fouls(self._events)
        rounds = {event.number for event in self._events if event.round}
        last = next(event.body for event in reversed(self._events) if not isinstance(event.body, DisputeRejected))
        match last:
            case RoundVoided():
                self._void_sentence: str | None = stored_text(last.judgement, last.fouls, False, last.text, self.names)
            case Corrected(answers=None, round=number, text=text) if number in rounds:
                self._void_sentence = verdicts.fill_names(text, self.names)
            case _:
                self._void_sentence = None

    def _optional_prompt(self) -> Prompt | None:
        """Return the game's prompt if it is an optional one."""
        return self._play.prompt if self._play.prompt and self._play.prompt.optional else None

    def _announce_resumed(self) -> None:
        """Announce that the match is resumed, if it is."""
        throws = self._throw_count()
        if throws:
            count = f"{throws} {'throw' if throws == 1 else 'throws'}"
            self._announce(f"Match {self.number} resumes after {count}. {self._score_line()}")

    def _announce_step(self, line: str) -> None:
        """Announce what happens during the match, unless it is quiet."""
        if not self.quiet:
            self._announce(line)

    def _throw_count(self) -> int:
        return sum(event.round is not None for event in self._events)

    def play(self) -> Result:
        """Play to the end and return the result. Errors of camera, journal and display are passed on; the match can
        then be resumed.

        Raises:
            PeopleLeftError: People left, or gave the match up.
            RestartError: People gave the match up to start it again.
            NobodyThereError: Nobody is there.
        """
        if len(self._events) == 1:
            self.until_pause(lambda: self._show_messages(tuple(self._play.events)))
        elif self._may_have_missed:
            self.until_pause(self._show_last_showdown)
        self._may_have_missed = False
        while (prompt := self._play.prompt) is not None:
            self.until_pause(partial(self._play_prompt, prompt))
        result = self._play.result
        if result is None:
            raise MatchError("the game stopped without a result")
        self._write(MatchEnded(result=record_result(result)))
        self._announce(verdicts.result_sentence(result, self.names))
        self._announce(f"Proof code: {self.proof_code}")
        self._sound.play(Tone.WIN)
        self._sound.say(verdicts.result_sentence(result, self.names))
        return result

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return dict(enumerate(self._config.names, 1))

    @property
    def tournament(self) -> int:
        """The number of the tournament that the match belongs to; 0 for none."""
        return self._config.tournament.tournament if self._config.tournament else 0

    @property
    def in_hall(self) -> bool:
        """Whether the match is played for a pairing of a hall."""
        return self._config.hall is not None

    @property
    def proof_code(self) -> str:
        """The proof code of the match's newest event."""
        return proof_code(self._events[-1].hash)

    @property
    def game(self) -> str:
        """The game's title."""
        return self._config.game.rules.title

    def players(self, messages: Sequence[GameEvent] = (), later_events: int = 0) -> tuple[Player, ...]:
        """Return the players with their score, their fouls once throws are judged, and the facts of the current prompt
        or, if given, of ``messages``, after which there were ``later_events``."""
        prompt = self._play.prompt
        events = self._play.events[: len(self._play.events) - later_events]
        how = self._scoreboards.facts(events, None if messages else prompt, messages)
        judged = self._source.judges_throws and prompt is not None and prompt.kind == "throw"
        throws = judged or any(event.round for event in self._events)
        return tuple(
            Player(
                seat,
                name,
                self._scores.get(seat),
                self._fouls.get(seat, 0) if throws else None,
                how.of_seat(seat),
                how.roles.get(seat),
            )
            for seat, name in self.names.items()
        )

    def until_pause(self, step: Callable[[], object]) -> None:
        """Take a step of the match; if people pause, do what they choose. Raises PeopleLeftError and RestartError."""
        try:
            step()
        except PausedError as paused:
            match paused.choice:
                case PauseChoice.UNDO:
                    self.until_pause(self.undo)
                case PauseChoice.LEAVE:
                    raise PeopleLeftError from None
                case PauseChoice.GIVE_UP:
                    self._write(MatchAbandoned())
                    raise PeopleLeftError from None
                case PauseChoice.RESTART:
                    self._write(MatchAbandoned())
                    raise RestartError from None
                case PauseChoice.PLAYERS | PauseChoice.END_GAME:
                    self._wanted = paused.choice
                    self._break_off_round()

    def pause_page(self, page: Page | None) -> PausePage:
        """Return the pause page for a paused page (None: the count)."""
        names = join(self.names.values(), ", ")
        if len(self.names) > MAX_PAUSE_NAMES:
            names = ngettext_lazy("{count} player", "{count} players", len(self.names))
        match = N("Match {number} · {game} · {names}", number=self.number, game=N(self.game), names=names)
        explain = partial(explain_match, self._config, in_class=self.quiet)
        pause = match_pause_page(page, match, self.can_undo, explain, self._between_rounds)
        return replace(pause, in_tournament=self.tournament > 0)

    @property
    def can_undo(self) -> bool:
        """Whether people can take back what they entered last."""
        if not self._people_answer:
            return False
        try:
            plan_undo(self._events)
        except CorrectionError:
            return False
        return True

    def undo(self) -> None:
        """Take back the answers that people entered last; they are asked for again. Raises CorrectionError."""
        planned = plan_undo(self._events)
        before = [answers for number, answers in effective_answers(self._events).items() if number < planned.round]
        prompt = replay(self._config.game, before).prompt
        assert prompt is not None  # it was answered
        text = verdicts.undo_sentence(self._title(prompt))
        self._write(planned.model_copy(update={"text": text}))
        self._replay()
        self._announce_step(text)
        self._notify(Notice(N("Undone"), verdicts.fill_names(text, self.names), ()))

    def _break_off_round(self) -> None:
        """Go back to the game's optional prompt, if nobody has thrown since; or else it comes after the round."""
        if self._optional_prompt():
            return
        with suppress(CorrectionError):
            planned = plan_break_off(self._events)
            self._write(planned.model_copy(update={"text": verdicts.break_off_sentence()}))
            self._replay()

    def _play_prompt(self, prompt: Prompt) -> None:
        """Have a prompt answered: the box draws its own answer, the source plays everybody else's. People are asked an
        optional one only when they want it."""
        if prompt.optional and self._people_answer and self._wanted != PauseChoice.PLAYERS:
            ends = self._wanted == PauseChoice.END_GAME
            seat = next((seat for seat, options in prompt.seats.items() if options.allows(STOP_ANSWER)), None)
            self._wanted = None
            self._accept(PlayedRound({seat: STOP_ANSWER} if ends and seat is not None else {}))
            return
        drawn: Answers = {BOX: draw_answer(prompt.seats[BOX], self._rng())} if BOX in prompt.seats else {}
        rest = replace(prompt, seats={seat: options for seat, options in prompt.seats.items() if seat != BOX})
        if not rest.seats:
            self._accept(PlayedRound(drawn))
            return
        is_counted = prompt.kind == "throw" and self._source.judges_throws
        if not is_counted:
            self._sound.say(verdicts.turn_sentence(list(rest.seats), self.names))
        request = RoundRequest(
            rest, self.players(), self._events, self._throw_count(), self._title(prompt), self._void_sentence
        )
        with self._clips.hold() if is_counted else nullcontext():
            played = self._source.play(request)
        if played.thrown:
            self._take_throw(prompt, played, played.thrown)
            self._warn_about_zones()
        else:
            self._sound.play(Tone.ANSWERED)
            self._wanted = None if prompt.optional else self._wanted
            self._accept(replace(played, answers={**drawn, **(played.answers or {})}))

    def _rng(self) -> random.Random:
        """Return the random generator of the next draw: seeded at a simulated table, so that it can be repeated; for
        people the operating system's, which nobody can predict."""
        if self._config.camera == "simulated":
            return random.Random(f"{self._config.seed}/{len(self._events)}")
        return random.SystemRandom()

    def _take_throw(self, prompt: Prompt, played: PlayedRound, thrown: ThrownRound) -> None:
        """Accept the answers of a judged round, or journal it as void."""
        self._zone_monitor.observe(thrown.judgement)
        for seat in thrown.fouls:
            self._fouls[seat] = self._fouls.get(seat, 0) + 1
        if played.answers is not None:
            self._void_sentence = None
            self._accept(played)
            return
        body = RoundVoided(prompt=prompt.kind, judgement=thrown.record, fouls=thrown.fouls, text=thrown.text)
        self._write(body, played)
        self._void_sentence = thrown.reveal.sentence
        if not self._reveal(thrown):
            self._ask_if_anybody_there(thrown)

    def _warn_about_zones(self) -> None:
        """Warn players whose hand leaves its zone, each once."""
        lines = self._zone_monitor.new_warnings(self.names)
        for line in lines:
            self._announce_step(f"  {line}")
        if lines:
            self._notify(Notice(ZONE_PROBLEM_TITLE, join(lines), ()))

    def _accept(self, played: PlayedRound) -> None:
        """Write the answers to the journal, then show them and the game's events."""
        prompt, thrown = self._play.prompt, played.thrown
        if prompt is None or played.answers is None:
            raise MatchError("nothing was asked or answered")
        # an answer the game would refuse never reaches the disk
        checked = prompt.check(played.answers)
        answers = {seat: checked[seat] if value is not None else None for seat, value in played.answers.items()}
        if thrown:
            body: Body = RoundJudged(
                prompt=prompt.kind,
                answers=answers,
                secret=prompt.secret,
                judgement=thrown.record,
                fouls=thrown.fouls,
                text=thrown.text,
            )
        else:
            body = Answered(prompt=prompt.kind, answers=answers, secret=prompt.secret)
        self._write(body, played)
        events = self._play.answer(played.answers)
        self._between_rounds = self._optional_prompt() or self._between_rounds
        shown: Sequence[str] = ()
        if thrown:
            self._unseen_rounds = self._empty_rounds = 0
            public = [event for event in events if event.only is None]
            if self._reveal(thrown, public):
                return
            shown = () if thrown.went_wrong else self._game_verdict(public)
        self._show_messages(events, shown, cards_turned=thrown is not None)

    def _write(self, body: Body, played: PlayedRound | None = None) -> None:
        written = append_with_recovery(
            self._journal, self._events, self._config.names, body, played.evidence if played else ()
        )
        if self._frame_keeper and written.new_numbers:
            self._frame_keeper.renumber(self._events, written.events, written.new_numbers)
        self._events, self.number = written.events, written.events[0].number
        logger.debug("match %d, event %d: %s", self.number, self._events[-1].number, body.kind)
        self._round_frames.renumber(written.new_numbers)
        if played and played.thrown:
            self._round_frames.keep(self._events[-1].number, played.thrown.frames)
            if self._frame_keeper:
                self._frame_keeper.keep(self._events[-1], played.thrown)
        if written.notice is not None and written.notice not in self._notices_shown:
            self._notices_shown.add(written.notice)
            self._announce_step(written.notice)
            self._notify(Notice(recovery.NOTICE_TITLE, written.notice, ()), can_pause=False)

    def _notify(self, notice: Notice, *, can_pause: bool = True) -> None:
        """Show a notice for a while, or until people go on."""
        if self._people_answer:
            choices = ("go on",)
            self._display.ask(replace(notice, choices=choices, seconds_left=self._pace.reveal_s, in_match=can_pause))
        else:
            self._display.show(notice)
            self._wait(self._pace.reveal_s)

    def _reveal(self, thrown: ThrownRound, events: Sequence[GameEvent] = ()) -> bool:
        """Show everybody's throw and its result. Return whether people disputed it and a correction changed the
        match."""
        for seat in thrown.reveal.seats:
            throws = ", then ".join(seat.throws) or "no throw"
            after = f" {seat.after_first_ms:+.0f} ms" if seat.after_first_ms is not None else ""
            after = after if seat.early_ms is None else f", {verdicts.early_time(seat.early_ms)}"
            self._announce_step(f"  {seat.player.name}: {throws}, {seat.verdict}{after}")
        if thrown.went_wrong:
            self._announce_step(f"  {thrown.reveal.sentence}")
        if thrown.fouls:
            self._announce_step(f"  {self._foul_line()}")
        players = {player.seat: player for player in self.players()}
        ends = round_outcomes(events)
        seats = tuple(
            replace(seat, player=replace(players[seat.player.seat], facts=()), outcome=ends.get(seat.player.seat))
            for seat in thrown.reveal.seats
        )
        self._sound.play(reveal_tone(thrown, ends.values()))
        sentence = self._reveal_sentence(thrown, events)
        view = replace(thrown.reveal, seats=seats, sentence=sentence, beaten_pairs=beaten_pairs(events))
        all_tied = not thrown.went_wrong and set(ends.values()) == {"tie"} and len(ends) == len(seats)
        rule = self._pace.slow_motion
        view = replace(view, has_slow_motion=rule != "never" and has_slow_motion(thrown))
        comes_first = view.has_slow_motion and (
            rule == "always" or is_important(thrown, decides=self._play.prompt is None)
        )

        def show_slow_motion() -> None:
            if (slow_motion := slow_motion_of_round(thrown, view)) is not None:
                self._play_slow_motion(slow_motion)

        if comes_first:
            show_slow_motion()
        self._sound.say(sentence)
        self._say_score(events)  # with the next page there would be no time for it before the next count
        is_short = all_tied or comes_first
        seconds = min(self._pace.short_reveal_s, self._pace.reveal_s) if is_short else self._pace.reveal_s
        return self._show_for(view, seconds, show_slow_motion)

    def _play_slow_motion(self, slow_motion: SlowMotion) -> None:
        """Show the last round in slow motion; people may take its clip home."""
        can_share = self._people_answer and self._clips.network is not None
        if self._display.ask(replace(slow_motion, can_take_home=can_share)) == TAKE_HOME_ANSWER:
            self._clips.open(self._display, self._events[-1].number)

    def _reveal_sentence(self, thrown: ThrownRound, events: Sequence[GameEvent]) -> str:
        """Return the sentence of a reveal: what was wrong, or else the game's verdict on the throws."""
        verdict = () if thrown.went_wrong else self._game_verdict(events)
        return join(verdict) if verdict else thrown.reveal.sentence

    def _game_verdict(self, events: Sequence[GameEvent]) -> Sequence[str]:
        """Return the game's verdict on the throws: of a single event one sentence, the second where the first has the
        counts."""
        thrown = [event for event in events if "throws" in event.facts and event.kind not in SHOWDOWN_KINDS]
        lines = verdicts.page_sentences(thrown, self.names)
        return lines if len(thrown) > 1 else lines[:2][-1:]

    def _show_for(
        self, view: Reveal | Showdown | GameMessage, seconds: float, show_slow_motion: Callable[[], None] | None = None
    ) -> bool:
        """Show a view for ``seconds``, or until people go on or dispute; again after ``show_slow_motion`` if people ask
        for that. Return whether a correction changed the match."""
        until_ns = self._clock.now_ns() + round(seconds * 1e9)
        choice = self._display.ask(replace(view, seconds_left=seconds))
        if choice == SLOW_MOTION_ANSWER and show_slow_motion is not None:
            show_slow_motion()
            return self._show_for(view, seconds, show_slow_motion)
        if choice == UNDO_ANSWER:
            raise PausedError(PauseChoice.UNDO)
        if choice == DISPUTE_ANSWER and self.dispute():
            return True
        if choice != GO_ON_ANSWER:
            self._clock.wait_until(until_ns)
        return False

    def _show_messages(
        self, events: Sequence[GameEvent], shown: Sequence[str] = (), *, cards_turned: bool = False
    ) -> None:
        """Show a showdown among the game's events, then the other events, without the sentences ``shown`` in the reveal
        before; after that each player their own. ``cards_turned``: that reveal showed the cards."""
        showdown, events = split_showdown(events)
        if showdown:
            for event in self._play.events[: -len(showdown) - len(events)]:
                self._note_score(event)  # a replay has noted later scores
            self._announce_events(showdown)
            view = showdown_from_events(showdown, self.players(showdown, len(events)), turned=cards_turned)
            if not cards_turned:
                self._sound.play(Tone.REVEAL)
            view = replace(view, can_dispute=self.can_dispute, can_undo=self.can_undo)
            if self._show_page(view, view.animation_s + self._pace.reveal_s if self._pace.reveal_s else 0.0):
                return
            self._sound.say(view.outcome)
        public = [event for event in events if event.only is None]
        self._announce_events(public)
        if public and self._show_public_messages(public, shown):
            return
        if private := [event for event in events if event.only is not None]:
            self._source.tell(private, self.players())

    def _announce_events(self, events: Sequence[GameEvent]) -> None:
        """Note the scores of public events, and announce what they say."""
        for event in events:
            self._note_score(event)
            for line in verdicts.event_sentences(event, self.names):
                self._announce_step(line)

    def _show_last_showdown(self) -> None:
        """Show the showdown that followed the last answers, if there was one, and what came after it: nobody may have
        seen it before the match was interrupted."""
        answers = effective_answers(self._events)
        if self._events[-1].number in answers:
            events = self._play.events[len(replay(self._config.game, list(answers.values())[:-1]).events) :]
            if any(event.kind in SHOWDOWN_KINDS for event in events):
                self._show_messages(events)

    def _show_public_messages(self, public: Sequence[GameEvent], shown: Sequence[str]) -> bool:
        """Show public events, on as many pages as their sentences take. Return whether a correction changed the
        match."""
        messages = [event for event in public if event.kind not in verdicts.SCOREBOARD_KINDS] or public
        lines = verdicts.page_sentences(messages, self.names)
        new_lines = [line for line in lines if line not in shown]
        how = self._scoreboards.facts(self._play.events, None, public)
        view = GameMessage(
            self.players(public),
            messages[-1],
            (),
            how.table,
            already_revealed=not new_lines,
            can_dispute=self.can_dispute,
            can_undo=self.can_undo,
        )
        if new_lines:
            self._sound.say(join(new_lines))
        self._say_score(public)
        one_page = self.quiet or "position" in messages[-1].facts
        pages = [new_lines] if one_page else split_sentences(new_lines)
        return bool(lines) and any(
            self._show_page(
                replace(view, event=messages[-1 if page is pages[-1] else 0], sentences=tuple(page)),
                self._message_s(public) if new_lines else min(self._pace.scores_s, self._pace.message_s),
            )
            for page in pages
        )

    def _show_page(self, page: Showdown | GameMessage, seconds: float) -> bool:
        """Show a page for ``seconds``, or until people go on or dispute. Return whether a correction changed the
        match."""
        if self._people_answer or self.can_dispute:
            return self._show_for(page, seconds)
        self._display.show(page)
        self._wait(seconds)
        return False

    def _message_s(self, public: Sequence[GameEvent]) -> float:
        """Return how long messages are shown: longer if they are all that is seen of throws, which were entered."""
        last = self._events[-1].body
        throws = isinstance(last, Answered) and (last.prompt == "throw" or any("throws" in one.facts for one in public))
        entered = self._people_answer and throws and self.can_undo
        return max(self._pace.message_s, self._pace.entered_throw_s) if entered else self._pace.message_s

    def _note_score(self, event: GameEvent) -> None:
        scores = event.facts.get("scores")
        if event.kind == "score" and isinstance(scores, dict):
            self._scores = {int(seat): int(points) for seat, points in scores.items()}

    def _ask_if_anybody_there(self, thrown: ThrownRound) -> None:
        """Ask people whether to continue if hands are missing, or the camera fails, round after round. Raises
        NobodyThereError."""
        if thrown.staged:
            return
        unseen = any(seat.verdict == Verdict.UNSEEN for seat in thrown.record.seats.values())
        self._unseen_rounds = self._unseen_rounds + 1 if unseen or thrown.record.void_reason is not None else 0
        self._empty_rounds = self._empty_rounds + 1 if thrown.is_empty else 0
        if self._unseen_rounds < MAX_UNSEEN_ROUNDS and self._empty_rounds < MAX_EMPTY_ROUNDS:
            return
        text = ngettext_lazy(
            "A hand was not seen for {count} round. Is every hand in its zone, and the camera's view clear?",
            "A hand was not seen for {count} rounds in a row. Is every hand in its zone, and the camera's view clear?",
            MAX_UNSEEN_ROUNDS,
        )
        ask_if_anybody_there(self._display, NO_HAND if self._empty_rounds >= MAX_EMPTY_ROUNDS else text)
        self._unseen_rounds = self._empty_rounds = 0

    def _wait(self, seconds: float) -> None:
        self._clock.wait_until(self._clock.now_ns() + round(seconds * 1e9))

    @property
    def can_dispute(self) -> bool:
        """Whether there is a round that people can dispute."""
        return bool(disputable_rounds(self._config.game, self._events, 1))

    def dispute(self) -> bool:
        """Show people the evidence of the last rounds, and journal what they agree on. Return whether a correction
        changed the match; its messages have then been shown, and ``play`` goes on from there."""
        index = 0
        while index < len(rounds := disputable_rounds(self._config.game, self._events, MAX_DISPUTABLE_ROUNDS)):
            number = rounds[index]
            frames = self._round_frames.of(number, find_round(self._events, number))
            view = dispute_view(self._config.game, self._events, number, frames, self.players())
            choice = ask_page(self._display, replace(view, has_earlier=index + 1 < len(rounds), has_later=index > 0))
            if choice in ("earlier", "later"):
                index += 1 if choice == "earlier" else -1
            elif isinstance(choice, AgreedCorrection):
                if self._correct(number, choice):
                    return True
            else:
                rejected = rejection_event(self._config.game, self._events, number)
                self._write(rejected)
                self._announce_step(rejected.text)
                break
        return False

    def _correct(self, number: int, agreed: AgreedCorrection) -> bool:
        """Journal a correction and replay the match with it. Return whether that changed the match: not while another
        hand of a void round is still unsettled."""
        game = self._config.game
        try:
            correction = correction_event(game, self._events, number, agreed.seat, agreed.reading)
        except CorrectionError as error:
            self._announce_step(f"That can't be corrected: {error}.")
            ask_page(self._display, Notice(N("That can't be corrected"), _error_sentence(error), in_match=True))
            return False
        answers_before = effective_answers(self._events)
        self._write(correction)
        sentence = verdicts.fill_names(correction.text, self.names)
        self._replay()
        self._announce_step(sentence)
        ask_page(self._display, Notice(N("Corrected"), sentence, in_match=True))
        if correction.answers is None and agreed.seat is not None:
            return False
        unchanged = [answers for earlier, answers in answers_before.items() if earlier < number]
        self._show_messages(self._play.events[len(replay(game, unchanged).events) :], cards_turned=True)
        return True

    def _title(self, prompt: Prompt) -> str:
        """Return the headline of a round."""
        return verdicts.headline(prompt, self.game)

    def _score_line(self) -> str:
        points = ", ".join(f"{self.names[seat]} {points}" for seat, points in self._scores.items()) or "No points yet."
        return f"{points} {self._foul_line()}".strip()

    def _say_score(self, events: Sequence[GameEvent]) -> None:
        """Speak the score if it is among public events, it is another than was spoken last, and there are not more
        players than anybody would listen to."""
        scores = next((event.facts.get("scores") for event in reversed(events) if event.kind == "score"), None)
        if not isinstance(scores, dict) or len(scores) > MAX_SPOKEN_SCORES or scores == self._spoken_scores:
            return
        self._spoken_scores = scores
        self._sound.say(verdicts.score_sentence({self.names[int(seat)]: points for seat, points in scores.items()}))

    def _foul_line(self) -> str:
        return verdicts.foul_counts_sentence({self.names[seat]: self._fouls[seat] for seat in sorted(self._fouls)})


def reveal_tone(thrown: ThrownRound, outcomes: Iterable[str]) -> Tone:
    """Return the tone of a reveal, of which ``outcomes`` are the players' in the game."""
    if thrown.went_wrong:
        return Tone.FOUL
    known = set(outcomes)
    return Tone.ROUND_WON if "win" in known else Tone.TIE if known == {"tie"} else Tone.REVEAL


def _error_sentence(error: CorrectionError) -> str:
    """Return an error as a sentence for the screen."""
    return capitalise(join([error.text, "."], ""))


def unfinished_match(journal: JournalReader, config: MatchConfig) -> MatchConfig | None:
    """Return the configuration of the journal's unfinished match, if there is one.

    Raises:
        JournalError: It is another game than that of ``config``, which must not replace it by mistake.
    """
    number = journal.unfinished_match()
    if number is None:
        return None
    unfinished = config_from_events(journal.events(number))
    name, setup = unfinished.game.rules.name, unfinished.game.setup
    if (name, setup) != (config.game.rules.name, config.game.setup):
        only_options = name == config.game.rules.name and setup.seats == config.game.setup.seats
        fields = {"path": journal.path, "game": name, "seats": setup.seats}
        raise JournalError(
            N("{path} has an unfinished match of {game} for {seats} with other options", **fields)
            if only_options
            else N("{path} has an unfinished match of {game} for {seats}", **fields),
            terminal_hint=": play that one to its end, give it up with --new, or name another --journal",
            screen_hint=N("finish that match first"),
        )
    return unfinished


def resume_or_begin(journal: Journal, config: MatchConfig, *, new: bool = False) -> int:
    """Return the number of the match to play: the unfinished one, or a new one begun with ``config``.

    ``new`` gives up the unfinished match.

    Raises:
        JournalError: The unfinished match is another game than that of ``config``.
        TournamentError: Its tournament has no place for the match.
    """
    number = journal.unfinished_match()
    if number is not None and not new:
        unfinished_match(journal, config)
        return number
    if number is not None:
        journal.append(number, MatchAbandoned())
    if config.tournament is not None:
        keep_draw(journal, config.tournament)
    return journal.start_match(config.start_event(), config.names)
