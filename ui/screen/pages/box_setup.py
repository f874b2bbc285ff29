"""The box itself as people administer it by touch: its camera, Wi-Fi, time zone and power. Pure: no surface, no
clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from string import printable
from types import MappingProxyType
from typing import Self

from typing_extensions import override

from device.system.host import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, WifiNetwork, WifiSecurity, WifiStatus
from messages import N
from ui.i18n.keyboards import letter_rows
from ui.i18n.language import t
from ui.screen.pages.countdown import Preparing
from ui.screen.pages.zones import LiveImage
from ui.screen.views import CompoundAnswer, InteractiveView, ListPage, LiveView, Page, Reply, TypingPage

BACK = "back"
ONE_MOMENT = N("One moment")
TITLE = N("This box")
SYMBOL_ROWS = ("1234567890", "!@#$%^&*()~", "-_=+[]{}\\|`", ";:'\",.<>/?")
"""The keys of a password that are no letters. With the letters they are printable ASCII, as Wi-Fi passwords are."""
REGIONS: Mapping[str, str] = MappingProxyType(
    {
        "Africa": N("Africa"),
        "America": N("America"),
        "Antarctica": N("Antarctica"),
        "Arctic": N("Arctic"),
        "Asia": N("Asia"),
        "Atlantic": N("Atlantic"),
        "Australia": N("Australia"),
        "Europe": N("Europe"),
        "Indian": N("Indian Ocean"),
        "Pacific": N("Pacific"),
    }
)
"""The regions of time zones by the first part of their names."""
UTC = "UTC"


def working(on: str) -> Preparing:
    """Return what is shown while the box works ``on`` something."""
    return Preparing(on, heading=ONE_MOMENT)


class BoxTool(StrEnum):
    """What can be administered. The values are the answers of BoxMenu."""

    CAMERA = "camera"
    FILM = "film"
    WIFI = "wifi"
    TIME_ZONE = "time zone"
    RESTART = "restart"
    SHUT_DOWN = "shut down"


@dataclass(frozen=True)
class BoxMenu(Page):
    """Choose what to administer. Answered with a BoxTool, or BACK."""

    is_idle = True

    tools: Mapping[BoxTool, str]
    """What can be administered, with its current state; "" where it has none to show."""


SEARCH_CAMERAS = "search cameras"
"""The answer of people who have connected a camera, where none was found."""


@dataclass(frozen=True)
class CameraPage(LiveView, Page):
    """Choose the camera, and whether its image is rotated by 180°. Answered with a CameraAnswer, SEARCH_CAMERAS, or
    BACK."""

    is_idle = True

    cameras: Mapping[str, str]
    """The descriptions of the cameras, by name."""
    current: str
    """The name of the camera that is used."""
    rotation: int
    """Of the image, in degrees."""
    latest_image: Callable[[], LiveImage | None]
    """Returns the live image of the camera; None before there is one."""
    error: str = ""
    """Why there is no image; "" where there is one."""
    image: LiveImage | None = None
    in_use: str = ""
    """What ``current`` is, if it is no connected camera: "the simulated table"; "" for none, or one that is missing."""

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, image=self.latest_image())


@dataclass(frozen=True)
class CameraAnswer(CompoundAnswer):
    """The answer to a CameraPage: the camera's name and its rotation in degrees."""

    name: str
    rotation: int


class WifiAction(StrEnum):
    """What people want of the Wi-Fi."""

    SWITCH_ON = "on"
    SWITCH_OFF = "off"
    SEARCH = "search"
    CONNECT = "connect"
    FORGET = "forget"


@dataclass(frozen=True)
class WifiAnswer(CompoundAnswer):
    """The answer to a WifiView: what to do, with which network, and its password, which appears nowhere else."""

    action: WifiAction
    network: WifiNetwork | None = None
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class WifiView(InteractiveView):
    """The Wi-Fi: a switch and the networks. Answered with a WifiAnswer, or BACK."""

    is_idle = True

    status: WifiStatus
    note: str = ""
    """What has just happened."""
    has_error: bool = False
    """Whether that failed."""

    @override
    def first_page(self) -> "WifiPage":
        return WifiPage(self)


@dataclass(frozen=True)
class WifiPage(ListPage):
    """The list of networks."""

    view: WifiView

    def select(self, network: WifiNetwork) -> Page | Reply:
        """Return what a touch on a network leads to: its password if that is needed, otherwise its page."""
        if network.security is WifiSecurity.PASSWORD and not network.is_saved:
            return PasswordPage(self, network)
        return NetworkPage(self, network)


