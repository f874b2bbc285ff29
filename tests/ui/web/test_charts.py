"""The charts, the players' pages and the classroom page, with none to ten thousand throws."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from starlette.testclient import TestClient

from messages import N
from rules.record.round import DisputeView
from rules.record.seat_entry import SeatEntry
from rules.throws import Throw
from tests.helpers.class_archive import CLASS, DEE, FakeClassArchive, late_winning_round, sample_lateness
from tests.helpers.seat_entries import make_entry
from tests.helpers.web_archive import ADA, BEN, make_app
from throwlock.review.statistics.pages import NOBODY_YET
from ui.web import lesson
from ui.web.charts import charts, parts
from ui.web.views import AccessibleChart

SIZES = (1, 7, 60, 10_000)
AT = "2026-11-21T10:00:00+00:00"


def make_lateness(*ms: float, verdict: str = "on time", window_ms: float = 150.0) -> tuple[SeatEntry, ...]:
    return tuple(
        make_entry(at=AT, after_first_ms=after, verdict=verdict, player=ADA, window_ms=window_ms) for after in ms
    )


def parse_chart(chart: AccessibleChart) -> ET.Element:
    """Parse a chart as XML and check its title and description."""
    svg = ET.fromstring(chart.svg)
    assert svg.get("role") == "img"
    assert [one.tag for one in svg[:2]] == ["title", "desc"] and svg[0].text and svg[1].text
    heads, *rows = chart.table
    assert rows and all(len(row) == len(heads) for row in rows)
    return svg


def marks(svg: ET.Element, kind: parts.ThrowKind) -> list[ET.Element]:
    """Return the marks of a kind, except in the legend."""
    return [one for one in svg.findall("g/use") if one.get("class") == kind.css_class]


def places(svg: ET.Element) -> list[float]:
    """Return all positions and widths in percent."""
    attributes = ("x", "x1", "x2", "width")
    return [
        float(value[:-1]) for one in svg.iter() for name in attributes if (value := one.get(name, "")).endswith("%")
    ]


@pytest.mark.parametrize("count", SIZES)
def test_every_chart_stays_inside_its_frame(count: int) -> None:
    times = sample_lateness(count)
    if count == 1:
        times = make_lateness(41.0)
    by_player = tuple((one.name, tuple(time for time in times if time.player == one)) for one in CLASS)
    for chart in (
        charts.draw_lateness_over_time(times),
        charts.draw_histogram("spread", times),
        *charts.draw_by_player(by_player),
    ):
        svg = parse_chart(chart)
        assert all(0 <= place <= 100 for place in places(svg))
        high = float(svg.get("height", "0"))
        assert all(0 <= float(one.get("y", "0")) <= high for one in svg.iter("text"))


@given(st.lists(st.floats(-2000, 5000), max_size=30), st.floats(20, 1000))
def test_any_times_can_be_drawn(ms: list[float], window_ms: float) -> None:
    times = make_lateness(*ms, window_ms=window_ms)
    for chart in (
        charts.draw_lateness_over_time(times),
        charts.draw_histogram("a", times),
        *charts.draw_by_player((("Ada", times),)),
    ):
        if chart.svg:
            svg = ET.fromstring(chart.svg)
            assert all(-0.01 <= place <= 100.01 for place in places(svg))
        else:
            assert chart.description


def test_without_data_a_text_replaces_the_chart() -> None:
    for chart in (
        charts.draw_lateness_over_time(()),
        charts.draw_histogram("a", make_lateness(0.0)),
        *charts.draw_by_player(()),
        charts.draw_bars("b", {}, "Throws"),
    ):
        assert not chart.svg
        assert chart.description.endswith(".")


def test_late_throws_have_another_shape_beyond_the_lock() -> None:
    times = (
        *make_lateness(0.0, 40.0, 149.0),
        *make_lateness(151.0, 300.0, verdict="late"),
        *make_lateness(20.0, verdict="changed"),
    )
    svg = parse_chart(charts.draw_by_player((("Ada", times),))[0])
    (lock,) = [float(one.get("x1", "")[:-1]) for one in svg.findall("line") if one.get("class") == "lock"]
    late, punctual = ([float(one.get("x", "")[:-1]) for one in marks(svg, of)] for of in (parts.LATE, parts.ON_TIME))
    assert len(late) == 2 and min(late) > lock
    assert len(punctual) == 2 and max(punctual) < lock  # the first hand is left out
    assert len({of.shape for of in parts.THROW_KINDS}) == len(parts.THROW_KINDS)


def test_too_close_to_call_is_charted_apart() -> None:
    times = (*make_lateness(0.0, 10.0, 20.0, 30.0, 40.0), *make_lateness(160.0, verdict="too close to call"))
    for chart in (*charts.draw_by_player((("Ada", times),)), charts.draw_histogram("a", times)):
        svg = parse_chart(chart)
        assert [len(marks(svg, of)) for of in parts.THROW_KINDS] == [4, 1, 0, 0]
        assert "too close to call (1)" in ET.tostring(svg, encoding="unicode")
    assert charts.quartiles_ms(times) == charts.quartiles_ms(times[:-1])


def test_lateness_over_time_places_lock_median_and_off_scale_throws() -> None:
    times = (
        *make_lateness(0.0, 10.0, 30.0, 50.0, 90.0),
        *make_lateness(2345.0, verdict="late"),
        *make_lateness(-500.0, verdict="early"),
    )
    chart = charts.draw_lateness_over_time(times)
    svg = parse_chart(chart)
    level = {one.get("class"): float(one.get("y1", "")) for one in svg.findall("line") if one.get("class") != "grid"}
    (late,) = [float(one.get("y", "")) for one in marks(svg, parts.LATE)]
    assert late < level["lock"] < level["median"]
    assert "The median of the 5 after the first hand is 50 ms" in chart.description
    assert "not to scale: −500, +2345 ms" in chart.description
    assert [row[1] for row in chart.table[1:]] == ["0", "+10", "+30", "+50", "+90", "+2345", "−500"]


def test_every_window_length_has_a_line() -> None:
    times = (*make_lateness(0.0, 20.0), *make_lateness(0.0, 20.0, window_ms=250.0))
    text = ET.tostring(parse_chart(charts.draw_histogram("a", times)), encoding="unicode")
    assert "lock 150 ms" in text and "lock 250 ms" in text


def test_few_throws_are_dots_and_many_are_bars() -> None:
    few, many = sample_lateness(25), sample_lateness(1000)
    assert len(charts.throws_after_first(few)) == sum(
        len(marks(parse_chart(charts.draw_histogram("a", few)), of)) for of in parts.THROW_KINDS
    )
    chart = charts.draw_histogram("a", many)
    assert not any(marks(parse_chart(chart), of) for of in parts.THROW_KINDS)
    total = sum(int(cell.replace(",", "")) for row in chart.table[1:] for cell in row[1:])
    assert total == len(charts.throws_after_first(many))


def test_quartiles_exclude_first_hands_and_fouls() -> None:
    honest = make_lateness(0.0, 0.0, 0.0, 10.0, 20.0, 30.0, 40.0, 50.0)
    assert charts.quartiles_ms(
        (*honest, *make_lateness(400.0, verdict="late"), *make_lateness(31.0, verdict="changed"))
    ) == (20, 30, 40)
    assert charts.quartiles_ms(make_lateness(0.0, 0.0, 10.0, 20.0, 30.0)) is None
    assert charts.median_ms(make_lateness(0.0, 0.0, 10.0, 20.0, 30.0)) is None


def test_bars_show_number_share_and_length() -> None:
    svg = parse_chart(charts.draw_bars("t", {"rock": 30, "paper": 0, "scissors": 10}, "Throws", ["scissors"]))
    bars = [one for one in svg.findall("rect") if "bar" in one.get("class", "")]
    wide = [float(one.get("width", "")[:-1]) for one in bars]
    assert len(wide) == 2 and wide[0] == pytest.approx(3 * wide[1], abs=0.05)
    assert bars[1].get("fill") == "url(#t-hatch)" and svg.find("defs/pattern[@id='t-hatch']") is not None
    told = [one.text for one in svg.findall("text")]
    assert told == ["rock", "30 (75 %)", "paper", "0 (0 %)", "scissors", "10 (25 %)"]


def test_names_are_escaped_and_cut() -> None:
    svg = parse_chart(
        charts.draw_by_player(((CLASS[2].name, make_lateness(0.0, 9.0)), (DEE.name, make_lateness(0.0, 12.0))))[0]
    )
    names = [one.text for one in svg.iter("tspan")]
    assert names == [CLASS[2].name, "Dee Longname-Feathe…"]


def test_a_large_class_has_several_charts_on_one_scale() -> None:
    found = charts.draw_by_player(tuple((f"P{n}", make_lateness(0.0, 5.0 + 10 * n)) for n in range(55)))
    svgs = [parse_chart(chart) for chart in found]
    assert [len(list(svg.iter("tspan"))) for svg in svgs] == [20, 20, 15]
    locks = {one.get("x1") for svg in svgs for one in svg.findall("line") if one.get("class") == "lock"}
    assert len(locks) == 1


def test_a_crowd_is_limited_to_those_with_the_most_throws() -> None:
    keen, seldom = (replace(ADA, key=name, name=name) for name in ("keen", "seldom"))
    crowd = [
        replace(make_lateness(5.0)[0], player=replace(ADA, key=f"k{n}", name=f"N{n}"))
        for n in range(lesson.MAX_CHART_PLAYERS)
    ]
    times = (
        *crowd,
        *(replace(one, player=keen) for one in make_lateness(1, 2)),
        *(replace(one, player=seldom) for one in make_lateness(5)),
    )
    told = lesson.build_lesson(replace(FakeClassArchive().classroom(), lateness=times), names=True)
    shown = [row[0] for chart in told.player_charts for row in chart.table[1:]]
    assert (
        len(shown) == lesson.MAX_CHART_PLAYERS
        and "keen" in shown
        and "seldom" not in shown
        and told.omitted_players == 2
    )


def client(archive: FakeClassArchive) -> TestClient:
    return TestClient(make_app(archive))


def test_players_are_listed_with_their_record() -> None:
    page = client(FakeClassArchive()).get("/players").text
    assert f'<a href="/player/{BEN.key}" translate="no">Ben</a></th><td>5 of 12</td>' in page
    assert str(escape(CLASS[2].name)) in page and CLASS[2].name not in page
    assert str(NOBODY_YET) in client(FakeClassArchive(0)).get("/players").text


def test_a_player_page_has_charts_and_records() -> None:
    page = client(FakeClassArchive()).get(f"/player/{ADA.key}").text
    assert page.count('<svg class="chart"') == 3
    assert len(set(re.findall(r'<pattern id="([^"]+)"', page))) == page.count("<pattern ") > 0
    assert f'<a href="/player/{BEN.key}" translate="no">Ben</a></th><td>7</td><td>3</td><td>2</td>' in page
    assert f'action="/player/{ADA.key}/forget"' in page and "every image of all their matches" in page
    assert client(FakeClassArchive()).get("/player/nobody").status_code == 404


def test_a_player_is_forgotten_and_leftovers_are_reported() -> None:
    archive = FakeClassArchive()
    archive.left = (N("The names in 2 matches of an old journal can’t be deleted."),)
    one = client(archive)
    done = one.post(f"/player/{BEN.key}/forget", data={"token": "x"})
    assert done.status_code == 200 and str(escape(archive.left[0])) in done.text
    assert one.post("/player/nobody/forget", data={"token": "x"}).status_code == 404
    assert one.get(f"/player/{BEN.key}/forget").status_code == 405
    row = '<th scope="row">Ben</th>'
    assert row in client(FakeClassArchive()).get("/classroom").text and row not in one.get("/classroom").text


def test_the_lesson_uses_the_class_own_throws() -> None:
    page = client(FakeClassArchive()).get("/classroom").text
    assert "40 rounds, in which the box timed 200 throws" in page
    assert "made up" not in page
    assert "Ben’s rock beats none of the 2 others." in page and "Ben’s paper beats 2 of the 2 others." in page
    assert 'href="/round/77"' in page


def test_without_names_no_name_is_in_the_page() -> None:
    page = client(FakeClassArchive()).get("/classroom?names=no").text
    for player in CLASS:
        if player.key is not None:
            assert player.key not in page and str(escape(player.name)) not in page
    assert "Player A" in page and "Player B’s rock beats none" in page
    assert "/round/77" not in page


@pytest.mark.parametrize("throws", [0, 1, 20])
def test_with_too_few_throws_the_numbers_are_labelled_made_up(throws: int) -> None:
    page = client(FakeClassArchive(throws)).get("/classroom").text
    assert "The numbers on this page are made up" in page
    assert page.count('<span class="tag">made up</span>') == 3
    assert "Ada" not in page and "would have beaten" not in page


@pytest.mark.parametrize("query", ["day=yesterday", "match=x", "names=perhaps"])
def test_invalid_classroom_queries_are_refused(query: str) -> None:
    assert client(FakeClassArchive()).get(f"/classroom?{query}").status_code == 404


def test_classroom_page_compares_its_window() -> None:
    page = client(FakeClassArchive()).get("/classroom").text
    assert "Why 150 milliseconds?" in page and "later than usual" not in page
    page = client(FakeClassArchive(window_ms=400.0)).get("/classroom").text
    assert "Why 400 milliseconds?" in page and "later than usual (150 ms)" in page


def test_letter_labels_continue_after_z_and_are_consistent() -> None:
    room = FakeClassArchive().classroom()
    told = lesson.build_lesson(room, names=False)
    assert [row[0] for row in told.player_charts[0].table[1:]] == [
        "Player A",
        "Player B",
        "Player C",
        "Player D",
        "Somebody",
    ]
    assert told.examples[0].gainer.label == "Player B"
    many = tuple(replace(make_lateness(5.0)[0], player=replace(ADA, key=f"k{n}", name=f"N{n}")) for n in range(30))
    told = lesson.build_lesson(replace(room, lateness=many), names=False)
    labels = [row[0] for chart in told.player_charts for row in chart.table[1:]]
    assert labels[25:28] == ["Player Z", "Player AA", "Player AB"]


def test_players_with_one_name_stay_separate() -> None:
    times = [*make_lateness(*(10.0 + n for n in range(12)))]
    twin = replace(ADA, key="e" * 16)
    room = replace(FakeClassArchive().classroom(), lateness=(*times, *(replace(one, player=twin) for one in times)))
    rows = lesson.build_lesson(room, names=True).player_charts[0].table[1:]
    assert [row[:2] for row in rows] == [("Ada", "12"), ("Ada", "12")]


def test_late_hands_are_compared_with_corrected_readings() -> None:
    line = late_winning_round()
    corrected = replace(
        line,
        seats=(replace(line.seats[0], reading=Throw.SCISSORS, is_corrected=True), *line.seats[1:]),
        disputes=(DisputeView(78, AT, False, 1, "rock", "scissors"),),
    )
    told = lesson.build_lesson(replace(FakeClassArchive().classroom(), examples=(corrected, line)), names=True)
    assert [(one.event, one.beaten_at_lock, one.beaten_late) for one in told.examples] == [(77, 0, 2)]
    paper = replace(corrected, seats=(replace(corrected.seats[0], reading=Throw.PAPER), *line.seats[1:]))
    told = lesson.build_lesson(replace(FakeClassArchive().classroom(), examples=(paper,)), names=True)
    assert [(one.beaten_at_lock, one.beaten_late, one.others[0].at_lock) for one in told.examples] == [
        (0, 1, Throw.PAPER)
    ]
    told = lesson.build_lesson(replace(FakeClassArchive().classroom(), examples=(corrected,)), names=True)
    assert told.examples == (lesson.made_up_example(),)


def test_the_made_up_example_follows_the_rules() -> None:
    made = lesson.made_up_example()
    assert made.gainer.after_lock is not None and made.gainer.at_lock is not None
    beaten = [
        sum(throw.beats(one.at_lock) for one in made.others) for throw in (made.gainer.at_lock, made.gainer.after_lock)
    ]
    assert beaten == [made.beaten_at_lock, made.beaten_late]
    assert all(min(row) == 0 for row in lesson.MADE_UP_MS)
    assert made.gainer.after_first_ms in [
        row[lesson.MADE_UP_NAMES.index(made.gainer.label)] for row in lesson.MADE_UP_MS
    ]


def test_forgotten_players_have_no_name() -> None:
    assert lesson.build_lesson(FakeClassArchive().classroom(), names=True).player_charts[0].table[-1][0] == "Somebody"
