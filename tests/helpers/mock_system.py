"""A private system bus with python-dbusmock's logind, timedated and NetworkManager on it: real D-Bus, nothing real
behind it."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from tests.helpers.waiting import LIMIT_S

DEBIAN_PYTHON = "/usr/bin/python3"
"""The Python of Debian's package python3-dbusmock."""
NM = "org.freedesktop.NetworkManager"
NM_PATH = "/org/freedesktop/NetworkManager"
WIFI_DEVICE = f"{NM_PATH}/Devices/wlan0"
CONFIG = """<busconfig><type>system</type><listen>unix:path={socket}</listen><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow eavesdrop="true"/></policy></busconfig>"""


def missing_parts() -> str:
    """Return what is missing to run this; "" if nothing is."""
    if shutil.which("dbus-daemon") is None:
        return "no dbus-daemon"
    if subprocess.run([DEBIAN_PYTHON, "-c", "import dbusmock"], capture_output=True, check=False).returncode:
        return "no python3-dbusmock"
    return ""


@contextmanager
def private_bus(folder: Path) -> Iterator[str]:
    """Run a bus and return its address."""
    config, socket = folder / "bus.conf", folder / "bus"
    config.write_text(CONFIG.format(socket=socket))
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        try:
            yield daemon.stdout.readline().strip().partition(",")[0]
        finally:
            daemon.terminate()


@contextmanager
def mock_service(template: str, path: str, bus_name: str, **parameters: Any) -> Iterator["MockObject"]:
    """Run a service of python-dbusmock on the bus of $DBUS_SYSTEM_BUS_ADDRESS; return its main object."""
    command = [DEBIAN_PYTHON, "-m", "dbusmock", "--system", "--template", template]
    environment = {**os.environ, "PYTHONPATH": ""}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            _wait_for_name(bus_name, process)
            yield MockObject(path, bus_name)
        finally:
            process.terminate()


def _wait_for_name(bus_name: str, process: "subprocess.Popen[bytes]") -> None:
    bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
    with open_dbus_connection("SYSTEM") as connection:
        while True:
            reply = connection.send_and_get_reply(
                new_method_call(bus, "NameHasOwner", "s", (bus_name,)), timeout=LIMIT_S
            )
            if unwrap_msg(reply)[0]:
                return
            assert process.poll() is None, process.stderr.read().decode() if process.stderr else ""


class MockObject:
    """An object of a mocked service; calls of python-dbusmock's own methods."""

    def __init__(self, path: str, bus_name: str) -> None:
        self.path, self.bus_name = path, bus_name

    def call(self, method: str, signature: str, *arguments: Any, interface: str = "org.freedesktop.DBus.Mock") -> Any:
        """Call a method of the mock."""
        address = DBusAddress(self.path, self.bus_name, interface)
        with open_dbus_connection("SYSTEM") as connection:
            message = new_method_call(address, method, signature, arguments)
            return unwrap_msg(connection.send_and_get_reply(message, timeout=LIMIT_S))

    def replace_method(self, interface: str, method: str, signature: str, result: str, code: str) -> None:
        """Let a method run ``code``."""
        self.call("AddMethod", "sssss", interface, method, signature, result, code)

    def calls(self, method: str) -> list[tuple[Any, ...]]:
        """Return the arguments of the calls of a method so far."""
        (found,) = self.call("GetMethodCalls", "s", method)
        return [tuple(value for _, value in arguments) for _, arguments in found]


Access = tuple[str, str, int, int]
"""An access point: object name, network, strength, key flags."""


def add_wifi(manager: MockObject, access_points: tuple[Access, ...]) -> Callable[[], MockObject]:
    """Add a Wi-Fi device and access points to a mocked NetworkManager; return a function that returns the device."""
    root = MockObject("/org/freedesktop", NM)
    root.call("AddWiFiDevice", "ssi", "wlan0", "wlan0", 30)
    for number, (name, ssid, strength, keys) in enumerate(access_points):
        arguments = (WIFI_DEVICE, name, ssid, f"00:11:22:33:44:{number:02x}", 2, 2412, 54000, strength, keys)
        root.call("AddAccessPoint", "ssssuuuyu", *arguments)
    device = MockObject(WIFI_DEVICE, NM)
    wireless = f"{NM}.Device.Wireless"
    device.call("AddProperty", "ssv", wireless, "LastScan", ("x", -1))
    end_scan = f"self.Set('{wireless}', 'LastScan', dbus.Int64(self.Get('{wireless}', 'LastScan') + 1))"
    device.replace_method(wireless, "RequestScan", "a{sv}", "", end_scan)
    return lambda: device
