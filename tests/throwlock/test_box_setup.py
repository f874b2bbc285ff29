"""The box administered by touch: every page is drawn, its targets are touched by their labels, and the simulated system
does as the real one."""

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.camera.base import CameraError
from device.camera.frames import Pixels
from device.simulated.host import SimulatedAccessPoint, SimulatedHost
from device.system.host import (
    Host,
    HostError,
    HostFeature,
    WifiNetwork,
    WifiSecurity,
    WifiStatus,
    failure,
    no_answer,
    permission_denied,
)
from tests.helpers.scripted_display import touch_labels
from throwlock import box_setup
from throwlock.box_setup import PULL_THE_PLUG, BoxSetup
from throwlock.home import GameSession
from throwlock.journal.journal import Journal
from throwlock.launch_options import LaunchOptions
from throwlock.settings.model import Settings, read_settings
from throwlock.table_setup import cameras
from throwlock.table_setup.zone_store import ZoneStore
from ui.i18n import language
from ui.screen.core.display import WindowClosedError
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages.box_setup import (
    UNSUPPORTED,
    BoxMenu,
    BoxTool,
    CameraPage,
    PasswordPage,
    PoweringOff,
    WifiPage,
    WifiView,
)
from ui.screen.pages.notice import Notice
from ui.screen.views import InteractiveView, View
from vision.zones import Zone

HOME, GUESTS = "Games at home", "Guests"
HOME_NETWORK = WifiNetwork(HOME.encode(), 82, WifiSecurity.PASSWORD)
PASSWORD = "rockpaper"


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


class TouchDisplay:
    """A display whose people touch the targets with these labels, one after the other, and then close the window. A
    page without targets is closed by the system."""

    def __init__(self, *labels: str) -> None:
        self.labels = list(labels)
        self.seen: list[View] = []
        self.texts: list[str] = []

    def show(self, view: View) -> None:
        self.seen.append(view)

    def ask(self, view: InteractiveView) -> Any:
        self.seen.append(view)
        return touch_labels(view, self.labels, on_page=self._read)

    def _read(self, canvas: Canvas) -> None:
        self.texts = [text.text for text in canvas.texts]

    def last(self, kind: type[Any]) -> Any:
        return [view for view in self.seen if isinstance(view, kind)][-1]


def administer(tmp_path: Path, host: Host | None, *labels: str) -> TouchDisplay:
    display = TouchDisplay(*labels)
    with pytest.raises(WindowClosedError):
        BoxSetup(display, tmp_path / "throwlock.toml", host).open(Settings(), "none")
    assert not display.labels
    return display


def test_every_tool_is_offered_with_its_state(tmp_path: Path) -> None:
    menu = administer(tmp_path, SimulatedHost()).last(BoxMenu)
    assert list(menu.tools) == [tool for tool in BoxTool if tool is not BoxTool.FILM], "nothing to film with"
    assert (menu.tools[BoxTool.CAMERA], menu.tools[BoxTool.WIFI]) == ("no camera", "off")
    assert menu.tools[BoxTool.TIME_ZONE].startswith("UTC: it is ")


def test_what_the_system_lacks_is_left_out(tmp_path: Path) -> None:
    assert list(administer(tmp_path, None).last(BoxMenu).tools) == [BoxTool.CAMERA]
    host = SimulatedHost(missing=[HostFeature.WIFI, HostFeature.SHUT_DOWN])
    assert list(administer(tmp_path, host).last(BoxMenu).tools) == ["camera", "time zone", "restart"]


def test_throws_are_filmed_at_the_camera_in_use(tmp_path: Path) -> None:
    filmed: list[str] = []
    display = TouchDisplay("Film throws", "Done")
    BoxSetup(display, tmp_path / "throwlock.toml", None, film=filmed.append).open(Settings(), "usb:3")
    assert filmed == ["usb:3"]


