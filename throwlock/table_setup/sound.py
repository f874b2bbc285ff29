"""Opens the box's sound by its settings. Without a loudspeaker matches are silent; ``throwlock doctor`` says why."""

from device.sound.base import NullSound, Sound
from device.sound.loudspeaker import Loudspeaker
from device.system.clock import Clock, SimulatedClock
from throwlock.settings.model import SoundSettings


def open_sound(settings: SoundSettings, clock: Clock) -> Sound:
    """Return what plays tones at times of ``clock``; NoSound if switched off or if the clock is simulated. The caller
    stops it."""
    if not (settings.on and settings.volume) or isinstance(clock, SimulatedClock):
        return NullSound()
    return Loudspeaker(settings.volume / 100, settings.delay_ms * 1_000_000)
