"""Newcomers find their answer: a search for their words leads to an answer, and its links to the section that says
more."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/questions.md"
ENTRIES = re.findall(r"^## ([^\n]+)\n\n(.+?)(?=\n\n|\n?\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
STOP_WORDS = frozenset(
    re.findall(r"\w+", "a an and back can do does how i if is it its me my of on says the to use was we what which")
)


def words(text: str) -> set[str]:
    """The words of a text as a search takes them: small, without the endings of English plurals and verbs."""
    found = re.findall(r"[a-z]+", re.sub(r"\]\([^)]*\)", " ", text.lower()).replace("wasn't", "was"))
    return {re.sub(r"(s|ing|ed)$", "", word) for word in found} - STOP_WORDS


def answer_to(question: str) -> str:
    """Return the answer whose question and text have most of a search's words; the question's count twice."""
    asked = words(question)
    title, text = max(ENTRIES, key=lambda one: 2 * len(asked & words(one[0])) + len(asked & words(one[1])))
    assert asked <= words(title) | words(text), f"{asked - words(f'{title} {text}')} is not on the page"
    return text


def sections(link: str) -> str:
    """Return the text that a link of the page leads to: a page, or its section."""
    path, _, anchor = link.partition("#")
    page = (PAGE.parent / path).read_text()
    if not anchor:
        return page
    parts = re.split(r"^#+ (.+)$", page, flags=re.MULTILINE)
    named = dict(zip((slug(title) for title in parts[1::2]), parts[2::2], strict=True))
    assert anchor in named, link
    return named[anchor]


def slug(title: str) -> str:
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title.lower())).strip("-")


@pytest.mark.parametrize(
    ("question", "says", "more"),
    [
        ("which camera", "Camera Module 3 Wide", "Camera Module 3 Wide"),
        ("it says late and I wasn't", "Dispute", "would be late"),
        ("how do I delete everything", "--purge", "throwlock.toml"),
        ("how do I add a second box", "hall", "join-hall"),
        ("can I use cards", "printed cards", "throwlock cards"),
        ("does it send pictures anywhere", "Not by itself", "disputed rounds"),
        ("what if the power goes", "resumes at the same question", "power is cut"),
        ("how do I write a bot", "thirty lines", "throwlock arena"),
        ("my browser says too old", "2019 or later", "HDMI"),
        ("no sound", "loudspeaker", "espeak-ng"),
        ("play without camera", "--camera none", "same network"),
        ("colour blind", "shape", "7 to 1"),
        ("children", "stars", "stars instead of points"),
        ("how does the tie-break work", "equal points", "Buchholz"),
        ("phone doesn't connect", "same network", "QR code"),
        ("change language", "globe", "English, German and French"),
        ("how do I go back a version", "--roll-back", "--roll-back"),
        ("how do I update", "upgrade", "--roll-back"),
        ("which Pi", "Pi 5", "Pi 5"),
        ("can I use it without a camera", "--camera none", "same network"),
        ("where are the pictures kept", "/var/lib/throwlock", "journal"),
        ("phones can't connect", "same network", "QR code"),
        ("how do I make cards", "throwlock cards deck", "throwlock cards"),
        ("how do I run two tables", "hall", "join-hall"),
    ],
)
def test_question_is_answered(question: str, says: str, more: str) -> None:
    """On the page, which the site has in the navigation of every page; a link of the answer leads on."""
    answer = answer_to(question)
    assert says in answer
    assert any(more in sections(link) for link in re.findall(r"\]\(([^)\s]+)\)", answer))


def test_every_link_of_an_answer_leads_to_a_section() -> None:
    for title, text in ENTRIES:
        assert all(sections(link) for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text)), title
