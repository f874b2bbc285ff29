"""What is heard of a match: the count at the times of its words, what became of every round, and nothing where people
have it off."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from device.simulated.controls import SimulatedSound
from device.sound.base import NullSound, Sound, Tone, count_tones
from device.sound.loudspeaker import Loudspeaker
from device.system.clock import Clock, MonotonicClock, SimulatedClock
from rules.engine import ThrowPrompt
from rules.record.round import RoundView
from rules.throws import THROW_CHOICES, Outcome, Throw
from tests.helpers.sample_rounds import sample_round, sample_seat
from tests.helpers.table_matches import GAMES, FakeCamera, PerfectJudge, WatchingDisplay, history, match_config
from tests.helpers.table_parts import hand_table
from throwlock.journal.journal import Journal
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput
from throwlock.match.reveal_tones import reveal_tone
from throwlock.match_runner import resume_or_begin
from throwlock.settings.model import SoundSettings
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup import sound as hearing
from throwlock.table_setup.sound import SpokenSound
from throwlock.tables.camera_table import GET_READY_NS
from throwlock.tables.hands import HandTable
from throwlock.tables.source import RoundRequest, RoundSource, ThrowListener
from ui.screen.core.display import Display, NullDisplay, WindowClosedError
from ui.screen.pages.countdown import Countdown
from ui.screen.views import View
from vision.zones import default_zones

REQUEST = RoundRequest(ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES)), ())
MS = 1_000_000
WORDS = ("ROCK", "PAPER", "SCISSORS", "SHOOT")
LATENESS_NS = 25 * MS
REVEAL_TONES = (Tone.REVEAL, Tone.ROUND_WON, Tone.TIE, Tone.STREAK, Tone.ALL_IN, Tone.UPSET)


def table(
    clock: Clock, display: Display, sound: Sound, judge: PerfectJudge, players: SimulatedPlayers | None
) -> HandTable:
    listener = players or ThrowListener()
    return hand_table(FakeCamera(), default_zones(2), judge, display, clock, sound=sound, listener=listener)


class Timed(NullDisplay):
    """A display that remembers when each beat was shown, and is closed at one of them."""

    def __init__(self, clock: Clock, closed_at: int | None = None) -> None:
        self.clock = clock
        self.closed_at = closed_at
        self.beats: list[int] = []

    def show(self, view: View) -> None:
        if isinstance(view, Countdown) and view.beat >= 0:
            if view.beat == self.closed_at:
                raise WindowClosedError("the window was closed")
            self.beats.append(self.clock.now_ns())


@pytest.mark.parametrize("words", [WORDS, ("ONE", *WORDS)])
def test_every_word_sounds_when_it_is_shown(words: tuple[str, ...]) -> None:
    clock = SimulatedClock(5)
    sound, display = SimulatedSound(clock, LATENESS_NS), Timed(clock)
    cue_ns = table(clock, display, sound, PerfectJudge(), None).count(REQUEST, Countdown((), "Round 1", words, -1))
    assert [heard.tone for heard in sound.played] == list(count_tones(len(words)))
    assert [heard.when_ns for heard in sound.played] == display.beats
    assert display.beats[0] == 5 + GET_READY_NS and display.beats[-1] == cue_ns


def test_interrupted_count_is_silenced() -> None:
    clock = SimulatedClock()
    sound, display = SimulatedSound(clock, LATENESS_NS), Timed(clock, closed_at=2)
    with pytest.raises(WindowClosedError):
        table(clock, display, sound, PerfectJudge(), None).count(REQUEST, Countdown((), "Round 1", WORDS, -1))
    assert Tone.SHOOT not in [heard.tone for heard in sound.played]
    assert [heard.when_ns for heard in sound.played][:2] == display.beats


def match(path: Path, sound_of: type[NullSound] | None = None) -> tuple[list[Tone], list[str]]:
    """The tones of a whole match in their order, and the kinds of its events."""
    clock, judge = SimulatedClock(), PerfectJudge()
    players = SimulatedPlayers(3, judge, cheat_throw=1)
    sound = SimulatedSound(clock)
    with Journal(path) as journal:
        config = match_config(GAMES["redeux, asked"])
        display, heard_by = WatchingDisplay(path), sound_of() if sound_of else sound
        source = table(clock, display, heard_by, judge, players)
        number = resume_or_begin(journal, config)
        Match(
            journal,
            number,
            RoundSource(players, (source,)),
            MatchOutput(display, clock, lambda line: None, sound=heard_by),
        ).play()
    return [heard.tone for heard in sound.played if isinstance(heard.tone, Tone)], [kind for kind, _ in history(path)]


def test_match_is_the_same_without_a_loudspeaker(tmp_path: Path) -> None:
    tones, events = match(tmp_path / "heard.journal")
    rounds = [body for kind, body in history(tmp_path / "heard.journal") if "judgement" in body]
    assert tones.count(Tone.SHOOT) == len(rounds)
    assert tones.count(Tone.FOUL) == sum(bool(body["fouls"]) for body in rounds) > 0
    assert tones.count(Tone.LOCK) == len(rounds)
    counted = sum(not body["fouls"] for body in rounds)
    assert sum(map(tones.count, REVEAL_TONES)) == counted > tones.count(Tone.TIE) > 0
    assert tones.count(Tone.ANSWERED) == events.count("answered") > 0
    assert tones[-1] is Tone.WIN and tones.count(Tone.WIN) == 1
    assert match(tmp_path / "silent.journal", NullSound) == ([], events)


def test_score_is_spoken_when_it_changes(tmp_path: Path) -> None:
    clock, judge = SimulatedClock(), PerfectJudge()
    players = SimulatedPlayers(3, judge, cheat_throw=None)
    sound = SimulatedSound(clock)
    with Journal(tmp_path / "one.journal") as journal:
        display, config = WatchingDisplay(tmp_path / "one.journal"), match_config(GAMES["classic"])
        source = table(clock, display, sound, judge, players)
        number = resume_or_begin(journal, config)
        Match(
            journal,
            number,
            RoundSource(players, (source,)),
            MatchOutput(display, clock, lambda line: None, sound=sound),
        ).play()
    rounds = sound.said[:-1]
    first = ["Ben wins (Ada scissors, Ben rock).", "The score: Ada 0, Ben 1."]
    assert rounds[:4] == [*first, "Ada wins (Ada paper, Ben rock).", "The score: Ada 1, Ben 1."]
    scores = [sentence for sentence in rounds if sentence.startswith("The score: ")]
    assert len(scores) == len(set(scores)) == len(rounds) // 2, "each once, and nothing twice"
    assert sound.said[-1] == "Ada has won with 3 points."


def thrown(*seats: tuple[Outcome | None, int | None, int | None], is_void: bool = False) -> RoundView:
    """A round of seats, each with its outcome, the score before it, and its bet."""
    return sample_round(
        [
            replace(sample_seat(number, [Throw.ROCK]), outcome=outcome, score_before=score, bet=bet)
            for number, (outcome, score, bet) in enumerate(seats, 1)
        ],
        is_void=is_void,
    )


def won(mine: int | None = None, theirs: int | None = None, bet: int | None = None) -> RoundView:
    return thrown((Outcome.WON, mine, bet), (Outcome.LOST, theirs, None))


def lost(bet: int | None = None) -> RoundView:
    return thrown((Outcome.LOST, 4, bet), (Outcome.WON, 4, None))


TIED = thrown((Outcome.TIED, None, None), (Outcome.TIED, None, None))
VOID = thrown((None, None, None), (None, None, None), is_void=True)


@pytest.mark.parametrize(
    ("rounds", "tone"),
    [
        ([won()], Tone.ROUND_WON),
        ([TIED], Tone.TIE),
        ([thrown((Outcome.TIED, None, None), (Outcome.LOST, None, None))], Tone.REVEAL),
        ([thrown((None, None, None), (None, None, None))], Tone.REVEAL),
        ([won(), won(), won()], Tone.STREAK),
        ([won(), won(), TIED, VOID, won()], Tone.STREAK),
        ([won(), lost(), won(), won()], Tone.ROUND_WON),
        ([won(), won(), lost()], Tone.ROUND_WON),
        ([won(4, 4, bet=4)], Tone.ALL_IN),
        ([won(4, 4, bet=3)], Tone.ROUND_WON),
        ([won(0, 2, bet=0)], Tone.ROUND_WON),
        ([lost(bet=4)], Tone.ROUND_WON),
        ([won(0, 3)], Tone.UPSET),
        ([won(3, 6)], Tone.UPSET),
        ([won(4, 7)], Tone.ROUND_WON),
        ([won(2, 4)], Tone.ROUND_WON),
        ([won(), won(), won(6, 3)], Tone.STREAK),
        ([won(), won(), won(3, 6, bet=3)], Tone.ALL_IN),
    ],
)
def test_reveal_sounds_as_it_ends(rounds: Sequence[RoundView], tone: Tone) -> None:
    assert reveal_tone(rounds, went_wrong=False) is tone
    assert reveal_tone(rounds, went_wrong=True) is Tone.FOUL


def test_no_loudspeaker_if_sound_is_off_or_time_is_simulated() -> None:
    usual = SoundSettings()
    assert isinstance(hearing.open_sound(usual, SimulatedClock(), 600), NullSound)
    assert isinstance(hearing.open_sound(usual.model_copy(update={"on": False}), MonotonicClock(), 600), NullSound)


@pytest.mark.parametrize(
    ("settings", "program", "speaks"),
    [
        ({}, "/usr/bin/true", True),
        ({"count": "tones", "results": True}, "/usr/bin/true", True),
        ({"count": "tones"}, "/usr/bin/true", False),
        ({"count": "both", "results": True}, None, False),
    ],
)
def test_sound_speaks_where_that_is_wanted_and_a_voice_is_installed(
    settings: dict[str, object], program: str | None, speaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(hearing, "find_voice_program", lambda: program)
    sound = hearing.open_sound(SoundSettings.model_validate(settings), MonotonicClock(), 600)
    sound.stop()
    assert isinstance(sound, SpokenSound) == speaks


def test_loudspeaker_follows_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sound = hearing.open_sound(SoundSettings(volume=40, delay_ms=120, count="tones"), MonotonicClock(), 600)
    sound.stop()
    assert isinstance(sound, Loudspeaker)
    assert (sound.volume, sound.delay_ns, sound.error) == (0.4, 120 * MS, None)
