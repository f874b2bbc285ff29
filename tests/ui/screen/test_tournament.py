"""Pages of tournaments: every match of every bracket can be found and touched, results can only be what they can be."""

from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from rules.record.tournament import TournamentNoShow, TournamentResult
from rules.tournaments.fixture import (
    Fixture,
    FixtureResult,
    Format,
    TournamentSetup,
)
from tests.helpers.page_rules import drawn
from tests.helpers.samples.tournament import after, players, view_of
from tests.helpers.tournament_steps import fixture_id, started, withdrawn
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages import tournament as tournament_page
from ui.screen.pages.new_tournament import (
    MAX_TOUCHED_PLAYERS,
    Draft,
    EntrantKeyboardPage,
    EntrantsPage,
    NewTournament,
    SeedsPage,
)
from ui.screen.pages.tournament import (
    NOT_COME,
    ConfirmPage,
    FixturePage,
    PlayersPage,
    PlayFixture,
    StandingsPage,
    TournamentAction,
    TournamentRoundPage,
    TournamentView,
)
from ui.screen.views import Reply, View

SIZES = ((800, 480), (720, 1280))
SIZE_IDS = ["800x480", "720x1280"]


def labels_of(page: SeedsPage, size: tuple[int, int]) -> list[str]:
    return [target.label for target in drawn(page, size).targets]


def list_pages(page: TournamentRoundPage, size: tuple[int, int]) -> Iterator[Canvas]:
    """Yield every part of a round."""
    number = 0
    while True:
        canvas = drawn(page.with_list_page(number), size)
        yield canvas
        forward = [one.press for one in canvas.targets if one.label == "More"]
        if not forward:
            return
        number += 1
        assert forward == [page.with_list_page(number)]


@pytest.mark.parametrize("size", SIZES, ids=SIZE_IDS)
@pytest.mark.parametrize(
    ("form", "count", "played"),
    [
        (Format.KNOCKOUT, 2, 0),
        (Format.KNOCKOUT, 13, 9),
        (Format.KNOCKOUT, 64, 40),
        (Format.DOUBLE_KNOCKOUT, 11, 19),
        (Format.ROUND_ROBIN, 7, 4),
        (Format.GROUPS, 10, 14),
        (Format.SWISS, 33, 20),
        (Format.TABLES, 22, 3),
    ],
)
def test_every_match_with_two_players_can_be_found_and_touched(
    form: Format, count: int, played: int, size: tuple[int, int]
) -> None:
    view = view_of(after(TournamentSetup(form), count, played))
    expected = {one.id for one in view.summary.fixtures if all(one.players) and not one.is_bye}
    found = {
        target.press.fixture.id
        for number in range(len(view.rounds))
        for canvas in list_pages(TournamentRoundPage(view, number), size)
        for target in canvas.targets
        if isinstance(target.press, FixturePage)
    }
    assert found == expected


@pytest.mark.parametrize("size", SIZES, ids=SIZE_IDS)
@pytest.mark.parametrize("played", [0, 5, 17, 40, 61])
def test_the_first_page_has_the_next_match_and_plays_it(played: int, size: tuple[int, int]) -> None:
    view = view_of(after(TournamentSetup(Format.KNOCKOUT), 64, played))
    canvas = drawn(view.first_page(), size)
    fixtures = {one.press.fixture.id for one in canvas.targets if isinstance(one.press, FixturePage)}
    assert view.ready[0].id in fixtures
    (play,) = [one.press for one in canvas.targets if one.main]
    assert isinstance(play, Reply) and isinstance(play.value, PlayFixture)
    assert play.value.fixture == view.ready[0].id


def test_a_match_that_has_begun_comes_before_the_others() -> None:
    view = view_of(after(TournamentSetup(Format.KNOCKOUT), 8, 1, started("K1.4")))
    assert [str(fixture.id) for fixture in view.ready] == ["K1.4", "K1.2", "K1.3"]
    interrupted = replace(view, notes={fixture_id("K1.4"): tournament_page.INTERRUPTED})
    assert "Play" in texts(view.first_page()) and "Go on" in texts(interrupted.first_page())


def texts(page: View) -> set[str]:
    return {one.text for one in drawn(page, SIZES[0]).texts}


