"""The interface of the system that the box runs on, as far as people administer it by touch: its Wi-Fi, its time zone,
restarting it and shutting it down. ``device.system.dbus_host`` asks the system's own services;
``device.simulated.host`` stands in for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from errors import ThrowlockError
from messages import N

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 8, 63
"""Characters of a Wi-Fi password: IEEE 802.11-2020, J.4.1 (printable ASCII)."""


class HostError(ThrowlockError):
    """The system can't do what it was asked to. The one-line message says what, why and how to fix it."""


class MissingServiceError(HostError):
    """The system has no such service, or it does not run."""


class PermissionDeniedError(HostError, PermissionError):
    """The system does not let Throwlock do this."""


class HostTimeoutError(HostError, TimeoutError):
    """A service did not answer in time."""


class WrongPasswordError(HostError):
    """A Wi-Fi network did not accept the password."""


class HostFeature(StrEnum):
    """Something that this system lets people administer."""

    WIFI = "wifi"
    TIME_ZONE = "time zone"
    RESTART = "restart"
    SHUT_DOWN = "shut down"


class WifiSecurity(StrEnum):
    """How a Wi-Fi network lets a device in."""

    OPEN = "open"
    PASSWORD = "password"
    """One for all: WPA, WPA2 and WPA3 at home."""
    UNSUPPORTED = "unsupported"
    """A name and a password for each person, or the unsafe WEP."""


@dataclass(frozen=True)
class WifiNetwork:
    """A Wi-Fi network in range, or a saved one that is not."""

    ssid: bytes
    strength: int
    """In percent; 0 out of range."""
    security: WifiSecurity
    is_saved: bool = False
    is_connected: bool = False

    @property
    def name(self) -> str:
        """The name that people know it by."""
        return self.ssid.decode("utf-8", "replace")


@dataclass(frozen=True)
class WifiStatus:
    """Whether Wi-Fi is on, and the networks: the connected one first, then saved ones, then by strength."""

    is_on: bool
    networks: tuple[WifiNetwork, ...] = ()


class Host(Protocol):
    """The system. Every method returns within a limited time; all but ``features`` raise HostError."""

    def features(self) -> frozenset[HostFeature]:
        """Return what this system lets people administer. Never raises."""

    def time_zone(self) -> str:
        """Return the time zone, such as "Europe/Vienna"."""

    def time_zones(self) -> Sequence[str]:
        """Return every time zone that can be set."""

    def set_time_zone(self, name: str) -> None:
        """Set the time zone, for this process too."""

    def wifi_status(self, *, search: bool = True) -> WifiStatus:
        """Return whether the Wi-Fi is on, and the networks. With ``search``, look for networks first, for some
        seconds."""

    def switch_wifi(self, on: bool) -> None:
        """Switch the radio on or off. It stays so when the system restarts."""

    def connect_wifi(self, network: WifiNetwork, password: str = "") -> None:
        """Connect to a network, with the ``password`` unless it is open or saved. Once that works, the system saves it,
        and connects to it by itself from then on. Raises WrongPasswordError."""

    def forget_wifi(self, network: WifiNetwork) -> None:
        """Disconnect from a network, and delete its password from the system."""

    def restart(self) -> None:
        """Restart the system: its services are told to stop, this process among them."""

    def shut_down(self) -> None:
        """Shut the system down: its services are told to stop, this process among them."""


def sort_networks(networks: Sequence[WifiNetwork]) -> tuple[WifiNetwork, ...]:
    """Return networks in the order of WifiStatus."""
    return tuple(
        sorted(
            networks,
            key=lambda network: (not network.is_connected, not network.is_saved, -network.strength, network.ssid),
        )
    )


def wrong_password(network: WifiNetwork) -> WrongPasswordError:
    """Return the error of a wrong password, typed or saved."""
    if network.is_saved:
        text = N(
            "{network} no longer accepts the saved password: forget the network, then join it", network=network.name
        )
        return WrongPasswordError(text)
    return WrongPasswordError(N("{network} did not accept the password: type it again", network=network.name))


def not_in_range(network: WifiNetwork) -> HostError:
    """Return the error of a network that is out of range."""
    return HostError(N("{network} is not in range: move the box nearer to the router", network=network.name))


def no_address(network: WifiNetwork) -> HostError:
    """Return the error of a network whose router gives no address (DHCP)."""
    return HostError(N("{network} gave the box no address: restart the router and try again", network=network.name))


def missing_service(service: str) -> MissingServiceError:
    """Return the error of a ``service`` that does not run."""
    return MissingServiceError(N("{service} is not running on this system", service=service))


def permission_denied(service: str) -> PermissionDeniedError:
    """Return the error of a ``service`` that does not obey this user."""
    return PermissionDeniedError(
        N("{service} does not let Throwlock do this", service=service),
        terminal_hint=": run sudo ./systemd/install again, which installs systemd/throwlock.rules",
        screen_hint=N("install Throwlock again"),
    )


def no_answer(service: str, seconds: float) -> HostTimeoutError:
    """Return the error of a ``service`` that did not answer within ``seconds``."""
    return HostTimeoutError(
        N(
            "{service} did not answer within {seconds} s: try again, or restart the box",
            service=service,
            seconds=round(seconds),
        )
    )


def failure(service: str, why: str) -> HostError:
    """Return the error that a ``service`` reports in its own words."""
    return HostError(N("{service} refuses: {why}", service=service, why=why))
