"""The box's settings: one TOML file, read into the classes below, whose descriptions are also what the settings page,
the command line and the documents say. What people change on the screen is written back, comments and all."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

import tomlkit
from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from device.gpio.pins import USUAL
from errors import ThrowlockError
from rules.engine import Choices, Options, Span, Value
from throwlock.match.house_rules import Cards, Rules
from ui.i18n.language import N


class SettingsError(ThrowlockError):
    """Settings that can't be read or kept. The message names the file, the setting and how to mend it, in one line."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScreenSettings(_Part):
    """What people see."""

    language: Literal["en", "de", "fr"] = Field(default="en", description=N("the language of the screen"))
    handed: Literal["right", "left"] = Field(
        default="right", description=N("the hand that touches: main buttons stand on its side")
    )


class SoundSettings(_Part):
    """What people hear."""

    on: bool = Field(default=True, description=N("whether the box beats the count and sounds lock, foul and win"))
    volume: int = Field(default=80, ge=0, le=100, description=N("how loud, of 100"))
    delay_ms: int = Field(
        default=0,
        ge=0,
        le=500,
        description=N("ms that the loudspeaker is late: every tone is sent so much earlier"),
    )


class CameraSettings(_Part):
    """What looks at the table."""

    name: str = Field(
        default="auto",
        pattern=r"auto|none|simulated|picamera2(:\d+)?|usb:\d+|clip:.+",
        description=N("picamera2, usb:N, or auto: the Pi's own camera where its library is, else usb:0"),
    )
    width: int = Field(default=1280, ge=320, le=4056, description=N("width in pixels of the pictures that are judged"))
    height: int = Field(default=720, ge=240, le=3040, description=N("their height"))
    fps: int = Field(default=120, ge=15, le=240, description=N("the most frames a second that are asked for"))
    exposure_us: int = Field(
        default=4000, ge=100, le=30000, description=N("the longest exposure of the Pi's camera in a round, in µs")
    )
    focus_cm: int = Field(
        default=0, ge=0, le=1000, description=N("cm from lens to table, for a lens with a motor (0: as it stands)")
    )


class JournalSettings(_Part):
    """What is kept of the matches."""

    evidence_mb: int = Field(
        default=4000,
        ge=50,
        le=1_000_000,
        description=N("MB of pictures that are kept; between matches the oldest are deleted, results never"),
    )


class ButtonSettings(_Part):
    """The seats' buttons and lights."""

    on: bool = Field(default=False, description=N("whether the seats have buttons and lights"))
    hold_ms: int = Field(
        default=600, ge=300, le=2000, description=N("ms a button is held until it counts as held, which folds or runs")
    )
    run_ms: int = Field(default=250, ge=100, le=1000, description=N("ms between the steps while raise is held"))


class SeatSettings(_Part):
    """The GPIO numbers of one seat."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    raises: int = Field(alias="raise", description=N("the GPIO of the button that raises"))
    confirm: int = Field(description=N("the GPIO of the button that confirms"))
    light: int | None = Field(default=None, description=N("the GPIO of the light, if there is one"))


class Settings(_Part):
    """Everything that is set for this box, beside the table's zones."""

    screen: ScreenSettings = ScreenSettings()
    sound: SoundSettings = SoundSettings()
    house: Rules = Rules()
    cards: Cards = Cards()
    camera: CameraSettings = CameraSettings()
    journal: JournalSettings = JournalSettings()
    buttons: ButtonSettings = ButtonSettings()
    seat: tuple[SeatSettings, ...] = Field(
        default=tuple(SeatSettings(**asdict(pins)) for pins in USUAL),
        description=N("the pins of the seats' buttons and lights: a [[seat]] with raise, confirm and light for each"),
    )


FILE_ONLY = (
    "cards.card_window_ms",
    "camera.name",
    "camera.width",
    "camera.height",
    "camera.fps",
    "camera.exposure_us",
    "camera.focus_cm",
    "journal.evidence_mb",
)
"""Settings that few people change, and none need on the screen."""
STEPS = MappingProxyType(
    {
        "house.window_ms": 50,
        "house.beat_ms": 50,
        "sound.volume": 10,
        "sound.delay_ms": 10,
        "buttons.hold_ms": 50,
        "buttons.run_ms": 50,
    }
)
"""By how much a touch changes a number that is set finely; any other goes one up or down."""


