"""Opens the box's sound by its settings. Without a loudspeaker matches are silent; ``throwlock doctor`` says why."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from device.sound.base import NullSound, Sound, Tone
from device.sound.loudspeaker import Loudspeaker
from device.sound.speech import Speech
from device.sound.voice import Voice, find_voice_program
from device.system.clock import Clock, SimulatedClock
from throwlock.nonessential import nonessential
from throwlock.settings.model import SoundSettings
from throwlock.table_setup.spoken_sound import SpokenSound
from vision.hands.model import cache_directory


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
    if not (settings.on and settings.volume) or isinstance(clock, SimulatedClock):
        return NullSound()
    loudspeaker = Loudspeaker(settings.volume / 100, settings.delay_ms * 1_000_000)
    speaks = settings.count != "tones" or settings.results
    program = find_voice_program() if speaks else None
    if program is None:
        return loudspeaker
    return SpokenSound(loudspeaker, clock, settings, beat_ms, partial(Voice, program, cache=cache_directory()))
