"""docs/journal.md documents tables, event kinds, fields, queries and the chain check of real journals."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from rules.catalogue import find_game
from tests.throwlock.match.test_dispute import CLASSIC, AnswerOnce, People, make_the_other_win
from tests.throwlock.match.test_match import make_match, match_config, play
from tests.throwlock.tables.test_hands import JUDGEMENT, ZONES
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.judgement_json import judgement_to_json
from ui.screen.pages.dispute.view import AgreedCorrection
from vision.evidence import render_evidence
from vision.lock.verdict import Verdict

TEXT = (Path(__file__).parents[2] / "docs" / "journal.md").read_text()


def section(title: str) -> str:
    """Return the section below a heading."""
    depth = title.split(" ", maxsplit=1)[0]
    found = re.search(rf"^{re.escape(title)}\n(.*?)(?=^#{{1,{len(depth)}}} |\Z)", TEXT, re.M | re.S)
    assert found, f"docs/journal.md has no {title}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """Return the rows of all tables in a text, without headers."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heads = {number - 1 for number, row in enumerate(cells) if set(row[0]) <= {"-", " "} and row[0]}
    return [row for number, row in enumerate(cells) if number not in heads and number - 1 not in heads]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with every kind of event."""
    file = tmp_path_factory.mktemp("docs") / "one.journal"
    for reply in (make_the_other_win, "stands", AgreedCorrection(None)):
        with Journal(file) as journal:
            make_match(journal, CLASSIC, display=People(file, AnswerOnce(0, [reply])))[0].play()
    play(file, match_config(find_game("future").set_up(2), seed=5))
    with Journal(file) as journal:
        left = journal.start_match({**match_config(find_game("classic").set_up(2)).event_body(), "scenarios": ["late"]})
        journal.append(left, "abandoned", {})
    return file


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as opened:
        yield opened


def test_every_table_and_column_is_documented(db: sqlite3.Connection) -> None:
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")]
    documented = re.findall(r"^### (\w+)$", section("## Tables"), re.M)
    assert sorted(documented) == sorted(tables)
    for table in tables:
        columns = [(row[1], row[2]) for row in db.execute(f"PRAGMA table_info({table})")]
        assert [(name, kind) for name, kind, _ in rows(section(f"### {table}"))] == columns


def test_the_version_is_documented(db: sqlite3.Connection) -> None:
    assert f"Version {db.execute('PRAGMA user_version').fetchone()[0]} " in section("## Tables")
    assert f"0x{db.execute('PRAGMA application_id').fetchone()[0]:X}" in section("## Tables")


def test_every_kind_of_event_and_field_of_its_body_is_documented(path: Path) -> None:
    documented = {row[0]: set(re.findall(r"`(\w+)`", row[1])) for row in rows(section("## Kinds of events"))[:7]}
    there: dict[str, set[str]] = {}
    with JournalReader(path) as journal:
        for event in journal.events():
            there.setdefault(event.kind, set()).update(event.body)
    assert there == documented


def test_every_field_of_a_judgement_is_documented() -> None:
    fields = {row[0] for row in rows(section("## Kinds of events"))[7:]}
    made: dict[str, Any] = judgement_to_json(JUDGEMENT, ZONES)
    assert fields == made.keys() | made["seats"]["1"].keys()
    assert all(f"`{verdict}`" in TEXT for verdict in Verdict)


def test_every_piece_of_evidence_is_documented() -> None:
    from tests.vision.test_evidence import FRAMES

    for name, media_type, _ in render_evidence(JUDGEMENT, FRAMES):
        assert f"`{re.sub('[0-9]', 'N', name)}`" in section("### evidence")
        assert f"`{media_type}`" in section("### evidence")


@pytest.mark.parametrize("query", re.findall(r"```sql\n(.*?)```", TEXT, re.S))
def test_the_documented_queries_return_rows(db: sqlite3.Connection, query: str) -> None:
    found = db.execute(query).fetchall()
    assert found and not any(column is None for column in found[0])


def test_the_documented_chain_check_works(path: Path, tmp_path: Path) -> None:
    recipe: dict[str, Any] = {"json": json, "sha256": sha256}
    exec(re.findall(r"```python\n(.*?)```", TEXT, re.S)[0], recipe)
    copy = tmp_path / "copy.journal"
    copy.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(copy)) as db:
        recipe["chain"](db)
        db.execute("UPDATE event SET kind = 'void' WHERE number = 3")
        with pytest.raises(AssertionError):
            recipe["chain"](db)
