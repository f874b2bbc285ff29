"""Opens the box's sound by its settings. Without a loudspeaker matches are silent; ``throwlock doctor`` says why."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from typing_extensions import override

from device.sound.base import NullSound, Sound, Speech, Tone, count_tones
from device.sound.loudspeaker import Loudspeaker
from device.sound.voice import Voice, find_voice_program
from device.system.clock import Clock, SimulatedClock
from device.system.periodic import MakePeriodicTask, ThreadTicker
from throwlock.nonessential import nonessential
from throwlock.settings.model import SoundSettings
from ui.i18n.language import current_language, render
from ui.text.verdicts import COUNT_WORDS
from vision.hands.model import cache_directory

TONE_PAUSE_NS, WIN_PAUSE_NS = 500_000_000, 900_000_000
"""Speech begins this long after a tone, and after a long one: when most of it is over."""
LONG_TONES = (Tone.WIN, Tone.STREAK, Tone.ALL_IN, Tone.UPSET)
SENTENCE_PAUSE_NS = 250_000_000
"""Between two sentences."""
COUNT_PAUSE_NS = 500_000_000
"""Nothing is rendered from the beginning of a count until this long after its last word."""
MAX_WAITING_SENTENCES = 4
"""Of more sentences than these the oldest are dropped: people have gone on."""

MakeVoice = Callable[[str], Voice]
"""Returns the voice of a language. Raises VoiceError."""


class _CountKey(NamedTuple):
    """What the speech of a count depends on."""

    words: tuple[str, ...]
    language: str
    """The language of ``words``."""
    beat_ns: int


class _Sentence(NamedTuple):
    text: str
    language: str


class SpokenSound(Sound):
    """Plays through ``sound``, on ``clock``. A thread of its own renders speech, one text at a time and none during a
    count: the usual words with ``beat_ms`` between them at once, other counts when they have been played for the first
    time, which is with tones. Without a voice everything is as without this class."""

    def __init__(
        self,
        sound: Sound,
        clock: Clock,
        settings: SoundSettings,
        beat_ms: int,
        make_voice: MakeVoice,
        make_task: MakePeriodicTask = ThreadTicker,
    ) -> None:
        self._sound, self._clock, self._settings = sound, clock, settings
        self._make_voice = make_voice
        self._voices: dict[str, Voice | None] = {}
        self._counts: dict[_CountKey, tuple[Speech, ...] | None] = {}
        self._wanted = _count_key(COUNT_WORDS, beat_ms * 1_000_000) if settings.count != "tones" else None
        self._sentences: deque[_Sentence] = deque(maxlen=MAX_WAITING_SENTENCES)
        self._counting_until_ns = self._busy_until_ns = self._speaking_until_ns = clock.now_ns()
        self._lock = threading.Lock()
        self._task = make_task(self._render_next, "speech")

    @property
    @override
    def volume(self) -> float:
        return self._sound.volume

    @volume.setter
    def volume(self, volume: float) -> None:
        self._sound.volume = volume

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        with self._lock:
            pause_ns = WIN_PAUSE_NS if sound in LONG_TONES else TONE_PAUSE_NS
            self._busy_until_ns = max(
                self._busy_until_ns, (self._clock.now_ns() if at_ns is None else at_ns) + pause_ns
            )
        self._sound.play(sound, at_ns)

    @override
    def play_count(self, words: Sequence[str], times_ns: Sequence[int]) -> None:
        key = _count_key(words, times_ns[1] - times_ns[0] if len(times_ns) > 1 else 0)
        with self._lock:
            self._sentences.clear()
            speaks = self._speaking_until_ns > self._clock.now_ns()
            self._counting_until_ns = times_ns[-1] + COUNT_PAUSE_NS
            count = self._counts.get(key)
            if self._settings.count != "tones" and key not in self._counts:
                self._wanted = key
        if speaks:
            self._sound.silence()
        if count is None or self._settings.count == "both":
            for tone, at_ns in zip(count_tones(len(times_ns)), times_ns, strict=True):
                self._sound.play(tone, at_ns)
        for speech, at_ns in zip(count or (), times_ns, strict=False):
            self._sound.play(speech, at_ns)
        self._task.wake()

    @override
    def say(self, sentence: str) -> None:
        if not self._settings.results or not sentence:
            return
        with self._lock:
            self._sentences.append(_Sentence(render(sentence), current_language()))
        self._task.wake()

    @override
    def silence(self) -> None:
        with self._lock:
            self._sentences.clear()
            self._counting_until_ns = self._clock.now_ns()
        self._sound.silence()
        self._task.wake()

    @override
    def stop(self) -> None:
        self._task.stop()
        self._sound.stop()

    def _render_next(self) -> float | None:
        """Render what is wanted next, a sentence or a count, unless it is too early. Return the seconds until there is
        something else to do."""
        with self._lock:
            now_ns = self._clock.now_ns()
            if now_ns < self._counting_until_ns:
                return (self._counting_until_ns - now_ns) / 1e9
            wanted, self._wanted = self._wanted, None
            sentence = self._sentences[0] if self._sentences else None
            if wanted is None and sentence is None:
                return None
            if wanted is None and now_ns < self._busy_until_ns:
                return (self._busy_until_ns - now_ns) / 1e9
        if wanted is not None:
            self._counts[wanted] = self._render_count(wanted)
        elif sentence is not None:
            self._speak(sentence)
        return 0.0

    def _render_count(self, key: _CountKey) -> tuple[Speech, ...] | None:
        """Return the words of a count, None without a voice."""
        voice = self._voice(key.language)
        with nonessential("a count can't be spoken"):
            return None if voice is None else voice.say_count(key.words, key.beat_ns)
        return None

    def _speak(self, sentence: _Sentence) -> None:
        """Render a sentence and play it, unless a count has begun meanwhile."""
        voice, speech = self._voice(sentence.language), None
        with nonessential("a sentence can't be spoken"):
            speech = None if voice is None else voice.say(sentence.text)
        with self._lock:
            if not self._sentences or self._sentences[0] is not sentence:
                return
            self._sentences.popleft()
            if speech is None:
                return
            self._speaking_until_ns = self._clock.now_ns() + speech.lead_ns + speech.tail_ns
            self._busy_until_ns = self._speaking_until_ns + SENTENCE_PAUSE_NS
            self._sound.play(speech)

    def _voice(self, language: str) -> Voice | None:
        """Return the voice of a language, None if there is none. It is opened the first time only."""
        if language not in self._voices:
            self._voices[language] = None
            with nonessential("nothing is spoken"):
                self._voices[language] = self._make_voice(language)
        return self._voices[language]


def _count_key(words: Sequence[str], beat_ns: int) -> _CountKey:
    """Return the key of a count in the screen's language. The voice would spell some words in capitals."""
    return _CountKey(tuple(render(word).lower() for word in words), current_language(), beat_ns)


