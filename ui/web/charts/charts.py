"""Charts of the review pages as SVG: bars, throws over time, lateness of all throws or by player. Positions are in
percent and text sizes in pixels, so that charts are readable at any width; kinds differ by shape and hatching."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from messages import N
from rules.record.judgement import Verdict, said_verdict
from rules.record.seat_entry import SeatEntry
from ui.charts.shapes import Line, Rect, Shape, TextShape
from ui.charts.timeline import TimeScale, linear_scale
from ui.i18n.language import current_language, ngettext, t
from ui.text import labels
from ui.web import strings
from ui.web.charts.parts import (
    DOUBTFUL,
    LATE,
    ON_TIME,
    OTHER_FOUL,
    THROW_KINDS,
    BarStyle,
    ThrowKind,
    draw_bar,
    draw_chart,
    draw_legend,
    draw_marks,
    draw_time_chart,
    hatched_bar,
    legend_entries,
    throw_kind,
)
from ui.web.views import AccessibleChart

SOLID_BAR: BarStyle = ("bar solid", "")
HOLLOW_BAR: BarStyle = ("bar hollow", "")
FAINT_BAR: BarStyle = ("bar faint", "")
MAX_SCALE_MS, MIN_SCALE_MS = 600.0, -100.0
"""Range drawn to scale, in ms after the first hand. Throws beyond are drawn at the edge and listed."""
BIN_MS = 25.0
"""Width of a histogram column; the default window is six of them."""
MAX_COLUMN_DOTS = 9
"""Highest column drawn as dots, one per throw; with a higher one all columns are bars."""
MAX_LABEL_LETTERS = 20
"""Longer names are cut in the chart, not in its table."""
MAX_KEPT_CHARTS = 16
"""Charts of many throws kept of each kind, for further requests of the same page: they take longest to draw."""
MAX_CHART_ROWS = 20
"""Players per chart: as many as fit a printed page."""
MAX_DAY_LINES = 40
"""With more days than this, only labelled ones have a line."""
MIN_THROWS = 4
"""Fewest throws for a median or quartiles."""
LEFT_MARGIN = 0.13
"""Left edge of a chart with a scale, as a fraction of the width."""


def throws_after_first(times: Iterable[SeatEntry]) -> list[SeatEntry]:
    """Return the throws after the first hand: without the first hands themselves (0 ms) and early hands."""
    return [entry for entry in times if entry.lateness_ms > 0]


def median_ms(times: Sequence[SeatEntry]) -> float | None:
    """Return the median of the throws after the first hand, None with too few."""
    after = throws_after_first(times)
    return statistics.median(entry.lateness_ms for entry in after) if len(after) >= MIN_THROWS else None


def quartiles_ms(times: Sequence[SeatEntry]) -> tuple[float, float, float] | None:
    """Return the quartiles of the on-time throws after the first hand, None with too few."""
    after = [entry.lateness_ms for entry in throws_after_first(times) if throw_kind(entry.verdict) is ON_TIME]
    if len(after) < MIN_THROWS:
        return None
    lower, middle, upper = statistics.quantiles(after, n=4, method="inclusive")
    return lower, middle, upper


def window_lengths(times: Sequence[SeatEntry]) -> list[float]:
    """Return the window lengths that the throws were judged by, sorted, in ms."""
    return sorted({entry.window_ms for entry in times})


def draw_bars(name: str, counts: Mapping[str, int], title: str, hatched: Sequence[str] = ()) -> AccessibleChart:
    """Draw a bar per count with label, number and share; those in ``hatched`` are hatched. ``name`` is the chart's id
    on its page."""
    total, most = sum(counts.values()), max(counts.values(), default=0)
    if not total:
        return AccessibleChart("", t("{title}: none so far.", title=title))
    rows = [(label, f"{count:,}", f"{100 * count / total:.0f} %") for label, count in counts.items()]
    shapes: list[Shape] = []
    for row, (label, number, share) in enumerate(rows):
        y, length = 30 * row, 0.42 * counts[label] / most
        shapes.append(TextShape(label, 0.23, y + 19, "end"))
        if length:
            shapes.append(Rect(0.24, y + 4, length, 20, *(hatched_bar(name) if label in hatched else SOLID_BAR)))
        shapes.append(TextShape(f"{number} ({share})", 0.24 + length, y + 19, css="count", dx=7))
    floor = 30 * len(rows)
    shapes.append(Line("floor", 0.24, 0, 0.24, floor))
    listed = ", ".join(f"{number} {label}" for label, number, _ in rows)
    chart = draw_chart(
        floor,
        title,
        t("Of {total}: {list}.", total=total, list=listed),
        shapes,
        (("", t("number"), t("share")), *rows),
        hatch=name,
    )
    return replace(chart, description=t("{total} in all.", total=total))


def draw_lateness_over_time(times: tuple[SeatEntry, ...]) -> AccessibleChart:
    """Draw one player's throws, oldest left, by lateness after the first hand, with the lock and the median."""
    return _draw_lateness_over_time(times, current_language())


