"""The system as its own services administer it, a thin adapter for D-Bus: systemd-logind restarts it and shuts it
down, systemd-timedated sets the time zone, NetworkManager has the Wi-Fi. polkit decides what this user may do; on an
installed box ``systemd/throwlock.rules`` says so.

With jeepney rather than ``nmcli``, ``timedatectl`` and ``busctl``: those take a Wi-Fi password as an argument, which
every user of the system can read, and report errors as sentences for people. jeepney is one small wheel for every
processor; dbus-fast needs an event loop, dbus-python and pydbus a compiler or Debian's packages.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, MatchRule, message_bus, new_method_call
from jeepney.bus import get_bus
from jeepney.io.blocking import DBusConnection, prep_socket
from jeepney.wrappers import Properties, unwrap_msg
from typing_extensions import override

from device.system.host import (
    Host,
    HostError,
    HostFeature,
    HostTimeoutError,
    MissingServiceError,
    PermissionDeniedError,
    WifiNetwork,
    WifiSecurity,
    WifiStatus,
    failure,
    missing_service,
    no_address,
    no_answer,
    not_in_range,
    permission_denied,
    sort_networks,
    wrong_password,
)
from messages import N

logger = logging.getLogger(__name__)

ANSWER_TIMEOUT_S = 10.0
"""For an answer: systemd may have to start the service first."""
SCAN_TIMEOUT_S = 8.0
"""For a search for networks. All channels of two bands take three to five seconds."""
SWITCH_TIMEOUT_S = 10.0
"""For the radio to be ready once it is switched on."""
CONNECT_TIMEOUT_S = 60.0
"""NetworkManager gives a wrong password 25 s, and the router's DHCP 45 s."""
POLL_INTERVAL_S = 0.2

LOGIND = DBusAddress("/org/freedesktop/login1", "org.freedesktop.login1", "org.freedesktop.login1.Manager")
TIMEDATED = DBusAddress("/org/freedesktop/timedate1", "org.freedesktop.timedate1", "org.freedesktop.timedate1")
NM = "org.freedesktop.NetworkManager"
MANAGER = DBusAddress("/org/freedesktop/NetworkManager", NM, NM)
SAVED_CONNECTIONS = DBusAddress("/org/freedesktop/NetworkManager/Settings", NM, f"{NM}.Settings")
WIFI_TYPE = "802-11-wireless"

# NetworkManager's numbers: its documentation, "Types and Values" (libnm's nm-dbus-interface.h).
WIFI_DEVICE = 2
DISCONNECTED, ACTIVATED, FAILED = 30, 100, 120
"""States of a device."""
NO_SECRETS = 7
NOT_IN_RANGE = 53
WEAK_SIGNAL_REASONS = frozenset((8, 9, 10, 11))
"""wpa_supplicant gave up: a wrong password as well as a weak signal can be why."""
NO_ADDRESS_REASONS = frozenset((5, 15, 16, 17))
"""No address from the router (DHCP)."""
PRIVACY = 0x1
"""An access point's flag: encrypted."""
PSK, SAE, OWE, OWE_TRANSITION = 0x100, 0x400, 0x800, 0x1000
"""Flags of how keys are agreed on: a password with WPA or WPA2, one with WPA3, and none, encrypted or not."""

MISSING_SERVICE_ERRORS = frozenset(
    f"org.freedesktop.DBus.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound")
)
DENIED_ERRORS = frozenset(
    (
        *(f"org.freedesktop.DBus.Error.{name}" for name in ("AccessDenied", "InteractiveAuthorizationRequired")),
        *(f"{NM}.{name}" for name in ("PermissionDenied", "Settings.PermissionDenied")),
    )
)
TIMEOUT_ERRORS = frozenset(f"org.freedesktop.DBus.Error.{name}" for name in ("NoReply", "Timeout", "TimedOut"))
SERVICE_NAMES = {LOGIND.bus_name: "systemd-logind", TIMEDATED.bus_name: "systemd-timedated", NM: "NetworkManager"}


