"""Practice: one person throws against the box. The box draws its throw at random and commits to it before the count.
People can verify the commitment, so nothing the camera sees can have changed the throw."""

import hashlib
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from device.camera.frames import Frame
from device.sound.base import Tone
from rules.engine import Prompt
from rules.throws import THROW_CHOICES, Throw
from throwlock.tables.hands import Table, ThrownRound
from ui.i18n.language import N
from ui.screen.pages.common.view import Player
from ui.screen.pages.practice.strings import TITLE
from ui.screen.pages.practice.view import THROW_ANSWER, CommitmentReveal, CommitmentView, PracticeScore
from ui.text.names import THROW_WORDS
from ui.text.verdicts import default_name
from vision.lock.judge import HAND_WINDOW_NS, Judge, Judgement
from vision.zones import Zone

PLAYER_SEAT = 1
"""The player's seat. The box has none."""
NONCE_BYTES = 16
"""Length of the random nonce: too long to guess, so the seal does not reveal the throw."""
PRACTICE_ASK = Prompt("throw", {PLAYER_SEAT: THROW_CHOICES}, sealed=True)
VOID_REVEAL_S = 3.5
"""How long a void round is shown."""
RESULT_TEXTS = {
    "won": N("You win: {yours} beats {box}."),
    "lost": N("The box wins: {box} beats {yours}."),
    "tied": N("A tie: both {yours}."),
}


@dataclass(frozen=True)
class Commitment:
    """A throw and a random nonce. ``seal`` commits to both without revealing either, so it can be shown before the
    count.

    >>> commitment = Commitment(Throw.ROCK, "00" * 16)
    >>> commitment.opening
    'rock 00000000000000000000000000000000'
    >>> verify_opening(commitment.opening, commitment.seal)
    True
    """

    throw: Throw
    nonce: str

    @property
    def opening(self) -> str:
        """The text that is hashed, without a newline."""
        return f"{self.throw} {self.nonce}"

    @property
    def seal(self) -> str:
        """The SHA-256 (FIPS 180-4) of the opening as 64 hexadecimal digits."""
        return hashlib.sha256(self.opening.encode("ascii")).hexdigest()


def commit() -> Commitment:
    """Draw a throw (each equally likely) and a nonce from the operating system's random generator."""
    return Commitment(secrets.choice(tuple(Throw)), secrets.token_hex(NONCE_BYTES))


def verify_opening(opening: str, seal: str) -> bool:
    """Whether ``opening`` has the form of a commitment's opening and ``seal`` is its hash."""
    throws = "|".join(Throw)
    whole = re.fullmatch(rf"(?:{throws}) [0-9a-f]{{{2 * NONCE_BYTES}}}", opening) is not None
    return whole and hashlib.sha256(opening.encode("ascii")).hexdigest() == seal


class PracticeJudge(Judge):
    """Judges one hand against the box's, which counts as shown at the cue: the lock is at most one window after the
    cue, and the player can be late as against any opponent."""

    def __call__(
        self,
        frames: Sequence[Frame],
        zones: Sequence[Zone],
        cue_ns: int | None = None,
        window_ns: int = HAND_WINDOW_NS,
        unseen_ns: int | None = None,
    ) -> Judgement:
        """See Judge."""
        return super().__call__(frames, zones, cue_ns, window_ns, cue_ns)


class PracticeSession:
    """Rounds at ``table``, whose judge is a PracticeJudge, until people stop. ``draw`` makes each commitment."""

    def __init__(self, table: Table, draw: Callable[[], Commitment] = commit) -> None:
        self._table = table
        self._draw = draw
        self.score = PracticeScore()

    def play(self) -> PracticeScore:
        """Play until people stop, and return the score. Raises CameraError or WindowClosedError."""
        while self._play_round(self._draw()):
            pass
        return self.score

    def _play_round(self, commitment: Commitment) -> bool:
        """Play one round: show the seal, count, reveal. A void round is thrown again under the same seal. Return
        whether people want another round."""
        sentence = ""
        while self._table.display.ask(CommitmentView(commitment.seal, self.score, sentence)) == THROW_ANSWER:
            thrown = self._table.throw(
                PRACTICE_ASK, (Player(PLAYER_SEAT, default_name(PLAYER_SEAT), fouls=self.score.fouls),), TITLE
            )
            self.score = replace(self.score, fouls=self.score.fouls + len(thrown.fouls))
            if thrown.answers is not None:
                return self._reveal(commitment, thrown) == THROW_ANSWER
            sentence = thrown.reveal.sentence
            self._table.sound.play(Tone.FOUL)
            self._table.display.show(thrown.reveal)
            self._table.clock.wait_until(self._table.clock.now_ns() + round(VOID_REVEAL_S * 1e9))
        return False

    def _reveal(self, commitment: Commitment, thrown: ThrownRound) -> object:
        """Show both throws, the new score and the sealed throw. Return what people touch."""
        yours, box = Throw(str((thrown.answers or {})[PLAYER_SEAT])), commitment.throw
        result = "tied" if yours is box else "won" if yours.beats(box) else "lost"
        self.score = replace(self.score, **{result: getattr(self.score, result) + 1})
        seat = thrown.reveal.seats[0]
        self._table.sound.play(Tone.WIN if result == "won" else Tone.LOCK)
        return self._table.display.ask(
            CommitmentReveal(
                commitment.seal,
                commitment.opening,
                seat.crop,
                yours,
                box,
                N(RESULT_TEXTS[result], yours=THROW_WORDS[yours], box=THROW_WORDS[box]),
                self.score,
                seat.after_first_ms,
            )
        )
