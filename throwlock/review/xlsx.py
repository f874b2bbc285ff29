"""A table as an XLSX file (ECMA-376, part 1), which every spreadsheet opens with its columns, letters and numbers
right: a CSV's separator, encoding and decimal point depend on the language that the spreadsheet is in."""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

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
