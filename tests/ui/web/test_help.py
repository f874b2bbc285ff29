"""The pages of help: which there are, where their links lead, and that nobody needs a code for them."""

import re
import tomllib
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.helpers.web_guard import BrowserClient
from throwlock.web.app import create_app
from ui.web.access_code import AccessCodeLogin
from ui.web.help import PAGES, read_help
from ui.web.middleware import HELP_PATH, AccessMiddleware, review_area

ROOT = Path(__file__).parents[3]
MADE_FOR_THE_SITE = {"screens"}


def test_help_has_the_pages_of_players_and_builders() -> None:
    play = (ROOT / "mkdocs.yml").read_text().partition("  - Play:\n")[2].partition("  - Run a hall:\n")[0]
    names = [Path(page).stem for page in re.findall(r": ([\w/.-]+\.md)$", play, re.MULTILINE)]
    assert [name for name in names if name not in MADE_FOR_THE_SITE] == list(PAGES)


def test_wheel_has_every_page() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    included = wheel["force-include"]
    assert set(included.values()) == {f"ui/web/help_pages/{name}.md" for name in PAGES}
    assert [source for source in included if not (ROOT / source).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_page_links_only_to_what_is_on_the_box(name: str) -> None:
    html = read_help(name).html
    targets = re.findall(r'href="([^"]*)"', html)
    for target in targets:
        path, _, anchor = target.partition("#")
        page = read_help(path.removeprefix(f"{HELP_PATH}/"))
        assert not anchor or f'id="{anchor}"' in page.html, target
    assert "<th></th>" not in html, "a header without a name"
    assert "<img" not in html and "[[[cog" not in html and "http:" not in "".join(targets)


@pytest.fixture
def phone() -> BrowserClient:
    """A phone that has typed no code, at a box without a journal."""
    guard = AccessMiddleware(create_app(nullcontext), (), review_area(AccessCodeLogin()))  # type: ignore[arg-type]
    return BrowserClient(guard, "http://192.168.1.20:8321", "192.168.1.5")


def test_page_needs_no_code(phone: BrowserClient) -> None:
    page = phone.get(f"{HELP_PATH}/questions")
    assert page.status_code == 200 and "Which camera?" in page.text
    assert all(f'href="{HELP_PATH}/{name}"' in phone.get(HELP_PATH).text for name in PAGES)


@pytest.mark.parametrize("path", ["/", "/players", "/help-me", "/help/a/b", "/help/..%2fplayers"])
def test_other_pages_need_the_code(phone: BrowserClient, path: str) -> None:
    answer = phone.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, "/enter")


def test_page_that_is_not_there_is_told(phone: BrowserClient) -> None:
    assert phone.get(f"{HELP_PATH}/nothing").status_code == 404
