"""The pages in docs/: links, files and commands they name are there."""

import ast
import functools
import importlib
import importlib.util
import re
import shlex
from pathlib import Path

import click
import pytest

from throwlock.cli.main import throwlock

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "hardware.md",
    *sorted(ROOT.glob("[A-Z]*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
PACKAGES = ("rules", "device", "vision", "ui", "throwlock", "tools")
LONG_WORDS = 1800
"""More than this is looked up, not read."""
PAGE_IDS = [str(page.relative_to(ROOT)) for page in PAGES]
DOTTED_NAME = re.compile(r"`((?:rules|vision|device|ui|throwlock|tools)(?:\.\w+)+)`")
FILE_NAME = re.compile(r"`((?:rules|vision|device|ui|throwlock|tools|tests|docs|systemd)/[\w./-]*)`")


@pytest.mark.parametrize("page", PAGES, ids=PAGE_IDS)
def test_links_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent.name == "docs" or page.name == "hardware.md"], ids=str
)
def test_long_pages_list_their_sections(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    beginning = " ".join(text.partition("\n## ")[0].split())
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE) if len(page.read_text().split()) > LONG_WORDS else []
    assert [title for title in sections if f"[{title}](#" not in beginning] == []


@pytest.mark.parametrize("page", PAGES, ids=PAGE_IDS)
def test_files_that_are_named_exist(page: Path) -> None:
    assert [
        name for name in FILE_NAME.findall(page.read_text()) if not (ROOT / name.replace("CODE", "de")).exists()
    ] == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "settings.md"], ids=lambda page: page.name)
def test_dotted_names_exist(page: Path) -> None:
    """Names such as ``vision.lock.judge.Judge`` lead to a module, or to something in one; settings.md has settings."""
    for name in DOTTED_NAME.findall(page.read_text()):
        *modules, attribute = name.split(".")
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError:
            parent, *inner = _split_module(modules)
            found = functools.reduce(getattr, [*inner, attribute], importlib.import_module(parent))
        assert found is not None, f"{name} in {page.name}"


def _split_module(parts: list[str]) -> list[str]:
    """The longest module that the parts name, then what is left of them."""
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        try:
            if importlib.util.find_spec(module) is not None:
                return [module, *parts[end:]]
        except ModuleNotFoundError:
            continue
    raise AssertionError(f"{'.'.join(parts)} is no module")


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs/index.md").read_text()
    assert [
        page.name for page in (ROOT / "docs").glob("*.md") if f"({page.name})" not in index and page.name != "index.md"
    ] == []


def test_the_architecture_names_every_folder() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    folders = {f"{package}/" for package in PACKAGES}
    assert all(folder in page for folder in folders)


def commands() -> list[tuple[str, str]]:
    """Every command line in a shell block, with the page it is on."""
    found = []
    for page, name in zip(PAGES, PAGE_IDS, strict=True):
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL):
            found += [(name, line.split("  #")[0].strip()) for line in block.splitlines() if line.strip()]
    return found


@pytest.mark.parametrize(("page", "line"), [entry for entry in commands() if entry[1].startswith("throwlock ")])
def test_commands_have_the_options_they_are_given(page: str, line: str) -> None:
    name, *args = shlex.split(line)[1:]
    if name.startswith("-"):
        return
    command = throwlock.get_command(click.Context(throwlock), name)
    assert command is not None, f"{page}: there is no throwlock {name}"
    assert command.make_parser(click.Context(command)).parse_args(args)


@pytest.mark.parametrize("page", PAGES, ids=PAGE_IDS)
def test_tools_that_are_named_exist(page: Path) -> None:
    """In shell blocks and in sentences, where a line may end within the command."""
    modules = re.findall(r"python\s+-m\s+(\w+(?:\.\w+)*)", page.read_text())
    assert [module for module in modules if importlib.util.find_spec(module) is None] == []


@pytest.mark.parametrize("page", PAGES, ids=PAGE_IDS)
def test_attributes_of_classes_exist(page: Path) -> None:
    """Names such as ``Judgement.lock_ns`` are attributes of a class of that name."""
    named = re.findall(r"`([A-Z]\w*[a-z]\w*)\.([a-z]\w*)`", page.read_text())
    assert [
        f"{name}.{attribute}" for name, attribute in named if attribute not in attributes_of_classes().get(name, ())
    ] == []


@functools.cache
def attributes_of_classes() -> dict[str, set[str]]:
    """The attributes of every class in the packages, by the class's name, without those it inherits."""
    found: dict[str, set[str]] = {}
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                names = found.setdefault(node.name, set())
                for one in ast.walk(node):
                    match one:
                        case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                            names.add(name)
    return found