class DBusHost(Host):
    """The system of this computer. Every call opens the system bus anew, as a service may have restarted in between."""

    @override
    def features(self) -> frozenset[HostFeature]:
        """A service that does not answer is logged."""
        probes: Mapping[HostFeature, Callable[[_SystemBus], bool]] = {
            HostFeature.WIFI: lambda bus: bool(bus.wifi_device()),
            HostFeature.TIME_ZONE: lambda bus: bool(bus.get(TIMEDATED, "Timezone")),
            HostFeature.RESTART: lambda bus: bus.call(LOGIND, "CanReboot")[0] != "na",
            HostFeature.SHUT_DOWN: lambda bus: bus.call(LOGIND, "CanPowerOff")[0] != "na",
        }
        available = set()
        for feature, probe in probes.items():
            try:
                with _open_bus() as bus:
                    if probe(bus):
                        available.add(feature)
            except MissingServiceError:
                continue
            except HostError as error:
                logger.warning("%s can't be administered: %s", feature, error)
        return frozenset(available)

    @override
    def time_zone(self) -> str:
        with _open_bus() as bus:
            return str(bus.get(TIMEDATED, "Timezone"))

    @override
    def time_zones(self) -> Sequence[str]:
        with _open_bus() as bus:
            return tuple(bus.call(TIMEDATED, "ListTimezones")[0])

    @override
    def set_time_zone(self, name: str) -> None:
        with _open_bus() as bus:
            bus.call(TIMEDATED, "SetTimezone", "sb", (name, False))
        time.tzset()  # the C library has read the old one

    @override
    def wifi_status(self, *, search: bool = True) -> WifiStatus:
        with _open_bus() as bus:
            if not bus.get(MANAGER, "WirelessEnabled"):
                return WifiStatus(False)
            device = bus.require_wifi_device()
            if search:
                bus.scan(device)
            return WifiStatus(True, sort_networks(bus.networks(device)))

    @override
    def switch_wifi(self, on: bool) -> None:
        with _open_bus() as bus:
            bus.set(MANAGER, "WirelessEnabled", "b", on)
            if on:
                device = bus.require_wifi_device()
                if not _wait_until(lambda: bus.get(device, "State") >= DISCONNECTED, SWITCH_TIMEOUT_S):
                    raise HostError(N("Wi-Fi does not start: restart the box and try again"))

    @override
    def connect_wifi(self, network: WifiNetwork, password: str = "") -> None:
        """A network that was not saved before is not saved if connecting fails."""
        with _open_bus() as bus:
            device = bus.require_wifi_device()
            saved = bus.saved_connections(network.ssid)
            point = next((path for path, ssid, _, _ in bus.access_points(device) if ssid == network.ssid), "/")
            changes: deque[Any] = deque()
            with bus.listen(device, "StateChanged", changes):
                if saved:
                    bus.call(MANAGER, "ActivateConnection", "ooo", (next(iter(saved)), device.object_path, point))
                    bus.wait_until_connected(network, changes)
                    return
                if point == "/":
                    raise not_in_range(network)
                settings = _new_connection(network, password, bus.key_flags(point))
                arguments = (settings, device.object_path, point)
                created, _ = bus.call(MANAGER, "AddAndActivateConnection", "a{sa{sv}}oo", arguments)
                try:
                    bus.wait_until_connected(network, changes)
                except HostError:
                    with suppress(HostError):
                        bus.call(_saved(created), "Delete")
                    raise

    @override
    def forget_wifi(self, network: WifiNetwork) -> None:
        with _open_bus() as bus:
            for path in bus.saved_connections(network.ssid):
                bus.call(_saved(path), "Delete")

    @override
    def restart(self) -> None:
        with _open_bus() as bus:
            bus.call(LOGIND, "Reboot", "b", (False,))

    @override
    def shut_down(self) -> None:
        with _open_bus() as bus:
            bus.call(LOGIND, "PowerOff", "b", (False,))


class _Connection(DBusConnection):  # type: ignore[misc]  # jeepney has no types
    """A connection that never waits without limit: jeepney's own greeting of the bus would."""

    def receive(self, *, timeout: float | None = None) -> Any:
        return super().receive(timeout=ANSWER_TIMEOUT_S if timeout is None else timeout)


