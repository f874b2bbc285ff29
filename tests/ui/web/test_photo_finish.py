"""The photo finish: positions and descriptions."""

import re
from dataclasses import replace

from markupsafe import Markup

from rules.record.round import PlayerLink
from rules.throws import Throw
from tests.helpers.web_archive import FORGOTTEN, FakeArchive, make_seat
from ui.web import strings
from ui.web.charts import photo_finish
from ui.web.views import RoundPage


def page(event: int = 3) -> RoundPage:
    return FakeArchive().round(event)


def test_a_strip_of_one_image_has_no_lane() -> None:
    lonely = replace(page(), strip_times_ms=(0.0,))
    assert photo_finish.draw_lane(lonely, lonely.line.seats[0]) == Markup("")


def places(svg: str, name: str) -> list[float]:
    """Return the positions in percent of elements with class ``name``."""
    return [float(at) for at in re.findall(rf'<svg class="{name}" x="([\d.]+)%"', svg)]


def test_the_overview_places_seats_by_time() -> None:
    svg = photo_finish.draw_overview(page())
    (first,), (late,) = places(svg, "seat-1"), places(svg, "seat-2")
    (lock,) = (float(at) for at in re.findall(r'<line class="lock" x1="([\d.]+)%"', svg))
    assert first < lock < late
    assert abs((lock - first) / (late - first) - 150 / 331) < 0.002
    assert "Ben: +331 ms, LATE" in svg and "The lock was 150 ms after the first hand." in svg


def test_a_time_off_the_strip_is_an_arrow_at_its_end() -> None:
    shown = page()
    very_late = make_seat(2, shown.line.seats[1].player, Throw.PAPER, 900.0, verdict="late")
    svg = photo_finish.draw_lane(shown, very_late)
    assert "+750 ms →" in svg and 'x="100%"' in svg


def test_a_seat_that_never_showed_is_labelled() -> None:
    dark = page(8)
    unseen = tuple(replace(one, verdict="unseen") for one in dark.line.seats)
    shown = replace(dark, line=replace(dark.line, seats=unseen))
    assert photo_finish.draw_overview(shown).count("showed nothing") == 2
    assert "after the cue" in photo_finish.draw_overview(shown)
    assert "never showed a throw" in photo_finish.draw_lane(shown, unseen[0])


def test_an_unjudged_seat_is_not_blamed() -> None:
    dark = page(8)
    assert "nothing" not in photo_finish.draw_overview(dark)
    assert strings.format_lateness(dark.line.seats[0]) == ""


def test_names_in_drawings_are_escaped() -> None:
    shown = page()
    sly = replace(shown.line.seats[0], player=PlayerLink(None, '"><script>'))
    svg = photo_finish.draw_lane(shown, sly) + photo_finish.draw_overview(
        replace(shown, line=replace(shown.line, seats=(sly,)))
    )
    assert "<script>" not in svg and "&lt;script&gt;" in svg


def test_only_existing_strips_are_shown() -> None:
    shown = page()
    left = tuple(replace(one, exists=one.name != "strip-1.jpg") for one in shown.pictures)
    assert photo_finish.strip_seats(shown) == [1, 2]
    assert photo_finish.strip_seats(replace(shown, pictures=left)) == [2]
    assert photo_finish.strip_seats(replace(shown, strip_times_ms=())) == []


def test_words() -> None:
    assert (strings.format_signed(331.2), strings.format_signed(-50), strings.format_signed(-0.3)) == (
        "+331",
        "−50",
        "0",
    )
    assert strings.format_lock_offset(-100.4) == "100 ms before the lock"
    assert strings.format_date("2026-11-21") == "Saturday, 21 November 2026"
    unseen = make_seat(1, FORGOTTEN, None, None)
    assert (
        strings.format_lateness(unseen) == "" and strings.format_lateness(replace(unseen, verdict="unseen")) == "never"
    )
    assert strings.format_lateness(make_seat(1, FORGOTTEN, None, 0.0, "early")) == "20 ms before the call"
    doubtful = make_seat(1, FORGOTTEN, None, 168.0, "too close to call", at_lock="rock")
    later = doubtful.record.model_copy(update={"throw": "paper"})
    assert strings.format_lateness(doubtful) == "+168 ms"
    assert strings.format_proof(replace(doubtful, record=later)).endswith("paper, +168 ms")
    early = doubtful.record.model_copy(update={"throw": "paper", "shown_ms": -170.0})
    assert strings.format_lateness(replace(doubtful, record=early)) == "170 ms before the call"
    assert strings.format_proof(replace(doubtful, record=early)).endswith("paper, 170 ms before the call")
    assert strings.join_names(["Ada", "Ben", "Cy"]) == "Ada, Ben and Cy"
