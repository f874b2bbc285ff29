"""The built site in a real browser: every page can be used with a screen reader, by keyboard and on a phone, and every
link and picture leads somewhere."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import browsers
from tests.helpers.browsers import CHROMIUM, DESK, DRIVER, PHONE, Browser, WebDriverWait
from tests.helpers.waiting import LIMIT_S

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "build/site/packages"
AXE = PACKAGES / "axe_playwright_python/axe.min.js"
VIOLATIONS = """axe.run({resultTypes: ["violations"]}).then((found) => arguments[0](found.violations.flatMap(
    ({id, nodes}) => nodes.map((node) => `${id}: ${node.html}`))))"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
TARGETS = """[...document.querySelectorAll("a[href], img")].map((one) => decodeURI(one.href || one.src))
    .filter((target) => target.startsWith("file:"))"""
RESULTS = "[...document.querySelectorAll('.md-search-result__link')].map((one) => one.href)"
SECTION = """(() => {
    const begin = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!begin) return document.querySelector("article").innerText;
    let text = begin.innerText;
    for (let next = begin.nextElementSibling; next && !/^H[1-6]$/.test(next.tagName); next = next.nextElementSibling)
        text += "\\n" + next.innerText;
    return text;
})()"""
"""The text of the section that a page was opened at."""
ANCHORS = "[...document.querySelectorAll('[id]')].map((one) => one.id)"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed"),
    pytest.mark.skipif(not AXE.exists(), reason="`make site` has not installed what builds the site"),
]
driver = browsers.driver


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site as this checkout has it."""
    folder = tmp_path_factory.mktemp("site")
    config = folder / "mkdocs.yml"
    config.write_text(f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: {folder / 'pages'}\nsite_dir: {folder / 'html'}\n")
    env = {**os.environ, "PYTHONPATH": f"{PACKAGES}{os.pathsep}{ROOT}", "NO_MKDOCS_2_WARNING": "1"}
    for words in (
        ["tools.docs.site", str(folder / "pages")],
        ["mkdocs", "build", "--quiet", "--strict", "-f", str(config)],
    ):
        subprocess.run([sys.executable, "-m", *words], cwd=ROOT, env=env, check=True)
    return folder / "html"


@pytest.fixture
def browser(driver: Any, site: Path) -> Browser:
    driver.set_script_timeout(600)
    return Browser(driver, site.as_uri() + "/")


def pages(browser: Browser, site: Path) -> Iterator[str]:
    """Open one page after another, and yield their names. 404.html looks for its style sheets on a server."""
    for name in sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.stem != "404"):
        browser.open(name)
        yield name


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_nothing_on_a_page_shuts_anybody_out(browser: Browser, site: Path, size: tuple[int, int], scheme: str) -> None:
    browser.look(size, scheme)
    axe = AXE.read_text()
    found = {}
    for name in pages(browser, site):
        browser.driver.execute_script(axe)
        found[name] = browser.driver.execute_async_script(VIOLATIONS)
        if browser.run(TOO_WIDE):
            found[name].append("is wider than the screen")
    assert len(found) > 50
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which camera", "Camera Module 3 Wide"),
        ("it says late and I wasn't", "Dispute"),
        ("how do I delete everything", "--purge"),
        ("no sound", "loudspeaker"),
        ("play without camera", "--camera none"),
        ("colour blind", "a shape, an icon or a word"),
        ("children", "stars instead of points"),
        ("how does the tie-break work", "At equal points"),
        ("phone doesn't connect", "same network"),
        ("change language", "globe"),
        ("how do I update", "--roll-back"),
        ("which Pi", "Pi 5"),
        ("where are the pictures kept", "/var/lib/throwlock"),
        ("phones can't connect", "same network"),
        ("how do I make cards", "throwlock cards"),
        ("how do I run two tables", "hall"),
    ],
)
def test_a_search_leads_to_the_answer(browser: Browser, question: str, answer: str) -> None:
    """On a page from a disk: among the first three results is one whose section has the answer."""
    browser.look(DESK)
    browser.open("index.html")
    browser.click(".md-search__input")
    browser.one(".md-search__input").send_keys(question)
    WebDriverWait(browser.driver, LIMIT_S, 0.05).until(lambda _: len(browser.run(RESULTS)) > 2)
    sections = []
    for link in browser.run(RESULTS)[:3]:
        browser.driver.get(link)
        sections.append(browser.run(SECTION))
    assert any(answer in section for section in sections), sections


def test_every_link_and_picture_leads_somewhere(browser: Browser, site: Path) -> None:
    targets, anchors = {}, {}
    for name in pages(browser, site):
        targets[name] = set(browser.run(TARGETS))
        anchors[browser.base + name] = set(browser.run(ANCHORS))
    for name, leads in targets.items():
        for target in leads:
            address, _, anchor = target.partition("#")
            assert (site / address.removeprefix(browser.base)).is_file(), f"{name}: {target}"
            assert not anchor or anchor in anchors[address] | {"__top"}, f"{name}: {target}"
