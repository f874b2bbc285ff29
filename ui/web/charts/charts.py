"""Charts of the review pages as SVG: bars, throws over time, lateness of all throws or by player. Positions are in
percent and text sizes in pixels, so that charts are readable at any width; kinds differ by shape and hatching."""

import statistics
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import escape

from ui.web import strings
from ui.web.charts.parts import (
    LATE,
    ON_TIME,
    OTHER_FOUL,
    THROW_KINDS,
    ThrowKind,
    axis_ticks,
    draw_bar,
    draw_chart,
    draw_labelled_line,
    draw_legend,
    draw_lock_line,
    draw_marks,
    hatch_pattern,
    legend_entries,
    throw_kind,
)
from ui.web.charts.photo_finish import TimeScale, format_percent
from ui.web.views import AccessibleChart, Lateness

MAX_SCALE_MS, MIN_SCALE_MS = 600.0, -100.0
"""Range drawn to scale, in ms after the first hand. Throws beyond are drawn at the edge and listed."""
BIN_MS = 25.0
"""Width of a histogram column; the default window is six of them."""
MAX_COLUMN_DOTS = 9
"""Highest column drawn as dots, one per throw; with a higher one all columns are bars."""
MAX_LABEL_LETTERS = 20
"""Longer names are cut in the chart, not in its table."""
MAX_CHART_ROWS = 20
"""Players per chart: as many as fit a printed page."""
MAX_DAY_LINES = 40
"""With more days than this, only labelled ones have a line."""
MIN_THROWS = 4
"""Fewest throws for a median or quartiles."""
LEFT_MARGIN = 0.13
"""Left edge of a chart with a scale, as a fraction of the width."""


def throws_after_first(times: Iterable[Lateness]) -> list[Lateness]:
    """Return the throws after the first hand: without the first hands themselves (0 ms) and early hands."""
    return [one for one in times if one.after_first_ms > 0]


def median_ms(times: Sequence[Lateness]) -> float | None:
    """Return the median of the throws after the first hand, None with too few."""
    after = throws_after_first(times)
    return statistics.median(one.after_first_ms for one in after) if len(after) >= MIN_THROWS else None


def quartiles_ms(times: Sequence[Lateness]) -> tuple[float, float, float] | None:
    """Return the quartiles of the on-time throws after the first hand, None with too few."""
    after = [one.after_first_ms for one in throws_after_first(times) if throw_kind(one.verdict) is ON_TIME]
    if len(after) < MIN_THROWS:
        return None
    one, two, three = statistics.quantiles(after, n=4, method="inclusive")
    return one, two, three


def window_lengths(times: Sequence[Lateness]) -> list[float]:
    """Return the window lengths that the throws were judged by, sorted, in ms."""
    return sorted({one.window_ms for one in times})


def draw_bars(name: str, counts: Mapping[str, int], title: str, hatched: Sequence[str] = ()) -> AccessibleChart:
    """Draw a bar per count with label, number and share; those in ``hatched`` are hatched. ``name`` is the chart's id
    on its page."""
    total, most = sum(counts.values()), max(counts.values(), default=0)
    if not total:
        return AccessibleChart("", f"{title}: none so far.")
    scale = TimeScale(((0, 0.24), (most, 0.66)))
    parts = [hatch_pattern(name)]
    for row, (row_label, count) in enumerate(counts.items()):
        y = 30 * row
        style = f'class="bar" fill="url(#{name}-hatch)"' if row_label in hatched else 'class="bar solid"'
        parts.append(f'<text x="23%" y="{y + 19}" text-anchor="end">{escape(row_label)}</text>')
        if count:
            wide = format_percent(scale.fraction(count) - scale.fraction(0))
            parts.append(f'<rect {style} x="{scale.x(0)}" y="{y + 4}" width="{wide}" height="20"/>')
        parts.append(
            f'<text class="count" x="{scale.x(count)}" dx="7" y="{y + 19}">'
            f"{count:,} ({_format_share(count, total)})</text>"
        )
    floor = 30 * len(counts)
    parts.append(f'<line class="floor" x1="24%" x2="24%" y1="0" y2="{floor}"/>')
    rows = [(row_label, f"{count:,}", _format_share(count, total)) for row_label, count in counts.items()]
    listed = ", ".join(f"{count:,} {row_label}" for row_label, count in counts.items())
    return AccessibleChart(
        draw_chart(floor, title, f"Of {total:,}: {listed}.", parts),
        f"{total:,} in all.",
        (("", "number", "share"), *rows),
    )


