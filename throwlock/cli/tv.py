"""``throwlock tv``: the second screen of a box, full screen in this machine's browser."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from device.system.processes import describe_exit, hide_argument
from messages import shorten
from throwlock.cli.options import UsageError
from throwlock.cli.window import has_screen
from throwlock.web.server import PORT
from ui.web.middleware import TV_LOGIN_PATH

CHROMIUM_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge", "brave-browser")
FIREFOX_BROWSERS = ("firefox", "firefox-esr")
ADDRESS = re.compile(
    rf"(?:http://)?(\w[\w.-]*|\[[0-9a-f:]+\])(?::(\d{{1,5}}))?(?:{TV_LOGIN_PATH}(?:/([\w-]*))?)?/?",
    re.ASCII | re.IGNORECASE,
)
"""An address as the box shows it, or its beginning."""
EXAMPLE_ADDRESS = f"192.168.1.20:{PORT}{TV_LOGIN_PATH}"
CHROMIUM_FLAGS = (
    "--kiosk",
    "--noerrdialogs",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-proxy-server",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
)
"""Full screen, without accounts and updates. Some look-ups have no flag: no name but the box's is resolved."""
SILENT_FIREFOX = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.proxy.allow_hijacking_localhost": True,
    "network.proxy.failover_direct": False,
    "network.proxy.socks": "127.0.0.1",
    "network.proxy.socks_port": 9,
    "network.proxy.socks_remote_dns": True,
    "network.proxy.type": 1,
    "network.trr.mode": 5,
}
"""The same for Firefox: whatever is not the box's would go through a proxy that is not there, names too."""
SNAP = re.compile(rb"/snap/|\bsnap (run|install)\b")
"""In the script that Ubuntu has in place of a browser."""


@click.command()
@click.argument("address", required=False)
def tv(address: str | None) -> None:
    """Show the second screen of the box at ADDRESS, full screen in a browser of this machine.

    The box shows the address under "Phones and review", "Second screen". The browser asks for nothing but the box, and
    forgets everything when it is closed (Alt and F4).
    """
    if address is None:
        raise UsageError(f"name the box's address as it shows it, such as: throwlock tv {EXAMPLE_ADDRESS}")
    url = second_screen_url(address)
    hide_argument(url.partition(f"{TV_LOGIN_PATH}/")[2])
    if not has_screen():
        raise UsageError("there is no desktop to open a browser on: open the address on another machine")
    with tempfile.TemporaryDirectory(prefix="throwlock-tv-") as profile:
        command = browser_command(url, Path(profile))
        with tempfile.TemporaryFile() as printed:
            status = subprocess.run(command, check=False, stdout=printed, stderr=subprocess.STDOUT).returncode
            printed.seek(0)
            lines = printed.read().decode(errors="replace").split("\n")
    if status:
        why = next((line.strip() for line in reversed(lines) if line.strip()), "it printed nothing")
        raise UsageError(
            f"{Path(command[0]).name} failed ({describe_exit(status)}: {shorten(why)}): "
            "open the address on another machine"
        )


def second_screen_url(address: str) -> str:
    """Return the URL of an address, which may lack its scheme, port and path. Raises UsageError."""
    address_parts = ADDRESS.fullmatch(address.strip())
    if address_parts is None:
        raise UsageError(f"{address!r} is no address of a second screen: type it as the box shows it")
    host, port, code = address_parts.groups()
    return f"http://{host}:{port or PORT}{TV_LOGIN_PATH}" + (f"/{code}" if code else "")


def browser_command(url: str, profile: Path) -> list[str]:
    """Return the command that opens ``url`` in an installed browser, full screen, with its new ``profile`` folder. The
    URL has the code, and everybody on this machine can read a command: a page in that folder leads there. Raises
    UsageError if there is no browser, or none that may read the folder."""
    snaps = []
    for program in _installed_browsers():
        if is_snap(program):
            snaps.append(program.name)
            continue
        page = profile / "open.html"
        page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0;url={html.escape(url)}">')
        host = url.split("/")[2].rpartition(":")[0].strip("[]")
        if program.name in FIREFOX_BROWSERS:
            preferences = {**SILENT_FIREFOX, "network.proxy.no_proxies_on": host}
            lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items())
            (profile / "user.js").write_text("\n".join(lines))
            return [str(program), "--kiosk", "--no-remote", "--profile", str(profile), page.as_uri()]
        names = f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {host}"
        return [str(program), *CHROMIUM_FLAGS, names, f"--user-data-dir={profile}", page.as_uri()]
    address = url.partition(TV_LOGIN_PATH)[0] + TV_LOGIN_PATH
    if snaps:
        raise UsageError(
            f"{snaps[0]} is a snap, which may not read a profile of its own in {profile.parent}: install another "
            f"browser, such as a package of chromium or firefox, or open {address} in it"
        )
    raise UsageError(f"no browser was found: install chromium or firefox, or open {address} in another")


def _installed_browsers() -> Iterator[Path]:
    for name in (*CHROMIUM_BROWSERS, *FIREFOX_BROWSERS):
        if program := shutil.which(name):
            yield Path(program)


def is_snap(program: Path) -> bool:
    """Return whether a browser runs as a snap, or is the script that stands for one."""
    if "/snap/" in f"{program}" or program.resolve().name == "snap":
        return True
    with program.open("rb") as file:
        head = file.read(4096)
    return head.startswith(b"#!") and SNAP.search(head) is not None
