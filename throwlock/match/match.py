"""Runs a match: asks the game's prompts, writes each answer to the journal before showing its result, and resumes an
interrupted match from the journal."""

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from device.sound.base import Tone
from device.system.clock import Clock
from errors import ThrowlockError
from rules.engine import BOX, Answers, GameEvent, IllegalAnswerError, Play, Prompt, Result, Seat, replay
from throwlock.journal import recovery
from throwlock.journal.journal import (
    CORRECTION,
    DISPUTE_REJECTED,
    Event,
    Evidence,
    Journal,
    JournalError,
    JournalReader,
)
from throwlock.journal.recovery import append_with_recovery
from throwlock.match.answers import AnswerSource, EvidenceSource, PrivateMessages
from throwlock.match.config import MatchConfig, answers_from_events, config_from_events
from throwlock.match.corrections import (
    CorrectionError,
    answers_to_json,
    count_fouls,
    disputable_rounds,
    disputed_ask,
    effective_answers,
    plan_correction,
)
from throwlock.match.dispute import MAX_DISPUTABLE_ROUNDS, RecentRoundFrames, dispute_view
from throwlock.match.random_answers import draw_answer
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup.zone_monitor import ZoneMonitor
from throwlock.tables.card_count import count_cards
from throwlock.tables.cards import CardTable
from throwlock.tables.hands import Table, ThrownRound
from throwlock.tables.no_camera import NoCameraTable
from ui.i18n.error_messages import translate_error
from ui.i18n.language import N, capitalise, join, ngettext_lazy
from ui.screen.core.display import Display
from ui.screen.pages.classroom.view import GO_ON_ANSWER
from ui.screen.pages.common.view import DISPUTE_ANSWER, Player
from ui.screen.pages.dispute.view import AgreedCorrection
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.reveal.view import Reveal
from ui.screen.pages.scoreboard.view import beaten_pairs, round_outcomes, scoreboard_facts
from ui.text import verdicts
from ui.text.zones import ZONE_PROBLEM_TITLE

logger = logging.getLogger(__name__)

MAX_UNSEEN_ROUNDS = 5
"""After this many rounds in a row with a missing hand or a failed camera, the box asks whether people are there."""


class MatchError(ThrowlockError):
    """The match can't go on by itself; the message says why. The journal has everything so far."""


@dataclass(frozen=True)
class Pace:
    """How long reveals and messages are shown, in seconds."""

    reveal_s: float = 3.5
    message_s: float = 2.5


