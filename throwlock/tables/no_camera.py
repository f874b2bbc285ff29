"""A table without a camera: players enter their throws on the screen or with buttons, sealed until all are in. Nothing
is timed or judged."""

from dataclasses import dataclass, field

from device.sound.base import NullSound, Sound
from device.system.clock import Clock
from throwlock.match.house_rules import HouseRules
from throwlock.tables.hands import ThrowListener
from ui.screen.core.display import Display


@dataclass
class NoCameraTable:
    """The table of a match without a camera."""

    display: Display
    clock: Clock
    house_rules: HouseRules
    sound: Sound = field(default_factory=NullSound)
    throw_listener: ThrowListener | None = None
