"""Runs a match: asks the game's prompts, and writes each answer to the journal before showing its result."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from device.sound.base import Tone
from errors import ThrowlockError
from messages import N, join, ngettext_lazy
from rules.engine import BOX, STOP_ANSWER, Answers, Prompt, Result, Seat, visible_events
from throwlock.journal.events import MatchAbandoned, MatchEnded, RoundVoided, record_result
from throwlock.journal.journal import Journal
from throwlock.match.answers import answers_event, break_off_round, draw_generator, undo, why_undo_ends
from throwlock.match.dispute import Disputes
from throwlock.match.explanation import explain_match
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.match.ongoing import OngoingMatch
from throwlock.match.pause import PausedError, match_pause_page
from throwlock.match.reveal import MatchOutput, Presenter
from throwlock.table_setup.zone_monitor import ZoneMonitor
from throwlock.tables.presence import MissedRounds
from throwlock.tables.source import PeopleLeftError, PlayedRound, RoundRequest, RoundSource, ThrownRound
from ui.screen.pages.common import Player
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PauseChoice, PausePage
from ui.screen.pages.slow_motion import SlowMotion
from ui.screen.pages.zones import ZONE_PROBLEM_TITLE
from ui.screen.views import Page
from ui.text import verdicts
from ui.text.rounds import written_text

NOT_READ_TITLE = N("The camera can’t read a throw")
AGREE_ON_THROW = N("It was not read three times in a row. Agree on what it shows, or throw once more.")
MAX_PAUSE_NAMES = 4
"""The most players whose names fit the two lines that the pause has for them."""


class MatchError(ThrowlockError):
    """The match can't go on by itself; the message says why. The journal has everything so far."""


class RestartError(ThrowlockError):
    """People gave the match up to start it again."""