def test_wifi_is_switched_on_joined_by_password_and_forgotten(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    host = SimulatedHost()
    with caplog.at_level(logging.DEBUG):
        display = administer(tmp_path, host, "Wi-Fi", "Switch it on", HOME, *PASSWORD, "Connect")
    assert (host.connected, display.last(WifiView).note) == (HOME, "Connected to Games at home.")
    assert PASSWORD not in caplog.text + repr(display.seen), "the password is in no log and no view"
    assert not any(PASSWORD in path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert administer(tmp_path, host).last(BoxMenu).tools[BoxTool.WIFI] == "connected to Games at home"

    administer(tmp_path, host, "Wi-Fi", HOME, "Forget it")
    assert (host.connected, host.saved) == (None, {})
    administer(tmp_path, host, "Wi-Fi", "Switch it off")
    assert not host.wifi_on
    assert administer(tmp_path, host, "Wi-Fi").last(WifiView).status == WifiStatus(False), "it stays off"


def test_a_wrong_password_is_said_and_can_be_typed_again(tmp_path: Path) -> None:
    host = SimulatedHost()
    display = administer(tmp_path, host, "Wi-Fi", "Switch it on", HOME, *"paperrock", "Connect")
    view = display.last(WifiView)
    assert (view.note, view.has_error) == ("Games at home did not accept the password: type it again", True)
    assert view.note in " ".join(display.texts)
    display = administer(tmp_path, host, "Wi-Fi", HOME, *"rockpapeq", "Erase a letter", "r", "Connect")
    assert host.saved == {HOME: PASSWORD}


def test_a_saved_password_that_is_no_longer_right_can_be_forgotten(tmp_path: Path) -> None:
    host = SimulatedHost()
    administer(tmp_path, host, "Wi-Fi", "Switch it on", HOME, *PASSWORD, "Connect")
    host.connected, host.access_points = None, (SimulatedAccessPoint(HOME, "new one!"),)
    view = administer(tmp_path, host, "Wi-Fi", HOME, "Connect").last(WifiView)
    assert view.note == "Games at home no longer accepts the saved password: forget the network, then join it"
    keys = (*"new", "Space", *"one", "1#?", "!", "Connect")
    administer(tmp_path, host, "Wi-Fi", HOME, "Forget it", HOME, *keys)
    assert (host.connected, host.saved) == (HOME, {HOME: "new one!"})


def test_open_saved_and_unusable_networks(tmp_path: Path) -> None:
    host = SimulatedHost()
    administer(tmp_path, host, "Wi-Fi", "Switch it on", GUESTS, "Connect")
    assert host.connected == GUESTS
    host.connected = None
    administer(tmp_path, host, "Wi-Fi", GUESTS, "Connect", "Back")
    assert host.connected == GUESTS
    host.access_points = ()
    assert [network.name for network in host.wifi_status().networks] == [GUESTS], "a saved one is still listed"
    administer(tmp_path, host, "Wi-Fi", GUESTS, "Forget it")
    host.access_points = (SimulatedAccessPoint("School", "?", 41, WifiSecurity.UNSUPPORTED),)
    display = administer(tmp_path, host, "Wi-Fi", "Search again", "School")
    assert any(str(UNSUPPORTED) in text for text in display.texts)


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"without_dhcp": True}, "Cave gave the box no address: restart the router and try again"),
        ({"password": "changed since"}, "Cave did not accept the password: type it again"),
    ],
)
def test_a_router_that_fails_is_said(tmp_path: Path, change: dict[str, Any], note: str) -> None:
    host = SimulatedHost([SimulatedAccessPoint("Cave", **{"password": PASSWORD, **change})])
    display = administer(tmp_path, host, "Wi-Fi", "Switch it on", "Cave", *PASSWORD, "Connect")
    assert display.last(WifiView).note == note and host.connected is None


@pytest.mark.parametrize("error", [permission_denied("NetworkManager"), no_answer("NetworkManager", 10)])
def test_a_system_that_refuses_or_hangs_is_said_on_the_screen(tmp_path: Path, error: HostError) -> None:
    host = SimulatedHost(fault=error)
    display = administer(tmp_path, host, "Wi-Fi", "Go on", "Shut down", "Shut down")
    notice = display.last(Notice)
    assert notice.title == "This box" and notice.text == error.text
    assert "install Throwlock again" in notice.text or "did not answer within 10 s" in notice.text
    assert "sudo" not in notice.text


