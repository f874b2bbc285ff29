"""The box's sound as its settings want it. Where there is no loudspeaker nothing is heard, and a match goes on without:
``throwlock doctor`` says why."""

from device.sound.loudspeaker import Loudspeaker
from device.sound.sound import NoSound, Sound
from device.system.clock import Clock, JumpingClock
from throwlock.settings.model import SoundSettings


def opened(settings: SoundSettings, clock: Clock) -> Sound:
    """What plays the tones of a match on ``clock``: nothing does where people have it off, or where time does not pass.
    Stop it in the end."""
    if not (settings.on and settings.volume) or isinstance(clock, JumpingClock):
        return NoSound()
    return Loudspeaker(settings.volume / 100, settings.delay_ms * 1_000_000)
