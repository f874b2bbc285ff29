"""The page "This box" in the settings, and what it leads to."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from device.system.host import Host, HostError, HostFeature
from messages import N, capitalise
from throwlock.box_setup import camera, power, time_zone, wifi
from throwlock.settings.model import Settings
from throwlock.table_setup.cameras import NO_CAMERA, find_cameras
from ui.screen.core.display import Display
from ui.screen.pages.box_setup import FILM_DETAIL, TITLE, BoxMenu, BoxTool, working
from ui.screen.pages.notice import Notice


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
                    chosen = camera.choose_camera(self.display, self.settings_file, camera_name)
                    if chosen is not None:
                        settings, camera_name = chosen
                case BoxTool.FILM:
                    self.film(camera_name)
                case BoxTool() if self.host:
                    self._open_tool(self.host, answer)
                case _:
                    return settings, camera_name

    def _open_tool(self, host: Host, tool: BoxTool) -> None:
        try:
            match tool:
                case BoxTool.WIFI:
                    wifi.set_up_wifi(self.display, host)
                case BoxTool.TIME_ZONE:
                    time_zone.choose_time_zone(self.display, host)
                case BoxTool.RESTART:
                    power.restart(self.display, host, self.stop_services)
                case BoxTool.SHUT_DOWN:
                    power.shut_down(self.display, host, self.stop_services)
        except HostError as error:
            self.display.ask(Notice(TITLE, capitalise(error.text)))

    def _tools(self, features: frozenset[HostFeature], camera_name: str) -> dict[BoxTool, str]:
        """Return what can be administered, with its state. What this system lacks is left out."""
        tools: dict[BoxTool, str] = {BoxTool.CAMERA: find_cameras().get(camera_name, _camera_state(camera_name))}
        if camera_name != NO_CAMERA:
            tools[BoxTool.FILM] = FILM_DETAIL
        for feature in (one for one in HostFeature if one in features):
            tool = BoxTool(feature)
            try:
                tools[tool] = self._state(tool)
            except HostError as error:
                tools[tool] = error.text
        return tools

    def _state(self, tool: BoxTool) -> str:
        """Return what is shown next to a tool. Raises HostError."""
        if tool is BoxTool.TIME_ZONE and self.host:
            return time_zone.describe(self.host.time_zone())
        if tool is BoxTool.WIFI and self.host:
            return wifi.describe(self.host.wifi_status(search=False))
        return ""


def _camera_state(name: str) -> str:
    return N("no camera") if name == NO_CAMERA else N("{camera}: not found", camera=name)