class _SystemBus:
    """Calls of the services, with the errors of this package. All raise HostError."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def call(self, address: DBusAddress, method: str, signature: str = "", arguments: tuple[Any, ...] = ()) -> Any:
        """Call a method and return the results."""
        return self._send(address, new_method_call(address, method, signature or None, arguments))

    def get(self, address: DBusAddress, name: str) -> Any:
        """Return a property."""
        (_, value), *_ = self._send(address, Properties(address).get(name))
        return value

    def set(self, address: DBusAddress, name: str, signature: str, value: Any) -> None:
        """Set a property."""
        self._send(address, Properties(address).set(name, signature, value))

    def _send(self, address: DBusAddress, message: Any) -> Any:
        service = SERVICE_NAMES.get(address.bus_name, address.bus_name)
        try:
            return unwrap_msg(self._connection.send_and_get_reply(message, timeout=ANSWER_TIMEOUT_S))
        except DBusErrorResponse as error:
            raise _translate(service, error) from error
        except TimeoutError as error:
            raise no_answer(service, ANSWER_TIMEOUT_S) from error
        except OSError as error:
            raise _bus_error(error) from error

    @contextmanager
    def listen(self, address: DBusAddress, signal: str, received: "deque[Any]") -> Iterator[None]:
        """Put an object's signals into ``received``; ``wait_until_connected`` reads them."""
        rule = MatchRule(type="signal", sender=NM, interface=address.interface, member=signal, path=address.object_path)
        self._send(DBusAddress("/", "org.freedesktop.DBus"), message_bus.AddMatch(rule))
        rule = MatchRule(type="signal", interface=address.interface, member=signal, path=address.object_path)
        with self._connection.filter(rule, queue=received):
            yield

    def wifi_device(self) -> DBusAddress | None:
        """Return the first Wi-Fi device; None if there is none."""
        for path in self.call(MANAGER, "GetDevices")[0]:
            device = DBusAddress(path, NM, f"{NM}.Device")
            if self.get(device, "DeviceType") == WIFI_DEVICE:
                return device
        return None

    def require_wifi_device(self) -> DBusAddress:
        """Return the first Wi-Fi device. Raises MissingServiceError."""
        device = self.wifi_device()
        if device is None:
            raise MissingServiceError(N("this box has no Wi-Fi"))
        return device

    def scan(self, device: DBusAddress) -> None:
        """Look for networks until the search has ended, or SCAN_TIMEOUT_S are over."""
        wireless = _wireless(device)
        try:
            before = self.get(wireless, "LastScan")
            self.call(wireless, "RequestScan", "a{sv}", ({},))
        except (PermissionDeniedError, MissingServiceError, HostTimeoutError):
            raise
        except HostError as error:
            logger.info("networks of the last search: %s", error)  # it has only just searched, or is still at it
            return
        _wait_until(lambda: self.get(wireless, "LastScan") != before, SCAN_TIMEOUT_S)

    def access_points(self, device: DBusAddress) -> Iterator[tuple[str, bytes, int, WifiSecurity]]:
        """Yield path, SSID, strength in percent and security of the access points in range, the strongest first. Those
        that hide their name are left out."""
        in_range = []
        for path in self.call(_wireless(device), "GetAllAccessPoints")[0]:
            point = DBusAddress(path, NM, f"{NM}.AccessPoint")
            try:
                properties = self._send(point, Properties(point).get_all())[0]
            except (MissingServiceError, PermissionDeniedError, HostTimeoutError):
                raise
            except HostError:
                continue  # it has gone out of range meanwhile
            values = {name: value for name, (_, value) in properties.items()}
            keys = values["WpaFlags"] | values["RsnFlags"]
            in_range.append((path, bytes(values["Ssid"]), int(values["Strength"]), _security(values["Flags"], keys)))
        return iter(sorted((entry for entry in in_range if entry[1].strip(b"\0")), key=lambda entry: -entry[2]))

    def key_flags(self, point: str) -> int:
        """Return how an access point agrees on keys."""
        address = DBusAddress(point, NM, f"{NM}.AccessPoint")
        return int(self.get(address, "WpaFlags") | self.get(address, "RsnFlags"))

    def saved_connections(self, ssid: bytes | None = None) -> dict[str, bytes]:
        """Return the SSIDs of saved Wi-Fi connections by path: of all, or those of one ``ssid``. The system does not
        give their passwords away, and nobody asks for them."""
        ssids = {}
        for path in self.call(SAVED_CONNECTIONS, "ListConnections")[0]:
            try:
                (settings,) = self.call(_saved(path), "GetSettings")
            except PermissionDeniedError:
                continue  # another user's own
            if WIFI_TYPE in settings and settings[WIFI_TYPE].get("mode", ("s", ""))[1] != "ap":
                ssids[path] = bytes(settings[WIFI_TYPE]["ssid"][1])
        return {path: name for path, name in ssids.items() if ssid in (None, name)}

    def networks(self, device: DBusAddress) -> list[WifiNetwork]:
        """Return the networks in range, each once, and the saved ones."""
        saved = set(self.saved_connections().values())
        connected = self._connected_ssid(device)
        networks: dict[bytes, WifiNetwork] = {}
        for _, ssid, strength, security in self.access_points(device):
            networks.setdefault(ssid, WifiNetwork(ssid, strength, security, ssid in saved, ssid == connected))
        for ssid in saved - networks.keys():
            networks[ssid] = WifiNetwork(ssid, 0, WifiSecurity.PASSWORD, True)
        return list(networks.values())

    def _connected_ssid(self, device: DBusAddress) -> bytes | None:
        if self.get(device, "State") != ACTIVATED:
            return None
        active = DBusAddress(self.get(device, "ActiveConnection"), NM, f"{NM}.Connection.Active")
        return self.saved_connections().get(self.get(active, "Connection"))

    def wait_until_connected(self, network: WifiNetwork, changes: "deque[Any]") -> None:
        """Wait for a device's ``changes`` of state until it is connected. Raises HostError when it fails or takes too
        long."""
        until = time.monotonic() + CONNECT_TIMEOUT_S
        while True:
            try:
                message = self._connection.recv_until_filtered(changes, timeout=max(0.0, until - time.monotonic()))
            except TimeoutError as error:
                raise HostTimeoutError(
                    N(
                        "{network}: no connection within {seconds} s: move the box nearer to the router and try again",
                        network=network.name,
                        seconds=round(CONNECT_TIMEOUT_S),
                    )
                ) from error
            except OSError as error:
                raise _bus_error(error) from error
            state, _, reason = message.body
            if state == ACTIVATED:
                return
            if state == FAILED:
                raise _connection_error(network, reason)


