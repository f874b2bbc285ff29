"""The time zone by touch."""

from datetime import datetime

from device.system.host import Host
from messages import LazyText, N
from ui.i18n.language import city_name
from ui.screen.core.display import Display
from ui.screen.pages.box_setup import BACK, TimeZoneView


def choose_time_zone(display: Display, host: Host) -> None:
    """Let people choose the time zone. Raises HostError, WindowClosedError."""
    answer = display.ask(TimeZoneView(tuple(host.time_zones()), host.time_zone(), _time_of_day))
    if isinstance(answer, str) and answer != BACK:
        host.set_time_zone(answer)


def describe(zone: str) -> LazyText:
    """Return a time zone and what time it is there."""
    return N("{city}: it is {time}", city=city_name(zone), time=_time_of_day())


def _time_of_day() -> str:
    return f"{datetime.now().astimezone():%H:%M}"
