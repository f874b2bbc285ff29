"""The site: every page has its place in the navigation, sorted by who reads, and what it shows is there."""

import ast
import re
from pathlib import Path

import pytest

from tools.docs.site import RULES_MODULES, command_line_page, rules_page, screens_page

ROOT = Path(__file__).parents[2]
NAVIGATION = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
PAGES = set(re.findall(r": ([\w/.-]+\.md)$", NAVIGATION, re.MULTILINE))
MADE_FROM_CODE = {"screens.md", "reference/rules.md", "reference/command-line.md"}


@pytest.mark.parametrize("folder", ["docs", "measurements"])
def test_every_page_is_in_the_navigation(folder: str) -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.md")}
    assert pages - PAGES == set()


def test_the_navigation_leads_to_pages() -> None:
    assert [page for page in PAGES - MADE_FROM_CODE if not (ROOT / page).exists()] == []


def test_the_navigation_is_sorted_by_who_reads() -> None:
    tabs = re.findall(r"^  - ([^:]+):", NAVIGATION, re.MULTILINE)
    assert tabs == ["Throwlock", "Play", "Build the box", "Run a hall", "Bots and data", "Change it", "Measurements"]


def test_the_reference_names_modules_that_say_what_they_are() -> None:
    page = rules_page()
    for module in RULES_MODULES:
        path = ROOT / f"{module.replace('.', '/')}.py"
        assert f"::: {module}\n" in page and ast.get_docstring(ast.parse(path.read_text()))
    assert "throwlock.cli.main" in command_line_page()


def test_screens_have_a_text_for_those_who_do_not_see_them() -> None:
    assert 'src="screens/reveal-8.png" alt="The screen reveal 8"' in screens_page(["reveal-8"])
