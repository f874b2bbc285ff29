"""What the command line asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.camera.frames import Size
from throwlock.journal.file import is_new
from throwlock.match.house_rules import House
from throwlock.settings.model import Settings
from throwlock.table_setup.hardware_alerts import News


@dataclass(frozen=True)
class Wanted:
    """What the command line asked for, beside the game, and what is set. ``given`` are the house rules it named, which
    come before those that are set."""

    journal: Path
    camera: str
    zones: tuple[str, ...] = ()
    headless: bool = False
    buttons: bool = False
    """Whether the seats' buttons and lights are asked for, however they are set."""
    disputes: bool = False
    screens: Path | None = None
    size: Size = (800, 480)
    fullscreen: bool = False
    new: bool = False
    demo: bool = False
    folder: Path | None = None
    """The journal's folder where it is ours to make: nobody named a journal."""
    board: str | None = None
    """Where moves of the board game are made: on the printed board before the camera, or on the screen; None: offered
    where the board is seen."""
    settings: Settings = field(default_factory=Settings)
    news: News = field(default_factory=News, compare=False)
    """What went wrong with buttons and lights, and is still to be shown."""
    given: Mapping[str, Any] = field(default_factory=dict)

    def is_new(self) -> bool:
        """Whether the journal has to be made. Raises JournalError when it can't be one."""
        return (self.folder is not None and not self.folder.exists()) or is_new(self.journal)

    @property
    def people(self) -> bool:
        """Whether people answer at the box: on its screen or, where that is not there, with their seats' buttons."""
        return not self.headless or self.buttons

    @property
    def house(self) -> House:
        """The house rules of the next match."""
        kept = {**self.settings.house.model_dump(), **self.settings.cards.model_dump()}
        return House.model_validate({**kept, **self.given})
