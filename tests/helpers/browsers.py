"""A real browser, and a server of pages for it."""

import json
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.helpers.waiting import LIMIT_S
from tests.helpers.web_archive import FakeArchive
from tests.helpers.web_guard import protected_app

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8").strip().rstrip(";")
HIGH_CONTRAST = CONTRAST.replace("ratio < 4.5", "ratio < 7")
"""The same with 7 to 1 (1.4.6)."""
"""An expression whose value is the texts of a page that have too little contrast."""

LAYOUT_FAULTS = (Path(__file__).parent / "layout_faults.js").read_text(encoding="utf-8").strip().rstrip(";")
"""An expression whose value is the texts of a page that are cut off, off the page or on another text."""
AT_REST = "!document.querySelector('[data-at]:not(.there)') && !document.getAnimations().length"
"""On a second screen: whether nothing moves any more."""

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
TimeoutException = pytest.importorskip("selenium.common.exceptions").TimeoutException
StaleElementReferenceException = pytest.importorskip("selenium.common.exceptions").StaleElementReferenceException
WebDriverWait = pytest.importorskip("selenium.webdriver.support.wait").WebDriverWait
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NARROW_PHONE, PHONE, DESK = (360, 740), (390, 844), (1280, 800)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class ServedPages:
    """Serves a fake archive on a local port with real access control."""

    def __init__(self, made: FakeArchive | None = None) -> None:
        self.made = made or FakeArchive()
        self.asked: list[str] = []
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        guarded = protected_app(self.made)
        self._server = uvicorn.Server(uvicorn.Config(self._noted(guarded), log_level="warning"))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]})

    def _noted(self, app: ASGIApp) -> ASGIApp:
        async def noting(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                self.asked.append(scope["path"])
            await app(scope, receive, send)

        return noting

    def __enter__(self) -> "ServedPages":
        self._socket.listen()  # a browser that comes before the server waits in the queue
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()


class Browser:
    """A browser with its requests and console messages."""

    def __init__(self, driver: Any, base: str) -> None:
        self.driver, self.base = driver, base

    def look(self, size: tuple[int, int], scheme: str = "light", script: bool = True) -> None:
        """Be a phone or a desk, light or dark, with or without JavaScript."""
        wide, high = size
        phone = size in (PHONE, NARROW_PHONE)
        metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})

    def open(self, path: str) -> None:
        self.driver.get(self.base + path)

    def one(self, css: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def text(self, css: str) -> str:
        """What an element says, asked in one step: a live part of the page may replace it at any time."""
        return str(self.run(f"document.querySelector({css!r}).innerText"))

    def click(self, css: str) -> None:
        """Click an element; once more where a live part of the page has replaced it in between."""
        ignored = [StaleElementReferenceException]
        WebDriverWait(self.driver, LIMIT_S, 0.02, ignored).until(lambda _: self.one(css).click() is None)

    def all(self, css: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def path(self) -> str:
        return str(self.driver.current_url).removeprefix(self.base)

    def arrives(self, path: str) -> bool:
        """Whether it gets to a page, which takes a while after a click. A page with the attribute ``data-left`` is one
        that was left."""
        is_there = "document.readyState === 'complete' && !('left' in document.documentElement.dataset)"
        with suppress(TimeoutException):
            wait = WebDriverWait(self.driver, LIMIT_S, 0.02)
            wait.until(lambda _: self.path() == path and self.run(is_there))
        return self.path() == path

    def key(self, key: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(key).perform()

    def run(self, script: str) -> Any:
        return self.driver.execute_script(f"return (\n{script}\n)")

    def complaints(self) -> list[str]:
        """What it has complained of since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def foreign_requests(self) -> list[str]:
        """What it has asked of any other machine since."""
        told = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [one["params"]["request"]["url"] for one in told if one["method"] == "Network.requestWillBeSent"]
        assert urls, "its requests are not seen"
        return [url for url in urls if not url.startswith((self.base, "chrome:", "data:"))]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with webdriver.Chrome(options, webdriver.ChromeService(DRIVER)) as driver:
        yield driver
