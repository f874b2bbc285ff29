"""The zones and their source: command line, simulated table, saved in a file, or the image divided evenly."""

import math
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import platformdirs
import tomlkit
from pydantic import BaseModel, ConfigDict, ValidationError

from device.camera.base import Camera, CameraError
from device.camera.frames import Size
from device.simulated.printed.scene import PrintedCamera
from device.simulated.table.camera import SimulatedTable
from device.system.input_files import MAX_TEXT_BYTES, read_input_file
from messages import LazyText, N, join, ngettext_lazy, shorten
from throwlock.settings.model import write_durably
from throwlock.table_setup.cameras import camera_rotation
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

FILE_HEADER = """\
# Where each seat's hand is expected, as set up by the players. throwlock zones prints it; --reset deletes it.
# x,y,w,h in fractions of the camera image, in seat order.

"""
UNWRITABLE_FILE = N("zones can’t be saved in {path} ({why}): make it writable")


class ZoneSource(StrEnum):
    """Where the zones come from."""

    COMMAND_LINE = "given with --zone"
    SIMULATED = "the simulated table's own"
    SAVED = "set up here"
    DEFAULT = "the image divided evenly: no zones were set up for this camera and number of seats"


@dataclass(frozen=True)
class TableZones:
    """The zones of a table."""

    zones: tuple[Zone, ...]
    """In seat order."""
    source: ZoneSource
    error: str | None = None
    """Why saved zones could not be read; None if they could, or there were none."""


class _SavedZones(BaseModel):
    """Saved zones of one camera, number of seats and aspect ratio (width / height)."""

    model_config = ConfigDict(extra="forbid")
    camera: str
    seats: int
    aspect: float
    zones: list[str]
    rotation: int = 0
    """By how many degrees the image was rotated when the zones were set up."""

    def matches(self, camera: str, seats: int, size: Size) -> bool:
        """Return whether these zones are for this camera, number of seats and frame size."""
        is_same_table = (self.camera, self.seats) == (camera, seats)
        return is_same_table and math.isclose(self.aspect, size[0] / size[1], rel_tol=0.01)

    def to_zones(self, rotation: int) -> tuple[Zone, ...]:
        """Return the zones in an image that is rotated by ``rotation`` degrees: seats stay where people sit. Raises
        ZoneError."""
        zones = tuple(Zone.parse(text) for text in self.zones)
        if self.rotation != rotation:
            zones = tuple(zone.rotate_180() for zone in zones)
        if len(zones) != self.seats:
            raise ZoneError(_zone_count_text(len(zones), self.seats))
        check_no_overlap(zones)
        return zones


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    table: list[_SavedZones] = []


def default_zones_path() -> Path:
    """Return ``zones.toml`` in the user's configuration directory: zones belong to the table, not to a journal."""
    return platformdirs.user_config_path("throwlock") / "zones.toml"


