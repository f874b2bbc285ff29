"""A box whose clock was never set, or jumps: the dates are wrong, and nothing else."""

import json
import random
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import jsonschema
import pytest

from tests.helpers.web_guard import BrowserClient
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.review.archive import ArchiveOpener
from throwlock.review.export import MEDIA_TYPES, match_to_json
from throwlock.review.history_pages import MatchHistoryPages
from throwlock.review.importer import ImportJournal, read_match_file
from throwlock.review.match_schema import schema
from throwlock.review.verify import verify
from throwlock.web.app import create_app
from tools.sample_journal import SampleJournal, SampleMatch
from ui.screen.core.display import NullDisplay
from ui.screen.pages.history import HistoryList
from ui.screen.views import Answer, InteractiveView
from ui.web.middleware import AccessMiddleware

STARTED, FORGOT = datetime(1970, 1, 1, tzinfo=UTC), datetime(2099, 12, 31, 23, 59, tzinfo=UTC)


class UnsetClock:
    """Begins in 1970, is set at some time to the year 2099, and at another forgets it again."""

    def __init__(self) -> None:
        self.now, self.readings = STARTED, 0

    def __call__(self) -> str:
        self.readings += 1
        self.now = {50: FORGOT, 100: STARTED}.get(self.readings, self.now + timedelta(seconds=4))
        return self.now.isoformat(timespec="milliseconds")


@pytest.fixture(params=[("America/Los_Angeles", "31 December 1969"), ("Asia/Tokyo", "1 January 1970")])
def first_day(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The day of the first match in the box's time zone."""
    zone, day = request.param
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        yield day
    time.tzset()


@pytest.fixture
def journal(tmp_path: Path, first_day: str) -> Path:
    """Matches of several games, with the clock going wrong within them."""
    path, clock = tmp_path / "evening.journal", UnsetClock()
    with SampleJournal(path, clock) as journal, journal.in_one_transaction():
        rng = random.Random(5)
        while clock.readings < 150:
            SampleMatch(journal, rng).play()
    return path


def test_the_journal_is_whole_and_in_order(journal: Path) -> None:
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()
        times = [event.at for event in reader.events()]
    assert times[0] < "1971" and times != sorted(times) and max(times) > "2099"


def test_every_match_is_exported_and_imported(journal: Path, tmp_path: Path) -> None:
    opener = ArchiveOpener(journal, tmp_path / "cache")
    with opener.open() as archive, JournalReader(journal) as reader, ImportJournal(tmp_path / "new.journal") as new:
        for number in reader.matches():
            assert all(archive.export(number, form)[2] for form in MEDIA_TYPES)
            file = tmp_path / f"{number}.json"
            file.write_text(match_to_json(reader, number), encoding="utf-8")
            match = read_match_file(file)
            jsonschema.validate(json.loads(file.read_text(encoding="utf-8")), schema())
            copied = new.import_match(match)
            assert [event.at for event in new.events(copied)] == [event.at for event in reader.events(number)]
        assert verify(new).problems == ()
    opener.close()


def test_every_review_page_is_shown(journal: Path, tmp_path: Path, first_day: str) -> None:
    opener = ArchiveOpener(journal, tmp_path / "cache")
    client = BrowserClient(AccessMiddleware(create_app(opener.open, user_errors=(JournalError,)), ()))
    waiting, seen = ["/"], set()
    while waiting:
        address = waiting.pop()
        if address not in seen:
            seen.add(address)
            answer = client.get(address)
            assert answer.status_code == 200, address
            if answer.headers["content-type"].startswith("text/html"):
                found = [unescape(one) for one in re.findall(r'href="([^"#]+)', answer.text)]
                waiting += [address.partition("?")[0] + one if one.startswith("?") else one for one in found]
    assert {"match", "round", "player"} <= {one.split("/")[1] for one in seen}
    assert first_day in client.get("/").text
    opener.close()


def test_past_matches_are_listed_on_the_screen(journal: Path) -> None:
    class OneLook(NullDisplay):
        def ask(self, view: InteractiveView) -> Answer:
            assert isinstance(view, HistoryList)
            self.titles = [str(line) for line in view.lines]
            return None

    display = OneLook()
    MatchHistoryPages(display, journal).open()
    assert display.titles
