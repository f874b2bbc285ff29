"""A match as far as its journal goes: its events, the model folded from them, and what follows from both."""

import logging
from collections.abc import Callable, Mapping, Sequence

from messages import N
from rules.engine import GameEvent, Prompt, Seat
from rules.events import Scores
from rules.record.judgement import JudgementRecord, Verdict
from rules.record.match import REFEREE
from throwlock.journal.events import Body, Corrected, DisputeRejected, RoundVoided
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Journal, JournalError
from throwlock.journal.recovery import append_with_recovery
from throwlock.match.frame_keeper import FrameKeeper
from throwlock.replay.config import config_from_events
from throwlock.replay.corrections import disputable_rounds
from throwlock.replay.project import MatchFold
from throwlock.tables.round_frames import RecentRoundFrames
from throwlock.tables.source import PlayedRound, ThrownRound
from ui.screen.pages.common import Player
from ui.screen.pages.scoreboard import ScoreboardHistory
from ui.text import verdicts
from ui.text.rounds import stored_text

logger = logging.getLogger(__name__)


class OngoingMatch:
    """One match of a journal, from its first event or resumed; ``for_children``, without fouls and numbers."""

    def __init__(
        self,
        journal: Journal,
        number: int,
        frame_keeper: FrameKeeper | None = None,
        *,
        judges_throws: bool,
        for_children: bool = False,
    ) -> None:
        """``frame_keeper`` keeps the frames of its rounds for clips; ``judges_throws``: players can foul. Raises
        JournalError if match ``number`` of the journal can't be resumed."""
        self._journal, self._frame_keeper, self._judges_throws = journal, frame_keeper, judges_throws
        self.number, self.for_children = number, for_children
        self.events = journal.events(number)
        self.config = config_from_events(self.events)
        self.frames = RecentRoundFrames(journal.evidence)
        """The frames of the last rounds."""
        self.on_notice: Callable[[str], None] = logger.warning
        """Takes what people have to know about the journal: it had to be put aside, or its disk is nearly full."""
        self._follow_all()
        if self._fold.refusal:
            raise JournalError(N("match {number} can’t be resumed: {why}", number=number, why=self._fold.refusal))

    def _follow_all(self) -> None:
        """Fold all events of the journal."""
        first, *rest = self.events
        self._fold = MatchFold(first, REFEREE, game=self.config.game)
        for event in rest:
            self._fold.add(event)
        self._take_replayed()

    def _take_replayed(self) -> None:
        """Take the match over from a fold that has replayed it, so that nothing from before is true any more."""
        self.view = self._fold.view
        """The match so far, as the referee sees it."""
        self.scoreboards = ScoreboardHistory()
        self.void_sentence = self._stored_void_sentence()
        """Why the last round was void; None if it was not."""

    def _stored_void_sentence(self) -> str | None:
        last = next(event.body for event in reversed(self.events) if not isinstance(event.body, DisputeRejected))
        match last:
            case RoundVoided() if self.just_says_again(last.fouls, last.judgement):
                return verdicts.AGAIN
            case RoundVoided():
                return stored_text(last.judgement, last.fouls, False, last.text, self.names)
            case Corrected(answers=None, round=number, text=text) if any(
                line.event == number for line in self.view.rounds
            ):
                return verdicts.fill_names(text, self.names)
            case _:
                return None

    def write(self, body: Body, played: PlayedRound | None = None) -> None:
        """Append an event to the journal, with the evidence and frames of a ``played`` round, before anything of it is
        shown. Raises JournalError."""
        evidence = played.evidence if played else ()
        written = append_with_recovery(self._journal, self.events, self.config.names, body, evidence)
        if self._frame_keeper and written.new_numbers:
            self._frame_keeper.renumber(self.events, written.events, written.new_numbers)
        self.events, self.number = written.events, written.events[0].number
        logger.debug("match %d, event %d: %s", self.number, self.events[-1].number, body.kind)
        self._follow(body, is_renumbered=bool(written.new_numbers))
        self.frames.renumber(written.new_numbers)
        if played and played.thrown:
            if played.answers is None:  # the journal's sentence is in English
                self.void_sentence = self.sentence_on(played.thrown)
            self.frames.keep(self.events[-1].number, played.thrown.frames)
            if self._frame_keeper:
                self._frame_keeper.keep(self.events[-1], played.thrown)
        if written.notice is not None:
            self.on_notice(written.notice)

    def _follow(self, body: Body, *, is_renumbered: bool) -> None:
        """Fold the newest event, or all of a journal that replaces a damaged one."""
        if is_renumbered:
            self._follow_all()
            return
        self._fold.add(self.events[-1])
        if isinstance(body, Corrected):
            self._take_replayed()
            return
        self.view = self._fold.view
        if not isinstance(body, DisputeRejected):
            self.void_sentence = None

    @property
    def newest_events(self) -> tuple[GameEvent, ...]:
        """What the game made of the newest event of the journal."""
        return self._fold.events_by_answer.get(self.events[-1].number, ())

    def events_since(self, number: int) -> tuple[GameEvent, ...]:
        """Return what the game made of the answers from event ``number`` of the journal on."""
        said = self._fold.events_by_answer
        return tuple(event for answered, events in said.items() if answered >= number for event in events)

    def scores(self, later_events: int = 0) -> Mapping[Seat, int]:
        """Return the points or chips before the last ``later_events`` of the game; {} before the first."""
        if not later_events:
            return self.view.scores
        events = self.view.events[:-later_events]
        return next((event.scores for event in reversed(events) if isinstance(event, Scores)), {})

    @property
    def between_rounds(self) -> Prompt | None:
        """What the game asks between rounds if people want it to: the optional prompt that it asked last."""
        asked = (self.view.prompt, *(step.prompt for step in reversed(self.view.steps)))
        return next((prompt for prompt in asked if prompt is not None and prompt.is_optional), None)

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
        return bool(disputable_rounds(self.view, 1))

    def headline(self, prompt: Prompt) -> str:
        """Return the headline of the round of a prompt: for children the game's title alone."""
        return N(self.title) if self.for_children else verdicts.headline(prompt, self.title)

    def players(self, messages: Sequence[GameEvent] = (), later_events: int = 0) -> tuple[Player, ...]:
        """Return the players with their score, their fouls once throws are judged, and the facts of the current prompt
        or, if given, of ``messages``, after which there were ``later_events``."""
        prompt, scores = self.view.prompt, self.scores(later_events)
        events = self.view.events[: len(self.view.events) - later_events]
        how = self.scoreboards.facts(events, None if messages else prompt, messages)
        judged = self._judges_throws and prompt is not None and prompt.kind == "throw"
        stars = self.stars
        throws = not self.for_children and (judged or any(event.round for event in self.events))
        return tuple(
            Player(
                seat,
                name,
                scores.get(seat) if stars is None else scores.get(seat, 0),
                self.view.fouls.get(seat, 0) if throws else None,
                how.of_seat(seat),
                how.roles.get(seat),
                stars,
            )
            for seat, name in self.names.items()
        )

    @property
    def stars(self) -> int | None:
        """How many stars win, where scores are shown as stars; None where they are shown as numbers."""
        game = self.config.game
        return game.rules.winning_score(game.setup) if self.for_children and game.rules.winning_score else None

    def just_says_again(self, fouls: Sequence[Seat], judgement: JudgementRecord) -> bool:
        """Whether nothing is said of why a round is void: to children not who fouled, or may have."""
        is_close = any(seat.verdict is Verdict.TOO_CLOSE for seat in judgement.seats.values())
        return self.for_children and (bool(fouls) or is_close)

    def sentence_on(self, thrown: ThrownRound) -> str:
        """Return what is said of a round's throws."""
        if self.just_says_again(thrown.fouls, thrown.record):
            return verdicts.AGAIN
        return verdicts.fill_names(thrown.text, self.names)

    @property
    def score_line(self) -> str:
        """The scores and the fouls in one line."""
        points = (
            ", ".join(f"{self.names[seat]} {points}" for seat, points in self.view.scores.items()) or "No points yet"
        )
        return f"{points}. {self.foul_line}".strip()

    @property
    def foul_line(self) -> str:
        """The fouls as a sentence, "" without any."""
        fouls = self.view.fouls
        return verdicts.foul_counts_sentence({self.names[seat]: fouls[seat] for seat in sorted(fouls)})
