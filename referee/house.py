"""The house rules of a match: how the lock is judged, what happens on a foul, how fast the box counts. Settled before a
match, journaled with it."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class OnFoul(StrEnum):
    """What becomes of a round with a foul in it."""

    REPLAY = "replay"
    STAND = "stand"
    FORFEIT = "forfeit"


class House(BaseModel):
    """The house rules. Every field's description is also what the command line and the documents say of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_ms: int = Field(
        default=150,
        ge=50,
        le=2000,
        description="ms from the first hand to the lock: what every hand shows then is its throw",
    )
    on_foul: OnFoul = Field(
        default=OnFoul.REPLAY,
        description="a foul: replay (thrown again), stand (what the lock frame shows counts), forfeit (it is no throw)",
    )
    forfeit_after: int = Field(
        default=0,
        ge=0,
        le=99,
        description="with replay: a player's fouls that are thrown again, any further one is no throw (0: all are)",
    )
    beat_ms: int = Field(default=600, ge=300, le=2000, description="ms between the words of the count")

    def spent(self, fouls: int) -> bool:
        """Whether somebody with so many fouls before has no further round thrown again for them."""
        return 0 < self.forfeit_after <= fouls
