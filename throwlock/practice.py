"""Practice: one person throws against the box. The box draws its throw at random and commits to it before the count.
People can verify the commitment, so nothing the camera sees can have changed the throw."""

import hashlib
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from device.camera.base import CameraError
from device.sound.base import Sound, Tone
from device.system.clock import Clock, MonotonicClock
from messages import N, capitalise
from rules.classic import CLASSIC
from rules.engine import Game, Setup, ThrowPrompt
from rules.record.round import FoulRule, PlayerLink, judged_seat
from rules.text import THROW_WORDS
from rules.throws import THROW_CHOICES, Throw
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.match.explanation import throw_setting
from throwlock.match.pause import PausedError, pause_page
from throwlock.match.reveal import build_reveal
from throwlock.preparing import preparing_page
from throwlock.replay.config import MatchConfig
from throwlock.session import Services, open_session
from throwlock.table_setup.cameras import CameraKind
from throwlock.tables.source import RoundRequest, RoundSource
from ui.screen.core.display import Display
from ui.screen.pages.common import Player
from ui.screen.pages.how_to_play import explain_practice
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PauseChoice
from ui.screen.pages.practice import THROW_ANSWER, TITLE, CommitmentReveal, CommitmentView, PracticeScore
from ui.screen.pages.reveal import Reveal
from ui.screen.views import Explain, explain_nothing
from ui.text.rounds import verdict_text
from ui.text.verdicts import YOU
from vision.hands.model import ModelError
from vision.zones import ZoneError

PLAYER_SEAT = 1
"""The player's seat. The box has none."""
NONCE_BYTES = 16
"""Length of the random nonce: too long to guess, so the seal does not reveal the throw."""
PRACTICE_PROMPT = ThrowPrompt({PLAYER_SEAT: THROW_CHOICES})
PRACTICE_GAME = Game(CLASSIC, Setup(PLAYER_SEAT, {}))
"""What the table is set up for: one seat, and throws with hands."""
VOID_REVEAL_S = 3.5
"""How long a void round is shown."""
RESULT_TEXTS = {
    "won": N("You win: {yours} beats {box}."),
    "lost": N("The box wins: {box} beats {yours}."),
    "tied": N("A tie: both {yours}."),
}
RESULT_TONES = {"won": Tone.ROUND_WON, "lost": Tone.REVEAL, "tied": Tone.TIE}


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


class PracticeSession:
    """Rounds against the box until people stop. ``source`` judges the throws; ``draw`` makes each commitment;
    ``explain`` explains practice."""

    def __init__(
        self,
        source: RoundSource,
        display: Display,
        clock: Clock,
        sound: Sound,
        draw: Callable[[], Commitment] = commit,
        explain: Explain = explain_nothing,
    ) -> None:
        self._source = source
        self._display = display
        self._clock = clock
        self._sound = sound
        self._draw = draw
        self._explain = explain
        self.score = PracticeScore()
        self._throw_count = 0

    def play(self) -> PracticeScore:
        """Play until people stop, and return the score. Raises CameraError or WindowClosedError."""
        with suppress(PausedError):  # people stopped
            while self._play_round(self._draw()):
                pass
        return self.score

    def _play_round(self, commitment: Commitment) -> bool:
        """Play one round: show the seal, count, reveal. A void round is thrown again under the same seal. Return
        whether people want another round."""
        sentence = ""
        while True:
            view = CommitmentView(commitment.seal, self.score, sentence, explain=self._explain)
            if self._display.ask(view) != THROW_ANSWER:
                return False
            player = Player(PLAYER_SEAT, YOU, fouls=self.score.fouls)
            request = RoundRequest(PRACTICE_PROMPT, (player,), throw_number=self._throw_count, title=TITLE)
            try:
                played = self._source.play(request)
            except PausedError as paused:
                if paused.choice is not PauseChoice.GO_ON:
                    raise
                continue
            self._throw_count += 1
            if played.thrown is None:
                raise TypeError("practice needs a source that judges throws")
            self.score = replace(self.score, fouls=self.score.fouls + len(played.thrown.fouls))
            thrown, you = played.thrown, PlayerLink(None, YOU)
            seat = judged_seat(thrown.record, PLAYER_SEAT, you, is_foul=PLAYER_SEAT in thrown.fouls)
            reveal = build_reveal(thrown, [seat], [player])
            if played.answers is not None:
                return self._reveal(commitment, Throw(str(played.answers[PLAYER_SEAT])), reveal) == THROW_ANSWER
            sentence = verdict_text(thrown.record, thrown.fouls, False, {PLAYER_SEAT: YOU}, FoulRule.REPLAY)
            self._sound.play(Tone.FOUL)
            self._sound.say(sentence)
            self._display.show(replace(reveal, sentence=sentence))
            self._clock.wait_until(self._clock.now_ns() + round(VOID_REVEAL_S * 1e9))

    def _reveal(self, commitment: Commitment, yours: Throw, reveal: Reveal) -> object:
        """Show both throws, the new score and the sealed throw. Return what people touch."""
        box = commitment.throw
        result = "tied" if yours is box else "won" if yours.beats(box) else "lost"
        self.score = replace(self.score, **{result: getattr(self.score, result) + 1})
        sentence = N(RESULT_TEXTS[result], yours=THROW_WORDS[yours], box=THROW_WORDS[box])
        self._sound.play(RESULT_TONES[result])
        self._sound.say(sentence)
        return self._display.ask(
            CommitmentReveal(
                commitment.seal,
                commitment.opening,
                reveal.pictures[PLAYER_SEAT].at_lock,
                yours,
                box,
                sentence,
                self.score,
                reveal.seats[0].timed_ms,
                verify_opening(commitment.opening, commitment.seal),
            )
        )


def run_practice(
    options: LaunchOptions,
    display: Display,
    clock: Clock,
    seed: int = 0,
    services: Services | None = None,
) -> PracticeScore:
    """Practise at the camera of ``options`` until people stop, and return the score.

    If the zone is not known, it is set up first. At a simulated table a simulated player throws.

    Raises:
        CameraError: The camera does not run, or is a clip.
        ZoneError: The options' zones are not zones.
        ModelError: There is no hand model.
        WindowClosedError: People closed the window.
    """
    if CameraKind.of(options.camera) is CameraKind.CLIP:
        raise CameraError(
            N("a clip shows the same throw every time, so nobody can practise with it: use another camera")
        )
    display.show(preparing_page(TITLE, reads_hands=options.camera != CameraKind.NONE))
    rules = HouseRules(**options.settings.rules.model_dump())
    config = MatchConfig(PRACTICE_GAME, (str(YOU),), rules, seed, options.camera)
    with open_session(options, config, lambda: display, clock, services=services, journaled=False) as session:
        explain = partial(explain_practice, throw_setting(options.camera, rules))
        session.display.menu = partial(pause_page, explain=explain)
        return PracticeSession(session.source, session.display, clock, session.sound, explain=explain).play()


def practise_from_home(options: LaunchOptions, display: Display, seed: int, services: Services) -> None:
    """Practise from the home page; show any error on the screen. Raises WindowClosedError."""
    try:
        run_practice(options, display, MonotonicClock(), seed, services=services)
    except (CameraError, ZoneError, ModelError) as error:
        display.ask(Notice(TITLE, capitalise(error.text)))