class Match:
    """One match, from its first prompt or resumed from the journal. ``source`` plays its rounds, and ``output`` shows
    them; ``frame_keeper`` keeps the frames of its rounds for clips."""

    def __init__(
        self,
        journal: Journal,
        number: int,
        source: RoundSource,
        output: MatchOutput,
        frame_keeper: FrameKeeper | None = None,
    ) -> None:
        """Raises JournalError if match ``number`` of the journal can't be resumed."""
        self.output = output
        self.ongoing = OngoingMatch(
            journal, number, frame_keeper, judges_throws=source.judges_throws, for_children=output.for_children
        )
        self._source = source
        self._presenter = Presenter(self.ongoing, output, source.answers, self.dispute)
        self._disputes = Disputes(self.ongoing, self._presenter, output.display)
        self.ongoing.on_notice = self._presenter.show_journal_notice
        self._missed_rounds, self._zone_monitor = MissedRounds(), ZoneMonitor()
        self._wanted: PauseChoice | None = None
        """What people chose in the pause that the game asks for between rounds."""
        self._may_have_missed = len(self.ongoing.events) > 1
        self._presenter.announce_resumed()

    def play(self) -> Result:
        """Play to the end and return the result. Errors of camera, journal and display are passed on; the match can
        then be resumed.

        Raises:
            PeopleLeftError: People left, or gave the match up.
            RestartError: People gave the match up to start it again.
            NobodyThereError: Nobody is there.
        """
        match = self.ongoing
        if len(match.events) == 1:
            self.until_pause(lambda: self._presenter.show_messages(match.view.events))
        elif self._may_have_missed:
            self.until_pause(self._presenter.show_last_showdown)
        self._may_have_missed = False
        while match.view.prompt is not None:
            self.until_pause(self.play_prompt)
        result = match.view.result
        if result is None:
            raise MatchError("the game stopped without a result")
        match.write(MatchEnded(result=record_result(result)))
        self._presenter.announce_result(result)
        return result

    @property
    def number(self) -> int:
        """The match's number in the journal."""
        return self.ongoing.number

    @property
    def quiet(self) -> bool:
        """Whether the match announces only that it is resumed, and its result."""
        return self.output.quiet

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return self.ongoing.names

    @property
    def tournament(self) -> int:
        """The number of the tournament that the match belongs to; 0 for none."""
        fixture = self.ongoing.config.tournament
        return fixture.tournament if fixture else 0

    @property
    def in_hall(self) -> bool:
        """Whether the match is played for a pairing of a hall."""
        return self.ongoing.config.hall is not None

    @property
    def proof_code(self) -> str:
        """The proof code of the match's newest event."""
        return self.ongoing.proof_code

    @property
    def can_dispute(self) -> bool:
        """Whether there is a round that people can dispute."""
        return self.ongoing.can_dispute

    @property
    def can_undo(self) -> bool:
        """Whether people can take back what they entered last."""
        return self._presenter.can_undo

    def players(self) -> tuple[Player, ...]:
        """Return the players with their score, their fouls once throws are judged, and the facts of the prompt."""
        return self.ongoing.players()

    def deciding_round(self) -> SlowMotion | None:
        """Return the round that decided the match, at its end; None unless the match ended with a thrown round of which
        there are pictures."""
        return self._presenter.deciding_round()

    def take_clip_home(self) -> None:
        """Show where the clip of the newest round is, until people go on."""
        self.output.clips.open(self.output.display, self.ongoing.view.rounds[-1].event)

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
                    self.ongoing.write(MatchAbandoned())
                    raise PeopleLeftError from None
                case PauseChoice.RESTART:
                    self.ongoing.write(MatchAbandoned())
                    raise RestartError from None
                case PauseChoice.PLAYERS | PauseChoice.END_GAME:
                    self._wanted = paused.choice
                    break_off_round(self.ongoing)

    def pause_page(self, page: Page | None) -> PausePage:
        """Return the pause page for a paused page (None: the count)."""
        names = join(self.names.values(), ", ")
        if len(self.names) > MAX_PAUSE_NAMES:
            names = ngettext_lazy("{count} player", "{count} players", len(self.names))
        game = N(self.ongoing.title)
        match = join([game, names], " · ")
        explain = partial(explain_match, self.ongoing.config, in_class=self.quiet)
        pause = match_pause_page(page, match, self.can_undo, explain, self.ongoing.between_rounds)
        note = pause.note or ("" if pause.can_undo else why_undo_ends(self.ongoing))
        return replace(pause, in_tournament=self.tournament > 0, note=note)

    def dispute(self) -> bool:
        """Show people the evidence of the last rounds, and journal what they agree on. Return whether a correction
        changed the match; its messages have then been shown, and ``play`` continues from there."""
        return self._disputes.open()

    def undo(self) -> None:
        """Take back the answers that people entered last; they are asked for again. Raises CorrectionError."""
        text = undo(self.ongoing)
        self._presenter.announce(text)
        lines = [verdicts.fill_names(text, self.names), why_undo_ends(self.ongoing)]
        self._presenter.notify(Notice(N("Undone"), join([line for line in lines if line]), ()))

    def play_prompt(self) -> None:
        """Have the game's prompt answered: the box draws its own answer, the source plays everybody else's. People are
        asked an optional one only when they want it. Raises MatchError if nothing is asked."""
        match, prompt = self.ongoing, self.ongoing.view.prompt
        if prompt is None:
            raise MatchError("nothing was asked")
        if prompt.is_optional and self.output.people_answer and self._wanted != PauseChoice.PLAYERS:
            self._pass_over(prompt)
            return
        drawn: Answers = {BOX: prompt.seats[BOX].draw(draw_generator(match))} if BOX in prompt.seats else {}
        rest = prompt.to_players()
        if not rest.seats:
            self._accept(prompt, PlayedRound(drawn))
            return
        is_counted = prompt.kind == "throw" and self._source.judges_throws
        if not is_counted:
            self.output.sound.say(verdicts.turn_sentence(list(rest.seats), self.names))
        request = RoundRequest(
            rest,
            match.players(),
            match.view.steps,
            len(match.events),
            match.throw_count,
            match.headline(prompt),
            match.void_sentence,
        )
        with self.output.clips.hold() if is_counted else nullcontext():
            played = self._source.play(request)
        if played.thrown:
            self._take_throw(prompt, played, played.thrown)
            self._warn_about_zones()
        else:
            self.output.sound.play(Tone.ANSWERED)
            self._wanted = None if prompt.is_optional else self._wanted
            self._accept(prompt, replace(played, answers={**drawn, **(played.answers or {})}))

    def _pass_over(self, prompt: Prompt) -> None:
        """Answer an optional prompt that people don't want to be asked; with that they end the game, if they chose
        so."""
        ends = self._wanted == PauseChoice.END_GAME
        seat = next((seat for seat, options in prompt.seats.items() if options.allows(STOP_ANSWER)), None)
        self._wanted = None
        self._accept(prompt, PlayedRound({seat: STOP_ANSWER} if ends and seat is not None else {}))

    def _take_throw(self, prompt: Prompt, played: PlayedRound, thrown: ThrownRound) -> None:
        """Accept the answers of a judged round, or journal it as void."""
        self._zone_monitor.observe(thrown.judgement)
        if played.answers is not None:
            self._accept(prompt, played)
            return
        text = written_text(thrown.text)
        body = RoundVoided(prompt=prompt.kind, judgement=thrown.record, fouls=thrown.fouls, text=text)
        self.ongoing.write(body, played)
        if self._presenter.reveal(thrown):
            return
        self._missed_rounds.ask(self.output.display, thrown)
        if self._missed_rounds.is_never_read(thrown) and self.output.people_answer:
            self._presenter.notify(Notice(NOT_READ_TITLE, AGREE_ON_THROW, ()))
            self.dispute()

    def _warn_about_zones(self) -> None:
        """Warn players whose hand leaves its zone, each once."""
        lines = self._zone_monitor.new_warnings(self.names)
        for line in lines:
            self._presenter.announce(f"  {line}")
        if lines:
            self._presenter.notify(Notice(ZONE_PROBLEM_TITLE, join(lines), ()))

    def _accept(self, prompt: Prompt, played: PlayedRound) -> None:
        """Write the answers to the journal, then show them and the game's events."""
        if played.answers is None:
            raise MatchError("nothing was answered")
        self.ongoing.write(answers_event(prompt, played), played)
        events, thrown = self.ongoing.newest_events, played.thrown
        shown: Sequence[str] = ()
        if thrown:
            self._missed_rounds.reset()
        if thrown or self._presenter.turns_over:
            if self._presenter.reveal(thrown):
                return
            shown = () if thrown and thrown.went_wrong else self._presenter.game_verdict(visible_events(events))
        self._presenter.show_messages(events, shown, cards_turned=thrown is not None)
