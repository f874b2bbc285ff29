"""The house rules of a match: how the lock is judged, what a foul leads to, how fast the box counts. They are fixed
before a match and journaled with it."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from messages import N
from rules.record.round import FoulRule
from rules.throws import WINDOW_MS


class ThrowWith(StrEnum):
    """What players throw with."""

    HANDS = "hands"
    CARDS = "cards"


class LockRules(BaseModel):
    """The rules of the lock and the count. The command line and the documents show the fields' descriptions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_ms: int = Field(
        default=WINDOW_MS,
        ge=50,
        le=2000,
        description=N("ms from the first hand to the lock; a hand’s throw is what it shows then"),
    )
    on_foul: FoulRule = Field(
        default=FoulRule.REPLAY,
        description=N("after a foul: replay (throw again), stand (the lock image counts), forfeit (no throw)"),
    )
    forfeit_after: int = Field(
        default=0,
        ge=0,
        le=99,
        description=N("with replay: replays per player before a foul forfeits the throw (0: unlimited)"),
    )
    beat_ms: int = Field(default=600, ge=300, le=2000, description=N("ms between the words of the count"))


class CardRules(BaseModel):
    """The rules of throwing with cards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    throw_with: ThrowWith = Field(
        default=ThrowWith.HANDS,
        description=N("how throws are made: hands, or printed cards laid face down and turned over"),
    )
    card_window_ms: int = Field(
        default=1000,
        ge=300,
        le=1500,
        description=N("ms from the first card turned over to the lock; a card’s throw is what it shows then"),
    )


class HouseRules(CardRules, LockRules):
    """All the house rules."""

    def replays_exhausted(self, fouls: int) -> bool:
        """Whether a player with this many fouls so far forfeits at the next one."""
        return 0 < self.forfeit_after <= fouls
