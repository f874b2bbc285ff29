"""Samples of past matches: their list, a match's rounds, a past round."""

from dataclasses import replace

from tests.helpers.samples.dispute import counting, disputed_round
from ui.screen.pages.dispute import HandPage
from ui.screen.pages.history import HistoryAnswer, HistoryLine, HistoryList
from ui.screen.views import View


def samples() -> dict[str, View]:
    """Return the samples by name."""
    matches = tuple(
        HistoryLine(title, f"{played}: 5 rounds, 1 foul, 1 dispute, 2 to review", "21 Nov 2026, 12:49", number)
        for number, (title, played) in enumerate(
            (("RPS Redeux", "Ann (won) and Bartholomew"), ("Classic", "Ann, Bartholomew, Chidi, Dolores and Emil")) * 3
        )
    )
    sentences = ("Paper beats rock: Ann wins 20 points.", "Bartholomew was late: 212 ms after the first hand.")
    rounds = tuple(HistoryLine(f"Throw {n + 1}", sentences[n % 2], ("", "to review")[n % 2], n) for n in range(5))
    story = (
        HistoryLine("", sentences[0]),
        HistoryLine("Ann", "Bets 10; points: 35 before, 55 after"),
        HistoryLine("Disputed 12:51", "The verdict stands."),
    )
    past = replace(
        disputed_round(2, earlier=True), is_past=True, choices={}, title="RPS Redeux · Throw 3", can_take_home=True
    )
    marked = replace(counting(disputed_round(8, later=True)), is_past=True, choices={}, review_mark="to review")
    classes = tuple(
        HistoryLine(name, "Mia, Noah, Aylin, Ben, Chidi, Emma, Finn, Giulia, Hanna, Ivo, Jale", "28 students", number)
        for number, name in enumerate(("3b", "4a", "Chess club on Thursdays"))
    )
    tournaments = tuple(
        HistoryLine(title, f"RPS Redeux · Knock-out · 8 players · {state}", "21 Nov 2026", number)
        for number, (title, state) in enumerate(
            (("Friday's cup", "next: Dolores against Bartholomew"), ("Classic, 20 Nov 2026", "won by Ann")) * 3
        )
    )
    back, home = (HistoryAnswer.BACK,), HistoryAnswer.HOME
    return {
        "history-classes": HistoryList("Which class?", classes, (*back, HistoryAnswer.UNNAMED)),
        "history-tournaments": HistoryList(
            "Tournaments", tournaments, (HistoryAnswer.HOME, HistoryAnswer.NEW, HistoryAnswer.RATINGS), 0, True
        ),
        "history-matches": HistoryList(
            "Past matches", matches, (HistoryAnswer.HOME, HistoryAnswer.MARKED, HistoryAnswer.PLAYERS), 1, True
        ),
        "history-none": HistoryList("Past matches", (), (home,), empty_text="No match has been played yet."),
        "history-match": HistoryList(
            "RPS Redeux · Ann and Bartholomew", rounds, back, summary="21 November 2026 · Ann wins"
        ),
        "history-story": HistoryList("RPS Redeux · Throw 3", story, back),
        "history-round-2": past,
        "history-round-8": marked,
        "history-round-deleted": replace(
            past, frame_times_ms=(), sentence="Bartholomew was late. Its pictures were deleted."
        ),
        "history-hand": HandPage(marked.first_page(), marked.seats[1]),
    }
