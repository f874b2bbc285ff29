"""What televisions show of a tournament while the touchscreen shows a page of it: the rounds that are played now and
the tables, as much of them as can be read from 4 m."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from messages import N
from rules.engine import Seat
from rules.tournaments.fixture import Fixture
from ui.i18n.language import t
from ui.screen.drawing.forms import Column, Form, Grid, Row, lays_out
from ui.screen.drawing.nodes import CardPanel, Drawing, Icon, Node, Text
from ui.screen.drawing.theme import ACCENT, LINE, MUTED
from ui.screen.pages.common import Player
from ui.screen.pages.podium import STEPS, draw_podium, podium_is_shown
from ui.screen.views import View
from ui.text.tournaments import TournamentSummary, points_text

MAX_BRACKET_ROUNDS, MAX_BRACKET_FIXTURES, MAX_TABLES, MAX_TABLE_ROWS = 3, 6, 8, 8
"""How much of a tournament can be read from 4 m."""
NEXT = N("Next", "match")


@dataclass(frozen=True)
class BracketMatch:
    """A match of a tournament."""

    players: str
    """Who plays."""
    result: str
    """What came of it; "" before that, or that it is the next one."""
    is_next: bool = False


@dataclass(frozen=True)
class BracketRound:
    """A round of a tournament."""

    title: str
    fixtures: tuple[BracketMatch, ...]


@dataclass(frozen=True)
class TournamentTable:
    """A table of a tournament."""

    heading: str
    rows: tuple[tuple[str, str, str], ...]
    """Place, name and points."""


@dataclass(frozen=True)
class TournamentSlide:
    """The state of a tournament."""

    title: str
    rounds: tuple[BracketRound, ...]
    """The newest rounds of its bracket."""
    tables: tuple[TournamentTable, ...]
    champions: str = ""
    best: tuple[Player, ...] = ()
    """Who is on the podium, once the tournament is over."""
    places: Mapping[Seat, int] = field(default_factory=dict)
    """Their places."""


@dataclass(frozen=True)
class Standings(View):
    """The state of a tournament."""

    summary: TournamentSummary


def tournament_slide(summary: TournamentSummary) -> TournamentSlide:
    """Return the state of a tournament, as much of it as can be read: the rounds of a bracket that are played now; or
    the table, with fewer of the rounds; or the tables of all groups. Of one that is over, the podium, and the table if
    it has one."""
    places = _best_places(summary)
    has_bracket = any(fixture.id.is_knockout for fixture in summary.fixtures)
    tables = () if has_bracket else summary.tables[:MAX_TABLES]
    every_round = summary.rounds() if len(tables) <= 1 and not places else []
    current = next(
        (
            index
            for index, (_, fixtures) in enumerate(every_round)
            if any(fixture.outcome is None and not fixture.is_bye for fixture in fixtures)
        ),
        len(every_round),
    )
    count = MAX_BRACKET_ROUNDS - len(tables)
    first = max(0, min(current, len(every_round) - count))
    rounds = [
        BracketRound(
            title=t(title),
            fixtures=tuple(_match(summary, fixture) for fixture in _shown_fixtures(summary, fixtures)),
        )
        for title, fixtures in every_round[first : first + count]
    ]
    return TournamentSlide(
        title=t(summary.heading or summary.title),
        rounds=tuple(rounds),
        tables=tuple(
            TournamentTable(
                heading=t(heading),
                rows=tuple(
                    (str(row.place), t(summary.name(row.player)), points_text(row.points))
                    for row in rows[:MAX_TABLE_ROWS]
                ),
            )
            for heading, rows in tables
        ),
        champions=champions_text(summary),
        best=tuple(Player(player, summary.name(player)) for player in places),
        places=places,
    )


def _best_places(summary: TournamentSummary) -> dict[int, int]:
    """Return the places of those who are on the podium; nobody's before the end, or where they are too many."""
    if not summary.champions:
        return {}
    places = {player: place for place in STEPS for player in summary.players_at(place)}
    return places if podium_is_shown([Player(player, "") for player in places], places) else {}


def _shown_fixtures(summary: TournamentSummary, fixtures: Sequence[Fixture]) -> Sequence[Fixture]:
    """Return as many of a round as can be read: from the one before the next match on."""
    ready = summary.ready[:1]
    at = next((index for index, fixture in enumerate(fixtures) if fixture in ready), 0)
    first = max(0, min(at - 1, len(fixtures) - MAX_BRACKET_FIXTURES))
    return fixtures[first : first + MAX_BRACKET_FIXTURES]


def _match(summary: TournamentSummary, fixture: Fixture) -> BracketMatch:
    is_next = fixture in summary.ready[:1]
    result = t(NEXT) if is_next else t(summary.result(fixture))
    return BracketMatch(t(summary.against(fixture)) or "–", result, is_next)


def champions_text(summary: TournamentSummary) -> str:
    """Who has won the tournament; empty before that."""
    return t("{names} won the tournament", names=summary.champion_names) if summary.champions else ""


@lays_out(Standings)
def lay_out_standings(view: Standings) -> Form:
    """Return the rounds and tables next to each other, and who has won."""
    slide = tournament_slide(view.summary)
    parts: list[Node] = [_round(part) for part in slide.rounds]
    rows = max((len(table.rows) for table in slide.tables), default=0)
    parts += [_table(table, rows) for table in slide.tables]
    title = Text(slide.champions or slide.title, "big", ACCENT if slide.champions else MUTED, lines=2)
    crown = Icon("crown", length=14) if slide.champions and not slide.best else None
    body: Node | None = Grid(parts, (min(4, len(parts)), 1)) if parts else None
    if slide.best:
        podium = partial(draw_podium, players=slide.best, places=slide.places, seated=False)
        body = Row(Drawing(podium), body)
    return Form("", Row(crown, title, length=14), body)


def _round(part: BracketRound) -> Node:
    cards = [
        CardPanel(
            Column(
                Text(match.players, "body", lines=3, align="left"),
                Text(match.result, "body", ACCENT, lines=1, align="left", length=3.6) if match.result else None,
                gap=0,
            ),
            down=0.2,
            edge=ACCENT if match.is_next else LINE,
        )
        for match in part.fixtures
    ]
    return Column(_heading(part.title), Grid(cards, count=MAX_BRACKET_FIXTURES, gap=0.5), gap=1)


def _table(table: TournamentTable, rows_high: int) -> Node:
    rows = [
        Row(
            Text(f"{place}.", "title", MUTED, lines=1, length=8),
            Text(name, "title", lines=1, align="left"),
            Text(points, "title", ACCENT, lines=1, align="right", length=8),
        )
        for place, name, points in table.rows
    ]
    return Column(_heading(table.heading), Grid(rows, count=rows_high, gap=0.5, most=9), gap=1)


def _heading(text: str) -> Text:
    return Text(text, "title", lines=1, align="left", length=8)
