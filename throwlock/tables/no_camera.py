"""A table that no camera looks at: throws are answered as everything else is, on the screen or by buttons, each sealed
until all are in. Nobody can be late there, and nobody is judged."""

from dataclasses import dataclass, field

from device.sound.sound import NoSound, Sound
from device.system.clock import Clock
from throwlock.match.house_rules import House
from throwlock.tables.hands import Performers
from ui.screen.core.display import Display


@dataclass
class Unwatched:
    """What a match without a camera is played at."""

    display: Display
    clock: Clock
    house: House
    sound: Sound = field(default_factory=NoSound)
    performers: Performers | None = None
