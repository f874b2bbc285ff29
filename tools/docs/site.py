"""Put the pages of the site together, for mkdocs: ``make site``.

The documents are those of the repository, at the same paths, so their links stay as they are. Pictures of every page of
the touchscreen are drawn by this version, and the pages of reference are made from the code."""

import argparse
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.gallery import samples
from ui.screen.core.png_display import render_image, save_png
from ui.screen.views import View

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    "README.md",
    "hardware.md",
    *("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "LICENSE"),
)
FOLDERS = ("docs", "examples", "measurements", "tests/ui/screen/pictures")
SCREEN_SIZE = (800, 480)
RULES_MODULES = (
    *("rules.engine.game", "rules.engine.script", "rules.engine.values", "rules.engine.play"),
    *("rules.engine.scoreboard", "rules.engine.explanation", "rules.events", "rules.throws"),
    *("rules.parallel", "rules.deck", "rules.catalogue"),
)
SEARCH_SHIM = "iframe-worker.js"
"""What lets the search run on pages that are opened from a disk. The theme would load it from elsewhere."""
SEARCH_BOOSTS = {"docs/questions.md": 4, "CHANGELOG.md": 0.5, "measurements/*/*.md": 0.5}
"""Pages that the search finds before others, and after them."""
STYLE = """.screens { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.md-typeset a:not(.headerlink):not(.md-button) { text-decoration: underline; }
.md-tabs__link, .md-nav__link, .md-footer__direction { opacity: 1; }
:root { --md-primary-fg-color: #303f9f; --md-typeset-a-color: #283593; --md-accent-fg-color: #1a237e; }
[data-md-color-scheme="slate"][data-md-color-primary] { --md-typeset-a-color: #9fa8da; --md-accent-fg-color: #c5cae9; }
.md-typeset pre > code { white-space: pre-wrap; overflow-wrap: anywhere; }
.md-typeset pre.drawing { overflow-x: auto; }
.md-typeset pre.drawing > code { white-space: pre; font-size: .62rem; overflow: visible; }
.highlight { --md-code-hl-comment-color: var(--md-code-fg-color); }
.highlight { --md-code-hl-operator-color: var(--md-code-fg-color); }
.highlight { --md-code-hl-punctuation-color: var(--md-code-fg-color); }
.highlight { --md-code-hl-generic-color: var(--md-code-fg-color); }
.highlight { --md-code-hl-variable-color: var(--md-code-fg-color); }
[data-md-color-scheme="slate"] .highlight { --md-code-hl-number-color: #f48fb1; --md-code-hl-constant-color: #b39ddb; }
[data-md-color-scheme="slate"] .highlight { --md-code-hl-function-color: #e1bee7; --md-code-hl-special-color: #f48fb1; }
[data-md-color-scheme="slate"] .highlight { --md-code-hl-keyword-color: #90caf9; --md-code-hl-string-color: #a5d6a7; }
"""
SCRIPT = """// What the theme leaves out: names for people who hear the page, tables and drawings that scroll by keys.
document.querySelector('.md-search')?.setAttribute('aria-label', 'Search');
const tables = () => document.querySelectorAll('.md-typeset__scrollwrap').forEach(part => { part.tabIndex = 0; });
new MutationObserver(tables).observe(document.body, {childList: true, subtree: true});
tables();
document.querySelectorAll('pre').forEach(part => {  // the theme decides itself which code inside can be focused
  if (/[─│]/.test(part.textContent)) { part.classList.add('drawing'); part.tabIndex = 0; }
});
document.querySelectorAll('th:empty').forEach(head => head.replaceWith(document.createElement('td')));
"""


def draw_screens(views: Mapping[str, View], folder: Path) -> None:
    """Draw every page of the touchscreen into ``folder``."""
    folder.mkdir()
    for name, view in views.items():
        save_png(render_image(view, SCREEN_SIZE), folder / f"{name}.png")


def screens_page(names: Iterable[str]) -> str:
    """Return the page that shows every page of the touchscreen."""
    pictures = "\n".join(
        f'<figure><img src="screens/{name}.png" alt="The screen {name.replace("-", " ")}" width="400" height="240" '
        f'loading="lazy"><figcaption>{name.replace("-", " ")}</figcaption></figure>'
        for name in names
    )
    heading = "# Every screen\n\nWhat the box can show, with made-up players."
    return f'{heading}\n\n<div class="screens">\n{pictures}\n</div>\n'


def rules_page() -> str:
    """Return the reference of what a game is written with, for mkdocstrings."""
    modules = "\n\n".join(f"## {module}\n\n::: {module}" for module in RULES_MODULES)
    return f"# Reference of rules\n\nWhat a game of your own is written with, from its docstrings.\n\n{modules}\n"


def command_line_page() -> str:
    """Return the reference of the command line, for mkdocs-click."""
    options = "    :module: throwlock.cli.main\n    :command: throwlock\n    :depth: 1\n    :style: table\n"
    return f"# Every command and option\n\n::: mkdocs-click\n{options}"


def assemble(folder: Path) -> None:
    """Write the site's pages into ``folder``, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in DOCUMENTS:
        shutil.copy(ROOT / name, folder)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for pattern, boost in SEARCH_BOOSTS.items():
        for page in folder.glob(pattern):
            page.write_text(f"---\nsearch:\n  boost: {boost}\n---\n{page.read_text()}")
    views = samples()
    draw_screens(views, folder / "screens")
    (folder / "screens.md").write_text(screens_page(views))
    (folder / "site.css").write_text(STYLE)
    (folder / "site.js").write_text(SCRIPT)
    shutil.copy(Path(__file__).with_name(SEARCH_SHIM), folder)
    (folder / "reference").mkdir()
    (folder / "reference/rules.md").write_text(rules_page())
    (folder / "reference/command-line.md").write_text(command_line_page())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.docs.site", description=str(__doc__).partition(":")[0] + ".")
    parser.add_argument("folder", metavar="DIR", type=Path, help="where the pages are written; emptied first")
    assemble(parser.parse_args().folder)
