"""The box itself, administered by touch: its camera, Wi-Fi, time zone and power."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from device.camera.base import CameraError
from device.system.clock import MonotonicClock
from device.system.host import Host, HostError, HostFeature, WifiStatus
from messages import LazyText, N, capitalise
from throwlock.settings.model import Settings, SettingsError, save_settings
from throwlock.table_setup.cameras import CameraKind, camera_rotation, find_cameras, open_camera, run_camera
from throwlock.table_setup.zone_setup import LivePreview
from ui.i18n.language import city_name
from ui.screen.core.display import Display
from ui.screen.pages.box_setup import (
    BACK,
    FILM_DETAIL,
    SEARCH_CAMERAS,
    TITLE,
    BoxMenu,
    BoxTool,
    CameraAnswer,
    CameraPage,
    PoweringOff,
    TimeZoneView,
    WifiAction,
    WifiAnswer,
    WifiView,
    working,
)
from ui.screen.pages.notice import Notice

logger = logging.getLogger(__name__)

CAMERA_TITLE = N("Camera")


def choose_camera(display: Display, settings_file: Path, name: str) -> tuple[Settings, str] | None:
    """Let people choose the camera and rotate its image, starting with the camera called ``name``. Return the settings
    and the camera's name if they changed; what fails is said on the screen.

    Raises:
        WindowClosedError: The window was closed.
        CameraNotReleasedError: A camera hangs while stopping.
    """
    changed = None
    while True:
        display.show(working(N("Opening the camera")))
        while (answer := _show_camera(display, name)) == SEARCH_CAMERAS:
            pass
        if not isinstance(answer, CameraAnswer):
            return changed
        try:
            settings = save_settings(settings_file, {"camera.name": answer.name, "camera.rotation": answer.rotation})
        except SettingsError as error:
            display.ask(Notice(CAMERA_TITLE, capitalise(error.text)))
        else:
            name = answer.name
            changed = settings, name


def _show_camera(display: Display, name: str) -> object:
    """Show the cameras and the live image of one. Return people's answer."""
    cameras, rotation = find_cameras(), camera_rotation(name)
    in_use = _describe_unconnected(name)
    if name not in cameras and not in_use:
        return display.ask(CameraPage(cameras, name, rotation, lambda: None))
    with ExitStack() as opened:
        try:
            camera = opened.enter_context(run_camera(open_camera(name, MonotonicClock(), 2, 0)))
        except CameraError as error:
            return display.ask(CameraPage(cameras, name, rotation, lambda: None, capitalise(error.text), in_use=in_use))
        live = opened.enter_context(LivePreview(camera))
        return display.ask(CameraPage(cameras, name, rotation, live.latest, image=live.latest(), in_use=in_use))


SEARCHING = N("Looking for networks")


def set_up_wifi(display: Display, host: Host) -> None:
    """Let people switch the Wi-Fi and choose a network until they go back. What fails is said on the page.

    Raises:
        HostError: The Wi-Fi can't be looked at.
        WindowClosedError: The window was closed.
    """
    note, failed = "", False
    display.show(working(SEARCHING))
    status = host.wifi_status()
    while isinstance(answer := display.ask(WifiView(status, note, failed)), WifiAnswer):
        try:
            note, failed = _obey(display, host, answer), False
            status = _look_again(display, host, answer.action)
        except HostError as error:
            note, failed = capitalise(error.text), True


def _obey(display: Display, host: Host, answer: WifiAnswer) -> str:
    """Do what people want. Return what there is to say about it. Raises HostError, WindowClosedError."""
    match answer:
        case WifiAnswer(WifiAction.SWITCH_ON | WifiAction.SWITCH_OFF):
            on = answer.action is WifiAction.SWITCH_ON
            display.show(working(N("Switching Wi-Fi on") if on else N("Switching Wi-Fi off")))
            host.switch_wifi(on)
        case WifiAnswer(WifiAction.CONNECT, network) if network:
            display.show(working(N("Connecting to {network}", network=network.name)))
            host.connect_wifi(network, answer.password)
            return N("Connected to {network}.", network=network.name)
        case WifiAnswer(WifiAction.FORGET, network) if network:
            host.forget_wifi(network)
            return N("{network} is forgotten.", network=network.name)
    return ""


def _look_again(display: Display, host: Host, action: WifiAction) -> WifiStatus:
    search = action in (WifiAction.SWITCH_ON, WifiAction.SEARCH)
    if search:
        display.show(working(SEARCHING))
    return host.wifi_status(search=search)


def describe_wifi(status: WifiStatus) -> LazyText:
    """Return what is shown of the Wi-Fi in a line."""
    if not status.is_on:
        return N("off")
    connected = next((network.name for network in status.networks if network.is_connected), None)
    return N("connected to {network}", network=connected) if connected else N("on, not connected")


def choose_time_zone(display: Display, host: Host) -> None:
    """Let people choose the time zone. Raises HostError, WindowClosedError."""
    answer = display.ask(TimeZoneView(tuple(host.time_zones()), host.time_zone(), _time_of_day))
    if isinstance(answer, str) and answer != BACK:
        host.set_time_zone(answer)