@contextmanager
def _open_bus() -> Iterator[_SystemBus]:
    """Open the system bus. Raises MissingServiceError if there is none."""
    with ExitStack() as opened:
        try:
            channel = opened.enter_context(prep_socket(get_bus("SYSTEM"), timeout=ANSWER_TIMEOUT_S))
            connection = opened.enter_context(_Connection(channel))
        except TimeoutError as error:
            raise no_answer("D-Bus", ANSWER_TIMEOUT_S) from error
        except OSError as error:
            raise _bus_error(error) from error
        yield _SystemBus(connection)


def _wait_until(met: Callable[[], bool], seconds: float) -> bool:
    """Wait until ``met``. Return False if the ``seconds`` are over first."""
    until = time.monotonic() + seconds
    while not met():
        if time.monotonic() >= until:
            return False
        time.sleep(POLL_INTERVAL_S)
    return True


def _wireless(device: DBusAddress) -> DBusAddress:
    return DBusAddress(device.object_path, NM, f"{NM}.Device.Wireless")


def _saved(path: str) -> DBusAddress:
    return DBusAddress(path, NM, f"{NM}.Settings.Connection")


def _security(flags: int, keys: int) -> WifiSecurity:
    if keys & (PSK | SAE):
        return WifiSecurity.PASSWORD
    is_open = keys in (0, OWE, OWE_TRANSITION) and not (flags & PRIVACY and not keys)
    return WifiSecurity.OPEN if is_open else WifiSecurity.UNSUPPORTED


def _new_connection(network: WifiNetwork, password: str, keys: int) -> dict[str, dict[str, tuple[str, Any]]]:
    """Return the settings of a new connection. NetworkManager completes them from the access point."""
    settings: dict[str, dict[str, tuple[str, Any]]] = {
        "connection": {"id": ("s", network.name), "type": ("s", WIFI_TYPE)},
        WIFI_TYPE: {"ssid": ("ay", network.ssid)},
    }
    if network.security is WifiSecurity.PASSWORD:
        method = "wpa-psk" if keys & PSK else "sae"
        settings["802-11-wireless-security"] = {"key-mgmt": ("s", method), "psk": ("s", password)}
    elif keys & OWE:
        settings["802-11-wireless-security"] = {"key-mgmt": ("s", "owe")}
    return settings


def _connection_error(network: WifiNetwork, reason: int) -> HostError:
    name = network.name
    if reason == NO_SECRETS and network.security is WifiSecurity.PASSWORD:
        return wrong_password(network)
    if reason == NOT_IN_RANGE:
        return not_in_range(network)
    if reason in WEAK_SIGNAL_REASONS:
        return HostError(
            N(
                "{network} refused the connection: check the password, and move the box nearer to the router",
                network=name,
            )
        )
    if reason in NO_ADDRESS_REASONS:
        return no_address(network)
    return HostError(N("{network}: the connection failed (NetworkManager: {reason})", network=name, reason=reason))


def _bus_error(error: OSError) -> MissingServiceError:
    return MissingServiceError(N("the system’s D-Bus can’t be reached ({why})", why=error.strerror or str(error)))


def _translate(service: str, error: DBusErrorResponse) -> HostError:
    if error.name in MISSING_SERVICE_ERRORS:
        return missing_service(service)
    if error.name in DENIED_ERRORS:
        return permission_denied(service)
    if error.name in TIMEOUT_ERRORS:
        return no_answer(service, ANSWER_TIMEOUT_S)
    return failure(service, str(error.data[0]) if error.data else str(error.name))
