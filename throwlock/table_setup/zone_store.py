"""Everybody's zone and where it is from: given on the command line, the simulated table's own, kept from another
evening, or the picture in equal parts. What people set up is kept in one small file."""

import math
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from device.camera.base import Camera, CameraError
from device.camera.frames import Size
from device.simulated.printed.camera import PrintedCamera
from device.simulated.table.camera import SimulatedTable
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

FILE_HEADER = """\
# Where each seat's hand is looked for, as people set it up. throwlock zones shows it, throwlock zones --reset forgets.
# x,y,w,h in fractions of the camera's picture, in the order of the seats.
"""


class ZoneSource(StrEnum):
    """Where zones are from."""

    COMMAND_LINE = "given with --zone"
    SIMULATED = "the simulated table's own"
    SAVED = "set up here"
    DEFAULT = "the picture in equal parts: nobody has set up zones for this camera and number of seats"


@dataclass(frozen=True)
class TableZones:
    """Everybody's zone in the order of the seats. ``fault`` says what is wrong with the file of kept zones, if that is
    why they are not from there."""

    zones: tuple[Zone, ...]
    source: ZoneSource
    error: str | None = None


class _SavedZones(BaseModel):
    """The zones of one camera, one number of seats and one shape of picture (its width in heights)."""

    model_config = ConfigDict(extra="forbid")
    camera: str
    seats: int
    aspect: float
    zones: list[str]

    def matches(self, camera: str, seats: int, size: Size) -> bool:
        """Whether these are the zones for a camera, a number of seats and a picture's size."""
        here = (self.camera, self.seats) == (camera, seats)
        return here and math.isclose(self.aspect, size[0] / size[1], rel_tol=0.01)

    def to_zones(self) -> tuple[Zone, ...]:
        """The zones. Raises ZoneError."""
        zones = tuple(Zone.parse(text) for text in self.zones)
        if len(zones) != self.seats:
            raise ZoneError(f"{len(zones)} zones for {self.seats} seats")
        check_no_overlap(zones)
        return zones


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    table: list[_SavedZones] = []


def default_zones_path() -> Path:
    """``$XDG_CONFIG_HOME/throwlock/zones.toml``, whether it is there or not: zones belong to the table and its camera,
    not to a journal."""
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return settings / "throwlock" / "zones.toml"


class ZoneStore:
    """The file of zones people set up, at ``path``."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_zones_path()

    def read(self, camera: str, seats: int, size: Size) -> tuple[Zone, ...] | None:
        """The zones kept for a camera (as ``--camera`` names it), a number of seats and a picture of the shape of
        ``size``; None where there are none. Raises ZoneError when the file can't be read."""
        kept = next((table for table in self._read_all() if table.matches(camera, seats, size)), None)
        try:
            return kept.to_zones() if kept else None
        except ZoneError as fault:
            raise self._read_error(f"{kept.camera if kept else camera}: {fault}") from fault

    def save(self, camera: str, size: Size, zones: Sequence[Zone]) -> None:
        """Keep ``zones`` for next time in the place of those that were kept. A file that can't be read is put aside.
        Raises ZoneError when it can't be written."""
        check_no_overlap(zones)
        seats = len(zones)
        try:
            others = [table for table in self._read_all() if not table.matches(camera, seats, size)]
        except ZoneError:
            self._quarantine()
            others = []
        new = _SavedZones(
            camera=camera, seats=seats, aspect=round(size[0] / size[1], 4), zones=[_format_zone(z) for z in zones]
        )
        self._write([*others, new])

    def forget(self, camera: str, seats: int, size: Size) -> bool:
        """Forget the zones kept for a camera, a number of seats and a shape of picture. Returns whether there were any.
        Raises ZoneError."""
        tables = self._read_all()
        left = [table for table in tables if not table.matches(camera, seats, size)]
        if len(left) < len(tables):
            self._write(left)
        return len(left) < len(tables)

    def _read_all(self) -> list[_SavedZones]:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as fault:
            raise self._read_error(getattr(fault, "strerror", None) or "it is no text") from fault
        try:
            return _File.model_validate(tomllib.loads(text)).table
        except tomllib.TOMLDecodeError as fault:
            raise self._read_error(str(fault)) from fault
        except ValidationError as fault:
            first = fault.errors()[0]
            raise self._read_error(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from fault

    def _read_error(self, why: str) -> ZoneError:
        return ZoneError(f"{self.path} can't be read ({why}): correct it, or set up the zones again")

    def _quarantine(self) -> None:
        try:
            self.path.replace(self.path.with_name(self.path.name + ".broken"))
        except OSError as fault:
            raise self._write_error(fault) from fault

    def _write(self, tables: Sequence[_SavedZones]) -> None:
        """Write all of it, whole or not at all."""
        half = self.path.with_name(self.path.name + ".part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            half.write_text(FILE_HEADER + "".join(map(_to_toml, tables)), encoding="utf-8")
            half.replace(self.path)
        except OSError as fault:
            raise self._write_error(fault) from fault

    def _write_error(self, fault: OSError) -> ZoneError:
        return ZoneError(
            f"zones can't be saved in {self.path} ({fault.strerror}): make it writable, or name another folder in "
            "XDG_CONFIG_HOME"
        )


def _format_zone(zone: Zone) -> str:
    """A zone to a ten-thousandth of the picture, and not a hair beyond its edge."""
    x, y = round(zone.x, 4), round(zone.y, 4)
    return ",".join(f"{part:.4f}" for part in (x, y, min(zone.w, 1 - x), min(zone.h, 1 - y)))


def _to_toml(table: _SavedZones) -> str:
    zones = "".join(f'    "{zone}",\n' for zone in table.zones)
    camera = "".join(_escape(letter) for letter in table.camera)
    return f'\n[[table]]\ncamera = "{camera}"\nseats = {table.seats}\naspect = {table.aspect!r}\nzones = [\n{zones}]\n'


def _escape(letter: str) -> str:
    """A letter of a TOML string: a clip's name may have any in it."""
    if letter in '"\\':
        return "\\" + letter
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def load_zones(
    camera: Camera, name: str, seats: int, zone_options: Sequence[str] = (), store: ZoneStore | None = None
) -> TableZones:
    """Everybody's zone before ``camera``, which ``--camera`` calls ``name`` and whose ``size`` is known: those
    ``given``, else the simulated table's own, else those kept, else the picture in equal parts. Raises ZoneError for
    zones given that can't be used, or CameraError when their number is not the number of seats."""
    if zone_options:
        zones = tuple(Zone.parse(text) for text in zone_options)
        if len(zones) != seats:
            raise CameraError(f"{len(zones)} zones for {seats} seats: give --zone once per seat, or leave it out")
        check_no_overlap(zones)
        return TableZones(zones, ZoneSource.COMMAND_LINE)
    if isinstance(camera, PrintedCamera):
        return TableZones(default_zones(seats), ZoneSource.SIMULATED)
    if isinstance(camera, SimulatedTable):
        return TableZones(tuple(Zone(*zone).validate() for zone in camera.zones), ZoneSource.SIMULATED)
    try:
        found = (store or ZoneStore()).read(name, seats, camera.size)
    except ZoneError as fault:
        return TableZones(default_zones(seats), ZoneSource.DEFAULT, f"{fault}. Until then the image is divided evenly.")
    return TableZones(found, ZoneSource.SAVED) if found else TableZones(default_zones(seats), ZoneSource.DEFAULT)
