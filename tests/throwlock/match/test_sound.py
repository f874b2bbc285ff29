"""What is heard of a match: the count at the times of its words, what became of every round, and nothing where people
have it off."""

from pathlib import Path

import pytest

from device.simulated.sound import SimulatedSound
from device.sound.loudspeaker import Loudspeaker
from device.sound.sound import NoSound, Sound, Tone, count_of
from device.system.clock import Clock, JumpingClock, SteadyClock
from tests.throwlock.match.test_match import GAMES, FewFrames, SeesAll, Watching, billed, history
from throwlock.journal.journal import Journal
from throwlock.match.house_rules import House
from throwlock.match.match import Match, take_up
from throwlock.settings.model import SoundSettings
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup import sound as hearing
from throwlock.tables.hands import GET_READY_NS, Table
from ui.screen.core.display import Display, Silent, WindowClosedError
from ui.screen.pages.views import Cadence, View
from vision.zones import spread

MS = 1_000_000
WORDS = ("ROCK", "PAPER", "SCISSORS", "SHOOT")
LATENESS = 25 * MS


def table(clock: Clock, display: Display, sound: Sound, judge: SeesAll, players: SimulatedPlayers | None) -> Table:
    seen: dict[str, object] = {"judge": judge, "performers": players}
    return Table(FewFrames(), spread(2), display=display, clock=clock, house=House(), sound=sound, **seen)  # type: ignore[arg-type]  # a judge that knows


class Timed(Silent):
    """A display that remembers when each beat was shown, and is closed at one of them."""

    def __init__(self, clock: Clock, closed_at: int | None = None) -> None:
        self.clock = clock
        self.closed_at = closed_at
        self.beats: list[int] = []

    def show(self, view: View) -> None:
        if isinstance(view, Cadence) and view.beat >= 0:
            if view.beat == self.closed_at:
                raise WindowClosedError("the window was closed")
            self.beats.append(self.clock.now_ns())


@pytest.mark.parametrize("words", [WORDS, ("ONE", *WORDS)])
def test_every_word_is_heard_when_it_is_shown_and_the_cue_is_the_last(words: tuple[str, ...]) -> None:
    clock = JumpingClock(5)
    sound, display = SimulatedSound(clock, LATENESS), Timed(clock)
    cue_ns = table(clock, display, sound, SeesAll(), None).count((1, 2), Cadence((), "Round 1", words, -1))
    assert [heard.tone for heard in sound.heard] == list(count_of(len(words)))
    assert [heard.when_ns for heard in sound.heard] == display.beats
    assert display.beats[0] == 5 + GET_READY_NS and display.beats[-1] == cue_ns


def test_a_count_that_breaks_off_is_heard_no_further() -> None:
    clock = JumpingClock()
    sound, display = SimulatedSound(clock, LATENESS), Timed(clock, closed_at=2)
    with pytest.raises(WindowClosedError):
        table(clock, display, sound, SeesAll(), None).count((1, 2), Cadence((), "Round 1", WORDS, -1))
    assert Tone.SHOOT not in [heard.tone for heard in sound.heard]
    assert [heard.when_ns for heard in sound.heard][:2] == display.beats


def match(path: Path, sound_of: type[NoSound] | None = None) -> tuple[list[Tone], list[str]]:
    """The tones of a whole match in their order, and the kinds of its events."""
    clock, judge = JumpingClock(), SeesAll()
    players = SimulatedPlayers(3, judge, cheats_at=1)  # type: ignore[arg-type]  # it performs as a table does
    sound = SimulatedSound(clock)
    with Journal(path) as journal:
        billing = billed(GAMES["redeux, asked"])
        thrown_at = table(clock, Watching(path), sound_of() if sound_of else sound, judge, players)
        Match(journal, take_up(journal, billing), thrown_at, players, lambda line: None).play()
    return [heard.tone for heard in sound.heard], [kind for kind, _ in history(path)]


def test_a_match_is_heard_and_is_the_same_without_a_loudspeaker(tmp_path: Path) -> None:
    tones, events = match(tmp_path / "heard.journal")
    rounds = [body for kind, body in history(tmp_path / "heard.journal") if "judgement" in body]
    assert tones.count(Tone.SHOOT) == len(rounds)
    assert tones.count(Tone.FOUL) == sum(bool(body["fouls"]) for body in rounds) > 0
    assert tones.count(Tone.LOCK) == sum(not body["fouls"] for body in rounds) > 0
    assert tones.count(Tone.IN) == events.count("answer") - tones.count(Tone.LOCK) > 0
    assert tones[-1] is Tone.WIN and tones.count(Tone.WIN) == 1
    assert match(tmp_path / "silent.journal", NoSound) == ([], events)


def test_nothing_is_opened_where_sound_is_off_or_no_time_passes() -> None:
    usual = SoundSettings()
    assert isinstance(hearing.opened(usual, JumpingClock()), NoSound)
    for off in ({"on": False}, {"volume": 0}):
        assert isinstance(hearing.opened(usual.model_copy(update=off), SteadyClock()), NoSound)


def test_a_loudspeaker_is_as_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sound = hearing.opened(SoundSettings(volume=40, delay_ms=120), SteadyClock())
    sound.stop()
    assert isinstance(sound, Loudspeaker)
    assert (sound.volume, sound.delay_ns, sound.fault) == (0.4, 120 * MS, None)
