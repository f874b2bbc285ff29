"""Where the answers of a match come from: what every source is asked, and what it returns."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from errors import ThrowlockError
from rules.engine import Answers, Game, GameEvent, Prompt, Seat, Value
from rules.engine.play import sample_prompts
from rules.record.judgement import JudgementRecord
from rules.record.match import StepView
from rules.record.round import RoundView
from throwlock.journal.journal import Evidence
from throwlock.tables.card_count import CardCount
from throwlock.tables.round_frames import RoundFrames
from ui.screen.pages.common import Player
from vision.lock.judgement import Judgement


class PeopleLeftError(ThrowlockError):
    """People went back to the home page; the match can be resumed."""


class BackToSetUpError(PeopleLeftError):
    """People went back to the set-up of a match that has not begun."""


@dataclass(frozen=True)
class RoundRequest:
    """A prompt for the players."""

    prompt: Prompt
    players: tuple[Player, ...]
    steps: Sequence[StepView | RoundView] = ()
    """The match so far, from which a source knows what happened before."""
    key: int = 0
    """What identifies the prompt within the match; a resumed match asks it with the same key."""
    throw_number: int = 0
    """The number of throws before this one, void ones included."""
    title: str = ""
    """The round's headline."""
    rethrow_reason: str | None = None
    """Why the previous round was void; None if it wasn't."""


@dataclass(frozen=True)
class ThrownRound:
    """How a throw was judged."""

    judgement: Judgement
    """As the judge returned it, with the frames that show it."""
    record: JudgementRecord
    """As it is written down."""
    fouls: tuple[Seat, ...]
    """The seats that fouled."""
    text: str
    """The verdict in words, with placeholders for names."""
    frames: "Future[RoundFrames]"
    """The round's frames, for a dispute and slow motion."""
    staged: bool = False
    """Whether simulated players fouled on purpose."""
    is_empty: bool = False
    """Whether nobody seems to be there."""
    is_timed: bool = True
    """Whether the throws have times. Those of a class are read at the lock alone."""

    @property
    def went_wrong(self) -> bool:
        """Whether somebody fouled, or the round or somebody's throw could not be judged."""
        undecided = any(seat.verdict.is_undecided for seat in self.record.seats.values())
        return bool(self.fouls) or undecided or self.record.void_reason is not None


@dataclass(frozen=True)
class PlayedRound:
    """What came of a prompt."""

    answers: Mapping[Seat, Value] | None
    """None if the round is void and thrown again."""
    thrown: ThrownRound | None = None
    """None if nothing was judged."""
    evidence: tuple[Evidence, ...] = ()


class PlayTable(Protocol):
    """A table in front of a camera, which reads the answers to some prompts."""

    judges_throws: bool
    """Whether throws are timed and judged, so that players can foul."""

    def plays(self, prompt: Prompt) -> bool:
        """Return whether the camera reads the answers to a prompt."""

    def play(self, request: RoundRequest) -> PlayedRound:
        """Return what came of a prompt that the table plays. Raises CameraError."""

    def close(self) -> None:
        """Stop background work; may be called twice."""


class AnswerSource:
    """Answers what no camera reads: people at the screen or at a terminal, or simulated players."""

    def answer(self, prompt: Prompt, players: Sequence[Player], key: int) -> Answers:
        """Return everybody's answer; ``key`` identifies the prompt within the match."""
        raise NotImplementedError

    def tell(self, events: Sequence[GameEvent], players: Sequence[Player]) -> None:
        """Show each event to the player it is for, and nobody else. Does nothing where nobody could be told alone."""


@dataclass(frozen=True)
class RoundSource:
    """Where the answers of a match come from: the first table that plays a prompt, else an AnswerSource."""

    answers: AnswerSource
    """Answers what no table plays."""
    tables: tuple[PlayTable, ...] = ()

    @property
    def judges_throws(self) -> bool:
        """Whether throws are timed and judged, so that players can foul."""
        return any(table.judges_throws for table in self.tables)

    def asks_people(self, game: Game) -> bool:
        """Whether people answer anything by touch, by button or on their phones: tried in a sample of the game, since
        some ask only for throws, which a camera sees."""
        asked = (prompt.to_players() for prompt in sample_prompts(game) if not prompt.is_optional)
        return any(prompt.seats and not any(table.plays(prompt) for table in self.tables) for prompt in asked)

    def play(self, request: RoundRequest) -> PlayedRound:
        """Return everybody's answers. Raises CameraError or ThrowlockError if nothing can answer."""
        for table in self.tables:
            if table.plays(request.prompt):
                return table.play(request)
        return PlayedRound(self.answers.answer(request.prompt, request.players, request.key))

    def close(self) -> None:
        """Stop background work; may be called twice."""
        for table in self.tables:
            table.close()


class ThrowListener:
    """Is told in advance when players have something to do: the simulated players, who act on it. This one does
    nothing; people hear the count and see the screen."""

    def on_count(self, seats: Sequence[Seat], cue_ns: int, beat_ns: int, throw_number: int) -> None:
        """The count begins; the cue is at ``cue_ns`` of the camera's clock, each word takes ``beat_ns``."""

    def on_cards_wanted(self, request: RoundRequest, seats: Sequence[Seat], count: CardCount, now_ns: int) -> None:
        """From ``now_ns`` of the camera's clock on, these seats are to lay a card face down."""

    def is_staged(self, throw_number: int) -> bool:
        """Whether somebody fouls on purpose in that throw."""
        return False
