"""The house rules of a match: how the lock is judged, what happens on a foul, how fast the box counts. Settled before a
match, journaled with it."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from ui.i18n.language import N


class OnFoul(StrEnum):
    """What becomes of a round with a foul in it."""

    REPLAY = "replay"
    STAND = "stand"
    FORFEIT = "forfeit"


class ThrowWith(StrEnum):
    """What shows a throw."""

    HANDS = "hands"
    CARDS = "cards"


class Rules(BaseModel):
    """The rules of the lock and the count. Every field's description is also what the command line and the documents
    say of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_ms: int = Field(
        default=150,
        ge=50,
        le=2000,
        description=N("ms from the first hand to the lock: what every hand shows then is its throw"),
    )
    on_foul: OnFoul = Field(
        default=OnFoul.REPLAY,
        description=N("a foul: replay (thrown again), stand (what the lock shows counts), forfeit (no throw)"),
    )
    forfeit_after: int = Field(
        default=0,
        ge=0,
        le=99,
        description=N("with replay: a player's fouls thrown again; any further one is no throw (0: all are)"),
    )
    beat_ms: int = Field(default=600, ge=300, le=2000, description=N("ms between the words of the count"))


class Cards(BaseModel):
    """The rules of throwing with cards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    throw_with: ThrowWith = Field(
        default=ThrowWith.HANDS,
        description=N("what shows a throw: hands, or printed cards that are laid face down and turned over"),
    )
    card_window_ms: int = Field(
        default=1000,
        ge=300,
        le=1500,
        description=N("ms from the first card turned over to the lock: what every card shows then is its throw"),
    )


class House(Cards, Rules):
    """All the house rules."""

    def spent(self, fouls: int) -> bool:
        """Whether somebody with so many fouls before has no further round thrown again for them."""
        return 0 < self.forfeit_after <= fouls
