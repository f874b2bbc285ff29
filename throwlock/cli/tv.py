"""``throwlock tv``: the second screen of a box, full screen in this machine's browser."""

import re
import shutil
import subprocess
import tempfile

import click

from throwlock.cli.options import UsageError
from throwlock.cli.window import has_screen
from throwlock.web.server import PORT
from ui.web.auth.areas import TV_LOGIN_PATH

CHROMIUM_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge", "brave-browser")
FIREFOX_BROWSERS = ("firefox", "firefox-esr")
ADDRESS = re.compile(rf"(?:http://)?(\w[\w.-]*)(?::(\d{{1,5}}))?(?:{TV_LOGIN_PATH}(?:/([\w-]*))?)?/?", re.ASCII)
"""An address as the box shows it, or its beginning."""


@click.command()
@click.argument("address")
def tv(address: str) -> None:
    """Show the second screen of the box at ADDRESS, full screen in a browser of this machine.

    The box shows the address under "Phones and review", "Second screen". The browser forgets everything when it is
    closed (Alt and F4).
    """
    url = second_screen_url(address)
    if not has_screen():
        raise UsageError("there is no desktop to open a browser on: open the address on another machine")
    with tempfile.TemporaryDirectory(prefix="throwlock-tv-") as profile:
        subprocess.run(browser_command(url, profile), check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def second_screen_url(address: str) -> str:
    """Return the URL of an address, which may lack its scheme, port and path. Raises UsageError."""
    address_parts = ADDRESS.fullmatch(address.strip())
    if address_parts is None:
        raise UsageError(f"{address!r} is no address of a second screen: type it as the box shows it")
    host, port, code = address_parts.groups()
    return f"http://{host}:{port or PORT}{TV_LOGIN_PATH}" + (f"/{code}" if code else "")


def browser_command(url: str, profile: str) -> list[str]:
    """Return the command that opens ``url`` in an installed browser, full screen, with a new ``profile`` folder. Raises
    UsageError if there is none."""
    for name in CHROMIUM_BROWSERS:
        if program := shutil.which(name):
            flags = ("--kiosk", "--no-first-run", "--noerrdialogs", f"--user-data-dir={profile}")
            return [program, *flags, url]
    for name in FIREFOX_BROWSERS:
        if program := shutil.which(name):
            return [program, "--kiosk", "--no-remote", "--profile", profile, url]
    raise UsageError(f"no browser was found: install chromium or firefox, or open {url} in another")