def _time_of_day() -> str:
    return f"{datetime.now().astimezone():%H:%M}"


STAY_ON, SHUT_DOWN, RESTART = "stay on", "shut down", "restart"
PULL_THE_PLUG = N("Pull the plug only when the screen is dark and the green light on the board has stopped blinking.")


def shut_down(display: Display, host: Host, stop_services: Callable[[], object]) -> None:
    """Ask again, then shut the system down, and show when the plug may be pulled.

    Raises:
        HostError: It can't be shut down, or has not stopped in time.
        WindowClosedError: The system stops, and Throwlock with it.
    """
    question = Notice(N("Shut down the box?"), PULL_THE_PLUG, (STAY_ON, SHUT_DOWN))
    if display.ask(question) == SHUT_DOWN:
        _leave(display, host.shut_down, stop_services, PoweringOff(N("Shutting down"), PULL_THE_PLUG))


def restart(display: Display, host: Host, stop_services: Callable[[], object]) -> None:
    """Ask again, then restart the system. Raises as ``shut_down``."""
    question = Notice(N("Restart the box?"), N("This takes about a minute."), (STAY_ON, RESTART))
    if display.ask(question) == RESTART:
        page = PoweringOff(N("Restarting"), N("Leave the plug in: the games are back in about a minute."))
        _leave(display, host.restart, stop_services, page)


def _leave(
    display: Display, power_off: Callable[[], None], stop_services: Callable[[], object], page: PoweringOff
) -> None:
    stop_services()
    display.show(page)
    logger.info("somebody asked for it on the screen: %s", page.title)
    power_off()
    display.ask(page)  # until the system ends this process
    raise HostError(N("the system has not stopped: wait a minute, then try again"))


@dataclass(frozen=True)
class BoxSetup:
    """What the pages for setting up the box change."""

    display: Display
    settings_file: Path
    """Where the settings are kept."""
    host: Host | None = None
    """The system they administer; None: this computer is not ours to administer."""
    stop_services: Callable[[], object] = lambda: None
    """Ends all that runs beside the pages, before the power goes."""
    film: Callable[[str], object] = lambda camera: None
    """Films throws at the camera of that name."""

    def open(self, settings: Settings, camera_name: str) -> tuple[Settings, str]:
        """Let people administer the box until they go back. Return the settings and the camera's name as they are then.
        Raises WindowClosedError."""
        while True:
            self.display.show(working(TITLE))
            features = self.host.features() if self.host else frozenset()
            answer = self.display.ask(BoxMenu(self._tools(features, camera_name)))
            match answer:
                case BoxTool.CAMERA:
                    chosen = choose_camera(self.display, self.settings_file, camera_name)
                    if chosen is not None:
                        settings, camera_name = chosen
                case BoxTool.FILM:
                    self.film(camera_name)
                case BoxTool() if self.host:
                    self.open_tool(self.host, answer)
                case _:
                    return settings, camera_name

    def open_tool(self, host: Host, tool: BoxTool) -> None:
        """Let people use a tool of ``host``; what fails is said on the screen. Raises WindowClosedError."""
        try:
            match tool:
                case BoxTool.WIFI:
                    set_up_wifi(self.display, host)
                case BoxTool.TIME_ZONE:
                    choose_time_zone(self.display, host)
                case BoxTool.RESTART:
                    restart(self.display, host, self.stop_services)
                case BoxTool.SHUT_DOWN:
                    shut_down(self.display, host, self.stop_services)
        except HostError as error:
            self.display.ask(Notice(TITLE, capitalise(error.text)))

    def _tools(self, features: frozenset[HostFeature], camera_name: str) -> dict[BoxTool, str]:
        """Return what can be administered, with its state. What this system lacks is left out."""
        tools: dict[BoxTool, str] = {BoxTool.CAMERA: find_cameras().get(camera_name, _camera_state(camera_name))}
        if camera_name != CameraKind.NONE:
            tools[BoxTool.FILM] = FILM_DETAIL
        for feature in (known for known in HostFeature if known in features):
            tool = BoxTool(feature)
            try:
                tools[tool] = self._state(tool)
            except HostError as error:
                tools[tool] = error.text
        return tools

    def _state(self, tool: BoxTool) -> str:
        """Return what is shown next to a tool. Raises HostError."""
        if tool is BoxTool.TIME_ZONE and self.host:
            return N("{city}: it is {time}", city=city_name(self.host.time_zone()), time=_time_of_day())
        if tool is BoxTool.WIFI and self.host:
            return describe_wifi(self.host.wifi_status(search=False))
        return ""


def _describe_unconnected(name: str) -> str:
    """Return what the camera called ``name`` is if nothing is connected: a simulated table or a file; else ""."""
    if name == CameraKind.SIMULATED:
        return N("the simulated table")
    if CameraKind.of(name) is CameraKind.CLIP and (path := Path(name.partition(":")[2])).exists():
        return path.name
    return ""


def _camera_state(name: str) -> str:
    if unconnected := _describe_unconnected(name):
        return unconnected
    return N("no camera") if name == CameraKind.NONE else N("{camera}: not found", camera=name)
