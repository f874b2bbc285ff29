"""A match as far as its journal goes: its events, the game replayed from them, and what follows from both."""

import logging
from collections.abc import Callable, Mapping, Sequence

from messages import N
from rules.engine import GameEvent, IllegalAnswerError, Play, Prompt, Seat, Value
from rules.events import Scores
from throwlock.journal.events import Body, Corrected, DisputeRejected, RoundVoided
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Journal, JournalError
from throwlock.journal.recovery import append_with_recovery
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.replay.answers import effective_answers
from throwlock.replay.config import config_from_events
from throwlock.replay.corrections import count_fouls, disputable_rounds
from throwlock.tables.round_frames import RecentRoundFrames
from throwlock.tables.source import PlayedRound
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.text import verdicts
from ui.text.rounds import stored_text

logger = logging.getLogger(__name__)


class OngoingMatch:
    """One match of a journal, from its first event or resumed."""

    def __init__(
        self, journal: Journal, number: int, frame_keeper: FrameKeeper | None = None, *, judges_throws: bool
    ) -> None:
        """``frame_keeper`` keeps the frames of its rounds for clips; ``judges_throws``: players can foul. Raises
        JournalError if match ``number`` of the journal can't be resumed."""
        self._journal, self._frame_keeper, self._judges_throws = journal, frame_keeper, judges_throws
        self.number = number
        self.events = journal.events(number)
        self.config = config_from_events(self.events)
        self.frames = RecentRoundFrames(journal.evidence)
        """The frames of the last rounds."""
        self.on_notice: Callable[[str], None] = logger.warning
        """Takes what people have to know about the journal: it had to be put aside, or its disk is nearly full."""
        self.replay()

    def replay(self) -> None:
        """Replay the journal's events, as corrected. Raises JournalError if the game refuses them."""
        self.play = Play(self.config.game)
        self.scores: dict[Seat, int] = {}
        self.scoreboards = ScoreboardHistory()
        try:
            self.between_rounds = self.optional_prompt
            """What the game asks between rounds if people want it to."""
            for answers in effective_answers(self.events).values():
                self.answer(answers)
        except IllegalAnswerError as error:
            raise JournalError(
                N("match {number} can't be resumed: {why}", number=self.number, why=error.text)
            ) from error
        for event in self.play.events:
            self.note_score(event)
        self.fouls = count_fouls(self.events)
        self.void_sentence = self._last_void_sentence()

    def _last_void_sentence(self) -> str | None:
        """Return why the last round was void, None if it was not."""
        rounds = {event.number for event in self.events if event.round}
        last = next(event.body for event in reversed(self.events) if not isinstance(event.body, DisputeRejected))
        match last:
            case RoundVoided():
                return stored_text(last.judgement, last.fouls, False, last.text, self.names)
            case Corrected(answers=None, round=number, text=text) if number in rounds:
                return verdicts.fill_names(text, self.names)
            case _:
                return None

    def answer(self, answers: Mapping[Seat, Value]) -> Sequence[GameEvent]:
        """Answer the game's prompt, and return the game's events. Raises IllegalAnswerError."""
        events = self.play.answer(answers)
        self.between_rounds = self.optional_prompt or self.between_rounds
        return events

    def write(self, body: Body, played: PlayedRound | None = None) -> None:
        """Append an event to the journal, with the evidence and frames of a ``played`` round, before anything of it is
        shown. Raises JournalError."""
        evidence = played.evidence if played else ()
        written = append_with_recovery(self._journal, self.events, self.config.names, body, evidence)
        if self._frame_keeper and written.new_numbers:
            self._frame_keeper.renumber(self.events, written.events, written.new_numbers)
        self.events, self.number = written.events, written.events[0].number
        logger.debug("match %d, event %d: %s", self.number, self.events[-1].number, body.kind)
        self.frames.renumber(written.new_numbers)
        if played and played.thrown:
            self.frames.keep(self.events[-1].number, played.thrown.frames)
            if self._frame_keeper:
                self._frame_keeper.keep(self.events[-1], played.thrown)
        if written.notice is not None:
            self.on_notice(written.notice)

    def note_score(self, event: GameEvent) -> None:
        """Note the scores of one of the game's events, if it has any."""
        if isinstance(event, Scores):
            self.scores = dict(event.scores)

    def note_fouls(self, seats: Sequence[Seat]) -> None:
        """Count a foul of each seat."""
        for seat in seats:
            self.fouls[seat] = self.fouls.get(seat, 0) + 1

    @property
    def optional_prompt(self) -> Prompt | None:
        """The game's prompt if it is an optional one."""
        return self.play.prompt if self.play.prompt and self.play.prompt.is_optional else None

    @property
    def names(self) -> dict[Seat, str]:
        """The players' names by seat."""
        return dict(enumerate(self.config.names, 1))

    @property
    def title(self) -> str:
        """The game's title."""
        return self.config.game.rules.title

    @property
    def throw_count(self) -> int:
        """How many throws there were, void ones included."""
        return sum(event.round is not None for event in self.events)

    @property
    def proof_code(self) -> str:
        """The proof code of the newest event."""
        return proof_code(self.events[-1].hash)

    @property
    def can_dispute(self) -> bool:
        """Whether there is a round that people can dispute."""
        return bool(disputable_rounds(self.config.game, self.events, 1))

    def headline(self, prompt: Prompt) -> str:
        """Return the headline of the round of a prompt."""
        return verdicts.headline(prompt, self.title)

    def players(self, messages: Sequence[GameEvent] = (), later_events: int = 0) -> tuple[Player, ...]:
        """Return the players with their score, their fouls once throws are judged, and the facts of the current prompt
        or, if given, of ``messages``, after which there were ``later_events``."""
        prompt = self.play.prompt
        events = self.play.events[: len(self.play.events) - later_events]
        how = self.scoreboards.facts(events, None if messages else prompt, messages)
        judged = self._judges_throws and prompt is not None and prompt.kind == "throw"
        throws = judged or any(event.round for event in self.events)
        return tuple(
            Player(
                seat,
                name,
                self.scores.get(seat),
                self.fouls.get(seat, 0) if throws else None,
                how.of_seat(seat),
                how.roles.get(seat),
            )
            for seat, name in self.names.items()
        )

    @property
    def score_line(self) -> str:
        """The scores and the fouls in one line."""
        points = ", ".join(f"{self.names[seat]} {points}" for seat, points in self.scores.items()) or "No points yet"
        return f"{points}. {self.foul_line}".strip()

    @property
    def foul_line(self) -> str:
        """The fouls as a sentence, "" without any."""
        return verdicts.foul_counts_sentence({self.names[seat]: self.fouls[seat] for seat in sorted(self.fouls)})
