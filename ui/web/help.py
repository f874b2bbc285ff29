"""The pages of help: the documents for players and builders, from the Markdown of ``docs/``. A wheel has them in
``ui/web/help_pages``, where pyproject.toml puts them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from errors import NotFoundError
from messages import N
from ui.web.middleware import HELP_PATH

PAGES = (
    *("tutorial-laptop", "games", "questions", "playing", "box", "lock", "cards", "tutorial-class", "classroom"),
    *("tournaments", "phones", "second-screen", "sound", "clips", "review-pages", "review-network", "statistics"),
    *("rulings", "filming-throws", "privacy", "tutorial-pi", "hardware", "cameras", "installing", "settings"),
)
"""The documents by name, as the site has them under *Play* and *Build the box*."""
INSTALLED = Path(__file__).parent / "help_pages"
CHECKOUT = Path(__file__).parents[2]


@dataclass(frozen=True)
class HelpPage:
    """A page of help. Documents are in English."""

    name: str
    title: str
    html: Markup


@cache
def read_help(name: str) -> HelpPage:
    """Return a page of help. Raises NotFoundError."""
    if name not in PAGES:
        raise NotFoundError(N("There is no such page."))
    title, _, body = _source(name).read_text(encoding="utf-8").removeprefix("# ").partition("\n")
    parser = MarkdownIt("commonmark").enable("table")
    tokens = [token for token in parser.parse(body) if token.type != "html_block"]
    used: set[str] = set()
    for number, token in enumerate(tokens):
        if token.attrs.pop("style", None) == "text-align:right":  # the page's policy allows no styles of its own
            token.attrSet("class", "right")
        if token.type == "heading_open":
            token.attrSet("id", _heading_id(tokens[number + 1].content, used))
        elif token.children is not None:
            token.children = _link_pages(token.children, name)
    html = parser.renderer.render(tokens, parser.options, {})
    html = html.replace("<th></th>", "<td></td>")  # a header without a name is none
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    return HelpPage(name, title, Markup(html))


def _source(name: str) -> Path:
    if INSTALLED.exists():
        return INSTALLED / f"{name}.md"
    return CHECKOUT / f"{name}.md" if name == "hardware" else CHECKOUT / f"docs/{name}.md"


def _heading_id(heading: str, used: set[str]) -> str:
    """Return what links call a heading, as the site does."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    slug = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text.encode("ascii", "ignore").decode()).strip().lower())
    unique = slug if slug not in used else f"{slug}_{len(used)}"
    used.add(unique)
    return unique


def _link_pages(tokens: Sequence[Token], name: str) -> list[Token]:
    """Return the tokens of a line, with links to pages of help only and without pictures: the box has no others."""
    kept: list[Token] = []
    targets: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            targets.append(_target(str(token.attrGet("href")), name))
            token.attrSet("href", targets[-1])
            if not targets[-1]:
                continue
        if (token.type == "link_close" and not targets.pop()) or token.type in {"image", "html_inline"}:
            continue
        kept.append(token)
    return kept


def _target(href: str, name: str) -> str:
    """Return where a link of a document leads on the box; "" if it leads out of the pages of help."""
    path, mark, anchor = href.partition("#")
    if ":" in path:
        return ""
    page = PurePosixPath(path).stem if path else name
    return f"{HELP_PATH}/{page}{mark}{anchor}" if page in PAGES and (not path or path.endswith(".md")) else ""