class Match:
    """One match at a table, from its first prompt or resumed from the journal.

    ``announce`` takes each line for the terminal.
    """

    def __init__(
        self,
        journal: Journal,
        number: int,
        table: Table | NoCameraTable,
        answer_source: AnswerSource,
        announce: Callable[[str], None],
        pace: Pace | None = None,
    ) -> None:
        """Raises JournalError if match ``number`` of the journal can't be resumed."""
        self.number = number
        self._journal = journal
        self._table = table
        self._answer_source = answer_source
        self._announce = announce
        self._pace = pace or Pace()
        self._display: Display = table.display
        self._clock: Clock = table.clock
        self._round_frames = RecentRoundFrames(journal.evidence)
        self._events = journal.events(number)
        self._config = config_from_events(self._events)
        self._unseen_rounds = 0
        self._answer_evidence: tuple[Evidence, ...] = ()
        self._zone_monitor = ZoneMonitor()
        self._notices_shown: set[str] = set()
        self._replay()
        self._announce_resumed()

    def _replay(self) -> None:
        """Replay the journal."""
        self._play = Play(self._config.game)
        self._scores: dict[Seat, int] = {}
        try:
            for answers in answers_from_events(self._events):
                self._play.answer(answers)
        except IllegalAnswerError as error:
            raise JournalError(f"match {self.number} can't be resumed: {error}") from error
        for event in self._play.events:
            self._note_score(event)
        self._fouls = count_fouls(self._events)
        last = next(event for event in reversed(self._events) if event.kind != DISPUTE_REJECTED)
        void = last.kind == "void" or (last.kind == CORRECTION and last.body["answers"] is None)
        self._void_sentence: str | None = verdicts.fill_names(last.body["text"], self.names) if void else None

    def _announce_resumed(self) -> None:
        """Announce that the match is resumed, if it is."""
        throws = sum(1 for event in self._events if "judgement" in event.body)
        if isinstance(self._table.throw_listener, SimulatedPlayers):
            self._table.throw_listener.throw_count = throws
        if throws:
            count = f"{throws} {'throw' if throws == 1 else 'throws'}"
            self._announce(f"Match {self.number} resumes after {count}. {self._score_line()}")

    def play(self) -> Result:
        """Play to the end and return the result. Errors of camera, journal and display are passed on; the match can
        then be resumed."""
        if not self._play.events:
            self._show_messages(())
        elif len(self._events) == 1:
            self._show_messages(tuple(self._play.events))
        while self._play.prompt is not None:
            if self._play.prompt.kind == "throw" and isinstance(self._table, Table):
                self._throw_round(self._play.prompt, self._table)
                self._warn_about_zones()
            else:
                self._ask_question(self._play.prompt)
        result = self._play.result
        if result is None:
            raise MatchError("the game stopped without a result")
        self._write("ended", dict(result.as_json()))
        self._announce(verdicts.result_sentence(result, self.names))
        self._table.sound.play(Tone.WIN)
        return result

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return dict(enumerate(self._config.names, 1))

    @property
    def game(self) -> str:
        """The game's title."""
        return self._config.game.rules.title

    def players(self, messages: Sequence[GameEvent] = ()) -> tuple[Player, ...]:
        """Return the players with their score, their fouls once throws are judged, and the facts of the current prompt
        or, if given, of ``messages``."""
        prompt = self._play.prompt
        how = scoreboard_facts(self._play.events, None if messages else prompt, messages)
        watched = isinstance(self._table, Table) and prompt is not None and prompt.kind == "throw"
        throws = watched or any("judgement" in event.body for event in self._events)
        return tuple(
            Player(seat, name, self._scores.get(seat), self._fouls.get(seat, 0) if throws else None, how.of_seat(seat))
            for seat, name in self.names.items()
        )

    def _ask_question(self, prompt: Prompt) -> None:
        """Ask a prompt that is not a throw: the box draws its own answer, the players give theirs."""
        drawn: Answers = {BOX: draw_answer(prompt.seats[BOX], self._rng())} if BOX in prompt.seats else {}
        rest = replace(prompt, seats={seat: options for seat, options in prompt.seats.items() if seat != BOX})
        answers = self._collect_answers(rest) if rest.seats else {}
        self._answer_evidence = ()
        if answers:
            if isinstance(self._answer_source, EvidenceSource):
                self._answer_evidence = self._answer_source.evidence()
            self._table.sound.play(Tone.ANSWERED)
        self._accept({**drawn, **answers})

    def _collect_answers(self, prompt: Prompt) -> Answers:
        """Collect the players' answers: cards laid before the camera, or the answer source's."""
        if isinstance(self._table, CardTable) and self._table.is_answered_by_laying(prompt):
            self._table.card_count = count_cards(self._config.game, self._events)
            return self._table.wait_for_cards(prompt, self.players())
        return self._answer_source.answer(prompt, self.players(), len(self._events))

    def _rng(self) -> random.Random:
        """Return the random generator of the next draw: seeded at a simulated table, so that it can be repeated; for
        people the operating system's, which nobody can predict."""
        if self._config.camera == "simulated":
            return random.Random(f"{self._config.seed}/{len(self._events)}")
        return random.SystemRandom()

    def _throw_round(self, prompt: Prompt, table: Table) -> None:
        """Play one round: accept its answers, or journal it as void."""
        if isinstance(table, CardTable):
            table.card_count = count_cards(self._config.game, self._events)
        thrown = table.throw(prompt, self.players(), self._title(prompt), self._void_sentence)
        self._zone_monitor.observe(thrown.judgement)
        for seat in thrown.fouls:
            self._fouls[seat] = self._fouls.get(seat, 0) + 1
        if thrown.answers is not None:
            self._void_sentence = None
            self._accept(thrown.answers, thrown)
            return
        self._write("void", {"prompt": prompt.kind, **thrown.body}, thrown)
        self._void_sentence = thrown.reveal.sentence
        if not self._reveal(thrown):
            self._ask_if_anybody_there(thrown)

    def _warn_about_zones(self) -> None:
        """Warn players whose hand leaves its zone, each once."""
        lines = self._zone_monitor.new_warnings(self.names)
        for line in lines:
            self._announce(f"  {line}")
        if lines:
            self._display.show(Notice(ZONE_PROBLEM_TITLE, join(lines), ()))
            self._wait(self._pace.reveal_s)

    def _accept(self, answers: Answers, thrown: ThrownRound | None = None) -> None:
        """Write the answers to the journal, then show them and the game's events."""
        prompt = self._play.prompt
        if prompt is None:
            raise MatchError("nothing was asked")
        prompt.check(answers)  # an answer the game would refuse never reaches the disk
        body = {"prompt": prompt.kind, "answers": answers_to_json(answers), **(thrown.body if thrown else {})}
        if prompt.secret:
            body["secret"] = True
        self._write("answer", body, thrown)
        events = self._play.answer(answers)
        shown = None
        if thrown:
            self._unseen_rounds = 0
            public = [event for event in events if event.only is None]
            if self._reveal(thrown, public):
                return
            shown = self._reveal_sentence(thrown, public)
        self._show_messages(events, shown)

    def _write(self, kind: str, body: dict[str, object], thrown: ThrownRound | None = None) -> None:
        evidence = thrown.evidence if thrown else self._answer_evidence if kind == "answer" else ()
        written = append_with_recovery(self._journal, self._events, self._config.names, kind, body, evidence)
        self._events, self.number = written.events, written.events[0].number
        logger.debug("match %d, event %d: %s", self.number, self._events[-1].number, kind)
        self._round_frames.renumber(written.new_numbers)
        if thrown:
            self._round_frames.keep(self._events[-1].number, thrown.frames)
        if written.notice is not None and written.notice not in self._notices_shown:
            self._notices_shown.add(written.notice)
            self._announce(written.notice)
            self._display.show(Notice(recovery.NOTICE_TITLE, written.notice, ()))
            self._wait(self._pace.reveal_s)

    def _reveal(self, thrown: ThrownRound, events: Sequence[GameEvent] = ()) -> bool:
        """Show everybody's throw and its result. Return whether people disputed it and a correction changed the
        match."""
        for seat in thrown.reveal.seats:
            throw = str(seat.throw) if seat.throw else "no throw"
            after = f" {seat.after_first_ms:+.0f} ms" if seat.after_first_ms is not None else ""
            self._announce(f"  {seat.player.name}: {throw}, {seat.verdict}{after}")
        if thrown.fouls or thrown.judgement.void_reason is not None:
            self._announce(f"  {thrown.reveal.sentence}")
        if thrown.fouls:
            self._announce(f"  {self._foul_line()}")
        players = {player.seat: player for player in self.players()}
        ends = round_outcomes(events)
        seats = tuple(
            replace(seat, player=replace(players[seat.player.seat], facts=()), outcome=ends.get(seat.player.seat))
            for seat in thrown.reveal.seats
        )
        wrong = thrown.fouls or thrown.judgement.void_reason is not None
        self._table.sound.play(Tone.FOUL if wrong else Tone.LOCK)
        sentence = self._reveal_sentence(thrown, events)
        view = replace(thrown.reveal, seats=seats, sentence=sentence, beaten_pairs=beaten_pairs(events))
        return self._show_for(view, self._pace.reveal_s)

    def _reveal_sentence(self, thrown: ThrownRound, events: Sequence[GameEvent]) -> str:
        """Return the sentence of a reveal: what was wrong, or else the game's verdict on the throws."""
        wrong = thrown.fouls or thrown.judgement.void_reason is not None
        return thrown.reveal.sentence if wrong else self._game_verdict(events) or thrown.reveal.sentence

    def _game_verdict(self, events: Sequence[GameEvent]) -> str | None:
        """Return the game's verdict on the throws in a sentence; it is the second one where the first has the
        counts."""
        lines = next((verdicts.event_sentences(event, self.names) for event in events if "throws" in event.facts), ())
        return lines[min(1, len(lines) - 1)] if lines else None

    def _show_for(self, view: Reveal | GameMessage, seconds: float) -> bool:
        """Show a view for ``seconds``, or until people go on or dispute. Return whether a correction changed the
        match."""
        until_ns = self._clock.now_ns() + round(seconds * 1e9)
        choice = self._display.ask(replace(view, seconds_left=seconds))
        if choice == DISPUTE_ANSWER and self.dispute():
            return True
        if choice != GO_ON_ANSWER:
            self._clock.wait_until(until_ns)
        return False

    def _show_messages(self, events: Sequence[GameEvent], shown: str | None = None) -> None:
        """Show the game's events on one page, without the sentence ``shown`` in the reveal before."""
        for event in events:
            if event.only is not None and isinstance(self._answer_source, PrivateMessages):
                self._answer_source.tell(event, self.players())
        public = [event for event in events if event.only is None]
        for event in public:
            self._note_score(event)
            for line in verdicts.event_sentences(event, self.names):
                self._announce(line)
        messages = [event for event in public if event.kind not in verdicts.SCOREBOARD_KINDS] or public
        if messages:
            lines = [line for event in messages for line in verdicts.event_sentences(event, self.names)]
            new_lines = [line for line in lines if line != shown]
            how = scoreboard_facts(self._play.events, None, public)
            known = not new_lines and bool(lines)
            page = GameMessage(self.players(public), messages[-1], tuple(new_lines), how.table, already_revealed=known)
            if self.can_dispute:
                self._show_for(page, self._pace.message_s)
            else:
                self._display.show(page)
                self._wait(self._pace.message_s)

    def _note_score(self, event: GameEvent) -> None:
        scores = event.facts.get("scores")
        if event.kind == "score" and isinstance(scores, dict):
            self._scores = {int(seat): int(points) for seat, points in scores.items()}

    def _ask_if_anybody_there(self, thrown: ThrownRound) -> None:
        """Ask people whether to continue if hands are missing, or the camera fails, round after round."""
        players = self._table.throw_listener
        if isinstance(players, SimulatedPlayers) and players.scenario_at(players.throw_count - 1) is not None:
            return  # acted out on purpose
        unseen = any(seat.verdict == "unseen" for seat in thrown.reveal.seats)
        self._unseen_rounds = self._unseen_rounds + 1 if unseen or thrown.judgement.void_reason is not None else 0
        if self._unseen_rounds < MAX_UNSEEN_ROUNDS:
            return
        self._unseen_rounds = 0
        text = ngettext_lazy(
            "A hand was not seen for {count} round. Is every hand in its zone, and the camera's view clear?",
            "A hand was not seen for {count} rounds in a row. Is every hand in its zone, and the camera's view clear?",
            MAX_UNSEEN_ROUNDS,
        )
        if self._display.ask(Notice(N("Are you there?"), text, ("go on", "stop"))) == "stop":
            raise MatchError("stopped: hands were not seen; start again with the same journal to resume")

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
            thrown = next(event for event in self._events if event.number == rounds[index])
            title = self._title(disputed_ask(self._config.game, self._events, thrown.number))
            frames = self._round_frames.of(thrown)
            view = dispute_view(self._config.game, self._events, thrown, frames, self.players(), title)
            choice = self._display.ask(replace(view, has_earlier=index + 1 < len(rounds), has_later=index > 0))
            if choice in ("earlier", "later"):
                index += 1 if choice == "earlier" else -1
            elif isinstance(choice, AgreedCorrection):
                if self._correct(thrown, choice, title):
                    return True
            else:
                sentence = verdicts.dispute_rejected_sentence(title)
                self._write(DISPUTE_REJECTED, {"round": thrown.number, "text": sentence})
                self._announce(sentence)
                break
        return False

    def _correct(self, thrown: Event, agreed: AgreedCorrection, title: str) -> bool:
        """Journal a correction and replay the match with it. Return whether that changed the match: not while another
        hand of a void round is still unsettled."""
        game = self._config.game
        try:
            correction = plan_correction(game, self._events, thrown.number, agreed.seat, agreed.reading)
        except CorrectionError as error:
            self._announce(f"That can't be corrected: {error}.")
            self._display.ask(Notice(N("That can't be corrected"), _error_sentence(error)))
            return False
        answers_before = effective_answers(self._events)
        player = None if agreed.seat is None else verdicts.seat_placeholders([agreed.seat])[agreed.seat]
        void = correction.answers is None
        text = verdicts.correction_sentence(
            title, player, correction.previous, correction.to, void, len(correction.dropped)
        )
        self._write(CORRECTION, {**correction.event_body(), "by": "the table", "text": text})
        sentence = verdicts.fill_names(text, self.names)
        self._replay()
        self._announce(sentence)
        self._display.ask(Notice(N("Corrected"), sentence))
        if void and agreed.seat is not None:
            return False
        unchanged = [answers for number, answers in answers_before.items() if number < thrown.number]
        self._show_messages(self._play.events[len(replay(game, unchanged).events) :])
        return True

    def _title(self, prompt: Prompt) -> str:
        """Return the headline of a round."""
        return verdicts.headline(prompt, self.game)

    def _score_line(self) -> str:
        points = ", ".join(f"{self.names[seat]} {points}" for seat, points in self._scores.items()) or "No points yet."
        return f"{points} {self._foul_line()}".strip()

    def _foul_line(self) -> str:
        return verdicts.foul_counts_sentence({self.names[seat]: self._fouls[seat] for seat in sorted(self._fouls)})


def _error_sentence(error: CorrectionError) -> str:
    """Return an error as a sentence for the screen."""
    return capitalise(join([translate_error(str(error)), "."], ""))


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
        raise JournalError(
            f"{journal.path} has an unfinished match of {name} for {setup.seats}"
            f"{' with other options' if only_options else ''}: "
            "play that one to its end, give it up with --new, or name another --journal"
        )
    return unfinished


def resume_or_begin(journal: Journal, config: MatchConfig, *, new: bool = False) -> int:
    """Return the number of the match to play: the unfinished one, or a new one begun with ``config``.

    ``new`` gives up the unfinished match.

    Raises:
        JournalError: The unfinished match is another game than that of ``config``.
    """
    number = journal.unfinished_match()
    if number is not None and not new:
        unfinished_match(journal, config)
        return number
    if number is not None:
        journal.append(number, "abandoned", {})
    return journal.start_match(config.event_body())
