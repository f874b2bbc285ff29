"""Every surface says of a round what it said before: recorded journals of every game, and what the touchscreen,
television, phones, review pages, disputes, statistics and exports say of them.

``pytest tests/agreement -n 0 --rewrite`` writes what they say now, for a change that is meant, and records the journal
of a new script. A journal that is there is never written again: an old one has to stay readable."""

import gzip
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import GAMES
from tests.helpers.agreement_matches import SCRIPTS, play, play_match
from tests.helpers.journal_events import json_body
from tests.helpers.surfaces import LIVE, STORED
from throwlock.journal.journal import Journal, JournalReader
from throwlock.replay.config import config_from_events
from throwlock.review.verify import verify
from ui.i18n.language import set_language

JOURNALS, EXPECTED = (Path(__file__).parent / folder for folder in ("journals", "expected"))
Expect = Callable[[str, str, list[str]], None]


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A box in UTC that speaks English in the end."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def rewrites(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are written anew. The option is unknown where all tests run."""
    return bool(request.config.getoption("--rewrite", default=False))


@pytest.fixture
def expect(rewrites: bool) -> Expect:
    """Compares what a surface says of a journal with what it said before."""

    def compare(name: str, surface: str, lines: list[str]) -> None:
        file = EXPECTED / name / f"{surface}.txt"
        if rewrites:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        assert lines == file.read_text(encoding="utf-8").splitlines()

    return compare


@pytest.fixture
def recorded(request: pytest.FixtureRequest, tmp_path: Path, rewrites: bool) -> Path:
    """A copy of a recorded journal."""
    name, file = request.param, tmp_path / "recorded" / "evening.journal"
    set_language(SCRIPTS[name].language)
    file.parent.mkdir()
    kept = JOURNALS / f"{name}.journal.gz"
    if rewrites and not kept.exists():
        play(SCRIPTS[name], file)
        kept.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        return file
    file.write_bytes(gzip.decompress(kept.read_bytes()))
    return file


def bodies(path: Path) -> list[tuple[str, Any]]:
    """Return all events as written, but for the hashes of pictures, which another version of OpenCV encodes anew, and
    with the defaults of options that came later."""
    with JournalReader(path) as journal:
        events = [(event.kind, json_body(event)) for event in journal.events()]
    for kind, body in events:
        body.pop("evidence", None)
        if kind == "match_started":
            body["options"] = {option.name: option.default for option in GAMES[body["game"]].options} | body["options"]
    return events


def test_every_game_has_a_journal() -> None:
    assert {script.game for script in SCRIPTS.values()} == set(GAMES)


@pytest.mark.parametrize(
    ("recorded", "name"),
    [(name, name) for name, script in SCRIPTS.items() if not script.is_slow],
    indirect=["recorded"],
)
def test_live_surfaces(recorded: Path, name: str, tmp_path: Path, expect: Expect) -> None:
    said = play(SCRIPTS[name], tmp_path / "now.journal")
    assert bodies(tmp_path / "now.journal") == bodies(recorded)
    for surface in LIVE:
        expect(name, surface, said[surface])


@pytest.mark.parametrize("surface", STORED)
@pytest.mark.parametrize(("recorded", "name"), [(name, name) for name in SCRIPTS], indirect=["recorded"])
def test_stored_surfaces(recorded: Path, name: str, surface: str, expect: Expect) -> None:
    expect(name, surface, STORED[surface](recorded))


@pytest.mark.parametrize("recorded", SCRIPTS, indirect=True)
def test_old_journal_verifies(recorded: Path) -> None:
    with JournalReader(recorded) as journal:
        assert verify(journal).problems == ()


@pytest.mark.parametrize("recorded", ["interrupted"], indirect=True)
def test_old_journal_resumes(recorded: Path) -> None:
    before = bodies(recorded)
    with Journal(recorded) as journal:
        number = journal.unfinished_match()
        assert number is not None
        play_match(SCRIPTS["interrupted"], journal, number, config_from_events(journal.events(number)))
        assert journal.unfinished_match() is None
        assert verify(journal).problems == ()
    assert bodies(recorded)[: len(before)] == before
