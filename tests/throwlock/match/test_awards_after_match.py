"""The awards of the evening are offered after a match, from the third on."""

from pathlib import Path

import pytest

from rules.catalogue import GAMES
from tests.helpers.pausing_people import ROCK_PAPER, On, begin
from throwlock.journal.journal import Journal
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import play_to_end
from ui.screen.pages.awards import BACK, AwardsPage
from ui.screen.pages.result import AWARDS_ANSWER, MatchResult


def test_awards_are_offered_from_the_third_match_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("throwlock.review.archive.cache_folder", lambda: tmp_path / "cache")
    path, game = tmp_path / "evening.journal", GAMES["classic"].set_up(2, {"best_of": 1})
    offered = []
    with Journal(path) as journal:
        for played in range(1, 4):
            touches = [ROCK_PAPER, On(MatchResult, "home")]
            if played == 3:
                touches[1:1] = [On(MatchResult, AWARDS_ANSWER), On(AwardsPage, BACK)]
            match, script = begin(journal, touches, game)
            assert play_to_end(LaunchOptions(path, "none"), script, match) == "home"
            offered.append([view.has_awards for view in script.seen if isinstance(view, MatchResult)])
        (page,) = (view for view in script.seen if isinstance(view, AwardsPage))
        demo, script = begin(journal, [ROCK_PAPER, On(MatchResult, "home")], game)
        play_to_end(LaunchOptions(path, "none", demo=True), script, demo)
    assert offered == [[False], [False], [True, True]] and page.summary.startswith("3 matches since ")
    assert [view.has_awards for view in script.seen if isinstance(view, MatchResult)] == [False]
