"""Samples of a player's page: its tabs, and a player with few throws."""

from dataclasses import replace

from rules.throws import Outcome, Throw
from ui.charts.statistics import Predictability, Predictor, ReactionTimes, SituationThrows, ThrowChange, ThrowStatistics
from ui.screen.pages.player import Opponent, PlayerFigures, PlayerTab
from ui.screen.views import View


def _situation(*counts: int) -> SituationThrows:
    return SituationThrows(dict(zip(Throw, counts[:3], strict=True)), dict(zip(ThrowChange, counts[3:], strict=True)))


def samples() -> dict[str, View]:
    """Return the samples by name."""
    found = Predictability(183, 1.52, 1.44, 1.58, Predictor.WIN_STAY, 91, 182, 0.4, 0.6)
    figures = ThrowStatistics(
        throws=dict(zip(Throw, (86, 52, 45), strict=True)),
        situations={
            Outcome.WON: _situation(20, 15, 8, 26, 8, 9),
            Outcome.LOST: _situation(21, 14, 11, 9, 8, 29),
            Outcome.TIED: _situation(100, 0, 0, 100, 0, 0),
        },
        predictability=found,
        reaction=ReactionTimes(171, 21.0, 38.5, 64.2),
        longest_win_streak=7,
        longest_repeat=(Throw.SCISSORS, 5),
    )
    record = "12 of 31 matches won, 190 rounds, 4 fouls"
    names = ("Ben", "Bartholomew Featherstonehaugh", "Chidi", "Dolores", "Emil", "Fumi", "Gita", "Hugo", "Ivo")
    opponents = tuple(Opponent(name, 9 - n, n, 30 - n, 12 + n, n) for n, name in enumerate(names))
    page = PlayerFigures("Ann", record, figures, opponents)
    nothing = replace(
        figures,
        throws=dict.fromkeys(Throw, 0),
        situations={outcome: _situation(0, 0, 0, 0, 0, 0) for outcome in Outcome},
        predictability=None,
        reaction=None,
        longest_win_streak=0,
        longest_repeat=None,
    )
    few = replace(nothing, throws={Throw.ROCK: 1, Throw.PAPER: 0, Throw.SCISSORS: 0}, longest_repeat=(Throw.ROCK, 1))
    return {
        "player-throws": page,
        "player-habits": replace(page, tab=PlayerTab.HABITS),
        "player-opponents": replace(page, tab=PlayerTab.OPPONENTS),
        "player-new": replace(page, statistics=nothing, opponents=()),
        "player-no-opponents": replace(page, opponents=(), tab=PlayerTab.OPPONENTS),
        "player-few-throws": replace(page, statistics=few),
        "player-few-habits": replace(page, statistics=few, tab=PlayerTab.HABITS),
    }