def test_wifi_that_fails_later_is_said_on_its_page(tmp_path: Path) -> None:
    class Unreliable(SimulatedHost):
        def switch_wifi(self, on: bool) -> None:
            raise failure("NetworkManager", "no")

    view = administer(tmp_path, Unreliable(), "Wi-Fi", "Switch it on").last(WifiView)
    assert (view.status, view.note, view.has_error) == (WifiStatus(False), "NetworkManager refuses: no", True)


def test_time_zone_is_chosen_by_region_and_city(tmp_path: Path) -> None:
    host = SimulatedHost()
    language.set_language("de")
    administer(tmp_path, host, "Zeitzone", "Europa", "Wien")
    assert host.time_zone() == "Europe/Vienna"
    language.set_language("en")
    display = administer(tmp_path, host, "Time zone", "Africa", "Back", "UTC")
    assert host.time_zone() == "UTC" and any(text.startswith("UTC: it is ") for text in display.texts)


@pytest.mark.parametrize(("tool", "stays"), [("Shut down", True), ("Restart", True), ("Shut down", False)])
def test_power_is_asked_for_twice_and_services_end_before_it(tmp_path: Path, tool: str, stays: bool) -> None:
    happened: list[str] = []
    host = SimulatedHost(on_power_off=lambda: happened.append("power"))
    display = TouchDisplay(tool, *(["Stay on"] if stays else [tool]))
    with pytest.raises(WindowClosedError):
        BoxSetup(display, tmp_path / "x.toml", host, lambda: happened.append("services")).open(Settings(), "none")
    assert happened == ([] if stays else ["services", "power"])
    if not stays:
        page = display.last(PoweringOff)
        assert display.seen[-2:] == [page, page] and str(PULL_THE_PLUG) in page.text
        assert page.seconds_left == 90.0


def test_a_system_that_does_not_stop_is_said(tmp_path: Path) -> None:
    class Patient(TouchDisplay):
        def ask(self, view: InteractiveView) -> Any:
            return None if isinstance(view, PoweringOff) else super().ask(view)

    display = Patient("Restart", "Restart")
    with pytest.raises(WindowClosedError):
        BoxSetup(display, tmp_path / "x.toml", SimulatedHost()).open(Settings(), "none")
    assert display.last(Notice).text == "The system has not stopped: wait a minute, then try again"


def test_the_journal_is_closed_when_the_power_goes(tmp_path: Path) -> None:
    journal = tmp_path / "evening.journal"
    opened: list[Path] = []

    def power_off() -> None:
        with Journal(journal) as written:  # it would be locked otherwise
            opened.append(written.path)

    display = TouchDisplay("English", "Skip all", "Tools", "Settings", "This box", "Shut down", "Shut down")
    options = LaunchOptions(journal, "none")
    with pytest.raises(WindowClosedError):
        GameSession(options, display, lambda *args: "home", (), 0, SimulatedHost(on_power_off=power_off)).run(None)
    assert opened == [journal]


def test_password_page_types_ascii_only_and_hides_it() -> None:
    page = PasswordPage(WifiPage(WifiView(WifiStatus(True))), HOME_NETWORK)
    for letter in "ab cd&1ü€\n":
        page = page.type_letter(letter)
    assert page.text == "ab cd&1" and page.finish() is None
    assert page.visible_text == "••••••1" and "ab cd" not in repr(page)
    answer = page.type_letter("2").finish()
    assert answer is not None and "ab cd" not in repr(answer)
    assert len(page.with_text("x" * 62).type_letter("y").type_letter("z").text) == 63


