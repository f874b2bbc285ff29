"""What polkit lets the box do: the actions of its pages, for its user alone."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

RULES = Path(__file__).parents[2] / "systemd" / "throwlock.rules"
POLICIES = Path("/usr/share/polkit-1/actions")
EXPECTED = {
    "login1.power-off", "login1.power-off-multiple-sessions", "login1.reboot", "login1.reboot-multiple-sessions",
    "timedate1.set-timezone", "NetworkManager.enable-disable-wifi", "NetworkManager.wifi.scan",
    "NetworkManager.network-control", "NetworkManager.settings.modify.system",
}  # fmt: skip
"""The actions that restart, shut down, set the time zone and use the Wi-Fi."""


def allowed_actions() -> set[str]:
    return set(re.findall(r'"org\.freedesktop\.([^"]+)"', RULES.read_text()))


def test_the_box_may_do_what_its_pages_offer_and_nothing_else() -> None:
    text = RULES.read_text()
    assert allowed_actions() == EXPECTED
    assert text.count("polkit.Result.YES") == 1
    assert 'if (subject.user === "throwlock" && allowed.indexOf(action.id) !== -1) {' in text


def test_systemd_knows_the_actions() -> None:
    files = [POLICIES / f"org.freedesktop.{name}.policy" for name in ("login1", "timedate1", "NetworkManager")]
    found = [file for file in files if file.is_file()]
    if files[0] not in found:
        pytest.skip("systemd's polkit actions are not on this machine")
    known = {action.attrib["id"] for file in found for action in ElementTree.parse(file).iter("action")}
    services = {file.stem.removeprefix("org.freedesktop.") for file in found}
    asked = {f"org.freedesktop.{action}" for action in EXPECTED if action.partition(".")[0] in services}
    assert asked <= known
