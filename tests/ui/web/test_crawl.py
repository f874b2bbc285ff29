"""Follows every link of the review pages over journals of all games."""

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.helpers.web_guard import LOCAL_TOKEN, BrowserClient, as_xml
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.review.archive import ArchiveOpener
from throwlock.web.app import create_app
from tools.sample_journal import write_sample_journal
from ui.web.middleware import AccessMiddleware


@pytest.fixture
def client(tmp_path: Path) -> BrowserClient:
    write_sample_journal(tmp_path / "evening.journal", 8, seed=3)
    shelf = ArchiveOpener(tmp_path / "evening.journal", tmp_path / "cache")
    pages = create_app(shelf.open, user_errors=(JournalError,))
    return BrowserClient(AccessMiddleware(pages, ()))


def linked(address: str, html: str) -> list[str]:
    """Return the links and images of a page."""
    found = [unescape(one) for one in re.findall(r'(?:href|src)="([^"#]+)', html)]
    return [address.split("?", maxsplit=1)[0] + one if one.startswith("?") else one for one in found]


def test_every_link_leads_to_a_complete_page(client: BrowserClient) -> None:
    waiting, seen = ["/"], set()
    while waiting:
        address = waiting.pop()
        if address in seen or "/export/" in address:
            continue
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, address
        if answer.headers["content-type"].startswith("text/html"):
            ElementTree.fromstring(as_xml(answer.text))
            waiting += linked(address, answer.text)
    kinds = {re.sub(r"\d+|[0-9a-f]{64}", "N", one.split("?")[0]) for one in seen}
    assert {"/", "/match/N", "/round/N", "/round/N/picture/strip-N.jpg", "/static/style.css"} <= kinds


def test_marks_and_deletions_reach_the_journal(client: BrowserClient) -> None:
    (match, *_) = re.findall(r'href="(/match/\d+)"', client.get("/").text)
    (thrown, *_) = re.findall(r'href="(/round/\d+)"', client.get(match).text)
    assert client.send_form(f"{thrown}/mark", token=LOCAL_TOKEN, mark="to review")[0] == 303
    assert re.findall(r'href="(/match/\d+)"', client.get("/?mark=to+review").text) == [match]
    (picture, *_) = re.findall(r'src="(/round/\d+/picture/[^"]+)"', client.get(thrown).text)
    assert client.get(picture).status_code == 200
    assert client.send_form(f"{match}/delete-pictures", token=LOCAL_TOKEN)[0] == 303
    assert client.get(picture).status_code == 404
    assert "The images of this round were deleted." in client.get(thrown).text


def test_a_removed_journal_is_reported(client: BrowserClient, tmp_path: Path) -> None:
    (tmp_path / "evening.journal").write_bytes(b"no journal")
    with pytest.raises(JournalError):
        JournalReader(tmp_path / "evening.journal")
    answer = client.get("/")
    assert answer.status_code == 503 and "The journal can’t be read" in unescape(answer.text)
