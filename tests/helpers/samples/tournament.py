"""Samples of a tournament's pages: brackets of 8, 16 and 64 players, Swiss, groups and tables, and who has won."""

from rules.tournaments.fixture import Format, TournamentSetup
from rules.tournaments.tournament import Tournament
from tests.helpers.samples.common import NAMES
from tests.helpers.tournament_steps import Step, entered, fixture_id, play_through, started, withdrawn
from ui.screen.pages import tournament as tournament_page
from ui.screen.pages.tournament import (
    EntryKeyboardPage,
    FixturePage,
    PlayersPage,
    PointsPage,
    StandingsPage,
    TournamentView,
)
from ui.screen.views import View
from ui.text.tournaments import summarise


def players(count: int) -> tuple[str, ...]:
    """Return so many names."""
    return tuple(f"{NAMES[n % len(NAMES)]}{f' {n // len(NAMES) + 1}' if n >= len(NAMES) else ''}" for n in range(count))


def after(setup: TournamentSetup, count: int, matches: int, *more: Step) -> Tournament:
    """Return a tournament of ``count`` players after so many matches, of which the better seed wins two of three, and
    after more than eight one without a player."""
    state = play_through(setup, [entered] * count)
    for n in range(matches):
        fixture = state.ready[0]
        ranking = sorted(fixture.present)
        winner = ranking[0 if n % 3 else -1]
        state.end(fixture.id, (winner,), {one: 2 if one == winner else 1 for one in ranking})
    for event in more:
        event(state)
    if state.ready and matches > 8:
        state.note_absent(state.ready[0].id, state.ready[0].present[0])
    return state


def view_of(state: Tournament, title: str = "Friday’s cup", **fields: object) -> TournamentView:
    """Return the view of a tournament of RPS Redeux."""
    names = players(state.players)
    summary = summarise(state, "RPS Redeux", names, title, is_open=not state.is_over)
    return TournamentView(1, summary, state.can_enter, **fields)  # type: ignore[arg-type]


def samples() -> dict[str, View]:
    """Return the samples by name."""
    knockout = TournamentSetup(Format.KNOCKOUT)
    eight = view_of(after(knockout, 8, 2, started("K1.3")), notes={fixture_id("K1.3"): tournament_page.INTERRUPTED})
    many = view_of(after(knockout, 64, 5))
    swiss = view_of(after(TournamentSetup(Format.SWISS, rounds=5), 9, 9, withdrawn(6)))
    groups = view_of(after(TournamentSetup(Format.GROUPS), 16, 7))
    tables = view_of(after(TournamentSetup(Format.TABLES, table_size=8, rounds=3), 15, 1))
    double = view_of(after(TournamentSetup(Format.DOUBLE_KNOCKOUT), 16, 20), "")
    over = view_of(after(knockout, 8, 7))
    page, done = eight.first_page(), over.first_page()
    fixture, last = eight.ready[0], over.summary.fixtures[-1]
    table = tables.ready[0]
    standings = StandingsPage(swiss.first_page())
    everybody = PlayersPage(swiss.first_page())
    return {
        "tournament-8": eight,
        "tournament-64": many,
        "tournament-double": double,
        "tournament-swiss": swiss,
        "tournament-groups": groups,
        "tournament-tables": tables,
        "tournament-over": over,
        "tournament-over-swiss": view_of(after(TournamentSetup(Format.SWISS, rounds=3), 6, 9)),
        "tournament-match": FixturePage(page, fixture),
        "tournament-match-won": FixturePage(page, fixture).toggle(fixture.present[0]),
        "tournament-match-table": FixturePage(tables.first_page(), table).toggle(table.present[1]),
        "tournament-match-over": FixturePage(done, last),
        "tournament-standings": standings,
        "tournament-standings-groups": StandingsPage(groups.first_page(), 1),
        "tournament-standings-bracket": StandingsPage(done),
        "tournament-points": PointsPage(standings),
        "tournament-players": everybody,
        "tournament-players-64": PlayersPage(many.first_page()),
        "tournament-withdraw": everybody.select(1),
        "tournament-no-show": FixturePage(page, fixture).toggle(fixture.present[0]).note_absent(),
        "tournament-enter": EntryKeyboardPage(everybody).with_text("Zoë"),
    }
