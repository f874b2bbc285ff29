"""Players and awards on the touchscreen, over real journals."""

from pathlib import Path

import pytest

from tests.helpers.history_people import browse_history, touch_line
from tests.helpers.journal_builder import CLASSIC, RESULT, JournalBuilder, P, R, S
from tests.helpers.scripted_display import ScriptedDisplay
from throwlock.journal.events import MatchEnded
from throwlock.review.statistics.pages import offers_awards, open_awards
from ui.charts.statistics import AwardKind
from ui.screen.pages.awards import BACK, PLAYERS, AwardsPage
from ui.screen.pages.history import HistoryAnswer, HistoryList
from ui.screen.pages.notice import Notice
from ui.screen.pages.player import Opponent, PlayerFigures
from ui.screen.views import Answer, InteractiveView


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the index in the test's folder."""
    monkeypatch.setattr("throwlock.review.archive.cache_folder", lambda: tmp_path / "cache")


def show_awards(journal: Path, *touches: Answer) -> list[InteractiveView]:
    """Open the awards with these touches and return the views."""
    screen = ScriptedDisplay(*touches)
    open_awards(screen, journal)
    assert not screen.answers
    return screen.seen


def play_match(box: JournalBuilder) -> None:
    """Play a match that seat 1 wins in three rounds."""
    if box.journal.events(box.match)[1:]:
        box.match = box.start_match("Ada", "Ben")
    for _ in range(3):
        box.add_round(R, S)
    box.journal.append(box.match, MatchEnded(result=RESULT))


def test_awards_of_an_evening(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal", CLASSIC)
    assert not offers_awards(box.path)
    for played in range(1, 4):
        play_match(box)
        assert offers_awards(box.path) == (played >= 3)
    box.close()
    (page,) = show_awards(box.path, BACK)
    assert isinstance(page, AwardsPage) and page.summary.startswith("3 matches since ")
    found = {one.kind: one for one in page.awards}
    assert (found[AwardKind.LONGEST_STREAK].names, found[AwardKind.LONGEST_STREAK].detail) == (
        ("Ada",),
        "9 rounds won in a row",
    )
    assert found[AwardKind.FAIREST].names == ()
    awards, players, figures, again, last = show_awards(box.path, PLAYERS, 0, "back", HistoryAnswer.BACK, BACK)
    assert isinstance(players, HistoryList) and isinstance(figures, PlayerFigures)
    assert {line.title for line in players.lines} == {"Ada", "Ben"}
    assert (awards, again) == (page, players) and last == page
    assert figures.name == players.lines[0].title
    ada = figures.name == "Ada"
    assert figures.opponents == (Opponent("Ben" if ada else "Ada", *((3, 0, 9, 0, 0) if ada else (0, 3, 0, 9, 0))),)
    assert figures.record.startswith("3 of 3 matches won" if ada else "0 of 3 matches won")


def test_a_journal_that_is_not_there_yet_or_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    awards, players, again = show_awards(path, PLAYERS, HistoryAnswer.BACK, BACK)
    assert isinstance(awards, AwardsPage) and awards.summary == "0 matches" and again == awards
    assert isinstance(players, HistoryList) and players.lines == () and players.empty_text
    assert not offers_awards(path)
    path.write_text("not a journal")
    (notice,) = show_awards(path, BACK)
    assert isinstance(notice, Notice)
    assert not offers_awards(path)


def test_players_are_listed_page_by_page_from_the_past_matches(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal", CLASSIC)
    box.add_round(P, S)
    for number in range(4):
        box.match = box.start_match(f"Guest {number}", f"Visitor {number}")
    box.close()
    views = browse_history(
        box.path,
        HistoryAnswer.PLAYERS,
        HistoryAnswer.LATER,
        touch_line(0),
        "back",
        HistoryAnswer.EARLIER,
        "back",
        "home",
    )
    _, first, second, player, *_ = views
    assert isinstance(first, HistoryList) and isinstance(second, HistoryList) and isinstance(player, PlayerFigures)
    assert (len(first.lines), first.has_more, len(second.lines), second.has_more) == (6, True, 4, False)
    assert player.name == second.lines[0].title
