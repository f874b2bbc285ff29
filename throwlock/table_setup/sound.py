"""Opens the box's sound by its settings. Without a loudspeaker matches are silent; ``throwlock doctor`` says why."""

from functools import partial

from device.sound.base import NullSound, Sound
from device.sound.loudspeaker import Loudspeaker
from device.sound.voice import Voice, find_voice_program
from device.system.clock import Clock, SimulatedClock
from throwlock.settings.model import SoundSettings
from throwlock.table_setup.spoken_sound import SpokenSound
from vision.hands.model import cache_directory


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