@dataclass(frozen=True)
class NetworkPage(Page):
    """One network: connect to it, or forget it."""

    wifi: WifiPage
    network: WifiNetwork


@dataclass(frozen=True)
class PasswordPage(TypingPage):
    """A network's password. Only its last letter is shown, unless people want to see it all."""

    wifi: WifiPage
    network: WifiNetwork
    text: str = field(default="", kw_only=True, repr=False)
    capital: bool = False
    symbols: bool = False
    is_shown: bool = False

    @override
    def can_type(self, letter: str) -> bool:
        """Printable ASCII."""
        return len(letter) == 1 and " " <= letter <= "~" and len(self.text) < MAX_PASSWORD_LENGTH

    @override
    def finish(self) -> Reply | None:
        """Connects."""
        if len(self.text) < MIN_PASSWORD_LENGTH:
            return None
        return Reply(WifiAnswer(WifiAction.CONNECT, self.network, self.text))

    @property
    def visible_text(self) -> str:
        """The password as it is shown."""
        return self.text if self.is_shown else "•" * (len(self.text) - 1) + self.text[-1:]


def password_rows(language: str, *, symbols: bool) -> list[str]:
    """Return the keys of a password row by row: those of names, without rows that have nothing a password can have."""
    return [row for row in (SYMBOL_ROWS if symbols else letter_rows(language)) if not set(row).isdisjoint(printable)]


@dataclass(frozen=True)
class TimeZoneView(InteractiveView):
    """Choose the time zone: first its region, then its city. Answered with a name, or BACK."""

    zones: tuple[str, ...]
    """All names, such as "Europe/Vienna"."""
    current: str
    clock: Callable[[], str]
    """Returns the time of day as text."""

    @override
    def first_page(self) -> "RegionPage":
        return RegionPage(self, self.clock())

    @property
    def regions(self) -> tuple[str, ...]:
        """The regions that have zones, and UTC."""
        regions = {zone.partition("/")[0] for zone in self.zones}
        return (*(region for region in REGIONS if region in regions), *((UTC,) if UTC in regions else ()))

    def cities(self, region: str) -> tuple[str, ...]:
        """Return the zones of a region."""
        return tuple(zone for zone in self.zones if zone.startswith(f"{region}/"))


@dataclass(frozen=True)
class RegionPage(Page):
    """The regions, the current time zone and the time."""

    is_idle = True

    view: TimeZoneView
    time: str

    @override
    def at_time(self, seconds: float) -> Self:
        return replace(self, time=self.view.clock())


@dataclass(frozen=True)
class CityPage(ListPage):
    """The cities of one region."""

    region_page: RegionPage
    region: str


@dataclass(frozen=True)
class PoweringOff(Page):
    """The system stops: what happens and when the plug may be pulled."""

    title: str
    text: str
    seconds_left: float | None = 90.0
    """How long it may take; if it has not stopped by then, the page is answered with None."""

    @override
    def with_seconds_left(self, seconds: float) -> Self:
        """Nothing is drawn of them."""
        del seconds
        return self


TOOL_NAMES = {
    BoxTool.CAMERA: N("Camera"),
    BoxTool.FILM: N("Film throws"),
    BoxTool.WIFI: N("Wi-Fi"),
    BoxTool.TIME_ZONE: N("Time zone"),
    BoxTool.RESTART: N("Restart"),
    BoxTool.SHUT_DOWN: N("Shut down"),
}
TOOL_ICONS = {
    BoxTool.CAMERA: "camera",
    BoxTool.FILM: "film",
    BoxTool.WIFI: "waves",
    BoxTool.TIME_ZONE: "globe",
    BoxTool.RESTART: "again",
    BoxTool.SHUT_DOWN: "moon",
}
FILM_DETAIL = N("measure the box on your own throws")
WIFI_OFF = N("Wi-Fi is off.")
WIFI_OFF_DETAIL = N("Switch it on for phones, a television and the review pages. The games don’t need it.")
NO_NETWORK_FOUND = N("No network was found.")
UNSUPPORTED = N("This network needs a name and a password for each person, or is not secure. The box can’t join it.")


def network_state(network: WifiNetwork) -> str:
    """A network in a word or two."""
    if network.is_connected:
        return t("connected")
    if network.is_saved:
        return t("saved") if network.strength else t("saved, not in range")
    return {
        WifiSecurity.OPEN: t("no password"),
        WifiSecurity.PASSWORD: t("password"),
        WifiSecurity.UNSUPPORTED: t("can’t be used"),
    }[network.security]


def region_name(region: str) -> str:
    """A region of time zones."""
    return t(REGIONS[region]) if region in REGIONS else region
