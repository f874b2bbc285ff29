"""The texts about the box itself."""

from device.system.host import WifiNetwork, WifiSecurity
from messages import N
from ui.i18n.language import t
from ui.screen.pages.box_setup.view import REGIONS, BoxTool

TOOL_NAMES = {
    BoxTool.CAMERA: N("Camera"),
    BoxTool.FILM: N("Film throws"),
    BoxTool.WIFI: N("Wi-Fi"),
    BoxTool.TIME_ZONE: N("Time zone"),
    BoxTool.RESTART: N("Restart"),
    BoxTool.SHUT_DOWN: N("Shut down"),
}
TOOL_ICONS = {
    BoxTool.CAMERA: "eye",
    BoxTool.FILM: "frame",
    BoxTool.WIFI: "waves",
    BoxTool.TIME_ZONE: "globe",
    BoxTool.RESTART: "again",
    BoxTool.SHUT_DOWN: "moon",
}
FILM_DETAIL = N("measure the box on your own throws")
WIFI_OFF = N("Wi-Fi is off.")
WIFI_OFF_DETAIL = N("Switch it on to look at past matches from a phone or a laptop. The games don’t need it.")
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
