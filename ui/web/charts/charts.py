"""Charts of the review pages as SVG: bars, throws over time, the times after the first hand of all or by player. Places
along a chart are in per cent and letters in pixels, so that both read at any width; kinds differ by shape and hatching.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import escape

from ui.web import strings
from ui.web.charts.parts import (
    KINDS,
    LATE,
    ON_TIME,
    OTHER,
    Kind,
    box,
    drawing,
    hatch,
    kind,
    kinds,
    legend,
    lock_line,
    marks,
    post,
    steps,
)
from ui.web.charts.photo_finish import Line, percent
from ui.web.views import Chart, Lateness

FARTHEST_MS, EARLIEST_MS = 600.0, -100.0
"""What is drawn to scale, in ms after the first hand. What lies beyond stands at the edge, and is said."""
BIN_MS = 25.0
"""The width of a column of times; the usual window is six of them."""
DOTS = 9
"""The highest column that is drawn as dots, one a throw; with a higher one all are bars."""
LETTERS = 20
"""The longest name that stands whole in a chart; the table has it whole."""
ROWS = 20
"""Players in one chart: as many as fit a printed page."""
DAYS = 40
"""With more days than this only those that are named have a line."""
FEWEST = 4
"""Throws below which no median or quartile is told."""
LEFT = 0.13
"""Where a chart with numbers at its left begins."""


def followers(times: Iterable[Lateness]) -> list[Lateness]:
    """The throws that came after the first hand: the first hand itself is at nought, whatever anybody does, and a
    hand before the window of the cue came before it."""
    return [one for one in times if one.after_first_ms > 0]


def median_ms(times: Sequence[Lateness]) -> float | None:
    """The median of the throws after the first hand, None of too few."""
    after = followers(times)
    return statistics.median(one.after_first_ms for one in after) if len(after) >= FEWEST else None


def quartiles_ms(times: Sequence[Lateness]) -> tuple[float, float, float] | None:
    """The quartiles of the throws after the first hand that were on time, None of too few."""
    after = [one.after_first_ms for one in followers(times) if kind(one.verdict) is ON_TIME]
    if len(after) < FEWEST:
        return None
    one, two, three = statistics.quantiles(after, n=4, method="inclusive")
    return one, two, three


def windows_of(times: Sequence[Lateness]) -> list[float]:
    """The windows that the throws were judged by, the shortest first."""
    return sorted({one.window_ms for one in times})


def bars(name: str, counts: Mapping[str, int], title: str, hatched: Sequence[str] = ()) -> Chart:
    """A row for each count with its word, number and share; those of ``hatched`` are hatched. ``name`` is the chart's
    on its page; ``title`` says what is counted."""
    total, most = sum(counts.values()), max(counts.values(), default=0)
    if not total:
        return Chart("", f"{title}: none so far.")
    line = Line(((0, 0.24), (most, 0.66)))
    parts = [hatch(name)]
    for row, (told, count) in enumerate(counts.items()):
        y = 30 * row
        look = f'class="bar" fill="url(#{name}-hatch)"' if told in hatched else 'class="bar solid"'
        parts.append(f'<text x="23%" y="{y + 19}" text-anchor="end">{escape(told)}</text>')
        if count:
            wide = percent(line.share(count) - line.share(0))
            parts.append(f'<rect {look} x="{line.x(0)}" y="{y + 4}" width="{wide}" height="20"/>')
        parts.append(
            f'<text class="count" x="{line.x(count)}" dx="7" y="{y + 19}">{count:,} ({_share(count, total)})</text>'
        )
    floor = 30 * len(counts)
    parts.append(f'<line class="floor" x1="24%" x2="24%" y1="0" y2="{floor}"/>')
    rows = [(told, f"{count:,}", _share(count, total)) for told, count in counts.items()]
    listed = ", ".join(f"{count:,} {told}" for told, count in counts.items())
    return Chart(
        drawing(floor, title, f"Of {total:,}: {listed}.", parts), f"{total:,} in all.", (("", "number", "share"), *rows)
    )


def over_time(times: Sequence[Lateness]) -> Chart:
    """One player's throws in the order they were thrown, oldest left: how long after the first hand each was shown,
    with the lock and, of at least four throws after the first hand, their median."""
    if not times:
        return Chart("", "No throw has been timed yet.")
    low = min(0.0, max(EARLIEST_MS, min(one.after_first_ms for one in times)))
    high = min(FARTHEST_MS, max(*(one.after_first_ms for one in times), 1.3 * windows_of(times)[-1]))
    top, floor = 30.0, 230.0
    up = Line(((low, floor), (high, top)))
    along = Line(((-0.6, LEFT), (len(times) - 0.4, 1.0)))
    parts = [
        f'<line class="grid" x1="{percent(LEFT)}" x2="100%" y1="{up.share(at):.1f}" y2="{up.share(at):.1f}"/>'
        f'<text x="{percent(LEFT - 0.015)}" y="{up.share(at) + 4:.1f}" text-anchor="end">{strings.signed(at)}</text>'
        for at in steps(low, high, 6)
    ]
    parts.append('<text x="0" y="12">ms after the first hand</text>')
    for place, day in _days(times):
        x = along.x(place - 0.5)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{floor + 8:g}"/>')
        if day:
            parts.append(f'<text x="{x}" dx="3" y="{floor + 20:g}">{day}</text>')
    parts += marks(
        (along.x(place), f"{up.share(_within(one, low, high)):.0f}", kind(one.verdict))
        for place, one in enumerate(times)
    )
    middle = median_ms(times)
    lines = [
        (look, at) for look, at in (*(("lock", at) for at in windows_of(times)), ("median", middle)) if at is not None
    ]
    for look, at in lines:
        level = f"{up.share(min(at, high)):.1f}"
        parts.append(f'<line class="{look}" x1="{percent(LEFT)}" x2="100%" y1="{level}" y2="{level}"/>')
    named = [(f'<line class="{look}" x1="-4" x2="14" y1="-4" y2="-4"/>', f"{look} {at:.0f} ms") for look, at in lines]
    parts += legend([*kinds(times), *named], floor + 46)
    after = followers(times)
    facts = [f"{strings.counted(len(times), 'throw', 'throws')}, oldest left"]
    if middle is not None:
        facts.append(f"the median of the {len(after):,} after the first hand is {middle:.0f} ms")
    rows = [(strings.when(one.at), strings.signed(one.after_first_ms), one.verdict) for one in times]
    said = f"{'; '.join(facts)}.{_beyond(times, low, high)}"
    return Chart(
        drawing(
            floor + 54 + 20 * ((len(lines) + 2) // 2),
            "How long after the first hand every throw was shown",
            said,
            parts,
        ),
        said,
        (("thrown", "ms after the first hand", "verdict"), *rows),
    )


def spread(name: str, times: Sequence[Lateness]) -> Chart:
    """All throws after the first hand in columns of 25 ms, with the lock: a dot a throw while columns are low, bars
    else. ``name`` is the chart's on its page."""
    after = followers(times)
    if not after:
        return Chart("", "No throw after a first hand has been timed yet.")
    high = min(FARTHEST_MS, max(*(one.after_first_ms for one in after), 1.5 * windows_of(times)[-1]))
    columns = -int(-high // BIN_MS)
    counts = [dict.fromkeys(KINDS, 0) for _ in range(columns + 1)]
    for one in after:
        counts[min(columns, int(one.after_first_ms // BIN_MS))][kind(one.verdict)] += 1
    beyond = sum(counts[-1].values())
    line = Line(((0, 0.02), (BIN_MS * (columns + 1), 0.98)))
    most = max(sum(column.values()) for column in counts)
    parts, floor = [hatch(name)], 190.0
    looks = None if most <= DOTS else _looks(name)
    parts += _dots(counts, line, floor) if looks is None else _columns(counts, line, floor, looks)
    parts.append(f'<line class="floor" x1="0" x2="100%" y1="{floor}" y2="{floor}"/>')
    for at in steps(0, BIN_MS * columns, 6):
        if not (beyond and at > BIN_MS * (columns - 1)):
            parts.append(f'<line class="floor" x1="{line.x(at)}" x2="{line.x(at)}" y1="{floor}" y2="{floor + 5}"/>')
            parts.append(f'<text x="{line.x(at)}" y="{floor + 30}" text-anchor="middle">{at:.0f}</text>')
    if beyond:
        parts.append(f'<text x="100%" y="{floor + 30}" text-anchor="end">later</text>')
    parts.append(f'<text x="50%" y="{floor + 48}" text-anchor="middle">ms after the first hand</text>')
    for at in windows_of(times):
        parts += post(line, at, f"lock {at:.0f} ms", 20, floor)
    quartiles = quartiles_ms(times)
    if quartiles is not None:
        (first, middle, third), y = map(line.x, quartiles), floor + 10
        parts.append(f'<line class="half" x1="{first}" x2="{third}" y1="{y}" y2="{y}"/>')
        parts.append(f'<line class="half" x1="{middle}" x2="{middle}" y1="{y - 6}" y2="{y + 6}"/>')
    parts += legend(kinds(after, looks), floor + 72)
    told = f"{strings.counted(len(after), 'throw', 'throws')} after the first hand, in columns of {BIN_MS:.0f} ms."
    if quartiles is not None:
        told += (
            f" The thick line below is the middle half of those on time, {quartiles[0]:.0f} to {quartiles[2]:.0f} ms; "
            f"its stroke is their median, {quartiles[1]:.0f} ms."
        )
    return Chart(
        drawing(floor + 100, "How long after the first hand everybody showed", told, parts), told, _binned(counts)
    )


def by_player(people: Sequence[tuple[str, Sequence[Lateness]]]) -> tuple[Chart, ...]:
    """Charts with a row for each player, in which every throw after the first hand has a mark; all to one scale, of at
    most ``ROWS`` players each. One that only says so where there is no such throw."""
    after = followers(one for _, times in people for one in times)
    if not after:
        return (Chart("", "No throw after a first hand has been timed yet."),)
    high = min(FARTHEST_MS, max(*(one.after_first_ms for one in after), 1.5 * windows_of(after)[-1]))
    return tuple(_rows(people[start : start + ROWS], high) for start in range(0, len(people), ROWS))


def _rows(people: Sequence[tuple[str, Sequence[Lateness]]], high: float) -> Chart:
    """One chart of ``by_player``, from 0 to ``high`` ms."""
    line = Line(((0, 0.02), (high, 0.98)))
    top, step = 24, 38
    floor = top + step * len(people)
    parts = []
    for at in steps(0, high, 6):
        parts.append(f'<line class="grid" x1="{line.x(at)}" x2="{line.x(at)}" y1="{top}" y2="{floor}"/>')
        parts.append(f'<text x="{line.x(at)}" y="{floor + 16}" text-anchor="middle">{at:.0f}</text>')
    after = followers(one for _, times in people for one in times)
    for at in windows_of(after):
        parts += post(line, at, f"lock {at:.0f} ms", top, floor)
    table: list[tuple[str, ...]] = [HEADS]
    for row, (label, times) in enumerate(people):
        y = top + step * row
        record, middle = _record(label, times), median_ms(times)
        table.append(record)
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y + 27}" y2="{y + 27}"/>')
        parts += marks((line.x(_within(one, 0, high)), str(y + 27), kind(one.verdict)) for one in followers(times))
        if middle is not None and middle <= high:
            x = line.x(middle)
            parts.append(f'<line class="half" x1="{x}" x2="{x}" y1="{y + 19}" y2="{y + 35}"/>')
        parts.append(
            f'<text class="over" x="0" y="{y + 14}"><tspan class="who">{escape(_short(label))}</tspan> '
            f"late {record[3]} of {record[1]}</text>"
        )
    parts.append(f'<text x="50%" y="{floor + 34}" text-anchor="middle">ms after the first hand</text>')
    parts += legend(kinds(after), floor + 58)
    said = (
        f"{strings.counted(len(after), 'throw', 'throws')} after the first hand; "
        f"an upright stroke is a player's median, of at least {FEWEST}.{_beyond(after, 0, high)}"
    )
    return Chart(
        drawing(floor + 86, "How long after the first hand each player showed", said, parts), said, tuple(table)
    )


HEADS = ("player", "throws timed", "first hand", "late", "changed", "median after the first hand, ms")
"""The heads of the table beside the chart by player."""


def reactions(window_ms: float, needs: Sequence[tuple[str, float, float, float]]) -> Chart:
    """The lock beside what an answer to the first hand takes: ``needs`` are a name, when the answering hand begins to
    open, and when it is shown by the quickest and the slowest, all in ms after the first hand."""
    line = Line(((0, 0.02), (max(latest for *_, latest in needs) * 1.06, 0.98)))
    top, step = 24, 52
    floor = top + step * len(needs)
    parts = [hatch("reactions"), *post(line, window_ms, f"lock {window_ms:.0f} ms", top, floor)]
    for row, (told, begins, _, latest) in enumerate(needs):
        y = top + step * row
        parts.append(f'<text class="over" x="2%" y="{y + 17}">{escape(told)}</text>')
        parts.append(box(line, 0, begins, y + 24, 18, 'class="bar solid"'))
        parts.append(box(line, begins, latest - begins, y + 24, 18, 'class="bar" fill="url(#reactions-hatch)"'))
    parts.append(lock_line(line, window_ms, top, floor))
    parts.append(f'<line class="floor" x1="0" x2="100%" y1="{floor}" y2="{floor}"/>')
    for at in steps(0, line.knots[-1][0], 6):
        parts.append(f'<line class="floor" x1="{line.x(at)}" x2="{line.x(at)}" y1="{floor}" y2="{floor + 5}"/>')
        parts.append(f'<text x="{line.x(at)}" y="{floor + 19}" text-anchor="middle">{at:.0f}</text>')
    parts.append(f'<text x="50%" y="{floor + 37}" text-anchor="middle">ms after the first hand</text>')
    said = (
        "Solid: to see and to decide. Hatched: to open the hand, until it is shown. Means of many people: each has "
        "quicker and slower throws."
    )
    rows = [(told, f"{begins:.0f}", f"{early:.0f} to {late:.0f}") for told, begins, early, late in needs]
    heads = ("an answer to", "begins to open, ms", "is shown, ms")
    return Chart(drawing(floor + 44, "What an answer to the first hand takes", said, parts), said, (heads, *rows))


def _record(label: str, times: Sequence[Lateness]) -> tuple[str, ...]:
    middle = median_ms(times)
    first = sum(one.after_first_ms == 0 for one in times)
    late, changed = (sum(one.verdict == verdict for one in times) for verdict in ("late", "changed"))
    return label, str(len(times)), str(first), str(late), str(changed), "too few" if middle is None else f"{middle:.0f}"


def _dots(counts: Sequence[Mapping[Kind, int]], line: Line, floor: float) -> list[str]:
    """Columns of marks, one a throw, those on time at the bottom."""
    places = []
    for number, column in enumerate(counts):
        x = line.x(BIN_MS * (number + 0.5))
        shown = [of for of in KINDS for _ in range(column[of])]
        places += [(x, f"{floor - 9 - 17 * place:g}", of) for place, of in enumerate(shown)]
    return marks(places)


def _looks(name: str) -> Mapping[Kind, str]:
    """What bars look like: solid for throws on time, hatched for late ones, hollow for others."""
    return {ON_TIME: 'class="bar solid"', LATE: f'class="bar" fill="url(#{name}-hatch)"', OTHER: 'class="bar hollow"'}


def _columns(counts: Sequence[Mapping[Kind, int]], line: Line, floor: float, looks: Mapping[Kind, str]) -> list[str]:
    """Bars, those on time at the bottom, with their scale at the right."""
    most = max(sum(column.values()) for column in counts)
    step = next(step * tens for tens in (1, 10, 100, 1000, 10000) for step in (1, 2, 5) if most <= 4 * step * tens)
    scale = (floor - 34) / most
    parts = []
    for at in range(step, most + 1, step):
        y, told = floor - at * scale, " throws" if at + step > most else ""
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="over" x="100%" y="{y - 3:.1f}" text-anchor="end">{at:,}{told}</text>')
    for number, column in enumerate(counts):
        y = floor
        for of in KINDS:
            if column[of]:
                high = column[of] * scale
                y -= high
                parts.append(box(line, BIN_MS * (number + 0.06), BIN_MS * 0.88, y, high, looks[of]))
    return parts


def _binned(counts: Sequence[Mapping[Kind, int]]) -> tuple[tuple[str, ...], ...]:
    """The table of a spread."""
    rows = []
    for number, column in enumerate(counts):
        since = f"{BIN_MS * number:.0f}"
        told = f"{since} and later" if number == len(counts) - 1 else f"{since} to {BIN_MS * (number + 1):.0f}"
        if sum(column.values()):
            rows.append((told, *(f"{column[of]:,}" for of in KINDS)))
    return (("ms after the first hand", *(of.told for of in KINDS)), *rows)


def _within(one: Lateness, low: float, high: float) -> float:
    return min(high, max(low, one.after_first_ms))


def _beyond(times: Sequence[Lateness], low: float, high: float) -> str:
    """What is not drawn to scale, in a sentence."""
    off = [one.after_first_ms for one in times if not low <= one.after_first_ms <= high]
    if not off:
        return ""
    return f" At the edge, not to scale: {', '.join(f'{strings.signed(at)}' for at in sorted(off)[:8])}" + (
        f" and {len(off) - 8:,} more ms." if len(off) > 8 else " ms."
    )


def _days(times: Sequence[Lateness]) -> list[tuple[int, str]]:
    """Where a new day begins among the throws, and its name where there is room for one."""
    found: list[tuple[int, str]] = []
    free, seen = -1.0, ""
    for place, one in enumerate(times):
        day = strings.day_of(one.at)
        if day != seen:
            room = place >= free and (place <= 0.8 * len(times) or not found)
            found.append((place, strings.short_day(one.at) if room else ""))
            free, seen = place + 0.3 * len(times) if room else free, day
    return found if len(found) <= DAYS else [(place, day) for place, day in found if day]


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.0f} %"