class ZoneStore:
    """The file of saved zones."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_zones_path()

    def read(self, camera: str, seats: int, size: Size) -> tuple[Zone, ...] | None:
        """Return the saved zones for a camera (by its ``--camera`` name), number of seats and frame size in pixels
        (only its aspect ratio matters); None if there are none. Raises ZoneError when the file can't be read."""
        saved = next((table for table in self._read_all() if table.matches(camera, seats, size)), None)
        try:
            return saved.to_zones(camera_rotation(camera)) if saved else None
        except ZoneError as error:
            raise self._read_error(join([saved.camera if saved else camera, error.text], ": ")) from error

    def save(self, camera: str, size: Size, zones: Sequence[Zone]) -> None:
        """Save ``zones``, replacing earlier ones. An unreadable file is renamed first. Raises ZoneError when the file
        can't be written."""
        check_no_overlap(zones)
        seats = len(zones)
        try:
            others = [table for table in self._read_all() if not table.matches(camera, seats, size)]
        except ZoneError:
            others = []
            with self._translate_errors():
                self.path.replace(self.path.with_name(self.path.name + ".broken"))
        new = _SavedZones(
            camera=camera,
            seats=seats,
            aspect=round(size[0] / size[1], 4),
            zones=[_format_zone(zone) for zone in zones],
            rotation=camera_rotation(camera),
        )
        self._write([*others, new])

    def forget(self, camera: str, seats: int, size: Size) -> bool:
        """Delete the saved zones for a camera, number of seats and frame size. Returns whether there were any. Raises
        ZoneError."""
        tables = self._read_all()
        left = [table for table in tables if not table.matches(camera, seats, size)]
        if len(left) < len(tables):
            self._write(left)
        return len(left) < len(tables)

    def _read_all(self) -> list[_SavedZones]:
        try:
            return _File.model_validate(tomllib.loads(read_input_file(self.path, MAX_TEXT_BYTES).decode())).table
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise self._read_error(getattr(error, "strerror", None) or "it is not text") from error
        except ValidationError as error:
            first = error.errors()[0]
            raise self._read_error(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        except RecursionError:
            raise self._read_error("it is nested too deeply") from None
        except tomllib.TOMLDecodeError as error:
            raise self._read_error(str(error)) from error
        except ValueError:  # Python's own limit of digits
            raise self._read_error("it has a number of thousands of digits") from None

    def _read_error(self, why: str) -> ZoneError:
        return ZoneError(
            N(
                "{path} can’t be read ({why}): correct it, or set up the zones again",
                path=self.path,
                why=shorten(why),
            )
        )

    def _write(self, tables: Sequence[_SavedZones]) -> None:
        text = tomlkit.dumps(_File(table=list(tables)).model_dump(exclude_defaults=True))
        with self._translate_errors():
            write_durably(self.path, FILE_HEADER + text)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise a ZoneError in place of an OSError in writing."""
        try:
            yield
        except OSError as error:
            raise ZoneError(
                N(UNWRITABLE_FILE, path=self.path, why=error.strerror),
                terminal_hint=", or name another folder in XDG_CONFIG_HOME",
            ) from error


def _format_zone(zone: Zone) -> str:
    """Return a zone rounded to 1/10,000 of the image, without exceeding its edges."""
    x, y = round(zone.x, 4), round(zone.y, 4)
    return ",".join(f"{part:.4f}" for part in (x, y, min(zone.w, 1 - x), min(zone.h, 1 - y)))


def _zone_count_text(zones: int, seats: int) -> LazyText:
    return ngettext_lazy("{count} zone for {seats} seats", "{count} zones for {seats} seats", zones, seats=seats)


def load_zones(camera: Camera, name: str, seats: int, zone_options: Sequence[str] = ()) -> TableZones:
    """Return the zones for ``camera``, whose ``--camera`` name is ``name``: from ``zone_options``, the simulated table,
    the ZoneStore, or the image divided evenly.

    Raises:
        ZoneError: ``zone_options`` can't be used.
        CameraError: Their number is not the number of seats.
    """
    if zone_options:
        zones = tuple(Zone.parse(text) for text in zone_options)
        if len(zones) != seats:
            hint = ": give --zone once per seat, or leave it out"
            raise CameraError(_zone_count_text(len(zones), seats), terminal_hint=hint)
        check_no_overlap(zones)
        return TableZones(zones, ZoneSource.COMMAND_LINE)
    if isinstance(camera, PrintedCamera):
        return TableZones(default_zones(seats), ZoneSource.SIMULATED)
    if isinstance(camera, SimulatedTable):
        return TableZones(tuple(Zone(*zone).validate() for zone in camera.zones), ZoneSource.SIMULATED)
    try:
        saved = ZoneStore().read(name, seats, camera.size)
    except ZoneError as error:
        why = N("{error}. Until then the image is divided evenly.", error=error.text)
        return TableZones(default_zones(seats), ZoneSource.DEFAULT, why)
    return TableZones(saved, ZoneSource.SAVED) if saved else TableZones(default_zones(seats), ZoneSource.DEFAULT)
