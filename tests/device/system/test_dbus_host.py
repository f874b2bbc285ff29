"""The adapter of the system's services, on a real bus with services mocked by python-dbusmock, and what it says of
their faults. Skipped where D-Bus or python3-dbusmock is missing."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.system import dbus_host
from device.system.dbus_host import DBusHost
from device.system.host import (
    HostError,
    HostFeature,
    HostTimeoutError,
    MissingServiceError,
    PermissionDeniedError,
    WifiNetwork,
    WifiSecurity,
    WifiStatus,
    WrongPasswordError,
)
from tests.helpers.mock_system import (
    NM,
    NM_PATH,
    WIFI_DEVICE,
    MockObject,
    add_wifi,
    missing_parts,
    mock_service,
    private_bus,
)
from tests.helpers.waiting import LIMIT_S

MISSING = missing_parts()
needs_mocks = pytest.mark.skipif(bool(MISSING), reason=MISSING)
PSK, SAE, ENTERPRISE = 0x100, 0x400, 0x200
HOME = WifiNetwork(b"Games at home", 82, WifiSecurity.PASSWORD)
PASSWORD = "rock, paper & 7"
CONNECTION_FAILS = """
device = objects[args[1]]
path = objects['/org/freedesktop/NetworkManager/Settings'].SettingsAddConnection(args[0])
for state in ((40, 30, 0), (60, 50, 0), (120, 60, {reason}), (30, 120, 0)):
    device.EmitSignal('org.freedesktop.NetworkManager.Device', 'StateChanged', 'uuu', [dbus.UInt32(n) for n in state])
