"""The box's settings: one TOML file, read into the classes below. Their descriptions also appear on the settings page,
on the command line and in the documents. Changes on the screen are written back without losing comments."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import platformdirs
import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from device.gpio.pins import DEFAULT_SEAT_PINS, SeatPins, check_pins
from device.system.input_files import MAX_TEXT_BYTES, read_input_file
from device.system.output_files import atomic_write
from device.system.processor import is_raspberry_pi_4
from errors import ThrowlockError
from messages import N, shorten
from rules.engine import AllowedValues, Choices, IntRange, Value
from throwlock.house_rules import CardRules, LockRules


class SettingsError(ThrowlockError):
    """The settings can't be read or saved. The one-line message names the file, the setting and how to fix it."""


CountSound = Literal["tones", "voice", "both"]
"""How a count is heard: tones, spoken words, or both."""
SlowMotionRule = Literal["always", "important", "never"]
"""After which rounds slow motion is shown: always, after important ones, or never."""


class _SettingsSection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScreenSettings(_SettingsSection):
    """The screen."""

    language: Literal["en", "de", "fr"] = Field(default="en", description=N("language of the screen"))
    handed: Literal["right", "left"] = Field(
        default="right", description=N("where the main buttons are: on the right or on the left")
    )
    rotation: Literal[0, 90, 180, 270] = Field(
        default=0, description=N("degrees clockwise, for a touchscreen that is mounted on its side or upside down")
    )
    slow_motion: SlowMotionRule = Field(
        default="important",
        description=N("slow motion after every round, after important ones (close, with a foul, the last), or never"),
    )
    motion: Literal["full", "reduced"] = Field(
        default="full", description=N("cards and images turn over, or, with less motion, are there at once")
    )
    contrast: Literal["usual", "high"] = Field(
        default="usual", description=N("high: white and yellow on black, here, on televisions and on phones")
    )
    text: Literal["usual", "large"] = Field(
        default="usual",
        description=N("large: texts up to a third larger, here and at the HDMI output; browsers keep their own size"),
    )
    children: bool = Field(
        default=False,
        description=N("children’s mode: stars instead of points, and a foul is just thrown again"),
    )
    second: Literal["auto", "off"] = Field(
        default="auto", description=N("a television at the box’s HDMI output: used when one is connected, or off")
    )
    dark_after_min: int = Field(
        default=10, ge=0, le=120, description=N("minutes without a touch until the screen goes dark while nobody plays")
    )
    first_start: bool = Field(
        default=True,
        description=N("a box without a journal leads through language, time zone, camera, zones, sound and Wi-Fi"),
    )


class SoundSettings(_SettingsSection):
    """The sound."""

    on: bool = Field(default=True, description=N("tones for the count, the lock, fouls and wins"))
    count: CountSound = Field(
        default="both",
        description=N("the count: tones, spoken words or both; without a voice (espeak-ng) always tones"),
    )
    results: bool = Field(
        default=False, description=N("results, scores and whose turn it is are spoken, if a voice is installed")
    )
    volume: int = Field(default=80, ge=0, le=100, description=N("volume, from 0 to 100"))
    music: int = Field(
        default=50, ge=0, le=100, description=N("volume of the quiet music between the rounds, from 0 (none) to 100")
    )
    delay_ms: int = Field(
        default=0, ge=0, le=500, description=N("delay of the loudspeaker in ms: tones are sent that much earlier")
    )


def default_fps() -> int:
    """Return the default frame rate: a Raspberry Pi 4 drops frames at 120 a second (raspberrypi/libcamera #223)."""
    return 60 if is_raspberry_pi_4() else 120


class CameraSettings(_SettingsSection):
    """The camera."""

    name: str = Field(
        default="auto",
        pattern=r"auto|none|simulated|picamera2(:\d+)?|usb:\d+|clip:.+",
        description=N("picamera2, usb:N, or auto: the Pi’s camera if its library is installed, else usb:0"),
    )
    rotation: Literal[0, 180] = Field(default=0, description=N("degrees that the camera’s image is rotated by"))
    width: int = Field(default=1280, ge=320, le=4056, description=N("width of the judged images in pixels"))
    height: int = Field(default=720, ge=240, le=3040, description=N("height of the judged images in pixels"))
    fps: int = Field(
        default_factory=default_fps,
        ge=15,
        le=240,
        description=N("highest frame rate to request; 60 if not set on a Raspberry Pi 4"),
    )
    exposure_us: int = Field(
        default=4000, ge=100, le=30000, description=N("longest exposure of the Pi’s camera in a round, in µs")
    )
    focus_cm: int = Field(
        default=0,
        ge=0,
        le=1000,
        description=N("distance from lens to table in cm, for a motorised lens (0: leave it as it is)"),
    )


