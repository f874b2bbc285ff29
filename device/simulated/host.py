"""The simulated system: Wi-Fi networks with passwords, a time zone, and a power switch. It can have no Wi-Fi, forbid
everything, or not answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from typing_extensions import override

from device.system.host import (
    Host,
    HostError,
    HostFeature,
    WifiNetwork,
    WifiSecurity,
    WifiStatus,
    failure,
    missing_service,
    no_address,
    not_in_range,
    sort_networks,
    wrong_password,
)

TIME_ZONES = (
    *("Africa/Cairo", "Africa/Nairobi", "America/Argentina/Buenos_Aires", "America/New_York", "America/Sao_Paulo"),
    *("Antarctica/Troll", "Arctic/Longyearbyen", "Asia/Kolkata", "Asia/Tokyo", "Atlantic/Reykjavik"),
    *("Australia/Sydney", "Europe/Berlin", "Europe/London", "Europe/Paris", "Europe/Vienna", "Indian/Mauritius"),
    *("Pacific/Auckland", "UTC"),
)


@dataclass(frozen=True)
class SimulatedAccessPoint:
    """A Wi-Fi access point."""

    name: str
    """Its network's name."""
    password: str = ""
    """Empty for an open network."""
    strength: int = 70
    """In percent."""
    security: WifiSecurity = WifiSecurity.PASSWORD
    without_dhcp: bool = False
    """Whether it gives no address."""


ACCESS_POINTS = (
    SimulatedAccessPoint("Games at home", "rockpaper", 82),
    SimulatedAccessPoint("Guests", "", 64, WifiSecurity.OPEN),
    SimulatedAccessPoint("School", "a name and a password", 41, WifiSecurity.UNSUPPORTED),
)


class SimulatedHost(Host):
    """A system within this process. Wi-Fi is off until it is switched on, as on a new box.

    Attributes:
        fault: Raised by every call from now on, such as a PermissionDeniedError; None: all is well.
        missing: What it can't administer.
        access_points: What is in range.
        saved: The passwords that it saved, by network. Those of a real system can't be read.
    """

    def __init__(
        self,
        access_points: Sequence[SimulatedAccessPoint] = ACCESS_POINTS,
        *,
        missing: Sequence[HostFeature] = (),
        fault: HostError | None = None,
        on_power_off: Callable[[], object] = lambda: None,
    ) -> None:
        self.access_points = tuple(access_points)
        self.missing = frozenset(missing)
        self.fault = fault
        self.saved: dict[str, str] = {}
        self.wifi_on = False
        self.connected: str | None = None
        self._zone = "UTC"
        self._on_power_off = on_power_off

    @override
    def features(self) -> frozenset[HostFeature]:
        return frozenset(HostFeature) - self.missing

    @override
    def time_zone(self) -> str:
        self._check(HostFeature.TIME_ZONE)
        return self._zone

    @override
    def time_zones(self) -> Sequence[str]:
        self._check(HostFeature.TIME_ZONE)
        return TIME_ZONES

    @override
    def set_time_zone(self, name: str) -> None:
        """This process keeps its own."""
        self._check(HostFeature.TIME_ZONE)
        if name not in TIME_ZONES:
            raise failure("systemd-timedated", f"Invalid or not installed time zone '{name}'")
        self._zone = name

    @override
    def wifi_status(self, *, search: bool = True) -> WifiStatus:
        """What was switched on, changed or moved meanwhile is found at once."""
        del search
        self._check(HostFeature.WIFI)
        if not self.wifi_on:
            return WifiStatus(False)
        networks = {point.name: self._network(point) for point in self.access_points}
        for name in self.saved:
            networks.setdefault(name, WifiNetwork(name.encode(), 0, WifiSecurity.PASSWORD, is_saved=True))
        return WifiStatus(True, sort_networks(list(networks.values())))

    @override
    def switch_wifi(self, on: bool) -> None:
        self._check(HostFeature.WIFI)
        self.wifi_on, self.connected = on, None

    @override
    def connect_wifi(self, network: WifiNetwork, password: str = "") -> None:
        self._check(HostFeature.WIFI)
        point = self._points().get(network.name)
        if point is None or not self.wifi_on:
            raise not_in_range(network)
        password = password or self.saved.get(network.name, "")
        if password != point.password:
            raise wrong_password(network)
        if point.without_dhcp:
            raise no_address(network)
        self.connected, self.saved[network.name] = network.name, password

    @override
    def forget_wifi(self, network: WifiNetwork) -> None:
        self._check(HostFeature.WIFI)
        self.saved.pop(network.name, None)
        if self.connected == network.name:
            self.connected = None

    @override
    def restart(self) -> None:
        self._check(HostFeature.RESTART)
        self._on_power_off()

    @override
    def shut_down(self) -> None:
        self._check(HostFeature.SHUT_DOWN)
        self._on_power_off()

    def _check(self, feature: HostFeature) -> None:
        if feature in self.missing:
            raise missing_service("NetworkManager")
        if self.fault is not None:
            raise self.fault

    def _points(self) -> Mapping[str, SimulatedAccessPoint]:
        return {point.name: point for point in self.access_points}

    def _network(self, point: SimulatedAccessPoint) -> WifiNetwork:
        network = WifiNetwork(point.name.encode(), point.strength, point.security)
        return replace(network, is_saved=point.name in self.saved, is_connected=point.name == self.connected)