def test_a_tournament_that_is_over_names_its_places() -> None:
    view = view_of(after(TournamentSetup(Format.KNOCKOUT), 8, 7))
    names = players(8)
    champion = names[view.summary.champions[0] - 1]
    assert f"{champion} wins" in texts(view.first_page())
    (prize,) = [text for text in texts(view.first_page()) if "\n" in text]
    second = next(row.player for row in view.summary.tables[0][1] if row.place == 2)
    assert prize.startswith(f"{view.summary.heading} · 8 players\n2. {names[second - 1]}\n3. ")
    assert " and " in prize.splitlines()[2], "both who lost a semi-final"
    assert not any(target.main for target in drawn(view.first_page(), SIZES[0]).targets)


def buttons(page: FixturePage | PlayersPage) -> dict[str, object]:
    return {target.label: target.press for target in drawn(page, SIZES[0]).targets}


def match_page(form: Format, count: int = 8, played: int = 0, **setup: int) -> FixturePage:
    view = view_of(after(TournamentSetup(form, **setup), count, played))
    return FixturePage(view.first_page(), view.ready[0])


def result(page: FixturePage, *winners: int) -> TournamentResult:
    return TournamentResult(tournament=1, fixture=page.fixture.id, winners=winners)


def test_only_a_round_robin_may_be_drawn() -> None:
    page = match_page(Format.KNOCKOUT)
    first, second = page.fixture.present
    assert "Enter the result" not in buttons(page)
    chosen = page.toggle(first).toggle(second)
    assert chosen.winners == (second,) and chosen.toggle(second).winners == ()
    assert buttons(chosen)["Hanako won"] == Reply(TournamentAction(result(chosen, second)))
    robin = match_page(Format.ROUND_ROBIN)
    assert buttons(robin)["Drawn"] == Reply(TournamentAction(result(robin)))
    both = robin.toggle(robin.fixture.present[0]).toggle(robin.fixture.present[1])
    assert both.winners == robin.fixture.present
    assert any(label.endswith("drew") for label in buttons(both))


def test_somebody_who_did_not_come_is_one_and_is_confirmed() -> None:
    page = match_page(Format.TABLES, table_size=4)
    first, second = page.fixture.present[:2]
    assert str(NOT_COME) not in buttons(page) and str(NOT_COME) not in buttons(page.toggle(first).toggle(second))
    confirm = buttons(page.toggle(second))[str(NOT_COME)]
    assert confirm == ConfirmPage(
        page.toggle(second),
        Reply(TournamentAction(TournamentNoShow(tournament=1, fixture=page.fixture.id, player=second))),
    )
    assert isinstance(confirm, ConfirmPage)
    assert "The others at the table play without Bartholomew." in texts(confirm)


def test_results_are_corrected_and_abandoned_tournaments_rest() -> None:
    view = view_of(after(TournamentSetup(Format.KNOCKOUT), 4, 1))
    done = next(one for one in view.summary.fixtures if one.outcome)
    page = FixturePage(view.first_page(), done)
    assert "Play" not in buttons(page) and str(NOT_COME) not in buttons(page)
    assert "Dolores won" in buttons(page.toggle(4))
    given_up = replace(view, summary=replace(view.summary, is_open=False))
    assert given_up.ready == () and str(tournament_page.GIVEN_UP) in texts(given_up.first_page())


def test_only_who_can_still_play_can_leave() -> None:
    view = view_of(after(TournamentSetup(Format.KNOCKOUT), 4, 1))
    (lost,) = {*(done := view.summary.fixtures[0]).players} - {*done.outcome.winners}
    page = PlayersPage(view.first_page())
    leaving = {
        press.reply.value.event.player
        for press in buttons(page).values()
        if isinstance(press, ConfirmPage) and isinstance(press.reply.value, TournamentAction)
    }
    assert leaving == {1, 2, 3, 4} - {lost}
    swiss = view_of(after(TournamentSetup(Format.SWISS), 4, 1, withdrawn(2)))
    assert [player for player in range(1, 5) if swiss.can_withdraw(player)] == [1, 3, 4]
    assert not replace(swiss, summary=replace(swiss.summary, is_open=False)).can_withdraw(1)


@pytest.mark.parametrize("size", SIZES, ids=SIZE_IDS)
def test_matches_won_have_one_column(size: tuple[int, int]) -> None:
    for form in (Format.SWISS, Format.GROUPS, Format.TABLES):
        page = StandingsPage(view_of(after(TournamentSetup(form), 8, 3)).first_page())
        shown = [text.text for text in drawn(page, size).texts]
        assert shown.count("W") == 1 and "Wins" not in shown