class JournalSettings(_SettingsSection):
    """The journal."""

    evidence_mb: int = Field(
        default=4000,
        ge=50,
        le=1_000_000,
        description=N("space for images in MB; between matches the oldest are deleted, results never"),
    )
    keep_damaged_days: int = Field(
        default=30,
        ge=1,
        le=3650,
        description=N("days for which a damaged journal that was put aside is kept, if there is space for it"),
    )


class ClipSettings(_SettingsSection):
    """What clips of rounds are made from."""

    keep_hours: int = Field(
        default=24, ge=0, le=168, description=N("hours for which the frames of rounds are kept for clips; 0: none are")
    )
    keep_mb: int = Field(
        default=1000, ge=100, le=20_000, description=N("space for these frames in MB; the oldest are deleted")
    )


class NetworkSettings(_SettingsSection):
    """The pages on the network."""

    names: str = Field(
        default="",
        max_length=1000,
        pattern=r"[A-Za-z0-9. -]*",
        description=N("further names by which browsers may open the pages, besides the usual ones; spaces in between"),
    )


class HallSettings(_SettingsSection):
    """The hall that the box is part of; how it is reached is in a file of its own (``throwlock.hall.membership``)."""

    on: bool = Field(
        default=False,
        description=N("results are sent to the hall that the box has joined, whose matches are played here"),
    )
    pictures: bool = Field(default=False, description=N("pictures of disputed rounds are sent to the hall too"))


class ButtonSettings(_SettingsSection):
    """The seats' buttons and lights."""

    on: bool = Field(default=False, description=N("buttons and lights at the seats"))
    hold_ms: int = Field(
        default=600, ge=300, le=2000, description=N("ms until a pressed button counts as held, which passes or repeats")
    )
    repeat_ms: int = Field(default=250, ge=100, le=1000, description=N("ms between steps while raise is held"))


class SeatSettings(_SettingsSection):
    """The GPIO numbers of one seat."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    raises: int = Field(alias="raise", description=N("GPIO of the raise button"))
    confirm: int = Field(description=N("GPIO of the confirm button"))
    light: int | None = Field(default=None, description=N("GPIO of the light, if any"))


class Settings(_SettingsSection):
    """All settings of the box; the table's zones have their own file."""

    screen: ScreenSettings = ScreenSettings()
    sound: SoundSettings = SoundSettings()
    rules: LockRules = LockRules()
    cards: CardRules = CardRules()
    camera: CameraSettings = CameraSettings()
    journal: JournalSettings = JournalSettings()
    clips: ClipSettings = ClipSettings()
    network: NetworkSettings = NetworkSettings()
    hall: HallSettings = HallSettings()
    buttons: ButtonSettings = ButtonSettings()
    seat: tuple[SeatSettings, ...] = Field(
        default=tuple(SeatSettings(**asdict(pins)) for pins in DEFAULT_SEAT_PINS),
        description=N("pins of the seats’ buttons and lights: a [[seat]] with raise, confirm and light for each"),
    )


FILE_ONLY_SETTINGS = ("screen.first_start", "cards.card_window_ms", "camera.", "journal.", "network.", "hall.")
"""Rarely changed settings, or their sections, that are not on the page of the settings."""
OTHER_PAGES = {"camera.name": "This box", "camera.rotation": "This box", "hall.on": "Hall", "hall.pictures": "Hall"}
"""Settings that are on a page of their own, with its title."""
STEP_SIZES: Mapping[str, int] = {
    "rules.window_ms": 50,
    "rules.beat_ms": 50,
    "screen.dark_after_min": 5,
    "sound.volume": 10,
    "sound.music": 10,
    "sound.delay_ms": 10,
    "clips.keep_hours": 6,
    "clips.keep_mb": 100,
    "buttons.hold_ms": 50,
    "buttons.repeat_ms": 50,
}
"""Step of a touch on the screen; 1 for any other number."""
UNWRITABLE_FILE = N("{path} can’t be written ({why}): make it writable")


@dataclass(frozen=True)
class SettingDescription:
    """One setting."""

    section: str
    """Of the file."""
    name: str
    """In the section."""
    about: str
    default: Any
    """The value where the file has none."""
    allowed: AllowedValues | None
    """The values it can be set to on the screen; None: it can be set only in the file."""

    @property
    def key(self) -> str:
        """Section and name, like "sound.volume"."""
        return f"{self.section}.{self.name}" if self.section else self.name

    def value(self, settings: Settings) -> Any:
        """Return its value in ``settings``, as in the file."""
        return self._section_of(settings).model_dump(mode="json")[self.name]

    def is_set(self, settings: Settings) -> bool:
        """Whether ``settings`` were read from a file that sets it."""
        return self.name in self._section_of(settings).model_fields_set

    def _section_of(self, settings: Settings) -> BaseModel:
        section: BaseModel = getattr(settings, self.section) if self.section else settings
        return section

    def allowed_text(self) -> str:
        """Return the allowed values as text."""
        if self.key in OTHER_PAGES:
            return f"chosen under *{OTHER_PAGES[self.key]}*"
        if isinstance(self.allowed, IntRange):
            return f"{self.allowed.start} to {self.allowed.stop}"
        return " or ".join(map(format_value, self.allowed.values)) if self.allowed else "in the file only"