@lru_cache(MAX_KEPT_CHARTS)
def _draw_lateness_over_time(times: tuple[SeatEntry, ...], language: str) -> AccessibleChart:
    del language  # each has charts of its own
    if not times:
        return AccessibleChart("", t("No throw has been timed yet."))
    low = min(0.0, max(MIN_SCALE_MS, min(entry.lateness_ms for entry in times)))
    high = _end_of_scale(times, 1.3)
    top, floor = 30.0, 230.0
    down = linear_scale(low, high, floor, top)
    across = linear_scale(-0.6, len(times) - 0.4, LEFT_MARGIN)
    shapes: list[Shape] = [TextShape(t("ms after the first hand"), 0, 12)]
    for at in down.ticks(6):
        y = down.fraction(at)
        shapes += [
            Line("grid", LEFT_MARGIN, y, 1, y),
            TextShape(strings.format_signed(at), LEFT_MARGIN - 0.015, y + 4, "end"),
        ]
    for position, day in _day_ticks(times):
        x = across.clamp(position - 0.5)
        shapes.append(Line("grid", x, top, x, floor + 8))
        if day:
            shapes.append(TextShape(day, x, floor + 20, dx=3))
    shapes += draw_marks(
        (across.clamp(position), down.fraction(min(high, max(low, entry.lateness_ms))), throw_kind(entry.verdict))
        for position, entry in enumerate(times)
    )
    middle = median_ms(times)
    lines = [("lock", at) for at in window_lengths(times)] + ([] if middle is None else [("median", middle)])
    for css, at in lines:
        shapes.append(Line(css, LEFT_MARGIN, down.fraction(min(at, high)), 1, down.fraction(min(at, high))))
    legend = legend_entries(times) + [(Line(css, -4, -4, 14, -4), _line_label(css, at)) for css, at in lines]
    facts = ngettext("{count} throw, oldest left.", "{count} throws, oldest left.", len(times))
    if middle is not None:
        facts += " " + t(
            "The median of the {count} after the first hand is {ms} ms.",
            count=len(throws_after_first(times)),
            ms=f"{middle:.0f}",
        )
    rows = [
        (
            strings.format_date_time(lateness.at),
            strings.format_signed(lateness.lateness_ms),
            t(labels.VERDICTS[said_verdict(lateness.verdict, is_foul=lateness.is_foul)]),
        )
        for lateness in times
    ]
    return draw_chart(
        floor + 54 + 20 * ((len(lines) + 3) // 2),
        t("How long after the first hand every throw was shown"),
        facts + _off_scale_text(times, low, high),
        [*shapes, *draw_legend(legend, floor + 46)],
        ((t("thrown"), t("ms after the first hand"), t("verdict")), *rows),
    )


def draw_histogram(name: str, times: tuple[SeatEntry, ...]) -> AccessibleChart:
    """Draw a histogram of the throws after the first hand, with the lock: a dot per throw in low columns, otherwise
    bars. ``name`` is the chart's id on its page."""
    return _draw_histogram(name, times, current_language())


@lru_cache(MAX_KEPT_CHARTS)
def _draw_histogram(name: str, times: tuple[SeatEntry, ...], language: str) -> AccessibleChart:
    del language  # each has charts of its own
    after = throws_after_first(times)
    if not after:
        return AccessibleChart("", t("No throw after a first hand has been timed yet."))
    columns = -int(-_end_of_scale(times, 1.5) // BIN_MS)
    counts = [dict.fromkeys(THROW_KINDS, 0) for _ in range(columns + 1)]
    for entry in after:
        counts[min(columns, int(entry.lateness_ms // BIN_MS))][throw_kind(entry.verdict)] += 1
    scale = linear_scale(0, BIN_MS * (columns + 1), 0.02, 0.98)
    styles = None
    if max(sum(column.values()) for column in counts) > MAX_COLUMN_DOTS:
        styles = {ON_TIME: SOLID_BAR, DOUBTFUL: FAINT_BAR, LATE: hatched_bar(name), OTHER_FOUL: HOLLOW_BAR}
    floor = 190.0
    shapes = _draw_dots(counts, scale, floor) if styles is None else _draw_columns(counts, scale, floor, styles)
    has_later = any(counts[-1].values())
    if has_later:
        shapes.append(TextShape(t("later"), 1, floor + 30, "end"))
    description = ngettext(
        "{count} throw after the first hand, in columns of {width} ms.",
        "{count} throws after the first hand, in columns of {width} ms.",
        len(after),
        width=f"{BIN_MS:.0f}",
    )
    quartiles = quartiles_ms(times)
    if quartiles is not None:
        (first, middle, third), y = map(scale.clamp, quartiles), floor + 10
        shapes += [Line("half", first, y, third, y), Line("half", middle, y - 6, middle, y + 6)]
        description += " " + t(
            "The thick line below is the middle half of those on time, {low} to {high} ms; its stroke is their median, "
            "{middle} ms.",
            low=f"{quartiles[0]:.0f}",
            high=f"{quartiles[2]:.0f}",
            middle=f"{quartiles[1]:.0f}",
        )
    last_tick = BIN_MS * (columns - 1 if has_later else columns)
    return draw_time_chart(
        t("How long after the first hand everybody showed"),
        description,
        shapes,
        _histogram_table(counts),
        scale,
        window_lengths(times),
        top=28,
        floor=floor,
        ticks=[(at, f"{at:.0f}") for at in linear_scale(0, BIN_MS * columns).ticks(6) if at <= last_tick],
        label_px=30,
        legend=legend_entries(after, styles),
        hatch=name,
    )


def draw_by_player(players: tuple[tuple[str, tuple[SeatEntry, ...]], ...]) -> tuple[AccessibleChart, ...]:
    """Draw charts with a row per player and a mark per throw after the first hand, all to one scale, each of at most
    ``MAX_CHART_ROWS`` players."""
    return _draw_by_player(players, current_language())


@lru_cache(MAX_KEPT_CHARTS)
def _draw_by_player(
    players: tuple[tuple[str, tuple[SeatEntry, ...]], ...], language: str
) -> tuple[AccessibleChart, ...]:
    del language  # each has charts of its own
    after = throws_after_first(entry for _, times in players for entry in times)
    if not after:
        return (AccessibleChart("", t("No throw after a first hand has been timed yet.")),)
    end_ms = _end_of_scale(after, 1.5)
    return tuple(
        _draw_player_rows(players[start : start + MAX_CHART_ROWS], end_ms)
        for start in range(0, len(players), MAX_CHART_ROWS)
    )


def _draw_player_rows(players: Sequence[tuple[str, Sequence[SeatEntry]]], end_ms: float) -> AccessibleChart:
    scale, top, step = linear_scale(0, end_ms, 0.02, 0.98), 24, 38
    table = [_player_row(label, times) for label, times in players]
    shapes: list[Shape] = []
    for row, ((label, times), (_, timed, _, late, *_)) in enumerate(zip(players, table, strict=True)):
        y, middle = top + step * row + 27, median_ms(times)
        shapes.append(Line("grid", 0, y, 1, y))
        shapes += draw_marks(
            (scale.clamp(min(entry.lateness_ms, end_ms)), y, throw_kind(entry.verdict))
            for entry in throws_after_first(times)
        )
        if middle is not None and middle <= end_ms:
            shapes.append(Line("half", scale.fraction(middle), y - 8, scale.fraction(middle), y + 8))
        shapes.append(
            TextShape(t("late {late} of {count}", late=late, count=timed), 0, y - 13, css="over", bold=_shorten(label))
        )
    after = throws_after_first(entry for _, times in players for entry in times)
    return draw_time_chart(
        t("How long after the first hand each player showed"),
        ngettext(
            "{count} throw after the first hand; an upright stroke is a player’s median, of at least {least}.",
            "{count} throws after the first hand; an upright stroke is a player’s median, of at least {least}.",
            len(after),
            least=MIN_THROWS,
        )
        + _off_scale_text(after, 0, end_ms),
        shapes,
        (tuple(map(t, PLAYER_TABLE_HEADER)), *table),
        scale,
        window_lengths(after),
        top=top,
        floor=top + step * len(players),
        grid=True,
        legend=legend_entries(after),
    )


PLAYER_TABLE_HEADER = (
    *(N("player"), N("throws timed"), N("first hand"), N("late"), N("changed"), N("median after the first hand, ms")),
)
"""Header of the table that goes with the chart by player."""


def draw_reactions(window_ms: float, reaction_times: Sequence[tuple[str, float, float, float]]) -> AccessibleChart:
    """Draw the lock and how long an answer to the first hand takes. ``reaction_times`` are a label, when the answering
    hand begins to open, and when the quickest and the slowest have shown, in ms after the first hand."""
    scale = linear_scale(0, max(latest for *_, latest in reaction_times) * 1.06, 0.02, 0.98)
    top, step = 24, 52
    shapes: list[Shape] = []
    for row, (label, begins, _, latest) in enumerate(reaction_times):
        y = top + step * row
        shapes += [
            TextShape(label, 0.02, y + 17, css="over"),
            draw_bar(scale, 0, begins, y + 24, 18, SOLID_BAR),
            draw_bar(scale, begins, latest - begins, y + 24, 18, hatched_bar("reactions")),
        ]
    floor, lock = top + step * len(reaction_times), scale.clamp(window_ms)
    rows = [
        (label, f"{begins:.0f}", t("{begin} to {end}", begin=f"{early:.0f}", end=f"{late:.0f}"))
        for label, begins, early, late in reaction_times
    ]
    return draw_time_chart(
        t("What an answer to the first hand takes"),
        t(
            "Solid: to see and to decide. Hatched: to open the hand, until it is shown. Means of many people: each has "
            "quicker and slower throws."
        ),
        [*shapes, Line("lock", lock, top, lock, floor)],
        ((t("an answer to"), t("begins to open, ms"), t("is shown, ms")), *rows),
        scale,
        [window_ms],
        top=top,
        floor=floor,
        hatch="reactions",
    )


def _line_label(kind: str, at_ms: float) -> str:
    ms = f"{at_ms:.0f}"
    return t("lock {ms} ms", ms=ms) if kind == "lock" else t("median {ms} ms", ms=ms)


def clear_kept_charts() -> None:
    """Drop all charts that are kept for further requests."""
    for draw in (_draw_lateness_over_time, _draw_histogram, _draw_by_player):
        draw.cache_clear()


def _end_of_scale(times: Sequence[SeatEntry], windows: float) -> float:
    """Return where a scale ends, in ms: with the last throw, but after a number of windows, and not too far."""
    return min(MAX_SCALE_MS, max(*(entry.lateness_ms for entry in times), windows * window_lengths(times)[-1]))


def _player_row(label: str, times: Sequence[SeatEntry]) -> tuple[str, ...]:
    middle = median_ms(times)
    first = sum(entry.lateness_ms == 0 for entry in times)
    late, changed = (sum(entry.verdict == verdict for entry in times) for verdict in (Verdict.LATE, Verdict.CHANGED))
    return (
        label,
        str(len(times)),
        str(first),
        str(late),
        str(changed),
        t("too few") if middle is None else f"{middle:.0f}",
    )


def _draw_dots(counts: Sequence[Mapping[ThrowKind, int]], scale: TimeScale, floor: float) -> list[Shape]:
    """Draw columns of marks, one per throw, on-time ones at the bottom."""
    places = []
    for number, column in enumerate(counts):
        x = scale.fraction(BIN_MS * (number + 0.5))
        kinds = [kind for kind in THROW_KINDS for _ in range(column[kind])]
        places += [(x, floor - 9 - 17 * height, kind) for height, kind in enumerate(kinds)]
    return draw_marks(places)


def _draw_columns(
    counts: Sequence[Mapping[ThrowKind, int]], scale: TimeScale, floor: float, styles: Mapping[ThrowKind, BarStyle]
) -> list[Shape]:
    """Draw stacked bars, on-time throws at the bottom, with a scale at the right."""
    most = max(sum(column.values()) for column in counts)
    step = next(step * tens for tens in (1, 10, 100, 1000, 10000) for step in (1, 2, 5) if most <= 4 * step * tens)
    throw_px = (floor - 34) / most
    shapes: list[Shape] = []
    for at in range(step, most + 1, step):
        y, is_top = floor - at * throw_px, at + step > most
        shapes += [
            Line("grid", 0, y, 1, y),
            TextShape(
                ngettext("{count} throw", "{count} throws", at) if is_top else f"{at:,}", 1, y - 3, "end", "over"
            ),
        ]
    for number, column in enumerate(counts):
        y = floor
        for kind in THROW_KINDS:
            if column[kind]:
                y -= column[kind] * throw_px
                start = BIN_MS * (number + 0.06)
                shapes.append(draw_bar(scale, start, BIN_MS * 0.88, y, column[kind] * throw_px, styles[kind]))
    return shapes


def _histogram_table(counts: Sequence[Mapping[ThrowKind, int]]) -> tuple[tuple[str, ...], ...]:
    rows = []
    for number, column in enumerate(counts):
        since = f"{BIN_MS * number:.0f}"
        row_label = (
            t("{begin} and later", begin=since)
            if number == len(counts) - 1
            else t("{begin} to {end}", begin=since, end=f"{BIN_MS * (number + 1):.0f}")
        )
        if sum(column.values()):
            rows.append((row_label, *(f"{column[of]:,}" for of in THROW_KINDS)))
    return ((t("ms after the first hand"), *(t(kind.label) for kind in THROW_KINDS)), *rows)


def _off_scale_text(times: Sequence[SeatEntry], low: float, high: float) -> str:
    off = [entry.lateness_ms for entry in times if not low <= entry.lateness_ms <= high]
    if not off:
        return ""
    listed = ", ".join(strings.format_signed(at) for at in sorted(off)[:8])
    if len(off) > 8:
        return " " + t("At the edge, not to scale: {list} ms, and {count} more.", list=listed, count=len(off) - 8)
    return " " + t("At the edge, not to scale: {list} ms.", list=listed)


def _day_ticks(times: Sequence[SeatEntry]) -> list[tuple[int, str]]:
    """Return where each day begins among the throws, with a label if there is room."""
    ticks: list[tuple[int, str]] = []
    free, seen = -1.0, ""
    for position, entry in enumerate(times):
        day = strings.local_date(entry.at)
        if day != seen:
            room = position >= free and (position <= 0.8 * len(times) or not ticks)
            ticks.append((position, strings.format_short_date(entry.at) if room else ""))
            free, seen = position + 0.3 * len(times) if room else free, day
    return ticks if len(ticks) <= MAX_DAY_LINES else [(position, day) for position, day in ticks if day]


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_LABEL_LETTERS else f"{name[: MAX_LABEL_LETTERS - 1]}…"