@dataclass(frozen=True)
class Described:
    """One setting as it is told and changed: its part and name in the file, what it is for, what it is as long as
    nobody sets it, and what a touch can set it to (``None``: it is written in the file only)."""

    part: str
    name: str
    about: str
    default: Any
    allowed: Options | None

    @property
    def key(self) -> str:
        """Its name with its part's."""
        return f"{self.part}.{self.name}" if self.part else self.name

    def value(self, settings: Settings) -> Any:
        """What it is in ``settings``, as the file has it."""
        plain = settings.model_dump(mode="json")
        return plain[self.part][self.name] if self.part else plain[self.name]

    def may_be(self) -> str:
        """What it can be, as the file has it."""
        if isinstance(self.allowed, Span):
            return f"{self.allowed.start} to {self.allowed.stop}"
        return " or ".join(map(written, self.allowed.values)) if self.allowed else "in the file only"


def written(value: Any) -> str:
    """A value as the file has it; of several parts that each are a table, their names and values in a line."""
    if isinstance(value, list | tuple):
        return "; ".join(", ".join(f"{name} {written(one)}" for name, one in part.items()) for part in value) or "none"
    return "none" if value is None else tomlkit.item(value).as_string()


def all_described() -> Iterator[Described]:
    """Every setting, in the order of the classes above."""
    usual = Settings()
    for part, model in Settings.model_fields.items():
        if not (isinstance(model.annotation, type) and issubclass(model.annotation, BaseModel)):
            yield Described("", part, model.description or "", usual.model_dump(mode="json")[part], None)
            continue
        plain = getattr(usual, part).model_dump(mode="json")
        for name, field in model.annotation.model_fields.items():
            yield Described(part, name, field.description or "", plain[name], _allowed(f"{part}.{name}", field))


def _allowed(key: str, field: FieldInfo) -> Options | None:
    """What a setting can be, where that is few words, yes or no, or a number between two."""
    kind = field.annotation
    if key in FILE_ONLY:
        return None
    if kind is bool:
        return Choices((True, False))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return Choices(tuple(str(member.value) for member in kind))
    if words := get_args(kind):
        return Choices(words) if all(isinstance(word, str) for word in words) else None
    low = next((limit.ge for limit in field.metadata if isinstance(limit, Ge)), None)
    high = next((limit.le for limit in field.metadata if isinstance(limit, Le)), None)
    if kind is int and isinstance(low, int) and isinstance(high, int):
        return Span(low, high, STEPS.get(key, 1))
    return None


def usual_place() -> Path:
    """``$THROWLOCK_SETTINGS``, or ``$XDG_CONFIG_HOME/throwlock/throwlock.toml``, whether it is there or not."""
    named = os.environ.get("THROWLOCK_SETTINGS")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "throwlock" / "throwlock.toml"


def read(path: Path) -> Settings:
    """The settings in ``path``; what it does not say, and all of them where there is no such file, is as described.
    Raises SettingsError."""
    return _checked(path, _document(path))


def keep(path: Path, changes: Mapping[str, Value]) -> Settings:
    """Write ``changes`` (by part and name: "house.beat_ms") into ``path``, in which all else stays as it was, comments
    too, and return what is set then. A file that can't be read is left alone. Raises SettingsError."""
    document = _document(path)
    _checked(path, document)
    for key, value in changes.items():
        part, _, name = key.rpartition(".")
        table = document.get(part)
        if not isinstance(table, Table):
            table = tomlkit.table()
            document[part] = table
        table[name] = value
    settings = _checked(path, document)
    half = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with half.open("w", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        raise SettingsError(
            f"{path} can't be written ({error.strerror}): make it writable, or name another in THROWLOCK_SETTINGS"
        ) from error
    return settings


def set_in(path: Path) -> frozenset[str]:
    """The settings that ``path`` says something of, by part and name. Raises SettingsError."""
    document = _document(path).unwrap()
    return frozenset(
        f"{part}.{name}" for part, names in document.items() if isinstance(names, Mapping) for name in names
    )


def _document(path: Path) -> tomlkit.TOMLDocument:
    """What stands in ``path``; an empty one where it is not there."""
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return tomlkit.document()
    except OSError as error:
        raise SettingsError(f"{path} can't be read ({error.strerror}): correct it, or delete it") from error
    except (UnicodeDecodeError, TOMLKitError) as error:
        raise SettingsError(f"{path} can't be read ({error}): correct it, or delete it") from error


def _checked(path: Path, document: tomlkit.TOMLDocument) -> Settings:
    try:
        return Settings.model_validate(document.unwrap())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{path}: {where}: {first['msg'].lower()}; correct or delete that line") from error
