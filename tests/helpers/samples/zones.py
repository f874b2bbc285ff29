"""Samples of the zones: as detected from hands, two that overlap, spread evenly, and hands held out."""

from dataclasses import replace

from tests.helpers.samples.common import NAMES, table_image
from ui.screen.pages.zones import LiveImage, ZoneDetection, ZoneEditor, ZonesPage, zone_problem_sentence
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    shot = LiveImage(table_image(3))
    even = tuple((column / 4, row / 2, 0.25, 0.5) for row in (0, 1) for column in range(4))
    three = ((0.03, 0.2, 0.3, 0.6), (0.36, 0.25, 0.28, 0.5), (0.66, 0.2, 0.3, 0.6))
    wrong = "the zones of seats 1 and 2 overlap: a hand there would count for both"
    view = ZoneEditor(
        three, lambda: shot, lambda zones: wrong if zones[0][0] > 0.1 else None, even, player_names=NAMES[:3]
    )
    page = ZonesPage(replace(view, message="3 hands were found. Are their zones right?"), three, image=shot)
    eight = ZonesPage(replace(view, zones=even, player_names=()), even, 6, shot)
    return {
        "zones": page,
        "zones-overlap": page.move_zone(1, (0.2, 0.2, 0.3, 0.6)),
        "zones-even": eight,
        "zones-far": replace(page, advice=zone_problem_sentence(NAMES[1], "far", 31.4)),
        "zones-no-picture": replace(eight, image=None),
        "zones-detection": ZoneDetection(
            "Everybody: hold one open hand where you will throw", lambda: shot, seconds_left=3, image=shot
        ),
        "zones-detection-looking": ZoneDetection("Keep still: looking for hands", lambda: shot, image=shot),
    }