ret = (dbus.ObjectPath(path), dbus.ObjectPath('/'))
"""
DENIES = "raise dbus.exceptions.DBusException('no', name='{name}')"


@pytest.fixture(scope="module")
def bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with private_bus(tmp_path_factory.mktemp("bus")) as address:
        yield address


@pytest.fixture
def system(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bus)


@pytest.fixture
def logind(system: None) -> Iterator[MockObject]:
    with mock_service("logind", "/org/freedesktop/login1", "org.freedesktop.login1") as mock:
        yield mock


@pytest.fixture
def timedated(system: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[MockObject]:
    monkeypatch.setattr(time, "tzset", lambda: None)
    with mock_service("timedated", "/org/freedesktop/timedate1", "org.freedesktop.timedate1") as mock:
        yield mock


@pytest.fixture
def manager(system: None) -> Iterator[MockObject]:
    with mock_service("networkmanager", NM_PATH, NM) as mock:
        yield mock


@pytest.fixture
def wifi(manager: MockObject) -> MockObject:
    points = (
        ("a", "Games at home", 60, PSK),
        ("b", "Games at home", 82, PSK | SAE),
        ("c", "Café Zür\u0301i", 30, 0),
        ("d", "School", 41, ENTERPRISE),
        ("e", "New router", 55, SAE),
        ("f", "", 99, PSK),
    )
    return add_wifi(manager, points)()


@needs_mocks
def test_a_system_without_services_has_nothing_to_administer(system: None) -> None:
    host = DBusHost()
    assert host.features() == frozenset()
    for call in (host.time_zone, host.wifi_status, host.restart, host.shut_down):
        with pytest.raises(MissingServiceError, match=r"^(systemd-\w+|NetworkManager) is not running on this system$"):
            call()


def test_no_bus_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    assert DBusHost().features() == frozenset()
    with pytest.raises(MissingServiceError, match=r"D-Bus can’t be reached \(No such file"):
        DBusHost().time_zone()


def test_a_bus_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dbus_host, "ANSWER_TIMEOUT_S", 1.0)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/bus")
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(f"{tmp_path}/bus")
        silent.listen()
        with pytest.raises(HostTimeoutError, match="D-Bus did not answer"):
            DBusHost().time_zone()


def test_a_bus_that_stops_after_the_greeting_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dbus_host, "ANSWER_TIMEOUT_S", 1.0)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/bus")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{tmp_path}/bus")
        server.listen()

        def greet() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1024)
                connection.sendall(b"OK 1234deadbeef\r\n")
                while connection.recv(1024):
                    pass

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        with pytest.raises(HostTimeoutError, match="D-Bus did not answer"):
            DBusHost().time_zone()
        thread.join(timeout=LIMIT_S)
        assert not thread.is_alive(), "the connection is closed"


@needs_mocks
def test_power(logind: MockObject) -> None:
    host = DBusHost()
    assert host.features() == {HostFeature.RESTART, HostFeature.SHUT_DOWN}
    assert not logind.calls("PowerOff") and not logind.calls("Reboot")
    host.shut_down()
    host.restart()
    assert logind.calls("PowerOff") == logind.calls("Reboot") == [(False,)], "without asking for a password"


@needs_mocks
def test_a_machine_that_cannot_power_off_has_no_such_feature(logind: MockObject) -> None:
    manager = "org.freedesktop.login1.Manager"
    logind.replace_method(manager, "CanPowerOff", "", "s", "ret = 'na'")
    logind.replace_method(manager, "CanReboot", "", "s", "ret = 'challenge'")
    assert DBusHost().features() == {HostFeature.RESTART}


@needs_mocks
@pytest.mark.parametrize(
    "name", ["org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"]
)
def test_permission_is_said_in_words(logind: MockObject, name: str) -> None:
    logind.replace_method("org.freedesktop.login1.Manager", "PowerOff", "b", "", DENIES.format(name=name))
    with pytest.raises(PermissionDeniedError, match="systemd-logind does not let Throwlock do this: run sudo") as error:
        DBusHost().shut_down()
    assert error.value.text == "systemd-logind does not let Throwlock do this: install Throwlock again"


@needs_mocks
def test_an_inhibited_shutdown_says_who_inhibits(logind: MockObject) -> None:
    code = "raise dbus.exceptions.DBusException('apt holds it', name='org.freedesktop.login1.BlockedByInhibitorLock')"
    logind.replace_method("org.freedesktop.login1.Manager", "PowerOff", "b", "", code)
    with pytest.raises(HostError, match=r"^systemd-logind refuses: apt holds it$"):
        DBusHost().shut_down()


@needs_mocks
def test_a_service_that_hangs_is_given_up(
    logind: MockObject, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(dbus_host, "ANSWER_TIMEOUT_S", 1.0)
    logind.replace_method("org.freedesktop.login1.Manager", "PowerOff", "b", "", "import time; time.sleep(600)")
    with pytest.raises(HostTimeoutError, match="systemd-logind did not answer"):
        DBusHost().shut_down()
    with caplog.at_level(logging.WARNING):
        assert DBusHost().features() == frozenset(), "it is busy still"
    assert "systemd-logind did not answer" in caplog.text


@needs_mocks
def test_time_zone(timedated: MockObject, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "ret = ['Europe/Vienna', 'UTC']"
    timedated.replace_method("org.freedesktop.timedate1", "ListTimezones", "", "as", code)
    told: list[str] = []
    monkeypatch.setattr(time, "tzset", lambda: told.append("read anew"))
    host = DBusHost()
    assert host.features() == {HostFeature.TIME_ZONE}
    assert host.time_zones() == ("Europe/Vienna", "UTC")
    assert host.time_zone() == "Etc/Utc" and not told
    host.set_time_zone("Europe/Vienna")
    assert host.time_zone() == "Europe/Vienna" and told
    assert timedated.calls("SetTimezone") == [("Europe/Vienna", False)]


@needs_mocks
def test_networks_are_listed_once_after_a_search(wifi: MockObject) -> None:
    assert DBusHost().wifi_status(search=False) == DBusHost().wifi_status()
    assert wifi.calls("RequestScan") == [({},)]
    assert DBusHost().wifi_status() == WifiStatus(
        True,
        (
            WifiNetwork(b"Games at home", 82, WifiSecurity.PASSWORD),
            WifiNetwork(b"New router", 55, WifiSecurity.PASSWORD),
            WifiNetwork(b"School", 41, WifiSecurity.UNSUPPORTED),
            WifiNetwork("Café Zür\u0301i".encode(), 30, WifiSecurity.OPEN),
        ),
    )
    assert DBusHost().features() == {HostFeature.WIFI}


@needs_mocks
def test_another_users_connections_are_left_alone(wifi: MockObject) -> None:
    root = MockObject("/org/freedesktop", NM)
    (path,) = root.call("AddWiFiConnection", "ssss", WIFI_DEVICE, "theirs", "Games at home", "wpa-psk")
    assert DBusHost().wifi_status().networks[0].is_saved
    code = DENIES.format(name=f"{NM}.Settings.PermissionDenied")
    MockObject(path, NM).replace_method(f"{NM}.Settings.Connection", "GetSettings", "", "a{sa{sv}}", code)
    assert not DBusHost().wifi_status().networks[0].is_saved


@needs_mocks
def test_a_search_that_is_refused_shows_the_last_one(wifi: MockObject) -> None:
    code = DENIES.format(name=f"{NM}.Device.NotAllowed")
    wifi.replace_method(f"{NM}.Device.Wireless", "RequestScan", "a{sv}", "", code)
    assert len(DBusHost().wifi_status().networks) == 4


@needs_mocks
def test_a_search_that_never_ends_is_given_up(wifi: MockObject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dbus_host, "SCAN_TIMEOUT_S", 0.0)
    wifi.replace_method(f"{NM}.Device.Wireless", "RequestScan", "a{sv}", "", "")
    assert len(DBusHost().wifi_status().networks) == 4


@needs_mocks
def test_wifi_is_switched(wifi: MockObject) -> None:
    host = DBusHost()
    host.switch_wifi(False)
    assert host.wifi_status() == WifiStatus(False)
    assert wifi.calls("RequestScan") == [], "the radio stays off"
    host.switch_wifi(True)
    assert host.wifi_status().is_on


@needs_mocks
def test_wifi_that_does_not_start_is_said(wifi: MockObject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dbus_host, "SWITCH_TIMEOUT_S", 0.0)
    root = MockObject("/org/freedesktop", NM)
    root.call("SetProperty", "sssv", WIFI_DEVICE, f"{NM}.Device", "State", ("u", 20))
    with pytest.raises(HostError, match="Wi-Fi does not start"):
        DBusHost().switch_wifi(True)


@needs_mocks
def test_a_box_without_wifi(manager: MockObject) -> None:
    assert DBusHost().features() == frozenset()
    with pytest.raises(MissingServiceError, match="this box has no Wi-Fi"):
        DBusHost().wifi_status()


@needs_mocks
def test_connecting_and_forgetting(manager: MockObject, wifi: MockObject) -> None:
    host = DBusHost()
    host.connect_wifi(HOME, PASSWORD)
    ((settings, device, point),) = manager.calls("AddAndActivateConnection")
    assert (device, point) == (WIFI_DEVICE, f"{NM_PATH}/AccessPoint/b"), "the strongest"
    security = {name: value for name, (_, value) in settings["802-11-wireless-security"].items()}
    assert security == {"key-mgmt": "wpa-psk", "psk": PASSWORD}
    saved = host.wifi_status().networks[0]
    assert saved == WifiNetwork(b"Games at home", 82, WifiSecurity.PASSWORD, is_saved=True, is_connected=True)

    host.connect_wifi(saved)
    assert len(manager.calls("ActivateConnection")) == 1 and len(manager.calls("AddAndActivateConnection")) == 1
    host.forget_wifi(saved)
    assert not any(network.is_saved or network.is_connected for network in host.wifi_status().networks)


@needs_mocks
@pytest.mark.parametrize(
    ("network", "method"),
    [(WifiNetwork("Café Zür\u0301i".encode(), 30, WifiSecurity.OPEN), None),
     (WifiNetwork(b"New router", 55, WifiSecurity.PASSWORD), "sae")],
)  # fmt: skip
def test_how_keys_are_agreed_on(
    manager: MockObject, wifi: MockObject, network: WifiNetwork, method: str | None
) -> None:
    code = CONNECTION_FAILS.format(reason=0).replace("(120, 60, 0), (30, 120, 0)", "(100, 90, 0)")
    manager.replace_method(NM, "AddAndActivateConnection", "a{sa{sv}}oo", "oo", code)
    DBusHost().connect_wifi(network, PASSWORD if method else "")
    ((settings, _, _),) = manager.calls("AddAndActivateConnection")
    keys = settings.get("802-11-wireless-security", {"key-mgmt": ("s", None)})
    assert keys["key-mgmt"][1] == method


@needs_mocks
@pytest.mark.parametrize(
    ("reason", "kind", "text"),
    [
        (7, WrongPasswordError, "Games at home did not accept the password: type it again"),
        (11, HostError, "Games at home refused the connection: check the password"),
        (53, HostError, "Games at home is not in range"),
        (17, HostError, "Games at home gave the box no address: restart the router"),
        (35, HostError, r"Games at home: the connection failed \(NetworkManager: 35\)"),
    ],
)
def test_a_failed_connection_is_said_and_not_saved(
    manager: MockObject,
    wifi: MockObject,
    caplog: pytest.LogCaptureFixture,
    reason: int,
    kind: type[HostError],
    text: str,
) -> None:
    code = CONNECTION_FAILS.format(reason=reason)
    manager.replace_method(NM, "AddAndActivateConnection", "a{sa{sv}}oo", "oo", code)
    with caplog.at_level(logging.DEBUG), pytest.raises(kind, match=text) as error:
        DBusHost().connect_wifi(HOME, PASSWORD)
    assert not DBusHost().wifi_status().networks[0].is_saved
    assert PASSWORD not in caplog.text + str(error.value) + error.value.text


@needs_mocks
def test_a_connection_that_never_comes_is_given_up(
    manager: MockObject, wifi: MockObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dbus_host, "CONNECT_TIMEOUT_S", 0.05)
    code = CONNECTION_FAILS.format(reason=0).replace("(120, 60, 0), (30, 120, 0)", "")
    manager.replace_method(NM, "AddAndActivateConnection", "a{sa{sv}}oo", "oo", code)
    with pytest.raises(HostTimeoutError, match="Games at home: no connection within"):
        DBusHost().connect_wifi(HOME, PASSWORD)


@needs_mocks
def test_a_network_out_of_range_is_said(wifi: MockObject) -> None:
    with pytest.raises(HostError, match="Elsewhere is not in range"):
        DBusHost().connect_wifi(WifiNetwork(b"Elsewhere", 0, WifiSecurity.PASSWORD), PASSWORD)


@needs_mocks
def test_no_connection_to_the_bus_is_left_open(timedated: MockObject) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        DBusHost().time_zone()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
