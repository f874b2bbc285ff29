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
from device.simulated.table.table import SimulatedTable
from vision.zones import Zone, ZoneError, check_apart, spread

HEAD = """\
# Where each seat's hand is looked for, as people set it up. throwlock zones shows it, throwlock zones --reset forgets.
# x,y,w,h in fractions of the camera's picture, in the order of the seats.
"""


class Source(StrEnum):
    """Where zones are from."""

    GIVEN = "given with --zone"
    TABLE = "the simulated table's own"
    KEPT = "set up here"
    SPREAD = "the picture in equal parts: nobody has set up zones for this camera and number of seats"


@dataclass(frozen=True)
class Zoning:
    """Everybody's zone in the order of the seats. ``fault`` says what is wrong with the file of kept zones, if that is
    why they are not from there."""

    zones: tuple[Zone, ...]
    source: Source
    fault: str | None = None


class _Kept(BaseModel):
    """The zones of one camera, one number of seats and one shape of picture (its width in heights)."""

    model_config = ConfigDict(extra="forbid")
    camera: str
    seats: int
    aspect: float
    zones: list[str]

    def at(self, camera: str, seats: int, size: Size) -> bool:
        """Whether these are the zones for a camera, a number of seats and a picture's size."""
        here = (self.camera, self.seats) == (camera, seats)
        return here and math.isclose(self.aspect, size[0] / size[1], rel_tol=0.01)

    def read(self) -> tuple[Zone, ...]:
        """The zones. Raises ZoneError."""
        zones = tuple(Zone.read(text) for text in self.zones)
        if len(zones) != self.seats:
            raise ZoneError(f"{len(zones)} zones for {self.seats} seats")
        check_apart(zones)
        return zones


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    table: list[_Kept] = []


def usual_place() -> Path:
    """``$XDG_CONFIG_HOME/throwlock/zones.toml``, whether it is there or not: zones belong to the table and its camera,
    not to a journal."""
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return settings / "throwlock" / "zones.toml"


class KeptZones:
    """The file of zones people set up, at ``path``."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or usual_place()

    def read(self, camera: str, seats: int, size: Size) -> tuple[Zone, ...] | None:
        """The zones kept for a camera (as ``--camera`` names it), a number of seats and a picture of the shape of
        ``size``; None where there are none. Raises ZoneError when the file can't be read."""
        kept = next((table for table in self._tables() if table.at(camera, seats, size)), None)
        try:
            return kept.read() if kept else None
        except ZoneError as fault:
            raise self._broken(f"{kept.camera if kept else camera}: {fault}") from fault

    def keep(self, camera: str, size: Size, zones: Sequence[Zone]) -> None:
        """Keep ``zones`` for next time in the place of those that were kept. A file that can't be read is put aside.
        Raises ZoneError when it can't be written."""
        check_apart(zones)
        seats = len(zones)
        try:
            others = [table for table in self._tables() if not table.at(camera, seats, size)]
        except ZoneError:
            self._put_aside()
            others = []
        new = _Kept(camera=camera, seats=seats, aspect=round(size[0] / size[1], 4), zones=[_written(z) for z in zones])
        self._write([*others, new])

    def forget(self, camera: str, seats: int, size: Size) -> bool:
        """Forget the zones kept for a camera, a number of seats and a shape of picture. Returns whether there were any.
        Raises ZoneError."""
        tables = self._tables()
        left = [table for table in tables if not table.at(camera, seats, size)]
        if len(left) < len(tables):
            self._write(left)
        return len(left) < len(tables)

    def _tables(self) -> list[_Kept]:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as fault:
            raise self._broken(getattr(fault, "strerror", None) or "it is no text") from fault
        try:
            return _File.model_validate(tomllib.loads(text)).table
        except tomllib.TOMLDecodeError as fault:
            raise self._broken(str(fault)) from fault
        except ValidationError as fault:
            first = fault.errors()[0]
            raise self._broken(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from fault

    def _broken(self, why: str) -> ZoneError:
        return ZoneError(f"{self.path} can't be read ({why}): correct it, or set up the zones again")

    def _put_aside(self) -> None:
        try:
            self.path.replace(self.path.with_name(self.path.name + ".broken"))
        except OSError as fault:
            raise self._unwritten(fault) from fault

    def _write(self, tables: Sequence[_Kept]) -> None:
        """Write all of it, whole or not at all."""
        half = self.path.with_name(self.path.name + ".part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            half.write_text(HEAD + "".join(map(_as_toml, tables)), encoding="utf-8")
            half.replace(self.path)
        except OSError as fault:
            raise self._unwritten(fault) from fault

    def _unwritten(self, fault: OSError) -> ZoneError:
        return ZoneError(
            f"zones can't be kept in {self.path} ({fault.strerror}): make it writable, or name another folder in "
            "XDG_CONFIG_HOME"
        )


def _written(zone: Zone) -> str:
    """A zone to a ten-thousandth of the picture, and not a hair beyond its edge."""
    x, y = round(zone.x, 4), round(zone.y, 4)
    return ",".join(f"{part:.4f}" for part in (x, y, min(zone.w, 1 - x), min(zone.h, 1 - y)))


def _as_toml(table: _Kept) -> str:
    zones = "".join(f'    "{zone}",\n' for zone in table.zones)
    camera = "".join(_escaped(letter) for letter in table.camera)
    return f'\n[[table]]\ncamera = "{camera}"\nseats = {table.seats}\naspect = {table.aspect!r}\nzones = [\n{zones}]\n'


def _escaped(letter: str) -> str:
    """A letter of a TOML string: a clip's name may have any in it."""
    if letter in '"\\':
        return "\\" + letter
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def zones_for(
    camera: Camera, name: str, seats: int, given: Sequence[str] = (), kept: KeptZones | None = None
) -> Zoning:
    """Everybody's zone before ``camera``, which ``--camera`` calls ``name`` and whose ``size`` is known: those
    ``given``, else the simulated table's own, else those kept, else the picture in equal parts. Raises ZoneError for
    zones given that can't be used, or CameraError when their number is not the number of seats."""
    if given:
        zones = tuple(Zone.read(text) for text in given)
        if len(zones) != seats:
            raise CameraError(f"{len(zones)} zones for {seats} seats: give --zone once per seat, or leave it out")
        check_apart(zones)
        return Zoning(zones, Source.GIVEN)
    if isinstance(camera, PrintedCamera):
        return Zoning(spread(seats), Source.TABLE)
    if isinstance(camera, SimulatedTable):
        return Zoning(tuple(Zone(*zone).checked() for zone in camera.zones), Source.TABLE)
    try:
        found = (kept or KeptZones()).read(name, seats, camera.size)
    except ZoneError as fault:
        return Zoning(spread(seats), Source.SPREAD, f"{fault}. Until then the picture is shared out evenly.")
    return Zoning(found, Source.KEPT) if found else Zoning(spread(seats), Source.SPREAD)