class TestCamera:
    """The camera and its rotation."""

    class Eye:
        """A camera of which only the latest frame matters."""

        size = (640, 360)

        def __init__(self, error: CameraError | None = None) -> None:
            self._error = error
            self.running = False

        def start(self) -> None:
            if self._error:
                raise self._error
            self.running = True

        def stop(self) -> None:
            self.running = False

        def latest(self) -> Any:
            return self

        exposed_ns = 1

        def pixels(self, box: Any, size: Any) -> Pixels:
            return np.zeros((360, 640, 3), np.uint8)

    @pytest.fixture
    def eyes(self, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
        found: dict[str, Any] = {"picamera2": self.Eye(), "usb:0": self.Eye()}
        names = {"picamera2": "Camera Module 3", "usb:0": "HD Pro Webcam"}
        for module in (box_setup, cameras):
            monkeypatch.setattr(module, "find_cameras", lambda: names)
        monkeypatch.setattr(box_setup, "open_camera", lambda name, *args: found[name])
        return found

    def test_camera_is_chosen_and_rotated_and_released(self, tmp_path: Path, eyes: dict[str, Any]) -> None:
        display = TouchDisplay("Camera", "HD Pro Webcam", "Rotate the image by 180°", "Done", "Done")
        setup = BoxSetup(display, tmp_path / "throwlock.toml")
        settings, name = setup.open(Settings(), "picamera2")
        assert (name, settings.camera.name, settings.camera.rotation) == ("usb:0", "usb:0", 180)
        assert read_settings(tmp_path / "throwlock.toml") == settings
        assert cameras.camera_rotation("usb:0") == 180 and cameras.camera_rotation("clip:x.mp4") == 0
        assert not any(eye.running for eye in eyes.values())
        first = next(view for view in display.seen if isinstance(view, CameraPage))
        assert first.image is not None and (first.current, first.rotation) == ("picamera2", 0)

    def test_a_camera_that_fails_is_said_and_another_can_be_chosen(self, tmp_path: Path, eyes: dict[str, Any]) -> None:
        eyes["picamera2"] = self.Eye(CameraError("camera picamera2:0 sends no images"))
        display = TouchDisplay("Camera", "HD Pro Webcam", "Done", "Done")
        assert BoxSetup(display, tmp_path / "throwlock.toml").open(Settings(), "picamera2")[1] == "usb:0"
        first = next(view for view in display.seen if isinstance(view, CameraPage))
        assert first.error == "Camera picamera2:0 sends no images"

    def test_settings_that_cannot_be_written_are_said(self, tmp_path: Path, eyes: dict[str, Any]) -> None:
        (tmp_path / "throwlock.toml").write_text("[camera\n")
        display = TouchDisplay("Camera", "HD Pro Webcam", "Go on", "Done", "Done")
        assert BoxSetup(display, tmp_path / "throwlock.toml").open(Settings(), "picamera2")[1] == "picamera2"
        assert "can’t be read" in display.last(Notice).text

    def test_no_camera_is_said(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(box_setup, "find_cameras", dict)
        display = TouchDisplay("Camera")
        with pytest.raises(WindowClosedError):
            BoxSetup(display, tmp_path / "throwlock.toml").open(Settings(), "usb:0")
        assert any("No camera was found" in text for text in display.texts)
        assert display.seen[1].tools[BoxTool.CAMERA] == "usb:0: not found"  # type: ignore[attr-defined]

    def test_a_camera_that_was_connected_meanwhile_is_found(
        self, tmp_path: Path, eyes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = cameras.find_cameras()
        searches = [{}, {}, found]  # for the menu, the page, and again
        monkeypatch.setattr(box_setup, "find_cameras", lambda: searches.pop(0) if searches else found)
        display = TouchDisplay("Camera", "Search again", "HD Pro Webcam", "Done", "Done")
        assert BoxSetup(display, tmp_path / "throwlock.toml").open(Settings(), "usb:7")[1] == "usb:0"

    def test_the_simulated_table_is_not_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(box_setup, "find_cameras", dict)
        display = TouchDisplay()
        with pytest.raises(WindowClosedError):
            BoxSetup(display, tmp_path / "throwlock.toml").open(Settings(), "simulated")
        assert display.seen[1].tools[BoxTool.CAMERA] == "the simulated table"  # type: ignore[attr-defined]

    def test_a_clip_that_plays_is_not_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(box_setup, "find_cameras", dict)
        (tmp_path / "evening.mp4").touch()
        for name, state in (("evening.mp4", "evening.mp4"), ("gone.mp4", f"clip:{tmp_path / 'gone.mp4'}: not found")):
            display = TouchDisplay()
            with pytest.raises(WindowClosedError):
                BoxSetup(display, tmp_path / "throwlock.toml").open(Settings(), f"clip:{tmp_path / name}")
            assert display.seen[1].tools[BoxTool.CAMERA] == state  # type: ignore[attr-defined]

    def test_the_next_match_uses_the_chosen_camera(self, tmp_path: Path, eyes: dict[str, Any]) -> None:
        began: list[str] = []

        def run_one(options: Any, config: Any, assign_seats: Any) -> str:
            began.append(config.camera)
            return "home"

        display = TouchDisplay(
            *(
                "Tools",
                "Settings",
                "This box",
                "Camera",
                "HD Pro Webcam",
                "Done",
                "Done",
                "Done",
                "Back",
                "Classic",
                "Start",
            )
        )
        with pytest.raises(WindowClosedError):
            GameSession(LaunchOptions(tmp_path / "e.journal", "picamera2"), display, run_one, ("Ann",), 0).run(None)
        assert began == ["usb:0"]

    def test_seats_stay_where_people_sit(self, tmp_path: Path) -> None:
        zones = (Zone(0.0, 0.1, 0.4, 0.5), Zone(0.5, 0.0, 0.5, 1.0))
        store = ZoneStore(tmp_path / "zones.toml")
        store.save("usb:0", (1280, 720), zones)
        assert "rotation" not in (tmp_path / "zones.toml").read_text()
        (tmp_path / "throwlock.toml").write_text("[camera]\nrotation = 180\n")
        turned = store.read("usb:0", 2, (1280, 720))
        assert turned is not None
        assert np.allclose(turned, [(0.6, 0.4, 0.4, 0.5), (0.0, 0.0, 0.5, 1.0)])
        store.save("usb:0", (1280, 720), turned)
        assert store.read("usb:0", 2, (1280, 720)) == turned
        (tmp_path / "throwlock.toml").unlink()
        again = store.read("usb:0", 2, (1280, 720))
        assert again is not None and np.allclose(again, zones)


def test_the_pi_cameras_and_webcams_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        class Picamera2:
            """The library's class."""

            @staticmethod
            def global_camera_info() -> list[dict[str, Any]]:
                return [
                    {"Model": "imx708_wide_noir", "Id": "/base/axi/i2c@1a"},
                    {"Model": "imx999", "Id": "/base/axi/i2c@1b"},
                    {"Model": "C920", "Id": "/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:082d"},
                ]

    folder = tmp_path / "sys" / "class"
    for number, (place, index, name) in enumerate(
        [("platform/rp1-cfe", "0", "rp1-cfe"), ("pci0/usb1/1-1", "0", "C920"), ("pci0/usb1/1-1", "1", "C920")]
    ):
        (tmp_path / "sys" / place).mkdir(parents=True, exist_ok=True)
        device = folder / f"video{number + 9}"
        device.mkdir(parents=True)
        (device / "device").symlink_to(tmp_path / "sys" / place)
        (device / "index").write_text(f"{index}\n")
        (device / "name").write_text(f"{name}\n")
    monkeypatch.setattr(cameras, "import_picamera2", lambda: Library)
    monkeypatch.setattr(cameras, "VIDEO_DEVICES", folder)
    found = {"picamera2": "Camera Module 3 Wide", "picamera2:1": "imx999", "usb:10": "C920"}
    assert cameras.find_cameras() == found

    def broken() -> Any:
        raise CameraError("picamera2 can’t be loaded")

    monkeypatch.setattr(cameras, "import_picamera2", broken)
    assert cameras.find_cameras() == {"usb:10": "C920"}


def test_the_simulated_system_refuses_what_a_real_one_does() -> None:
    host = SimulatedHost()
    with pytest.raises(HostError, match="Invalid or not installed time zone"):
        host.set_time_zone("Mars/Base")
    with pytest.raises(HostError, match="is not running"):
        SimulatedHost(missing=[HostFeature.WIFI]).wifi_status()
    host.switch_wifi(True)
    with pytest.raises(HostError, match="not in range"):
        host.connect_wifi(WifiNetwork(b"Far", 0, WifiSecurity.OPEN))
