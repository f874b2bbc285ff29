"""Saved zones: reading and writing, broken files, and the command."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.base import CameraError
from device.camera.usb import UsbCamera
from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from tests.helpers.journals import contents
from throwlock.cli.main import run_command
from throwlock.table_setup import zone_setup
from throwlock.table_setup.zone_store import ZoneSource, ZoneStore, default_zones_path, load_zones
from vision.zones import Zone, ZoneError, check_no_overlap, default_zones

HD, VGA = (1280, 720), (640, 480)
TWO_ZONES = (Zone(0.05, 0.2, 0.3, 0.5), Zone(0.6, 0.25, 0.35, 0.55))


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ZoneStore:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return ZoneStore()


@pytest.fixture
def usb() -> UsbCamera:
    return UsbCamera(0, SimulatedClock())


def near(zones: tuple[Zone, ...]) -> list[object]:
    return [pytest.approx(zone, abs=1.01e-4) for zone in zones]


def test_zones_are_saved_by_camera_seats_and_aspect(store: ZoneStore) -> None:
    store.save("usb:0", HD, TWO_ZONES)
    store.save("usb:1", HD, default_zones(2))
    store.save("usb:0", HD, default_zones(3))
    store.save("usb:0", VGA, default_zones(2)[::-1])
    assert store.read("usb:0", 2, HD) == TWO_ZONES
    assert store.read("usb:0", 2, (1920, 1080)) == TWO_ZONES, "the same shape"
    assert store.read("usb:1", 2, HD) == default_zones(2)
    assert list(store.read("usb:0", 3, HD) or ()) == near(default_zones(3))
    assert store.read("usb:0", 2, VGA) == default_zones(2)[::-1]
    assert store.read("usb:0", 4, HD) is None and store.read("usb:2", 2, HD) is None
    assert store.path == default_zones_path()


def test_saving_replaces_and_forgetting_deletes(store: ZoneStore) -> None:
    store.save("usb:0", HD, default_zones(2))
    store.save("usb:0", HD, TWO_ZONES)
    store.save("usb:1", HD, TWO_ZONES)
    assert store.path.read_text().count("[[table]]") == 2
    assert store.read("usb:0", 2, HD) == TWO_ZONES
    assert store.forget("usb:0", 2, HD)
    assert not store.forget("usb:0", 2, HD)
    assert store.read("usb:0", 2, HD) is None and store.read("usb:1", 2, HD) == TWO_ZONES
    assert {path.name for path in store.path.parent.iterdir()} == {"zones.toml"}


share = st.floats(0, 1)


@given(
    st.tuples(share, share, share, share).map(lambda s: (s[0], s[1], s[2] * (1 - s[0]), s[3] * (1 - s[1]))), st.text()
)
def test_any_zone_and_camera_name_is_read_as_saved(
    tmp_path_factory: pytest.TempPathFactory, zone: tuple[float, float, float, float], name: str
) -> None:
    if zone[2] < 0.001 or zone[3] < 0.001:
        return
    store = ZoneStore(tmp_path_factory.mktemp("zones") / "zones.toml")
    name = name.encode("utf-8", "ignore").decode()
    store.save(name, HD, [Zone(*zone)])
    assert list(store.read(name, 1, HD) or ()) == near((Zone(*zone),))


BROKEN = {
    "no TOML": b"zones = [",
    "no text": b"\xff\xfe\x00zones",
    "a name nobody knows": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = []\ncolour = 3\n',
    "seats that are no number": b'[[table]]\ncamera = "usb:0"\nseats = "two"\naspect = 1.7778\nzones = []\n',
    "too few zones": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["0,0,1,1"]\n',
    "a zone outside": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["0,0,1,1", "0,0,2,1"]\n',
    "zones that overlap": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["0,0,1,1", "0,0,1,1"]\n',
    "deep lists": b"zones = " + b"[" * 10_000 + b"]" * 10_000,
    "a number of 5,000 digits": b"zones = " + b"1" * 5_000,
    "too large a file": b"# a comment\n" * 6_000,
    "a zone that is none": b'[[table]]\ncamera = "usb:0"\nseats = 2\naspect = 1.7778\nzones = ["left", "right"]\n',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_reported_and_defaults_used(store: ZoneStore, usb: UsbCamera, name: str) -> None:
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(BROKEN[name])
    with pytest.raises(ZoneError, match=r"zones\.toml can’t be read .* correct it, or set up the zones again"):
        store.read("usb:0", 2, HD)
    zoning = load_zones(usb, "usb:0", 2)
    assert (zoning.zones, zoning.source) == (default_zones(2), ZoneSource.DEFAULT)
    assert zoning.error is not None and "divided evenly" in zoning.error
    assert store.path.read_bytes() == BROKEN[name], "nothing is lost by reading"


def test_saving_renames_a_broken_file(store: ZoneStore) -> None:
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(BROKEN["no TOML"])
    store.save("usb:0", HD, TWO_ZONES)
    assert store.read("usb:0", 2, HD) == TWO_ZONES
    assert store.path.with_name("zones.toml.broken").read_bytes() == BROKEN["no TOML"]


def test_an_unwritable_folder_is_reported(store: ZoneStore) -> None:
    store.path.parent.parent.write_text("a file where a folder should be")
    with pytest.raises(ZoneError, match=r"zones can’t be saved in .*XDG_CONFIG_HOME"):
        store.save("usb:0", HD, TWO_ZONES)


def test_overlapping_zones_are_not_saved(store: ZoneStore) -> None:
    with pytest.raises(ZoneError, match="overlap"):
        store.save("usb:0", HD, [Zone(0, 0, 1, 1), Zone(0, 0, 1, 1)])
    assert not store.path.exists()


def test_options_override_saved_zones_and_defaults(store: ZoneStore, usb: UsbCamera) -> None:
    assert load_zones(usb, "usb:0", 2).source is ZoneSource.DEFAULT
    assert load_zones(usb, "usb:0", 2).zones == default_zones(2)
    store.save("usb:0", HD, TWO_ZONES)
    assert (load_zones(usb, "usb:0", 2).zones, load_zones(usb, "usb:0", 2).source) == (TWO_ZONES, ZoneSource.SAVED)
    given_zones = load_zones(usb, "usb:0", 2, ["0,0,0.5,1", "0.5,0,0.5,1"])
    assert (given_zones.zones, given_zones.source) == (default_zones(2), ZoneSource.COMMAND_LINE)
    with pytest.raises(CameraError, match="1 zone for 2 seats"):
        load_zones(usb, "usb:0", 2, ["0,0,0.5,1"])
    with pytest.raises(ZoneError, match="overlap"):
        load_zones(usb, "usb:0", 2, ["0,0,0.6,1", "0.4,0,0.6,1"])


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_simulated_table_has_its_own_zones(store: ZoneStore, seats: int) -> None:
    store.save("simulated", HD, default_zones(seats))
    zoning = load_zones(SimulatedTable(SimulatedClock(), seats), "simulated", seats)
    assert zoning.source is ZoneSource.SIMULATED
    for zones in (default_zones(seats), zoning.zones):
        assert len(zones) == seats
        check_no_overlap(zones)
        for zone in zones:
            zone.validate().box(HD)


# -------- the command


def test_the_command_prints_the_zones_in_use(store: ZoneStore, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["zones", "--camera", "simulated"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("simulated, 2 seats: the simulated table's own\nseat 1: --zone 0.")
    lines = [line.partition("--zone ")[2] for line in out.splitlines()[1:]]
    check_no_overlap([Zone.parse(line) for line in lines])
    assert not store.path.exists()


class FakeClipCamera:
    """A camera without images."""

    size = HD

    def start(self) -> None:
        pass

    stop = start


def test_saved_zones_are_printed_and_reset(
    store: ZoneStore, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("throwlock.cli.zones.open_camera", lambda *args: FakeClipCamera())
    store.save("usb:3", HD, TWO_ZONES)
    assert run_command(["zones", "--camera", "usb:3"]) == 0
    assert capsys.readouterr().out == (
        f"usb:3, 2 seats: set up here ({store.path})\n"
        "seat 1: --zone 0.0500,0.2000,0.3000,0.5000\nseat 2: --zone 0.6000,0.2500,0.3500,0.5500\n"
    )
    assert run_command(["zones", "--camera", "usb:3", "--reset"]) == 0
    assert capsys.readouterr().out == "Deleted the zones of usb:3 for 2 seats.\n"
    assert run_command(["zones", "--camera", "usb:3", "--reset"]) == 0
    assert capsys.readouterr().out == "There were none.\n"
    assert run_command(["zones", "--camera", "usb:3"]) == 0
    assert "no zones were set up" in capsys.readouterr().out
    store.path.write_text("zones = [")
    assert run_command(["zones", "--camera", "usb:3"]) == 2
    assert "can’t be read" in capsys.readouterr().err


@pytest.mark.slow
def test_zones_from_hands_are_printed_and_saved(
    store: ZoneStore, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("throwlock.cli.zones.find_zones_from_hands", lambda *args: TWO_ZONES)
    assert run_command(["zones", "--camera", "simulated", "--hands", "--save"]) == 0
    assert "Not saved: a simulated table has its own zones." in capsys.readouterr().out
    monkeypatch.setattr("throwlock.cli.zones.open_camera", lambda *args: FakeClipCamera())
    monkeypatch.setattr("throwlock.cli.zones.MonotonicClock", SimulatedClock)
    assert run_command(["zones", "--camera", "usb:0", "--hands"]) == 0
    assert "seat 2: --zone 0.6000,0.2500,0.3500,0.5500" in capsys.readouterr().out
    assert not store.path.exists()
    assert run_command(["zones", "--camera", "usb:0", "--hands", "--save"]) == 0
    assert f"Saved in {store.path}." in capsys.readouterr().out
    assert store.read("usb:0", 2, HD) == TWO_ZONES


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
def test_invalid_options_are_one_line(
    store: ZoneStore, tmp_path: Path, capsys: pytest.CaptureFixture[str], args: str, fault: str
) -> None:
    before = contents(tmp_path)
    assert run_command(["zones", "--camera", "simulated", *args.split()]) == 2
    err = capsys.readouterr().err
    assert fault in err and err.count("\n") == 1
    assert contents(tmp_path) == before


def test_a_silent_camera_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimulatedClock()
    table = SimulatedTable(clock, 2)
    monkeypatch.setattr(table, "frames_between", lambda since, until: ())
    with pytest.raises(CameraError, match="no image for a while"):
        zone_setup.find_zones_from_hands(table, clock, 2)