def draw_lateness_over_time(times: Sequence[Lateness]) -> AccessibleChart:
    """Draw one player's throws, oldest left, by lateness after the first hand, with the lock and the median."""
    if not times:
        return AccessibleChart("", "No throw has been timed yet.")
    low = min(0.0, max(MIN_SCALE_MS, min(one.after_first_ms for one in times)))
    high = min(MAX_SCALE_MS, max(*(one.after_first_ms for one in times), 1.3 * window_lengths(times)[-1]))
    top, floor = 30.0, 230.0
    y_scale = TimeScale(((low, floor), (high, top)))
    x_scale = TimeScale(((-0.6, LEFT_MARGIN), (len(times) - 0.4, 1.0)))
    parts = [
        f'<line class="grid" x1="{format_percent(LEFT_MARGIN)}" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{format_percent(LEFT_MARGIN - 0.015)}" y="{y + 4:.1f}" text-anchor="end">'
        f"{strings.format_signed(at)}</text>"
        for at, y in ((at, y_scale.fraction(at)) for at in axis_ticks(low, high, 6))
    ]
    parts.append('<text x="0" y="12">ms after the first hand</text>')
    for place, day in _day_ticks(times):
        x = x_scale.x(place - 0.5)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{floor + 8:g}"/>')
        if day:
            parts.append(f'<text x="{x}" dx="3" y="{floor + 20:g}">{day}</text>')
    parts += draw_marks(
        (x_scale.x(place), f"{y_scale.fraction(_clamp(one, low, high)):.0f}", throw_kind(one.verdict))
        for place, one in enumerate(times)
    )
    middle = median_ms(times)
    lines = [
        (style, at)
        for style, at in (*(("lock", at) for at in window_lengths(times)), ("median", middle))
        if at is not None
    ]
    for style, at in lines:
        level = f"{y_scale.fraction(min(at, high)):.1f}"
        parts.append(f'<line class="{style}" x1="{format_percent(LEFT_MARGIN)}" x2="100%" y1="{level}" y2="{level}"/>')
    named = [
        (f'<line class="{style}" x1="-4" x2="14" y1="-4" y2="-4"/>', f"{style} {at:.0f} ms") for style, at in lines
    ]
    parts += draw_legend([*legend_entries(times), *named], floor + 46)
    after = throws_after_first(times)
    facts = [f"{strings.count_noun(len(times), 'throw', 'throws')}, oldest left"]
    if middle is not None:
        facts.append(f"the median of the {len(after):,} after the first hand is {middle:.0f} ms")
    rows = [(strings.format_date_time(one.at), strings.format_signed(one.after_first_ms), one.verdict) for one in times]
    description = f"{'; '.join(facts)}.{_off_scale_text(times, low, high)}"
    return AccessibleChart(
        draw_chart(
            floor + 54 + 20 * ((len(lines) + 2) // 2),
            "How long after the first hand every throw was shown",
            description,
            parts,
        ),
        description,
        (("thrown", "ms after the first hand", "verdict"), *rows),
    )


def draw_histogram(name: str, times: Sequence[Lateness]) -> AccessibleChart:
    """Draw a histogram of the throws after the first hand, with the lock: a dot per throw in low columns, otherwise
    bars. ``name`` is the chart's id on its page."""
    after = throws_after_first(times)
    if not after:
        return AccessibleChart("", "No throw after a first hand has been timed yet.")
    high = min(MAX_SCALE_MS, max(*(one.after_first_ms for one in after), 1.5 * window_lengths(times)[-1]))
    columns = -int(-high // BIN_MS)
    counts = [dict.fromkeys(THROW_KINDS, 0) for _ in range(columns + 1)]
    for one in after:
        counts[min(columns, int(one.after_first_ms // BIN_MS))][throw_kind(one.verdict)] += 1
    beyond = sum(counts[-1].values())
    scale = TimeScale(((0, 0.02), (BIN_MS * (columns + 1), 0.98)))
    most = max(sum(column.values()) for column in counts)
    parts, floor = [hatch_pattern(name)], 190.0
    looks = None if most <= MAX_COLUMN_DOTS else _bar_styles(name)
    parts += _draw_dots(counts, scale, floor) if looks is None else _draw_columns(counts, scale, floor, looks)
    parts.append(f'<line class="floor" x1="0" x2="100%" y1="{floor}" y2="{floor}"/>')
    for at in axis_ticks(0, BIN_MS * columns, 6):
        if not (beyond and at > BIN_MS * (columns - 1)):
            parts.append(f'<line class="floor" x1="{scale.x(at)}" x2="{scale.x(at)}" y1="{floor}" y2="{floor + 5}"/>')
            parts.append(f'<text x="{scale.x(at)}" y="{floor + 30}" text-anchor="middle">{at:.0f}</text>')
    if beyond:
        parts.append(f'<text x="100%" y="{floor + 30}" text-anchor="end">later</text>')
    parts.append(f'<text x="50%" y="{floor + 48}" text-anchor="middle">ms after the first hand</text>')
    for at in window_lengths(times):
        parts += draw_labelled_line(scale, at, f"lock {at:.0f} ms", 20, floor)
    quartiles = quartiles_ms(times)
    if quartiles is not None:
        (first, middle, third), y = map(scale.x, quartiles), floor + 10
        parts.append(f'<line class="half" x1="{first}" x2="{third}" y1="{y}" y2="{y}"/>')
        parts.append(f'<line class="half" x1="{middle}" x2="{middle}" y1="{y - 6}" y2="{y + 6}"/>')
    parts += draw_legend(legend_entries(after, looks), floor + 72)
    row_label = (
        f"{strings.count_noun(len(after), 'throw', 'throws')} after the first hand, in columns of {BIN_MS:.0f} ms."
    )
    if quartiles is not None:
        row_label += (
            f" The thick line below is the middle half of those on time, {quartiles[0]:.0f} to {quartiles[2]:.0f} ms; "
            f"its stroke is their median, {quartiles[1]:.0f} ms."
        )
    return AccessibleChart(
        draw_chart(floor + 100, "How long after the first hand everybody showed", row_label, parts),
        row_label,
        _histogram_table(counts),
    )


def draw_by_player(players: Sequence[tuple[str, Sequence[Lateness]]]) -> tuple[AccessibleChart, ...]:
    """Draw charts with a row per player and a mark per throw after the first hand, all to one scale, each of at most
    ``MAX_CHART_ROWS`` players."""
    after = throws_after_first(one for _, times in players for one in times)
    if not after:
        return (AccessibleChart("", "No throw after a first hand has been timed yet."),)
    high = min(MAX_SCALE_MS, max(*(one.after_first_ms for one in after), 1.5 * window_lengths(after)[-1]))
    return tuple(
        _draw_player_rows(players[start : start + MAX_CHART_ROWS], high)
        for start in range(0, len(players), MAX_CHART_ROWS)
    )


def _draw_player_rows(players: Sequence[tuple[str, Sequence[Lateness]]], end_ms: float) -> AccessibleChart:
    """Draw one chart of ``draw_by_player``, from 0 to ``end_ms``."""
    scale = TimeScale(((0, 0.02), (end_ms, 0.98)))
    top, step = 24, 38
    floor = top + step * len(players)
    parts = []
    for at in axis_ticks(0, end_ms, 6):
        parts.append(f'<line class="grid" x1="{scale.x(at)}" x2="{scale.x(at)}" y1="{top}" y2="{floor}"/>')
        parts.append(f'<text x="{scale.x(at)}" y="{floor + 16}" text-anchor="middle">{at:.0f}</text>')
    after = throws_after_first(one for _, times in players for one in times)
    for at in window_lengths(after):
        parts += draw_labelled_line(scale, at, f"lock {at:.0f} ms", top, floor)
    table: list[tuple[str, ...]] = [PLAYER_TABLE_HEADER]
    for row, (label, times) in enumerate(players):
        y = top + step * row
        record, middle = _player_row(label, times), median_ms(times)
        table.append(record)
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y + 27}" y2="{y + 27}"/>')
        parts += draw_marks(
            (scale.x(_clamp(one, 0, end_ms)), str(y + 27), throw_kind(one.verdict)) for one in throws_after_first(times)
        )
        if middle is not None and middle <= end_ms:
            x = scale.x(middle)
            parts.append(f'<line class="half" x1="{x}" x2="{x}" y1="{y + 19}" y2="{y + 35}"/>')
        parts.append(
            f'<text class="over" x="0" y="{y + 14}"><tspan class="who">{escape(_shorten(label))}</tspan> '
            f"late {record[3]} of {record[1]}</text>"
        )
    parts.append(f'<text x="50%" y="{floor + 34}" text-anchor="middle">ms after the first hand</text>')
    parts += draw_legend(legend_entries(after), floor + 58)
    description = (
        f"{strings.count_noun(len(after), 'throw', 'throws')} after the first hand; "
        f"an upright stroke is a player's median, of at least {MIN_THROWS}.{_off_scale_text(after, 0, end_ms)}"
    )
    return AccessibleChart(
        draw_chart(floor + 86, "How long after the first hand each player showed", description, parts),
        description,
        tuple(table),
    )


PLAYER_TABLE_HEADER = ("player", "throws timed", "first hand", "late", "changed", "median after the first hand, ms")
"""Header of the table that goes with the chart by player."""


def draw_reactions(window_ms: float, reaction_times: Sequence[tuple[str, float, float, float]]) -> AccessibleChart:
    """Draw the lock and how long an answer to the first hand takes. ``reaction_times`` are a label, when the answering
    hand begins to open, and when the quickest and the slowest have shown, in ms after the first hand."""
    scale = TimeScale(((0, 0.02), (max(latest for *_, latest in reaction_times) * 1.06, 0.98)))
    top, step = 24, 52
    floor = top + step * len(reaction_times)
    parts = [hatch_pattern("reactions"), *draw_labelled_line(scale, window_ms, f"lock {window_ms:.0f} ms", top, floor)]
    for row, (row_label, begins, _, latest) in enumerate(reaction_times):
        y = top + step * row
        parts.append(f'<text class="over" x="2%" y="{y + 17}">{escape(row_label)}</text>')
        parts.append(draw_bar(scale, 0, begins, y + 24, 18, 'class="bar solid"'))
        parts.append(draw_bar(scale, begins, latest - begins, y + 24, 18, 'class="bar" fill="url(#reactions-hatch)"'))
    parts.append(draw_lock_line(scale, window_ms, top, floor))
    parts.append(f'<line class="floor" x1="0" x2="100%" y1="{floor}" y2="{floor}"/>')
    for at in axis_ticks(0, scale.knots[-1][0], 6):
        parts.append(f'<line class="floor" x1="{scale.x(at)}" x2="{scale.x(at)}" y1="{floor}" y2="{floor + 5}"/>')
        parts.append(f'<text x="{scale.x(at)}" y="{floor + 19}" text-anchor="middle">{at:.0f}</text>')
    parts.append(f'<text x="50%" y="{floor + 37}" text-anchor="middle">ms after the first hand</text>')
    description = (
        "Solid: to see and to decide. Hatched: to open the hand, until it is shown. Means of many people: each has "
        "quicker and slower throws."
    )
    rows = [
        (row_label, f"{begins:.0f}", f"{early:.0f} to {late:.0f}") for row_label, begins, early, late in reaction_times
    ]
    heads = ("an answer to", "begins to open, ms", "is shown, ms")
    return AccessibleChart(
        draw_chart(floor + 44, "What an answer to the first hand takes", description, parts),
        description,
        (heads, *rows),
    )


def _player_row(label: str, times: Sequence[Lateness]) -> tuple[str, ...]:
    middle = median_ms(times)
    first = sum(one.after_first_ms == 0 for one in times)
    late, changed = (sum(one.verdict == verdict for one in times) for verdict in ("late", "changed"))
    return label, str(len(times)), str(first), str(late), str(changed), "too few" if middle is None else f"{middle:.0f}"


def _draw_dots(counts: Sequence[Mapping[ThrowKind, int]], scale: TimeScale, floor: float) -> list[str]:
    """Draw columns of marks, one per throw, on-time ones at the bottom."""
    places = []
    for number, column in enumerate(counts):
        x = scale.x(BIN_MS * (number + 0.5))
        shown = [of for of in THROW_KINDS for _ in range(column[of])]
        places += [(x, f"{floor - 9 - 17 * place:g}", of) for place, of in enumerate(shown)]
    return draw_marks(places)


def _bar_styles(name: str) -> Mapping[ThrowKind, str]:
    """Return the style of bars: solid for on time, hatched for late, hollow for other fouls."""
    return {
        ON_TIME: 'class="bar solid"',
        LATE: f'class="bar" fill="url(#{name}-hatch)"',
        OTHER_FOUL: 'class="bar hollow"',
    }


def _draw_columns(
    counts: Sequence[Mapping[ThrowKind, int]], scale: TimeScale, floor: float, bar_styles: Mapping[ThrowKind, str]
) -> list[str]:
    """Draw stacked bars, on-time throws at the bottom, with a scale at the right."""
    most = max(sum(column.values()) for column in counts)
    step = next(step * tens for tens in (1, 10, 100, 1000, 10000) for step in (1, 2, 5) if most <= 4 * step * tens)
    throw_px = (floor - 34) / most
    parts = []
    for at in range(step, most + 1, step):
        y, row_label = floor - at * throw_px, " throws" if at + step > most else ""
        parts.append(f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="over" x="100%" y="{y - 3:.1f}" text-anchor="end">{at:,}{row_label}</text>')
    for number, column in enumerate(counts):
        y = floor
        for of in THROW_KINDS:
            if column[of]:
                high = column[of] * throw_px
                y -= high
                parts.append(draw_bar(scale, BIN_MS * (number + 0.06), BIN_MS * 0.88, y, high, bar_styles[of]))
    return parts


def _histogram_table(counts: Sequence[Mapping[ThrowKind, int]]) -> tuple[tuple[str, ...], ...]:
    """Return the table of a histogram."""
    rows = []
    for number, column in enumerate(counts):
        since = f"{BIN_MS * number:.0f}"
        row_label = f"{since} and later" if number == len(counts) - 1 else f"{since} to {BIN_MS * (number + 1):.0f}"
        if sum(column.values()):
            rows.append((row_label, *(f"{column[of]:,}" for of in THROW_KINDS)))
    return (("ms after the first hand", *(of.label for of in THROW_KINDS)), *rows)


def _clamp(one: Lateness, low: float, high: float) -> float:
    return min(high, max(low, one.after_first_ms))


def _off_scale_text(times: Sequence[Lateness], low: float, high: float) -> str:
    """Return a sentence on the throws not drawn to scale."""
    off = [one.after_first_ms for one in times if not low <= one.after_first_ms <= high]
    if not off:
        return ""
    return f" At the edge, not to scale: {', '.join(f'{strings.format_signed(at)}' for at in sorted(off)[:8])}" + (
        f" and {len(off) - 8:,} more ms." if len(off) > 8 else " ms."
    )


def _day_ticks(times: Sequence[Lateness]) -> list[tuple[int, str]]:
    """Return where each day begins among the throws, with a label if there is room."""
    found: list[tuple[int, str]] = []
    free, seen = -1.0, ""
    for place, one in enumerate(times):
        day = strings.local_date(one.at)
        if day != seen:
            room = place >= free and (place <= 0.8 * len(times) or not found)
            found.append((place, strings.format_short_date(one.at) if room else ""))
            free, seen = place + 0.3 * len(times) if room else free, day
    return found if len(found) <= MAX_DAY_LINES else [(place, day) for place, day in found if day]


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_LABEL_LETTERS else f"{name[: MAX_LABEL_LETTERS - 1]}…"


def _format_share(count: int, total: int) -> str:
    return f"{100 * count / total:.0f} %"
