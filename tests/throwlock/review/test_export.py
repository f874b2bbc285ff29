"""Exports: JSON that fits its schema and survives an import, CSV without formulas, self-contained HTML."""

import csv
import io
import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import NotFoundError
from rules.engine import Game
from rules.record.judgement import SeatRecord, Verdict, VoidReasonRecord
from tests.helpers.every_kind_of_event import write_every_kind
from tests.helpers.journal_builder import RESULT, JournalBuilder, P, R, S, make_hand
from tests.helpers.random_games import games
from throwlock.cli.main import run_command
from throwlock.journal.events import BODY_TYPES, Deleted, ImportedFrom, MatchAbandoned, MatchEnded
from throwlock.journal.journal import Journal, JournalReader, match_started
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.review.export import CSV_COLUMNS, escape_formula, match_to_csv, match_to_json, write_xlsx
from throwlock.review.importer import ImportJournal, read_match_file
from throwlock.review.match_schema import MatchFile, schema
from throwlock.review.verify import KINDS_OF_NO_MATCH, verify
from tools.sample_journal import SampleClock, SampleJournal, SampleMatch
from ui.text.names import normalise_name
from vision.lock.reasons import VoidKind

DOCS = Path(__file__).parents[3] / "docs"
MARKUP = '<script>alert("1")</script>'


@pytest.fixture
def finished_match(box: JournalBuilder) -> JournalBuilder:
    """A finished match with a late throw and a correction."""
    late = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=351.26))
    box.add_round(S, P)
    box.correct(late, 2, S)
    for _ in range(2):
        box.add_round(R, S)
    box.journal.append(box.match, MatchEnded(result=RESULT))
    return box


SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def export_bytes(box: JournalBuilder, form: str) -> bytes:
    with box.shelf.open() as archive:
        return archive.export(box.match, form)[2]


def comparable_content(text: str) -> dict[str, Any]:
    """Return a file's content independent of its journal: events numbered from 1, players by order."""
    given = json.loads(text)
    places = {event["number"]: place for place, event in enumerate(given["events"], 1)}
    keys: dict[str, int] = {}
    events = []
    for event in given["events"]:
        body = {name: value for name, value in event["body"].items() if name != "imported_from"}
        if event["kind"] == "match_started":
            body["players"] = {seat: keys.setdefault(key, len(keys)) for seat, key in body["players"].items()}
        for name in ("round", "dropped"):
            if name in body:
                body[name] = [places[one] for one in body[name]] if name == "dropped" else places[body[name]]
        events.append({"at": event["at"], "kind": event["kind"], "body": body, "pictures": event.get("pictures")})
    return {"players": given["players"], "events": events}


def import_and_export(text: str, folder: Path, name: str = "other.journal") -> tuple[str, int]:
    """Import an export into a journal and export it again; return it with its number there."""
    file = folder / "match.json"
    file.write_text(text)
    with ImportJournal(folder / name) as journal:
        number = journal.import_match(read_match_file(file))
    with JournalReader(folder / name) as reader:
        assert verify(reader).problems == ()
        return match_to_json(reader, number), number


def test_every_key_and_column_is_documented() -> None:
    text = (DOCS / "export.md").read_text()
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    found = {title: re.findall(r"^\| (\w+) \|", told, re.M)[1:] for title, told in sections.items()}
    assert found["JSON"] == list(MatchFile.model_fields)
    assert found["Import"] == list(ImportedFrom.model_fields)
    assert found["CSV"] == list(CSV_COLUMNS)


def test_the_schema_lists_all_verdicts_and_reasons() -> None:
    assert SeatRecord.model_json_schema()["properties"]["verdict"]["enum"] == list(Verdict)
    assert set(VoidReasonRecord.model_fields["kind"].annotation.__args__) == {str(one) for one in VoidKind}


def test_an_exported_match_is_complete_and_fits_the_schema(finished_match: JournalBuilder) -> None:
    given = json.loads(export_bytes(finished_match, "json"))
    jsonschema.Draft202012Validator(schema()).validate(given)
    assert (given["format"], given["version"], given["players"]) == ("throwlock-match", 5, ["Ada", "Ben"])
    events = finished_match.journal.events(finished_match.match)
    assert [one["body"] for one in given["events"]] == [event.body.model_dump(mode="json") for event in events]
    assert [one["hash"] for one in given["events"]] == [event.hash for event in events]
    pictures = given["events"][1]["pictures"]
    assert {name: one["data"] for name, one in pictures.items()} == {"lock.jpg": "bG9jaw==", "strip-1.jpg": "c3RyaXA="}


