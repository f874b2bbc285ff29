"""Tournaments of a hall: from the organiser's events and what boxes have played, in whatever order that arrives."""

import itertools
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.record.tournament import (
    HallPlayerEntered,
    TournamentAbandoned,
    TournamentCorrected,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from rules.tournaments.fixture import Format, TournamentError
from rules.tournaments.tournament import Tournament
from tests.helpers.hall_boxes import NAMES, PlayingBox, add_playing_boxes, new_tournament
from tests.helpers.tournament_steps import fixture_id
from tests.helpers.waiting import LIMIT_S
from throwlock.hub.hub import AUTOMATIC, assign_ready
from throwlock.hub.pairings import assign, read_boxes, read_pairings
from throwlock.hub.players import add_players, forget_player, rename_player
from throwlock.hub.store import discard_box, settle_problem
from throwlock.hub.tournament_log import (
    LogBody,
    LogEntry,
    MatchCounted,
    MatchResultTaken,
    PairingGiven,
    PairingTakenBack,
)
from throwlock.hub.tournaments import (
    HallMatchRecord,
    HallTournament,
    compute_tournament,
    decide,
    plan,
    read_hall_tournament,
)
from throwlock.journal.events import ResultRecord

BY = "organiser"
Decide = Callable[[LogBody], HallTournament]


@pytest.fixture
def boxes(database: psycopg.Connection) -> list[PlayingBox]:
    return add_playing_boxes(database, 4)


def champions(tournament: HallTournament) -> list[str]:
    return [tournament.record.name(one) for one in tournament.record.state.champions]


def winners(tournament: HallTournament, fixture: str) -> list[str]:
    outcome = tournament.record.state.fixture(fixture_id(fixture)).outcome
    return [tournament.record.name(one) for one in outcome.winners] if outcome else []


# --- played at boxes -------------------------------------------------------------------------------------------------


def test_a_knockout_is_played_at_two_boxes(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)  # Ada - Dora, Ben - Cy
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    assign(database, number, fixture_id("K1.2"), "box-2", BY)
    at_table = read_pairings(database, "box-2")
    assert (at_table.table, at_table.pairings[0].tournament, at_table.pairings[0].round) == (
        "Table 2",
        "Spring open",
        1,
    )
    boxes[0].win("Ada")
    boxes[1].win("Cy")
    for box in boxes[:2]:
        box.send()
    assert not boxes[0].pairings and not boxes[1].pairings
    assign(database, number, fixture_id("K2.1"), "box-3", BY)
    assert [player.name for player in boxes[2].pairings[0].players] == ["Ada", "Cy"]
    boxes[2].win("Cy")
    boxes[2].send()
    found = read_hall_tournament(database, number)
    assert (champions(found), found.record.is_open, found.unfitting) == (["Cy"], False, ())
    assert [line.player for line in found.record.state.standings()][:2] == [3, 1]


def test_results_count_again_when_a_discarded_box_has_sent_them_again(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT, automatic=True)
    assign_ready(database)
    boxes[0].win("Ada")
    boxes[1].win("Cy")
    boxes[0].send()
    boxes[1].send()
    assign_ready(database)
    before = read_hall_tournament(database, number)
    discard_box(database, "box-1")
    assert assign_ready(database) == 0, "a match that was played is not given to another box meanwhile"
    assert not winners(read_hall_tournament(database, number), "K1.1")
    boxes[0].sent = 0
    boxes[0].send()
    again = read_hall_tournament(database, number)
    assert winners(again, "K1.1") == ["Ada"]
    assert (again.open, again.unfitting) == (before.open, before.unfitting)


def test_a_match_counts_only_from_its_own_box_with_its_own_players(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    pairing = boxes[0].pairings[0]
    boxes[1].play(pairing, 1)
    boxes[1].send()
    boxes[0].play(pairing.model_copy(update={"players": pairing.players[::-1]}), 1)
    boxes[0].send()
    assert boxes[0].pairings == (pairing,)
    assert fixture_id("K1.1") in read_hall_tournament(database, number).open
    boxes[0].play(pairing, 2)
    boxes[0].send()
    assert winners(read_hall_tournament(database, number), "K1.1") == ["Dora"]


def test_an_abandoned_match_leaves_the_pairing_to_its_box(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    boxes[0].abandon(boxes[0].begin(boxes[0].pairings[0]))
    boxes[0].send()
    found = read_hall_tournament(database, number)
    assert found.matches[boxes[0].pairings[0].id].is_abandoned
    boxes[0].win("Dora")
    boxes[0].send()
    assert winners(read_hall_tournament(database, number), "K1.1") == ["Dora"]


def test_of_two_matches_for_a_pairing_the_first_counts(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    pairing = boxes[0].pairings[0]
    boxes[0].play(pairing, 1)
    boxes[0].play(pairing, 2)
    boxes[0].send()
    assert winners(read_hall_tournament(database, number), "K1.1") == ["Ada"]


def test_a_drawn_knockout_match_is_given_out_again(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    boxes[0].play(boxes[0].pairings[0])
    boxes[0].send()
    found = read_hall_tournament(database, number)
    assert fixture_id("K1.1") in [fixture.id for fixture in found.ready] and fixture_id("K1.1") not in found.open
    assign(database, number, fixture_id("K1.1"), "box-2", BY)
    boxes[1].win("Dora")
    boxes[1].send()
    assert winners(read_hall_tournament(database, number), "K1.1") == ["Dora"]


# --- disputes --------------------------------------------------------------------------------------------------------


def test_a_match_that_ends_again_has_its_last_result(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    match = boxes[0].win("Ada")
    boxes[0].send()
    boxes[0].end(match, 2)
    boxes[0].send()
    found = read_hall_tournament(database, number)
    assert winners(found, "K1.1") == ["Dora"]
    assert len(found.pending) == 1
    assign(database, number, fixture_id("K1.2"), "box-1", BY)
    found = read_hall_tournament(database, number)
    assert not found.pending and winners(found, "K1.1") == ["Dora"]
    assert [type(entry.body) for entry in found.log].count(MatchResultTaken) == 1


def test_a_correction_after_the_next_assignment_is_too_late(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    assign(database, number, fixture_id("K1.2"), "box-2", BY)
    match = boxes[0].win("Ada")
    boxes[1].win("Ben")
    for box in boxes[:2]:
        box.send()
    final = assign(database, number, fixture_id("K2.1"), "box-3", BY).open[fixture_id("K2.1")]
    boxes[0].end(match, 2)
    boxes[0].send()
    found = read_hall_tournament(database, number)
    assert winners(found, "K1.1") == ["Ada"]
    assert [str(given.fixture) for given in found.late] == ["K1.1"]
    found = decide(database, number, PairingTakenBack(pairing=final.pairing), BY)
    assert not found.late and winners(found, "K1.1") == ["Dora"]
    found = assign(database, number, fixture_id("K2.1"), "box-3", BY)
    assert {found.record.name(one) for one in found.open[fixture_id("K2.1")].players} == {"Ben", "Dora"}


def test_what_the_organiser_corrects_counts_before_the_box(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.SWISS)
    assign(database, number, fixture_id("S1.1"), "box-1", BY)
    match = boxes[0].win("Ada")
    boxes[0].send()
    decide(database, number, TournamentCorrected(tournament=number, fixture=fixture_id("S1.1"), winners=(3,)), BY)
    boxes[0].end(match, 1, scores=(5, 0))
    boxes[0].send()
    assert winners(read_hall_tournament(database, number), "S1.1") == ["Cy"]


def test_a_correction_of_a_fixture_that_others_follow_from_is_refused(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    for fixture, player in (("K1.1", 1), ("K1.2", 2)):
        decide(
            database, number, TournamentResult(tournament=number, fixture=fixture_id(fixture), winners=(player,)), BY
        )
    assign(database, number, fixture_id("K2.1"), "box-1", BY)
    entries = len(read_hall_tournament(database, number).log)
    with pytest.raises(TournamentError, match="has begun"):
        decide(database, number, TournamentCorrected(tournament=number, fixture=fixture_id("K1.1"), winners=(4,)), BY)
    assert len(read_hall_tournament(database, number).log) == entries


# --- taken back ------------------------------------------------------------------------------------------------------


def test_a_lost_boxs_pairing_goes_to_another(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    given_first = assign(database, number, fixture_id("K1.1"), "box-1", BY).open[fixture_id("K1.1")]
    boxes[0].win("Ada")  # it is away: nothing is sent
    decide(database, number, PairingTakenBack(pairing=given_first.pairing), BY)
    assert not boxes[0].pairings
    assign(database, number, fixture_id("K1.1"), "box-2", BY)
    boxes[0].send()
    found = read_hall_tournament(database, number)
    assert not winners(found, "K1.1")
    assert [one.pairing for one in found.taken_back] == [given_first.pairing]
    boxes[1].win("Dora")
    boxes[1].send()
    assert winners(read_hall_tournament(database, number), "K1.1") == ["Dora"]


def test_the_organiser_can_count_a_match_that_was_played_nevertheless(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    lost = assign(database, number, fixture_id("K1.1"), "box-1", BY).open[fixture_id("K1.1")]
    boxes[0].win("Ada")
    decide(database, number, PairingTakenBack(pairing=lost.pairing), BY)
    assign(database, number, fixture_id("K1.1"), "box-2", BY)
    boxes[0].send()
    found = decide(database, number, MatchCounted(pairing=lost.pairing), BY)
    assert winners(found, "K1.1") == ["Ada"]
    assert not found.taken_back and not boxes[1].pairings
    with pytest.raises(TournamentError, match="can’t be counted"):
        decide(database, number, MatchCounted(pairing=lost.pairing), BY)


def test_pairings_are_taken_back(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.SWISS, NAMES[:6])
    for n, box in enumerate(boxes[:3], 1):
        assign(database, number, fixture_id(f"S1.{n}"), box.name, BY)
    players = [read_hall_tournament(database, number).open[fixture_id(f"S1.{n}")].players for n in (1, 2, 3)]
    decide(
        database, number, TournamentResult(tournament=number, fixture=fixture_id("S1.1"), winners=players[0][:1]), BY
    )
    decide(database, number, TournamentNoShow(tournament=number, fixture=fixture_id("S1.2"), player=players[1][0]), BY)
    found = decide(database, number, TournamentPlayerWithdrawn(tournament=number, player=players[2][0]), BY)
    assert not found.open and not any(box.pairings for box in boxes)
    outcomes = [found.record.state.fixture(fixture_id(f"S1.{n}")).outcome for n in (1, 2, 3)]
    assert [one.winners if one else () for one in outcomes] == [players[0][:1], players[1][1:], players[2][1:]]


def test_abandoning_takes_everything_back(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.SWISS)
    assign(database, number, fixture_id("S1.1"), "box-1", BY)
    found = decide(database, number, TournamentAbandoned(tournament=number), BY)
    assert not found.record.is_open and not found.ready and not boxes[0].pairings
    with pytest.raises(TournamentError, match="is over"):
        assign(database, number, fixture_id("S1.2"), "box-1", BY)


def test_a_replaced_journal_counts_no_more(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    boxes[0].win("Ada")
    boxes[0].send()
    row = database.execute("SELECT id FROM journal").fetchone()
    assert row is not None
    settle_problem(database, row[0], "restored from a copy", replace=True)
    assert fixture_id("K1.1") in read_hall_tournament(database, number).open
    again = PlayingBox(database, "box-1")
    again.win("Dora")
    again.send()
    assert winners(read_hall_tournament(database, number), "K1.1") == ["Dora"]


def test_a_match_of_players_who_should_not_have_met_does_not_count(
    database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    for fixture, box, winner in (("K1.1", boxes[0], "Ada"), ("K1.2", boxes[1], "Ben"), ("K2.1", boxes[2], "Ada")):
        given = assign(database, number, fixture_id(fixture), box.name, BY).open[fixture_id(fixture)]
        box.win(winner)
        box.send()
    assert champions(read_hall_tournament(database, number)) == ["Ada"]
    row = database.execute("SELECT id FROM journal WHERE box = 'box-1'").fetchone()
    assert row is not None
    settle_problem(database, row[0], "rewritten", replace=True)
    again = PlayingBox(database, "box-1")
    again.win("Dora")
    again.send()
    found = read_hall_tournament(database, number)
    assert [str(why) for _, why in found.unfitting] == ["match K2.1 is played by others now"]
    assert not champions(found) and found.open[fixture_id("K2.1")] == given
    decide(database, number, PairingTakenBack(pairing=given.pairing), BY)
    found = assign(database, number, fixture_id("K2.1"), "box-4", BY)
    assert {found.record.name(one) for one in found.open[fixture_id("K2.1")].players} == {"Ben", "Dora"}


# --- who plays where -------------------------------------------------------------------------------------------------


def test_what_can_be_played_goes_to_free_boxes_by_itself(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.ROUND_ROBIN, NAMES[:6], automatic=True)
    database.execute("UPDATE box SET state = 'lost' WHERE id = 'box-2'")
    database.execute("""UPDATE box SET properties = '{"box/match": "classic"}' WHERE id = 'box-3'""")
    assert assign_ready(database) == 2
    found = read_hall_tournament(database, number)
    assert sorted(one.box for one in found.open.values()) == ["box-1", "box-4"]
    assert found.log[-1].by == AUTOMATIC
    assert assign_ready(database) == 0
    players = [player for one in found.open.values() for player in one.players]
    assert len(set(players)) == 4
    boxes[0].play(boxes[0].pairings[0], 1)
    boxes[0].send()
    assert assign_ready(database) == 1
    assert not [one for one in read_boxes(database) if one.is_free]


def test_nothing_is_given_out_unless_it_is_switched_on(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assert assign_ready(database) == 0
    assert not read_hall_tournament(database, number).open


def test_nobody_plays_at_two_tables(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    first = new_tournament(database, Format.ROUND_ROBIN, NAMES[:3])
    other = new_tournament(database, Format.KNOCKOUT, NAMES[:2], automatic=True)
    assign(database, first, read_hall_tournament(database, first).ready[0].id, "box-1", BY)
    busy = read_hall_tournament(database, first).open
    (one,) = busy.values()
    for fixture in read_hall_tournament(database, first).ready:
        with pytest.raises(TournamentError, match="plays somewhere else"):
            assign(database, first, fixture.id, "box-2", BY)
    assert assign_ready(database) == 0
    decide(database, first, PairingTakenBack(pairing=one.pairing), BY)
    assert assign_ready(database) == 1
    assert read_hall_tournament(database, other).open


def test_a_removed_box_is_given_nothing(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT, NAMES[:2], automatic=True)
    database.execute("UPDATE box SET removed_at = now()")
    assert read_boxes(database) == []
    assert assign_ready(database) == 0
    with pytest.raises(TournamentError, match="no box"):
        assign(database, number, fixture_id("K1.1"), boxes[0].name, BY)


@pytest.mark.parametrize(
    ("fixture", "box", "why"),
    [("K1.1", "box-1", "assigned already"), ("K1.2", "box-9", "no box"), ("K7.1", "box-1", "no match"),
     ("K2.1", "box-2", "can’t be played yet"), ("K1.2", "box-3", "matches to play already")],
)  # fmt: skip
def test_what_cannot_be_given_out(
    database: psycopg.Connection, boxes: list[PlayingBox], fixture: str, box: str, why: str
) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    for n in range(8):
        pair = new_tournament(database, Format.KNOCKOUT, [f"Left {n}", f"Right {n}"])
        assign(database, pair, fixture_id("K1.1"), "box-3", BY)
    with pytest.raises(TournamentError, match=why):
        assign(database, number, fixture_id(fixture), box, BY)


def test_a_box_is_shown_the_players_present_names(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.KNOCKOUT)
    assign(database, number, fixture_id("K1.1"), "box-1", BY)
    ada, dora = boxes[0].pairings[0].players
    with database.transaction():
        rename_player(database, ada.id, "Ada L.")
        forget_player(database, dora.id)
    assert [one.name for one in boxes[0].pairings[0].players] == ["Ada L.", "Forgotten player"]
    assert read_pairings(database, "nobody") == read_pairings(database, "nobody").model_copy(
        update={"table": "", "pairings": ()}
    )


def test_boxes_are_told_when_their_pairings_change(
    dsn: str, database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    with psycopg.connect(dsn, autocommit=True) as listener:
        listener.execute("LISTEN pairings")

        def told() -> list[str]:
            database.commit()
            database.execute("NOTIFY pairings, 'no more'")
            database.commit()
            payloads = (note.payload for note in listener.notifies(timeout=LIMIT_S))
            return list(iter(lambda: next(payloads), "no more"))

        number = new_tournament(database, Format.KNOCKOUT)
        one = assign(database, number, fixture_id("K1.1"), "box-1", BY).open[fixture_id("K1.1")]
        assert told() == ["box-1"]
        decide(database, number, PairingTakenBack(pairing=one.pairing), BY)
        assert told() == ["box-1"]
        assign(database, number, fixture_id("K1.1"), "box-2", BY)
        assert told() == ["box-2"]
        boxes[1].win("Ada")
        boxes[1].send()
        assert told() == ["box-2"]
        assign(database, number, fixture_id("K1.2"), "box-3", BY)
        rename_player(database, boxes[2].pairings[0].players[0].id, "Benedict")
        assert told() == ["box-3"]
        database.execute("UPDATE box SET table_name = 'By the window' WHERE id = 'box-4'")
        assert told() == ["box-4"]


# --- every format, any order of arrival -------------------------------------------------------------------------------

Results = Callable[[Sequence[int]], int]


def first_log(form: Format, players: int) -> list[LogBody]:
    setup = TournamentStarted(game="classic", options={}, format=form, table_size=4)
    return [setup, *(HallPlayerEntered(player=f"{n:032x}") for n in range(players))]


def compute(bodies: Sequence[LogBody], matches: dict[str, HallMatchRecord]) -> HallTournament:
    at = datetime(2026, 5, 2, tzinfo=UTC)
    log = [LogEntry(number, at, BY, body) for number, body in enumerate(bodies, 1)]
    return compute_tournament(1, log, matches, {})


def play_at_tables(form: Format, players: int, data: st.DataObject) -> tuple[HallTournament, Tournament]:
    """Play a tournament at boxes whose results come in any order, each as soon as somebody likes. Whoever has the
    lowest number wins; return it, and the state of the same played on one box."""
    bodies, matches, under_way = first_log(form, players), dict[str, HallMatchRecord](), list[PairingGiven]()
    keys = itertools.count(1)
    while True:
        found = compute(bodies, matches)
        assert not found.unfitting and not found.late
        ready = [one for one in found.ready if len(under_way) < 3]
        if not ready and not under_way:
            return found, found.record.state
        if ready and (not under_way or data.draw(st.booleans(), label="give out")):
            fixture = data.draw(st.sampled_from(ready))
            one = PairingGiven(pairing=f"{next(keys):032x}", fixture=fixture.id, box="box-1", players=fixture.present)
            bodies += plan(found, one)
            under_way.append(one)
        else:
            one = under_way.pop(data.draw(st.integers(0, len(under_way) - 1), label="arrives"))
            best = min(one.players)
            scores = {seat: len(one.players) - player for seat, player in enumerate(one.players, 1)}
            result = ResultRecord(winners=(one.players.index(best) + 1,), scores=scores)
            ends = [(5, result)]
            if data.draw(st.booleans(), label="first another result"):
                ends.insert(0, (3, result.model_copy(update={"winners": (one.players.index(max(one.players)) + 1,)})))
            matches[one.pairing] = HallMatchRecord(1, 1, datetime(2026, 5, 2, tzinfo=UTC), tuple(ends))


@pytest.mark.parametrize("form", list(Format))
@settings(max_examples=25, deadline=None)
@given(data=st.data(), players=st.integers(2, 9))
def test_standings_do_not_depend_on_the_order_of_arrival(form: Format, players: int, data: st.DataObject) -> None:
    found, state = play_at_tables(form, players, data)
    assert state.champions and not found.record.is_open
    in_order = {pairing: found.matches[pairing] for pairing in sorted(found.matches)}
    again = compute([entry.body for entry in found.log], in_order).record
    assert again.state.standings() == state.standings()
    assert again.state.champions == (1,) == state.champions


def test_1024_players_find_a_champion() -> None:
    bodies, matches = first_log(Format.KNOCKOUT, 1024), dict[str, HallMatchRecord]()
    at = datetime(2026, 5, 2, tzinfo=UTC)
    found = compute(bodies, matches)
    while found.record.is_open:
        first = found.ready[0]
        one = PairingGiven(pairing=f"{len(bodies):032x}", fixture=first.id, box="box-1", players=first.present)
        bodies += plan(found, one)
        for fixture in found.ready:
            one = PairingGiven(pairing=f"{len(bodies):032x}", fixture=fixture.id, box="box-1", players=fixture.present)
            bodies += [one] if fixture.id != first.id else []
        for body in bodies:
            if isinstance(body, PairingGiven):
                matches.setdefault(
                    body.pairing, HallMatchRecord(1, 1, at, ((2, ResultRecord(winners=(1,), scores={1: 1, 2: 0})),))
                )
        found = compute(bodies, matches)
    assert found.record.state.champions == (1,)
    assert len(matches) == 1023


def test_players_can_enter_a_swiss_late(database: psycopg.Connection, boxes: list[PlayingBox]) -> None:
    number = new_tournament(database, Format.SWISS)
    assign(database, number, fixture_id("S1.1"), "box-1", BY)
    (late,) = add_players(database, ["Zoe"])
    found = decide(database, number, HallPlayerEntered(player=late), BY)
    assert found.record.names[-1] == "Zoe"
    with pytest.raises(TournamentError, match="already"):
        decide(database, number, HallPlayerEntered(player=late), BY)


def test_two_hubs_give_each_box_and_each_match_once(
    dsn: str, database: psycopg.Connection, boxes: list[PlayingBox]
) -> None:
    number = new_tournament(database, Format.SWISS, NAMES, automatic=True)

    def work() -> None:
        with psycopg.connect(dsn) as connection:
            assign_ready(connection)

    hubs = [threading.Thread(target=work) for _ in range(4)]
    for hub in hubs:
        hub.start()
    for hub in hubs:
        hub.join()
    assert [len(box.pairings) for box in boxes] == [1, 1, 1, 1]
    found = read_hall_tournament(database, number)
    assert len(found.open) == 4 and not found.unfitting
    assert [entry.number for entry in found.log] == list(range(1, len(found.log) + 1))
