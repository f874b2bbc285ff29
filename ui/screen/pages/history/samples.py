"""Samples of past matches: their list, a match's rounds, a past round."""

from dataclasses import replace

from ui.screen.core.page_stack import Page, first_page
from ui.screen.pages.common.samples import press_all
from ui.screen.pages.dispute.samples import disputed_round
from ui.screen.pages.dispute.view import DisputedRound, DisputedSeat, LookAtHand
from ui.screen.pages.history.view import HistoryLine, HistoryList
from ui.screen.pages.views import View


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""
    matches = tuple(
        HistoryLine(title, f"{played}: 5 rounds, 1 foul, 1 dispute, 2 to review", "21 Nov 2026, 12:49", number)
        for number, (title, played) in enumerate(
            (("RPS Redeux", "Ann (won) and Bartholomew"), ("Classic", "Ann, Bartholomew, Chidi, Dolores and Emil")) * 4
        )
    )
    sentences = ("Paper beats rock: Ann wins 20 points.", "Bartholomew was late: 212 ms after the first hand.")
    rounds = tuple(HistoryLine(f"Throw {n + 1}", sentences[n % 2], ("", "to review")[n % 2], n) for n in range(5))
    story = (
        HistoryLine("", sentences[0]),
        HistoryLine("Ann", "Bets 10; points: 35 before, 55 after"),
        HistoryLine("Disputed 12:51", "The verdict stands."),
    )
    past = replace(disputed_round(2, earlier=True), is_past=True, title="RPS Redeux · Throw 3")
    marked = replace(disputed_round(8, later=True), is_past=True, is_void=False, review_mark="to review")
    return {
        "history-matches": HistoryList("Past matches", matches, ("home", "marked"), 1, True),
        "history-none": HistoryList("Past matches", (), ("home",), empty_text="No match has been played yet."),
        "history-match": HistoryList(
            "RPS Redeux · Ann and Bartholomew", rounds, ("back",), summary="21 November 2026 · Ann wins"
        ),
        "history-story": HistoryList("RPS Redeux · Throw 3", story, ("back",)),
        "history-round-2": past,
        "history-round-8": marked,
        "history-round-deleted": replace(
            past, frame_times_ms=(), sentence="Bartholomew was late. Its pictures were deleted."
        ),
        "history-hand": press_all(first_page(replace(marked, seats=_without_choices(marked))), LookAtHand(2)),
    }


def _without_choices(view: DisputedRound) -> tuple[DisputedSeat, ...]:
    """The seats of a past round, whose readings can't be corrected."""
    return tuple(replace(seat, choices=()) for seat in view.seats)
