"""The box's settings: one TOML file, read into the classes below, whose descriptions are also what the settings page,
the command line and the documents say. What people change on the screen is written back, comments and all."""

import os
from pathlib import Path
from typing import Literal

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from tomlkit.exceptions import TOMLKitError

from referee.house import House


class SettingsFault(Exception):
    """Settings that can't be read or kept. The message names the file, the setting and how to mend it, in one line."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScreenSettings(_Part):
    """What people see."""

    language: Literal["en", "de", "fr"] = Field(default="en", description="the language of the screen")
    handed: Literal["right", "left"] = Field(
        default="right", description="the hand that touches: main buttons stand on its side"
    )


class Settings(_Part):
    """Everything that is set for this box, beside the table's zones."""

    screen: ScreenSettings = ScreenSettings()
    house: House = House()


def usual_place() -> Path:
    """``$THROWLOCK_SETTINGS``, or ``$XDG_CONFIG_HOME/throwlock/throwlock.toml``, whether it is there or not."""
    named = os.environ.get("THROWLOCK_SETTINGS")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "throwlock" / "throwlock.toml"


def read(path: Path) -> Settings:
    """The settings in ``path``; what it does not say, and all of them where there is no such file, is as described.
    Raises SettingsFault."""
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise SettingsFault(f"{path} can't be read: {error}") from error
    try:
        return Settings.model_validate(document.unwrap())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsFault(f"{path}: {where}: {first['msg'].lower()}; correct or delete that line") from error
