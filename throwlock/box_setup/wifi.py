"""The Wi-Fi by touch: off until somebody switches it on. Passwords go to the system and are kept nowhere here."""

from device.system.host import Host, HostError, WifiStatus
from messages import LazyText, N, capitalise
from ui.screen.core.display import Display
from ui.screen.pages.box_setup import WifiAction, WifiAnswer, WifiView, working

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


def describe(status: WifiStatus) -> LazyText:
    """Return what is shown of the Wi-Fi in a line."""
    if not status.is_on:
        return N("off")
    connected = next((network.name for network in status.networks if network.is_connected), None)
    return N("connected to {network}", network=connected) if connected else N("on, not connected")
