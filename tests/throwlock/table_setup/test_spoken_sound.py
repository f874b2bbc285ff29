"""Tests of what is spoken, and when: counts in the screen's language, and sentences between counts."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from device.simulated.controls import SimulatedSound
from device.sound.base import Speech, Tone, count_tones
from device.sound.voice import Voice, VoiceError
from device.system.clock import SimulatedClock
from device.system.periodic import PeriodicCallback
from messages import N
from tests.helpers.manual_ticker import ManualTicker
from throwlock.settings.model import SoundSettings
from throwlock.table_setup.sound import COUNT_PAUSE_NS, MAX_WAITING_SENTENCES, SpokenSound
from ui.i18n.language import set_language
from ui.text.verdicts import COUNT_WORDS

MS = 1_000_000
BEAT_MS = 600
SENTENCE_NS = 1_000 * MS


class FakeVoice(Voice):
    """Speaks at once; ``texts`` has what was rendered, by language. ``before`` is called before each text."""

    def __init__(self, language: str, texts: list[tuple[str, str]], before: Callable[[], object]) -> None:
        if language == "fr":
            raise VoiceError("there is no French voice")
        self.language = language
        self.texts = texts
        self.before = before

    def say(self, text: str, speed_wpm: int = 170) -> Speech:
        self.before()
        if text == "…":
            raise VoiceError("nothing was said")
        self.texts.append((self.language, text))
        return Speech(np.zeros(1_000, np.float32), 1_000, 0)

    def say_count(self, words: Sequence[str], beat_ns: int) -> tuple[Speech, ...]:
        return tuple(self.say(word) for word in words)


class Box:
    """A spoken sound with everything around it simulated; its thread runs when the test says so."""

    def __init__(self, **settings: object) -> None:
        self.clock = SimulatedClock(1_000)
        self.played = SimulatedSound(self.clock)
        self.texts: list[tuple[str, str]] = []
        self.before_text: Callable[[], object] = lambda: None
        values = SoundSettings.model_validate(settings)
        self.sound = SpokenSound(self.played, self.clock, values, BEAT_MS, self._open_voice, self._make_task)

    def _open_voice(self, language: str) -> FakeVoice:
        return FakeVoice(language, self.texts, lambda: self.before_text())  # noqa: PLW0108 - the test may set another one

    def _make_task(self, callback: PeriodicCallback, name: str) -> ManualTicker:
        self.task = ManualTicker(callback, name)
        return self.task

    def work(self) -> None:
        """Let the thread work for as long as it has something to do at this time."""
        self.task.tick()
        while self.task.delay_s == 0:
            self.task.tick()

    def work_on(self) -> None:
        """Let the thread work, and time pass, until nothing is left to do."""
        self.work()
        while self.task.delay_s is not None:
            self.clock.wait_until(self.clock.now_ns() + round(self.task.delay_s * 1e9))
            self.work()

    def count(self, words: Sequence[str] = COUNT_WORDS, beat_ms: int = BEAT_MS) -> list[int]:
        times = [self.clock.now_ns() + 1_500 * MS + beat * beat_ms * MS for beat in range(len(words))]
        self.sound.play_count(words, times)
        return times

    def heard(self, kind: type) -> list[int]:
        return [one.when_ns for one in self.played.played if isinstance(one.tone, kind)]


@pytest.mark.parametrize(("count", "tones", "words"), [("both", 4, 4), ("voice", 0, 4), ("tones", 4, 0)])
def test_count_is_heard_as_set(count: str, tones: int, words: int) -> None:
    box = Box(count=count)
    box.work()
    times = box.count()
    assert box.heard(Tone) == times[:tones]
    assert box.heard(Speech) == times[:words]
    assert len(box.texts) == words


def test_count_is_spoken_in_the_language_of_the_screen() -> None:
    set_language("de")
    box = Box(count="voice")
    box.work()
    assert box.texts == [("de", word) for word in ("schere", "stein", "papier", "los!")]
    set_language("en")
    box.count()
    assert box.heard(Speech) == [] and len(box.heard(Tone)) == 4, "tones, until the words are rendered"
    box.work_on()
    times = box.count()
    assert box.heard(Speech) == times
    assert box.texts[4:] == [("en", word) for word in ("rock", "paper", "scissors", "shoot!")]


def test_nothing_is_rendered_during_a_count() -> None:
    box = Box(count="both", results=True)
    times = box.count()  # before anything was rendered
    box.sound.say("Ada wins.")
    for at_ns in (*times, times[-1] + COUNT_PAUSE_NS - MS):
        box.clock.wait_until(at_ns)
        box.task.tick()
        assert not box.texts
        assert box.task.delay_s == pytest.approx((times[-1] + COUNT_PAUSE_NS - at_ns) / 1e9)
    box.work_on()
    assert [text for _, text in box.texts] == ["rock", "paper", "scissors", "shoot!", "Ada wins."]
    assert [heard.tone for heard in box.played.played][:4] == list(count_tones(4))


def test_sentences_follow_each_other_and_the_tones() -> None:
    box = Box(results=True)
    box.work()
    rendered = len(box.texts)
    box.sound.play(Tone.ROUND_WON)
    box.sound.say(N("Ada wins."))
    box.sound.say("")
    box.sound.say("The score: Ada 1, Ben 0.")
    assert box.heard(Speech) == [], "the tone comes first"
    box.work_on()
    first, second = box.heard(Speech)
    assert first > box.heard(Tone)[0] and second >= first + SENTENCE_NS
    assert [text for _, text in box.texts[rendered:]] == ["Ada wins.", "The score: Ada 1, Ben 0."]


def test_count_cuts_sentences_off() -> None:
    box = Box(results=True)
    box.work()
    for sentence in ("One.", "Two."):
        box.sound.say(sentence)
    box.work()
    started_ns = box.clock.now_ns()
    assert box.heard(Speech) == [started_ns]
    silenced: list[int] = []
    silence = box.played.silence

    def note_silence() -> None:
        silenced.append(box.clock.now_ns())
        silence()

    box.played.silence = note_silence
    box.clock.wait_until(started_ns + 100 * MS)
    times = box.count()
    assert silenced == [started_ns + 100 * MS], "the sentence that is being spoken"
    box.work_on()
    assert "Two." not in [text for _, text in box.texts]
    assert box.heard(Speech) == [started_ns, *times]
    box.count()
    assert len(silenced) == 1, "a count does not silence what is no speech"


def test_a_sentence_that_a_count_overtakes_is_not_spoken() -> None:
    box = Box(results=True)
    box.work()
    box.before_text = box.count
    box.sound.say("Ada wins.")
    assert len(box.heard(Speech)) == 4, "the count's words"


def test_only_the_newest_sentences_wait() -> None:
    box = Box(results=True)
    box.sound.play(Tone.REVEAL)
    for number in range(10):
        box.sound.say(f"{number}.")
    box.work_on()
    spoken = [text for _, text in box.texts if text[0].isdigit()]
    assert spoken == [f"{number}." for number in range(10 - MAX_WAITING_SENTENCES, 10)]


def test_results_are_spoken_only_where_they_are_switched_on() -> None:
    box = Box(results=False)
    box.sound.say("Ada wins.")
    box.work_on()
    assert "Ada wins." not in [text for _, text in box.texts]


def test_tones_sound_where_the_voice_fails() -> None:
    set_language("fr")
    box = Box(count="voice", results=True)
    box.work()
    box.sound.say("Ada gagne.")
    box.work_on()
    times = box.count()
    assert box.heard(Tone) == times and box.heard(Speech) == []
    set_language("en")
    box.sound.say("…")
    box.work_on()
    box.sound.say("Ada wins.")
    box.work_on()
    assert len(box.heard(Speech)) == 1, "a sentence that can't be spoken doesn’t stop the next"


def test_interrupted_count_is_silenced_and_speech_goes_on() -> None:
    box = Box(count="both", results=True)
    box.work()
    box.count()
    box.sound.silence()
    assert box.played.played == ()
    box.sound.say("Ada wins.")
    box.work_on()
    assert len(box.heard(Speech)) == 1


def test_volume_is_the_loudspeakers_and_stopping_stops_it() -> None:
    box = Box()
    box.sound.volume = 0.25
    assert box.played.volume == box.sound.volume == 0.25
    box.sound.stop()
    assert box.played.stopped and box.task.stopped