def test_a_drawn_match_looks_drawn() -> None:
    view = view_of(after(TournamentSetup(Format.SWISS), 2, 0))
    (fixture,) = view.summary.fixtures

    def picture(*winners: int) -> bytes:
        ended = replace(fixture, outcome=FixtureResult(winners))
        page = replace(view, summary=replace(view.summary, fixtures=(ended,))).first_page()
        return pygame.image.tobytes(drawn(page, SIZES[0]).surface, "RGB")

    assert picture() == picture(1, 2) != picture(1)


def test_standings_show_every_tie_break_that_is_explained() -> None:
    for form in (Format.SWISS, Format.GROUPS, Format.TABLES):
        view = view_of(after(TournamentSetup(form), 8, 3))
        page = StandingsPage(view.first_page())
        breaks = len(view.summary.tables[0][1][0].tie_breaks)
        explained = tournament_page.points_lines(view.summary, 0)[-breaks:]
        headings = [str(line).partition(" · ")[0].partition(":")[0] for line in explained]
        assert {*headings} <= texts(page)


def entrants(*known: str) -> EntrantsPage:
    page = NewTournament("Classic", 2, 2, known, title="Cup").first_page()
    return page.choose(Format.SWISS)


def test_players_are_touched_or_written_and_nobody_is_in_twice() -> None:
    page = entrants("Zoë", "Ben")
    page = replace(page, draft=page.draft.toggle("Ben"))
    assert not page.can_draw
    page = page.enter("ada").enter("ZOË").enter("Ada").enter("ben")
    assert page.draft.names == ("Ben", "ada", "Zoë") and page.can_draw
    assert page.names == ("ada", "Zoë", "Ben"), "what was written comes first"
    out = replace(page, draft=page.draft.toggle("ada"))
    assert out.draft.names == ("Ben", "Zoë") and "ada" in out.names, "it can be touched again"


def test_everybody_here_is_entered_once_and_offered_first() -> None:
    view = NewTournament("Classic", 2, 2, ("Zoë", "Ben", "Ann"), title="Cup", here=("Dot", "zoë"))
    page = view.first_page().choose(Format.SWISS)
    assert page.names == ("Dot", "Zoë", "Ben", "Ann")
    page = replace(page, draft=page.draft.toggle("Ben")).enter_everybody()
    assert page.draft.names == ("Ben", "Dot", "zoë")
    assert page.enter_everybody().draft.names == page.draft.names


def test_no_more_players_than_can_be_shown_are_entered() -> None:
    draft = Draft(Format.SWISS)
    for number in range(MAX_TOUCHED_PLAYERS + 1):
        draft = draft.toggle(f"P{number}")
    assert len(draft.names) == MAX_TOUCHED_PLAYERS == 64
    full = EntrantKeyboardPage(replace(entrants(), draft=draft)).with_text("Zoë")
    assert full.next_name() is None


def test_moved_seed_keeps_the_others_order() -> None:
    draft = Draft(Format.KNOCKOUT, ("a", "b", "c", "d"))
    assert draft.move(3, 1).names == ("a", "d", "b", "c")
    assert draft.move(0, 2).names == ("b", "c", "a", "d")
    assert Draft(Format.SWISS, tuple("abcde")).shown_rounds == 3


def test_a_match_that_needs_no_playing_is_said_in_words() -> None:
    view = view_of(after(TournamentSetup(Format.KNOCKOUT), 3, 0))
    bye: Fixture = next(one for one in view.summary.fixtures if one.is_bye)
    assert isinstance(view, TournamentView) and str(bye.id) == "K1.1"
    assert {"Ann", "bye"} <= texts(view.first_page())


@pytest.mark.parametrize("size", SIZES, ids=SIZE_IDS)
def test_a_moved_seed_stays_on_its_page_of_the_list(size: tuple[int, int]) -> None:
    view = NewTournament("RPS Redeux", known_names=players(30), can_rank=True)
    page = SeedsPage(view, Draft(Format.GROUPS, players(24), "A title"))
    first, *later = (
        [
            sorted(label for label in labels_of(shown.with_list_page(number), size) if label[0].isdigit())
            for number in range(3)
        ]
        for shown in (page, page.select(3))
    )
    assert later == [first], "it would move to another page of the list"
    assert len({*first[0], *first[1], *first[2]}) == 24
    assert size != SIZES[1] or first[1] == first[2], (
        "the last choices take more room than they need: there are three pages"
    )


def test_a_list_that_became_shorter_shows_its_last_page() -> None:
    page = SeedsPage(NewTournament("RPS Redeux"), Draft(Format.GROUPS, players(24), "A title"))
    assert any(label.startswith("24. ") for label in labels_of(page.with_list_page(9), SIZES[1]))
