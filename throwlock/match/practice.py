"""One person throws against the box. The box's throw is drawn by chance and fixed before the count by a commitment,
which people can check: nothing that its camera sees can change it."""

import hashlib
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from device.camera.frames import Frame
from device.sound.sound import Tone
from rules.engine import Ask
from rules.throws import THROWS, Throw
from throwlock.tables.hands import Round, Table
from ui.i18n.language import N
from ui.screen.pages.practice.view import THROW, Opened, Score, Sealed
from ui.screen.pages.views import Player
from ui.text.names import CARDS
from ui.text.verdicts import neutral
from vision.lock.judge import WINDOW_NS, Judge, Judgement
from vision.zones import Zone

SEAT = 1
"""The person's seat. The box has none."""
NONCE_BYTES = 16
"""What is drawn by chance beside the throw: too much for anybody to try out, so the seal tells nothing of the throw."""
ASK = Ask("throw", {SEAT: THROWS}, sealed=True)
REVEAL_S = 3.5
"""How long a round that is thrown again is looked at."""
TITLE = N("Practise")
RESULTS = {
    "won": N("You win: {yours} beats {boxs}."),
    "lost": N("The box wins: {boxs} beats {yours}."),
    "tied": N("A tie: both {yours}."),
}


@dataclass(frozen=True)
class Commitment:
    """A throw and what was drawn beside it. ``seal`` may be shown before the count: it binds to both and tells neither.

    >>> made = Commitment(Throw.ROCK, "00" * 16)
    >>> made.opening
    'rock 00000000000000000000000000000000'
    >>> opens(made.opening, made.seal)
    True
    """

    throw: Throw
    nonce: str

    @property
    def opening(self) -> str:
        """What is hashed, letter for letter, without a line's end."""
        return f"{self.throw} {self.nonce}"

    @property
    def seal(self) -> str:
        """The SHA-256 (FIPS 180-4) of the opening, in 64 letters of hexadecimal."""
        return hashlib.sha256(self.opening.encode("ascii")).hexdigest()


def commit() -> Commitment:
    """A throw by the operating system's own chance, each as likely, and a nonce."""
    return Commitment(secrets.choice(tuple(Throw)), secrets.token_hex(NONCE_BYTES))


def opens(opening: str, seal: str) -> bool:
    """Whether ``opening`` names a throw and a nonce as the box makes them, and is what ``seal`` was made of."""
    throws = "|".join(Throw)
    whole = re.fullmatch(rf"(?:{throws}) [0-9a-f]{{{2 * NONCE_BYTES}}}", opening) is not None
    return whole and hashlib.sha256(opening.encode("ascii")).hexdigest() == seal


class BoxToo(Judge):
    """Judges one hand beside the box's own, which shows at the cue: so the lock is a window after the cue at the
    latest, and a person is late as against anybody else."""

    def __call__(
        self,
        frames: Sequence[Frame],
        zones: Sequence[Zone],
        cue_ns: int | None = None,
        window_ns: int = WINDOW_NS,
        unseen_ns: int | None = None,
    ) -> Judgement:
        """See Judge."""
        return super().__call__(frames, zones, cue_ns, window_ns, cue_ns)


class Practise:
    """Rounds at ``table``, whose judge is a BoxToo, as many as the person wants. ``draw`` makes the commitments."""

    def __init__(self, table: Table, draw: Callable[[], Commitment] = commit) -> None:
        self._table = table
        self._draw = draw
        self.score = Score()

    def play(self) -> Score:
        """Play until people stop. Returns the score; raises CameraError, WindowClosedError, and what else a round
        raises."""
        go_on = True
        while go_on:
            go_on = self._round(self._draw())
        return self.score

    def _round(self, commitment: Commitment) -> bool:
        """One round: the seal, the count, and the opening. A round that is void is thrown again under the same seal,
        which stays closed. Whether people want another."""
        said = ""
        while self._table.display.ask(Sealed(commitment.seal, self.score, said)) == THROW:
            thrown = self._table.throw(ASK, (Player(SEAT, neutral(SEAT), fouls=self.score.fouls),), TITLE)
            self.score = replace(self.score, fouls=self.score.fouls + len(thrown.fouls))
            if thrown.answers is not None:
                return self._open(commitment, thrown) == THROW
            said = thrown.reveal.sentence
            self._table.sound.play(Tone.FOUL)
            self._table.display.show(thrown.reveal)
            self._table.clock.wait_until(self._table.clock.now_ns() + round(REVEAL_S * 1e9))
        return False

    def _open(self, commitment: Commitment, thrown: Round) -> object:
        """Show both throws, the score with them, and what was under the seal. Returns what people touch."""
        yours, boxs = Throw(str((thrown.answers or {})[SEAT])), commitment.throw
        came = "tied" if yours is boxs else "won" if yours.beats(boxs) else "lost"
        self.score = replace(self.score, **{came: getattr(self.score, came) + 1})
        seat = thrown.reveal.seats[0]
        self._table.sound.play(Tone.WIN if came == "won" else Tone.LOCK)
        return self._table.display.ask(
            Opened(
                commitment.seal,
                commitment.opening,
                seat.crop,
                yours,
                boxs,
                N(RESULTS[came], yours=CARDS[yours], boxs=CARDS[boxs]),
                self.score,
                seat.after_first_ms,
            )
        )
