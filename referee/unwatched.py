"""A table that no camera looks at: throws are answered as everything else is, on the screen or by buttons, each sealed
until all are in. Nobody can be late there, and nobody is judged."""

from dataclasses import dataclass, field

from device.clock import Clock
from device.sound import NoSound, Sound
from referee.house import House
from referee.rounds import Performers
from ui.screen.display import Display


@dataclass
class Unwatched:
    """What a match without a camera is played at."""

    display: Display
    clock: Clock
    house: House
    sound: Sound = field(default_factory=NoSound)
    performers: Performers | None = None