class SafeSound(Sound):
    """Plays through ``sound``. Whatever fails in that is logged, and a match goes on without being heard."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound

    @property
    def volume(self) -> float:
        """The volume of ``sound``."""
        return self._sound.volume

    @volume.setter
    def volume(self, volume: float) -> None:
        self._sound.volume = volume

    @override
    def play(self, sound: Tone | Speech, at_ns: int | None = None) -> None:
        with nonessential("a tone can't be played"):
            self._sound.play(sound, at_ns)

    @override
    def play_count(self, words: Sequence[str], times_ns: Sequence[int]) -> None:
        with nonessential("a count can't be played"):
            self._sound.play_count(words, times_ns)

    @override
    def say(self, sentence: str) -> None:
        with nonessential("a sentence can't be spoken"):
            self._sound.say(sentence)

    @override
    def silence(self) -> None:
        with nonessential("the sound can't be stopped"):
            self._sound.silence()

    @override
    def stop(self) -> None:
        with nonessential("the sound can't be closed"):
            self._sound.stop()


def open_sound(settings: SoundSettings, clock: Clock, beat_ms: int) -> Sound:
    """Return what plays tones, and speaks if it is set to and a voice is installed, at times of ``clock``; NullSound if
    switched off or if the clock is simulated. Counts are expected with ``beat_ms`` between words. The caller stops
    it."""
    if not settings.on or isinstance(clock, SimulatedClock):
        return NullSound()
    loudspeaker = Loudspeaker(settings.volume / 100, settings.delay_ms * 1_000_000, settings.music / 100)
    speaks = settings.count != "tones" or settings.results
    program = find_voice_program() if speaks else None
    if program is None:
        return loudspeaker
    return SpokenSound(loudspeaker, clock, settings, beat_ms, partial(Voice, program, cache=cache_directory()))
