"""Restarting the system and shutting it down by touch, never by accident: a second page asks again. No match runs while
these pages are open, so the journal is closed."""

import logging
from collections.abc import Callable

from device.system.host import Host, HostError
from messages import N
from ui.screen.core.display import Display
from ui.screen.pages.box_setup import PoweringOff
from ui.screen.pages.notice import Notice

logger = logging.getLogger(__name__)

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
