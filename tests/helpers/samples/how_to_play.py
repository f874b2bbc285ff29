"""Samples of the pages that explain practice, of every kind of picture in them, and of the offer of the pages. Those
that explain the games are in ``tools.gallery``."""

from dataclasses import replace

from ui.screen.pages.how_to_play import START_ANSWER, FirstTimePage, ThrowMethod, ThrowSetting, explain_practice
from ui.screen.views import Reply, View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    start = Reply(START_ANSWER)
    by_method = {method: explain_practice(ThrowSetting(method), start) for method in ThrowMethod}
    practice = by_method[ThrowMethod.HANDS]
    return {
        "first-time": FirstTimePage(replace(practice, title="RPS Redeux")),
        **{f"how-to-play-throw-{method}": replace(page, shown_s=4.0) for method, page in by_method.items()},
        "how-to-play-late": replace(practice, shown_s=13.9),
        **{f"how-to-play-practice-{number + 1}": replace(practice, number=number) for number in range(1, 3)},
    }
