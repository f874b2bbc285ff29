"""What the command line asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from device.camera.frames import Size
from rules.record.round import FoulRule
from throwlock.house_rules import HouseRules
from throwlock.journal.file import default_journal_path, is_new
from throwlock.settings.model import Settings
from throwlock.table_setup.cameras import default_camera


@dataclass(frozen=True)
class LaunchOptions:
    """The command line's options other than the game, and the settings."""

    journal: Path
    camera: str
    zones: tuple[str, ...] = ()
    headless: bool = False
    buttons: bool = False
    """Whether to use the seats' buttons and lights even if the settings have them off."""
    disputes: bool = False
    screens: Path | None = None
    size: Size = (800, 480)
    fullscreen: bool = False
    new: bool = False
    demo: bool = False
    folder_to_create: Path | None = None
    """The folder of the default journal, created if missing; None if ``--journal`` names a journal."""
    board: str | None = None
    """Where moves of the board game are made: MOVES_BY_CAMERA or MOVES_BY_SCREEN; None: ask if the printed board is in
    view."""
    in_class: bool = False
    """Whether to play with a class however few students it has; more players than fit at a table always are one."""
    keep_whole_image: bool = False
    """Whether to save the whole lock image of a class, faces included."""
    settings: Settings = field(default_factory=Settings)
    rule_overrides: Mapping[str, Any] = field(default_factory=dict)
    """The house rules given on the command line, which take precedence over the settings."""

    @classmethod
    def from_command(cls, journal: Path | None = None, camera: str | None = None, **values: Any) -> Self:
        """Return the options of a command: ``values`` are fields, and house rules, of which None is not given. Without
        a journal and a camera it uses the default ones."""
        rules = {rule: values.pop(rule, None) for rule in HouseRules.model_fields}
        default_path = default_journal_path()
        return cls(
            journal or default_path,
            camera or default_camera(),
            folder_to_create=None if journal else default_path.parent,
            rule_overrides={rule: value for rule, value in rules.items() if value is not None},
            **values,
        )

    def is_new_journal(self) -> bool:
        """Whether the journal does not exist yet. Raises JournalError if the file is not a journal."""
        return (self.folder_to_create is not None and not self.folder_to_create.exists()) or is_new(self.journal)

    @property
    def people_answer(self) -> bool:
        """Whether people answer at the box: on its screen or, without one, with their seats' buttons."""
        return not self.headless or self.buttons

    @property
    def house_rules(self) -> HouseRules:
        """The house rules of the next match: in children's mode every foul is thrown again."""
        rules = {**self.settings.rules.model_dump(), **self.settings.cards.model_dump(), **self.rule_overrides}
        if self.settings.screen.children:
            rules |= {"on_foul": FoulRule.REPLAY, "forfeit_after": 0}
        return HouseRules.model_validate(rules)
