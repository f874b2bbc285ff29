"""Exports: a match as JSON (complete), CSV or XLSX (a row per seat and round) or one HTML page with its
images; see docs/export.md."""

import base64
import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from errors import NotFoundError
from messages import N
from rules.record.match import MatchState
from rules.record.round import RoundView, SeatView
from throwlock.journal.hash_chain import proof_code
from throwlock.journal.journal import Event, JournalReader, PlayerRow, evidence_of, match_started
from throwlock.replay.project import match_state
from throwlock.review.match_schema import FORMAT, VERSION
from ui.text.rounds import round_sentence, round_title
from ui.web.charts import photo_finish
from ui.web.pages import render_template
from ui.web.static_files import STATIC_FILES
from ui.web.views import IMAGE_TYPES, Access, MatchPage, RoundPage

MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html; charset=utf-8",
}
"""Of the formats a match can be exported in."""
CSV_COLUMNS = (
    *("match", "round", "event", "at", "title", "counts", "void_reason", "seat", "player", "verdict", "foul", "throw"),
    *("at_lock", "after_lock", "shown_ms", "after_first_ms", "uncertainty_ms", "bet", "score_before", "score_after"),
    *("disputes", "text", "proof_code"),
)
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet may take a text with one of these prefixes for a formula."""


def match_to_json(journal: JournalReader, match: int, pictures: bool = True) -> str:
    """Return a match as ``throwlock import`` reads it, with or without ``pictures``. Raises NotFoundError while it is
    in progress, since sealed and secret answers are included."""
    events = journal.events(match)
    if match_state(events[-1]) is MatchState.IN_PROGRESS:
        raise NotFoundError(
            N(
                "Match {match} is still in progress, and JSON includes what is sealed or secret: export "
                "it once it is finished or abandoned. CSV and HTML contain only what everybody saw.",
                match=match,
            )
        )
    players = {row.key: row for row in journal.player_rows()}
    seated = [players.get(key, PlayerRow(key, None, None)) for key in match_started(events).player_keys]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "journal": journal.origin_hash(),
        "match": match,
        "proof_code": proof_code(events[-1].hash),
        "players": [row.name for row in seated],
        "salts": [row.salt for row in seated],
        "events": [_event_to_json(journal, event, pictures) for event in events],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _event_to_json(journal: JournalReader, event: Event, pictures: bool) -> dict[str, Any]:
    """Return an event as stored, with what is left of its evidence."""
    line = {
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "body": event.body.model_dump(mode="json"),
        "previous_hash": event.previous_hash,
        "hash": event.hash,
    }
    if not pictures or not evidence_of(event.body):
        return line
    pieces = journal.evidence_data([event]).get(event.number, {})
    return {
        **line,
        "pictures": {name: {"salt": piece.salt, "data": _base64(piece.data)} for name, piece in pieces.items()},
    }


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def match_to_csv(page: MatchPage) -> str:
    """Return a match's thrown rounds, a row per seat: RFC 4180 with a header of ``CSV_COLUMNS``."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(CSV_COLUMNS)
    for line in page.view.rounds:
        lines.writerows([escape_formula(cell) for cell in _csv_cells(page, line, seat)] for seat in line.seats)
    return text.getvalue()


def match_to_xlsx(page: MatchPage) -> bytes:
    """Return the rows of ``match_to_csv`` as a spreadsheet's file."""
    rows = [_csv_cells(page, line, seat) for line in page.view.rounds for seat in line.seats]
    return write_xlsx([CSV_COLUMNS, *rows])


def _csv_cells(page: MatchPage, line: RoundView, seat: SeatView) -> Sequence[object]:
    """Return one row, in the order of ``CSV_COLUMNS``."""
    reason, record = line.judgement.void_reason, seat.record
    return (
        *(page.line.number, line.number, line.event, line.at, round_title(line), _yes_no(not line.is_void)),
        *(reason and reason.kind, seat.seat, seat.player.name, seat.verdict, _yes_no(seat.is_foul), seat.throw),
        *(record.at_lock, record.later_throw, record.shown_ms, seat.after_first_ms, record.uncertainty_ms),
        *(seat.bet, seat.score_before, seat.score_after),
        *(len(line.disputes), round_sentence(line), page.proof_code),
    )


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def escape_formula(cell: object) -> object:
    """Return a cell that no spreadsheet runs: a text that begins like a formula gets an apostrophe in front."""
    if isinstance(cell, str) and str(cell).lstrip(" \u00a0").startswith(FORMULA_PREFIXES):
        return f"'{cell}"
    return str(cell) if isinstance(cell, str) else cell


def match_to_html(
    page: MatchPage, rounds: Sequence[RoundPage], picture: Callable[[int, str], tuple[str, bytes]] | None
) -> str:
    """Return a match as one self-contained page; ``picture`` returns an image, None leaves them out."""

    def available_pictures(round_: RoundPage) -> set[str]:
        return {file.name for file in round_.pictures if picture and file.exists and file.media_type in IMAGE_TYPES}

    def data_uri(event: int, name: str) -> str:
        assert picture is not None
        media_type, data = picture(event, name)
        return f"data:{media_type};base64,{_base64(data)}"

    return render_template(
        "export.html",
        Access(local=True, token=""),
        page=page,
        line=page.line,
        pages={page.line.event: page for page in rounds},
        available_pictures=available_pictures,
        data_uri=data_uri,
        photo_finish=photo_finish,
        style=STATIC_FILES["style.css"].decode(),
    )


CREATED = (1980, 1, 1, 0, 0, 0)
"""Of the parts of the file: the same table is always the same file."""
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>"
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}/relationships">'
        '<sheets><sheet name="throwlock" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>"
    ),
}
"""What is the same in each file with one sheet."""


def write_xlsx(rows: Iterable[Sequence[object]]) -> bytes:
    """Return ``rows`` as a file with one sheet, whose first row stays in sight. Numbers are numbers; a text is a text,
    whatever it begins with, and never a formula; None is an empty cell."""
    lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    sheet = (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
        f'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>{lines}</sheetData></worksheet>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, text in {**_PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            info = zipfile.ZipInfo(name, CREATED)
            info.compress_type = zipfile.ZIP_DEFLATED
            parts.writestr(info, _HEAD + text)
    return file.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    text = _ESCAPED.sub("_x005F_", _NO_XML.sub("\N{REPLACEMENT CHARACTER}", str(value)))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