def test_every_export_has_the_proof_code_of_the_match(finished_match: JournalBuilder) -> None:
    files = [export_bytes(finished_match, kind).decode() for kind in ("json", "csv", "html")]
    code = json.loads(files[0])["proof_code"]
    with JournalReader(finished_match.path) as reader:
        (confirmed,) = verify(reader, [code]).confirmed
    assert "match_ended of match 1" in confirmed and "none came later" in confirmed
    assert all(row["proof_code"] == code for row in csv.DictReader(files[1].splitlines()))
    assert f'<dt>Proof code</dt><dd><code translate="no">{code}</code><svg class="qr"' in files[2]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(game=games(), seed=st.integers(0, 2**32))
def test_any_match_survives_export_and_import(game: Game, seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("trip")
    with SampleJournal(folder / "one.journal", SampleClock()) as journal, journal.in_one_transaction():
        SampleMatch(journal, random.Random(seed), game).play(40)
        match = SampleMatch(journal, random.Random(seed + 1), game)
        match.play(60)
        if not match.is_over:
            journal.append(match.number, MatchAbandoned())
    with JournalReader(folder / "one.journal") as reader:
        first = match_to_json(reader, match.number)
    jsonschema.Draft202012Validator(schema()).validate(json.loads(first))
    second, _ = import_and_export(first, folder)
    assert comparable_content(second) == comparable_content(first)
    third, _ = import_and_export(second, folder, "third.journal")
    assert comparable_content(third) == comparable_content(first)
    notes = [
        origin and origin["first_hash"]
        for origin in (json.loads(text)["events"][0]["body"]["imported_from"] for text in (first, second, third))
    ]
    assert notes == [None, *[json.loads(first)["events"][0]["hash"]] * 2], "where it was played, however often it moves"


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_every_kind(tmp_path_factory.mktemp("kinds") / "one.journal")


def test_every_event_kind_fits_the_schema(every_kind: Path, tmp_path: Path) -> None:
    """Every kind of event, from played matches."""
    kinds = set()
    with JournalReader(every_kind) as reader:
        for match in reader.matches():
            events = reader.events(match)
            kinds |= {event.kind for event in events}
            text = match_to_json(reader, match)
            again, _ = import_and_export(text, tmp_path)
            assert comparable_content(again) == comparable_content(text)
    assert kinds == BODY_TYPES.keys() - KINDS_OF_NO_MATCH


def test_exports_can_omit_images(finished_match: JournalBuilder, tmp_path: Path) -> None:
    with JournalReader(finished_match.path) as reader:
        bare = match_to_json(reader, finished_match.match, pictures=False)
    assert "pictures" not in bare and "bG9jaw==" not in bare
    again, number = import_and_export(bare, tmp_path)
    assert not any(event.get("pictures") for event in json.loads(again)["events"])
    with JournalReader(tmp_path / "other.journal") as reader:
        assert not reader.has_pictures(number)
        assert {row.name for row in reader.evidence_rows()} == {"lock.jpg", "strip-1.jpg"}
        images = tuple(sorted({row.event for row in reader.evidence_rows()}))
        assert reader.events()[-1].body == Deleted(reason="not copied", events=images) and images
    with finished_match.shelf.open() as archive:
        archive.delete_pictures(finished_match.match)
    assert b"bG9jaw==" not in export_bytes(finished_match, "json")


def test_forgotten_players_have_no_name_in_exports(finished_match: JournalBuilder, tmp_path: Path) -> None:
    finished_match.journal.close()
    with JournalReader(finished_match.path) as reader:
        key = next(key for key, name in reader.players().items() if name == "Ben")
    JournalMaintenance(finished_match.path).forget(key)
    for form in ("json", "csv", "xlsx", "html"):
        assert b"Ben" not in export_bytes(finished_match, form)
    text = export_bytes(finished_match, "json").decode()
    assert json.loads(text)["players"] == ["Ada", None]
    again, _ = import_and_export(text, tmp_path)
    assert comparable_content(again) == comparable_content(text)


def test_imports_match_players_by_name(finished_match: JournalBuilder, tmp_path: Path) -> None:
    with Journal(tmp_path / "other.journal") as other:
        body = match_started(finished_match.journal.events(finished_match.match))
        other.append(other.start_match(body, ("ada", "Cy")), MatchAbandoned())
    import_and_export(export_bytes(finished_match, "json").decode(), tmp_path)
    with JournalReader(tmp_path / "other.journal") as reader:
        assert sorted(normalise_name(str(name)) for name in reader.players().values()) == ["ada", "ben", "cy"]


def test_an_unfinished_match_is_not_exported_as_json(box: JournalBuilder) -> None:
    box.add_round(R, S)
    with box.shelf.open() as archive:
        with pytest.raises(NotFoundError, match="still in progress"):
            archive.export(box.match, "json")
        assert archive.export(box.match, "csv")[2].count(b"\r\n") == 3
        assert b"Ada wins" in archive.export(box.match, "html")[2]
        for number, form in ((99, "json"), (99, "csv"), (99, "html"), (box.match, "xml")):
            with pytest.raises(NotFoundError):
                archive.export(number, form)


def test_csv_has_a_row_per_seat_and_round(finished_match: JournalBuilder) -> None:
    text = export_bytes(finished_match, "csv").decode()
    assert text.endswith("\r\n") and text.count("\n") == text.count("\r\n")
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    assert tuple(head) == CSV_COLUMNS
    with finished_match.shelf.open() as archive:
        rounds = archive.match(finished_match.match).view.rounds
    assert len(lines) == 2 * len(rounds) and all(len(line) == len(CSV_COLUMNS) for line in lines)
    late = dict(zip(head, lines[1], strict=True))
    assert (late["player"], late["verdict"], late["counts"], late["foul"]) == ("Ben", "late", "yes", "no")
    assert (late["throw"], late["at_lock"], late["after_lock"], late["disputes"]) == ("scissors", "rock", "paper", "1")
    assert (late["shown_ms"], late["after_first_ms"]) == ("351.26", "331.3")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"])
def test_formulas_are_escaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("cell", [-50.0, -5, 0, None, "Ada", "a=b", "", 'Ada, "the" first', "O'Neill"])
def test_other_cells_are_unchanged(cell: object) -> None:
    assert escape_formula(cell) == cell


def test_a_formula_as_a_name_is_escaped(tmp_path: Path) -> None:
    box = match_with_names(tmp_path, '=HYPERLINK("http://x","y"),', MARKUP)
    with box.shelf.open() as archive:
        text = match_to_csv(archive.match(box.match))
    (_, first, second, *_) = csv.reader(io.StringIO(text, newline=""))
    assert (
        first[CSV_COLUMNS.index("player")] == '\'=HYPERLINK("http://x","y"),'
        and second[CSV_COLUMNS.index("player")] == MARKUP
    )
    box.close()


def test_a_spreadsheet_has_the_rows_of_the_csv(tmp_path: Path) -> None:
    box = match_with_names(tmp_path, '=HYPERLINK("http://x","y")', "Jörg_x0041_ <李雷> & O'Neill")
    with box.shelf.open() as archive:
        name, media_type, data = archive.export(box.match, "xlsx")
        rows = [*csv.reader(io.StringIO(match_to_csv(archive.match(box.match)), newline=""))]
        assert archive.export(box.match, "xlsx")[2] == data, "the same table is the same file"
    assert name == f"throwlock-match-{box.match}.xlsx" and media_type.endswith("spreadsheetml.sheet")
    shown = spreadsheet_cells(data)
    player = CSV_COLUMNS.index("player")
    assert [row[player] for row in shown[1:3]] == ['=HYPERLINK("http://x","y")', "Jörg_x0041_ <李雷> & O'Neill"]
    for cells, row in zip(shown, rows, strict=True):
        assert [str("" if cell is None else cell) for cell in cells][:player] == row[:player]
        assert [str("" if cell is None else cell) for cell in cells][player + 1 :] == row[player + 1 :]
    assert all(isinstance(row[CSV_COLUMNS.index("seat")], float | int) for row in shown[1:])
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        assert b"J\xc3\xb6rg_x005F_x0041_" in parts.read("xl/worksheets/sheet1.xml"), "a spreadsheet reads _x0041_ as A"
    box.close()


def test_a_spreadsheet_has_no_letter_that_xml_has_not() -> None:
    (row,) = spreadsheet_cells(write_xlsx([["\x07a\ud800b\uffff", " ", 1.5, -3, None, "yes"]]))
    assert row == ["\ufffda\ufffdb\ufffd", " ", 1.5, -3, None, "yes"]


def spreadsheet_cells(data: bytes) -> list[list[object]]:
    """Return the rows of an XLSX file's sheet: texts, numbers and None."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        for part in parts.namelist():
            ElementTree.fromstring(parts.read(part))
        sheet = ElementTree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
    rows: list[list[object]] = []
    for row in sheet.iter(f"{SPREADSHEET}row"):
        cells: list[object] = []
        for cell in row:
            number, text = cell.find(f"{SPREADSHEET}v"), cell.find(f"{SPREADSHEET}is/{SPREADSHEET}t")
            value = None if text is None else (text.text or "").replace("_x005F_", "_")
            cells.append(value if number is None else json.loads(number.text or ""))
            assert cell.find(f"{SPREADSHEET}f") is None, "no formula"
        rows.append(cells)
    return rows


def match_with_names(folder: Path, *names: str) -> JournalBuilder:
    """Return a match with these players and one round."""
    box = JournalBuilder(folder / "named.journal")
    box.journal.append(box.match, MatchAbandoned())
    box.match = box.start_match(*names)
    box.add_round(R, make_hand(P, "late", at_lock=R))
    return box


def test_the_html_export_is_self_contained(finished_match: JournalBuilder) -> None:
    html = export_bytes(finished_match, "html").decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    assert policy and policy[1].startswith("default-src 'none'; img-src data:;") and "script" not in policy[1]
    assert html.index("Content-Security-Policy") < html.index("<style>")
    assert not re.search(r"<script|<link|<iframe|<form|url\((?!#)|@import|javascript:|\son\w+=", html)
    assert {one.split(":")[0] for one in re.findall(r'\ssrc="([^"]+)"', html)} == {"data"}
    assert not re.findall(r'\shref="(?!#)', html)
    assert html.count("data:image/jpeg;base64,bG9jaw==") == 4 and "Ada rock" in html


def test_markup_in_names_is_text_in_the_page(tmp_path: Path) -> None:
    box = match_with_names(tmp_path, MARKUP, '"><img src=x onerror=alert(1)>')
    html = export_bytes(box, "html").decode()
    assert "<script" not in html and "<img src=x" not in html and "&lt;script&gt;" in html
    body = html[html.index("<body>") : html.index("</html>")]
    ElementTree.fromstring(re.sub(r"<(img|br|input)\b([^>]*?)/?>", r"<\1\2/>", body))
    box.close()


def test_the_command_writes_every_format(
    finished_match: JournalBuilder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    at = ["--journal", str(finished_match.path)]
    assert run_command(["export", str(finished_match.match), *at]) == 0
    assert capfdbinary.readouterr().out == export_bytes(finished_match, "json")
    for form in ("json", "csv", "xlsx", "html"):
        out = tmp_path / f"out.{form}"
        assert run_command(["export", str(finished_match.match), "--format", form, "--out", str(out), *at]) == 0
        assert out.read_bytes() == export_bytes(finished_match, form)
    assert run_command(["export", str(finished_match.match), "--format", "html", "--no-pictures", *at]) == 0
    assert b"data:image" not in capfdbinary.readouterr().out
    before = finished_match.path.read_bytes()
    for wrong, said in (
        (["99", *at], b"no match 99"),
        (["1", "--journal", str(tmp_path / "none.journal")], b"no such file"),
        (["1", *at, "--out", str(finished_match.path)], b"the journal itself"),
        (["1", *at, "--out", str(tmp_path / "none" / "x")], b"can't be used"),
    ):
        assert run_command(["export", *wrong]) == 2
        err = capfdbinary.readouterr().err
        assert said in err and err.count(b"\n") == 1, err
    assert finished_match.path.read_bytes() == before
