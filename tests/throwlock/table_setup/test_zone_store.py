"""Zones from evening to evening: kept whole and found again, broken files said, and the command that shows them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journals import contents

from device.camera.base import CameraError
from device.camera.usb import UsbCamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from throwlock.cli.main import run_command
from throwlock.table_setup import zone_setup
from throwlock.table_setup.zone_store import ZoneSource, ZoneStore, default_zones_path, load_zones
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

HD, VGA = (1280, 720), (640, 480)
TWO = (Zone(0.05, 0.2, 0.3, 0.5), Zone(0.6, 0.25, 0.35, 0.55))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ZoneStore:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return ZoneStore()


@pytest.fixture
def usb() -> UsbCamera:
    return UsbCamera(0, SimulatedClock())


def near(zones: tuple[Zone, ...]) -> list[object]:
    return [pytest.approx(zone, abs=1.01e-4) for zone in zones]


def test_zones_are_kept_by_camera_seats_and_shape_of_picture(kept: ZoneStore) -> None:
    kept.save("usb:0", HD, TWO)
    kept.save("usb:1", HD, default_zones(2))
    kept.save("usb:0", HD, default_zones(3))
    kept.save("usb:0", VGA, default_zones(2)[::-1])
    assert kept.read("usb:0", 2, HD) == TWO
    assert kept.read("usb:0", 2, (1920, 1080)) == TWO, "the same shape"
    assert kept.read("usb:1", 2, HD) == default_zones(2)
    assert list(kept.read("usb:0", 3, HD) or ()) == near(default_zones(3))
    assert kept.read("usb:0", 2, VGA) == default_zones(2)[::-1]
    assert kept.read("usb:0", 4, HD) is None and kept.read("usb:2", 2, HD) is None
    assert kept.path == default_zones_path()


def test_what_is_kept_again_replaces_and_what_is_forgotten_is_gone(kept: ZoneStore) -> None:
    kept.save("usb:0", HD, default_zones(2))
    kept.save("usb:0", HD, TWO)
    kept.save("usb:1", HD, TWO)
    assert kept.path.read_text().count("[[table]]") == 2
    assert kept.read("usb:0", 2, HD) == TWO
    assert kept.forget("usb:0", 2, HD)
    assert not kept.forget("usb:0", 2, HD)
    assert kept.read("usb:0", 2, HD) is None and kept.read("usb:1", 2, HD) == TWO
    assert {path.name for path in kept.path.parent.iterdir()} == {"zones.toml"}


share = st.floats(0, 1)


@given(
    st.tuples(share, share, share, share).map(lambda s: (s[0], s[1], s[2] * (1 - s[0]), s[3] * (1 - s[1]))), st.text()
)
def test_any_zone_and_any_camera_name_is_read_as_it_was_kept(
    tmp_path_factory: pytest.TempPathFactory, zone: tuple[float, float, float, float], name: str
) -> None:
    if zone[2] < 0.001 or zone[3] < 0.001:
        return
    kept = ZoneStore(tmp_path_factory.mktemp("zones") / "zones.toml")
    name = name.encode("utf-8", "ignore").decode()
    kept.save(name, HD, [Zone(*zone)])
    assert list(kept.read(name, 1, HD) or ()) == near((Zone(*zone),))


BROKEN = {
    "no TOML": b"zones = [",
    "no text": b"\xff\xfe\x00zones",
    "a name nobody knows": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = []\ncolour = 3\n',
    "seats that are no number": b'[[table]]\ncamera = "usb:0"\nseats = "two"\naspect = 1.7778\nzones = []\n',
    "too few zones": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["0,0,1,1"]\n',
    "a zone outside": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["0,0,1,1", "0,0,2,1"]\n',
    "zones that overlap": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["0,0,1,1", "0,0,1,1"]\n',
    "a zone that is none": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["left", "right"]\n',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_said_and_the_picture_spread(kept: ZoneStore, usb: UsbCamera, name: str) -> None:
    kept.path.parent.mkdir(parents=True)
    kept.path.write_bytes(BROKEN[name])
    with pytest.raises(ZoneError, match=r"zones\.toml can't be read .* correct it, or set up the zones again"):
        kept.read("usb:0", 2, HD)
    zoning = load_zones(usb, "usb:0", 2)
    assert (zoning.zones, zoning.source) == (default_zones(2), ZoneSource.DEFAULT)
    assert zoning.error is not None and "divided evenly" in zoning.error
    assert kept.path.read_bytes() == BROKEN[name], "nothing is lost by reading"


def test_zones_set_up_again_put_a_broken_file_aside(kept: ZoneStore) -> None:
    kept.path.parent.mkdir(parents=True)
    kept.path.write_bytes(BROKEN["no TOML"])
    kept.save("usb:0", HD, TWO)
    assert kept.read("usb:0", 2, HD) == TWO
    assert kept.path.with_name("zones.toml.broken").read_bytes() == BROKEN["no TOML"]


def test_a_folder_that_cant_be_written_is_said(kept: ZoneStore) -> None:
    kept.path.parent.parent.write_text("a file where a folder should be")
    with pytest.raises(ZoneError, match=r"zones can't be saved in .*XDG_CONFIG_HOME"):
        kept.save("usb:0", HD, TWO)


def test_zones_that_overlap_are_not_kept(kept: ZoneStore) -> None:
    with pytest.raises(ZoneError, match="overlap"):
        kept.save("usb:0", HD, [Zone(0, 0, 1, 1), Zone(0, 0, 1, 1)])
    assert not kept.path.exists()


def test_what_is_given_wins_then_what_is_kept_then_equal_parts(kept: ZoneStore, usb: UsbCamera) -> None:
    assert load_zones(usb, "usb:0", 2).source is ZoneSource.DEFAULT
    assert load_zones(usb, "usb:0", 2).zones == default_zones(2)
    kept.save("usb:0", HD, TWO)
    assert (load_zones(usb, "usb:0", 2).zones, load_zones(usb, "usb:0", 2).source) == (TWO, ZoneSource.SAVED)
    given_zones = load_zones(usb, "usb:0", 2, ["0,0,0.5,1", "0.5,0,0.5,1"])
    assert (given_zones.zones, given_zones.source) == (default_zones(2), ZoneSource.COMMAND_LINE)
    with pytest.raises(CameraError, match="1 zones for 2 seats"):
        load_zones(usb, "usb:0", 2, ["0,0,0.5,1"])
    with pytest.raises(ZoneError, match="overlap"):
        load_zones(usb, "usb:0", 2, ["0,0,0.6,1", "0.4,0,0.6,1"])


@pytest.mark.parametrize("seats", range(2, 9))
def test_at_a_simulated_table_everybody_has_a_zone_of_their_own(kept: ZoneStore, seats: int) -> None:
    kept.save("simulated", HD, default_zones(seats))
    zoning = load_zones(SimulatedTable(SimulatedClock(), seats), "simulated", seats)
    assert zoning.source is ZoneSource.SIMULATED
    for zones in (default_zones(seats), zoning.zones):
        assert len(zones) == seats
        check_no_overlap(zones)
        for zone in zones:
            zone.validate().box(HD)


# -------- the command


def test_zones_says_what_is_in_use(kept: ZoneStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["zones", "--camera", "simulated"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("simulated, 2 seats: the simulated table's own\nseat 1: --zone 0.")
    lines = [line.partition("--zone ")[2] for line in out.splitlines()[1:]]
    check_no_overlap([Zone.parse(line) for line in lines])
    assert not kept.path.exists()


class Clip:
    """A camera that has nothing to show: enough to ask for the zones that are kept for it."""

    size = HD

    def start(self) -> None:
        pass

    stop = start


def test_zones_kept_are_shown_and_forgotten(
    kept: ZoneStore, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("throwlock.cli.zones.open_camera", lambda *args: Clip())
    kept.save("usb:3", HD, TWO)
    assert run_command(["zones", "--camera", "usb:3"]) == 0
    assert capsys.readouterr().out == (
        f"usb:3, 2 seats: set up here ({kept.path})\n"
        "seat 1: --zone 0.0500,0.2000,0.3000,0.5000\nseat 2: --zone 0.6000,0.2500,0.3500,0.5500\n"
    )
    assert run_command(["zones", "--camera", "usb:3", "--reset"]) == 0
    assert capsys.readouterr().out == "Deleted the zones of usb:3 for 2 seats.\n"
    assert run_command(["zones", "--camera", "usb:3", "--reset"]) == 0
    assert capsys.readouterr().out == "There were none.\n"
    assert run_command(["zones", "--camera", "usb:3"]) == 0
    assert "nobody has set up zones" in capsys.readouterr().out
    kept.path.write_text("zones = [")
    assert run_command(["zones", "--camera", "usb:3"]) == 2
    assert "can't be read" in capsys.readouterr().err


def test_hands_held_out_are_found_printed_and_kept(
    kept: ZoneStore, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("throwlock.cli.zones.find_zones_from_hands", lambda *args: TWO)
    assert run_command(["zones", "--camera", "simulated", "--hands", "--save"]) == 0
    assert "Not saved: a simulated table has its own zones." in capsys.readouterr().out
    monkeypatch.setattr("throwlock.cli.zones.open_camera", lambda *args: Clip())
    monkeypatch.setattr("throwlock.cli.zones.MonotonicClock", SimulatedClock)
    assert run_command(["zones", "--camera", "usb:0", "--hands"]) == 0
    assert "seat 2: --zone 0.6000,0.2500,0.3500,0.5500" in capsys.readouterr().out
    assert not kept.path.exists()
    assert run_command(["zones", "--camera", "usb:0", "--hands", "--save"]) == 0
    assert f"Saved in {kept.path}." in capsys.readouterr().out
    assert kept.read("usb:0", 2, HD) == TWO


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        ("--hands --window", "only one of"),
        ("--reset --hands", "only one of"),
        ("--save", "--save goes with --hands"),
        ("--seats 0", "1 to 8 seats, not 0"),
        ("--seats 9 --camera usb:0", "1 to 8 seats, not 9"),
        ("--camera webcam", "no camera is called 'webcam'"),
        ("--size big", "WIDTHxHEIGHT"),
    ],
)
def test_what_cant_be_is_one_line(
    kept: ZoneStore, tmp_path: Path, capsys: pytest.CaptureFixture[str], args: str, fault: str
) -> None:
    before = contents(tmp_path)
    assert run_command(["zones", "--camera", "simulated", *args.split()]) == 2
    err = capsys.readouterr().err
    assert fault in err and err.count("\n") == 1
    assert contents(tmp_path) == before


def test_a_camera_that_gave_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2)
    monkeypatch.setattr(table, "frames_between", lambda since, until: ())
    with pytest.raises(CameraError, match="no picture for a while"):
        zone_setup.find_zones_from_hands(table, clock, 2)
