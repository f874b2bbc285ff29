"""docs/journal.md, journal-keeping.md and proof.md document tables, event kinds, fields, queries and the chain check of
real journals."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rules.record.judgement import Verdict
from tests.helpers.every_kind_of_event import write_every_kind
from tests.helpers.judged_frames import JUDGEMENT
from tests.helpers.judged_hands import ZONES
from throwlock.journal.events import BODY_TYPES, schema
from throwlock.tables.record import record_judgement
from vision.evidence import render_evidence

PAGES = ("journal.md", "journal-keeping.md", "proof.md")
TEXT = "".join((Path(__file__).parents[2] / "docs" / page).read_text() for page in PAGES)


def section(title: str) -> str:
    """Return the section below a heading."""
    depth = title.split(" ", maxsplit=1)[0]
    found = re.search(rf"^{re.escape(title)}\n(.*?)(?=^#{{1,{len(depth)}}} |\Z)", TEXT, re.M | re.S)
    assert found, f"neither page has {title}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """Return the rows of all tables in a text, without headers."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heads = {number - 1 for number, row in enumerate(cells) if set(row[0]) <= {"-", " "} and row[0]}
    return [row for number, row in enumerate(cells) if number not in heads and number - 1 not in heads]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_every_kind(tmp_path_factory.mktemp("docs") / "one.journal")


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


def test_every_kind_of_event_and_field_of_its_body_is_documented(db: sqlite3.Connection) -> None:
    described = rows(section("## Kinds of events"))[: len(BODY_TYPES)]
    documented = {row[0]: set(re.findall(r"`(\w+)`", row[1])) for row in described}
    bodies = db.execute("SELECT DISTINCT kind, body FROM event").fetchall()
    assert {kind for kind, _ in bodies} == documented.keys()
    assert all(json.loads(body).keys() == documented[kind] for kind, body in bodies)


def test_every_event_fits_the_schema(db: sqlite3.Connection) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    for kind, body in db.execute("SELECT kind, body FROM event"):
        validator.validate({kind: json.loads(body)})


def test_every_field_of_a_judgement_is_documented() -> None:
    fields = {row[0] for row in rows(section("## Kinds of events"))[len(BODY_TYPES) :]}
    made: dict[str, Any] = record_judgement(JUDGEMENT, ZONES).model_dump(mode="json")
    assert fields == made.keys() | made["seats"]["1"].keys()
    assert all(f"`{verdict}`" in TEXT for verdict in Verdict)


def test_every_piece_of_evidence_is_documented() -> None:
    from tests.helpers.judged_frames import FRAMES

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
        db.execute("UPDATE event SET kind = 'round_voided' WHERE number = 3")
        with pytest.raises(AssertionError):
            recipe["chain"](db)