def format_value(value: Any) -> str:
    """Return a value as written in the file; a list of tables on one line."""
    if isinstance(value, list | tuple):
        parts = (", ".join(f"{name} {format_value(entry)}" for name, entry in part.items()) for part in value)
        return "; ".join(parts) or "none"
    return "none" if value is None else tomlkit.item(value).as_string()


def describe_settings() -> Iterator[SettingDescription]:
    """Yield every setting, in the order of the classes above."""
    defaults = Settings()
    plain = defaults.model_dump(mode="json")
    for section, section_field in Settings.model_fields.items():
        values = getattr(defaults, section)
        if not isinstance(values, BaseModel):
            yield SettingDescription("", section, section_field.description or "", plain[section], None)
            continue
        for name, field in type(values).model_fields.items():
            key = f"{section}.{name}"
            allowed = None if key.startswith(FILE_ONLY_SETTINGS) else allowed_values(field, STEP_SIZES.get(key, 1))
            yield SettingDescription(section, name, field.description or "", plain[section][name], allowed)


def allowed_values(field: FieldInfo, step: int = 1) -> AllowedValues | None:
    """Return a field's allowed values if it is a choice, a bool or a bounded integer, None otherwise."""
    kind = field.annotation
    if kind is bool:
        return Choices((True, False))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return Choices(tuple(map(str, kind)))
    if get_origin(kind) is Literal:
        return Choices(get_args(kind))
    limits = {name: getattr(limit, name) for limit in field.metadata for name in ("ge", "le") if hasattr(limit, name)}
    return IntRange(limits["ge"], limits["le"], step) if limits else None


def default_settings_path() -> Path:
    """Return ``$THROWLOCK_SETTINGS``, or ``throwlock.toml`` in the user's configuration directory."""
    named = os.environ.get("THROWLOCK_SETTINGS")
    return Path(named) if named else platformdirs.user_config_path("throwlock") / "throwlock.toml"


def read_settings(path: Path | None = None) -> Settings:
    """Read the settings in ``path`` (None: the default one), with defaults for missing ones or a missing file. Raises
    SettingsError."""
    path = path or default_settings_path()
    return _validate(path, _read_document(path))


def save_settings(path: Path, changes: Mapping[str, Value]) -> Settings:
    """Write ``changes`` (by key: "rules.beat_ms") to ``path``, leaving everything else in it as it is, and return the
    new settings. An unreadable file is not touched. Raises SettingsError."""
    document = _read_document(path)
    _validate(path, document)
    for key, value in changes.items():
        part, _, name = key.rpartition(".")
        table = document.get(part)
        if not isinstance(table, Table):
            table = tomlkit.table()
            document[part] = table
        table[name] = value
    settings = _validate(path, document)
    try:
        write_durably(path, tomlkit.dumps(document))
    except OSError as error:
        raise SettingsError(
            N(UNWRITABLE_FILE, path=path, why=error.strerror), terminal_hint=", or name another in THROWLOCK_SETTINGS"
        ) from error
    return settings


def write_durably(path: Path, text: str, *, is_private: bool = False) -> None:
    """Write a file, and its folder if missing, so that a power cut leaves the old or the new one. A private file can be
    read by its owner only. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as part, part.open("w", encoding="utf-8") as file:
        if is_private:
            os.fchmod(file.fileno(), 0o600)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _read_document(path: Path) -> tomlkit.TOMLDocument:
    """Read ``path``; a missing file is an empty document."""
    try:
        text = read_input_file(path, MAX_TEXT_BYTES).decode()
        tomllib.loads(text)  # whose errors people understand; it also finds a table that comes twice
        document = tomlkit.parse(text)
    except FileNotFoundError:
        return tomlkit.document()
    except (OSError, ValueError, RecursionError, TOMLKitError) as error:
        why = error.strerror if isinstance(error, OSError) else shorten(str(error))
        raise SettingsError(N("{path} can’t be read ({why}): correct it, or delete it", path=path, why=why)) from error
    return document


def _validate(path: Path, document: tomlkit.TOMLDocument) -> Settings:
    try:
        return Settings.model_validate(document.unwrap())
    except ValidationError as error:
        first = error.errors()[0]
        where, why = shorten(".".join(map(str, first["loc"]))), first["msg"].lower()
        raise SettingsError(
            N("{path}: {where}: {why}; correct or delete that line", path=path, where=where, why=why)
        ) from error


def seat_pins(settings: Settings) -> tuple[SeatPins, ...]:
    """Return the pins of all seats. Raises ButtonError when two clash."""
    pins = tuple(SeatPins(seat.raises, seat.confirm, seat.light) for seat in settings.seat)
    check_pins(pins)
    return pins
