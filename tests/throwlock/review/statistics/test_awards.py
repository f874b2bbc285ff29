"""The awards of an evening: who gets them, with how much data, and which matches are of an evening."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rules.catalogue import find_game
from rules.record.seat_entry import SeatEntry
from rules.throws import Outcome, Throw
from tests.helpers.journal_builder import JournalBuilder, P, R, S, make_hand
from tests.helpers.seat_entries import make_entry
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, ImportedFrom, MatchAbandoned
from throwlock.journal.journal import Journal
from throwlock.replay.config import MatchConfig
from throwlock.review.archive import ArchiveOpener
from throwlock.review.statistics.awards import (
    EVENING_GAP,
    OpenedBet,
    PlayerEvening,
    choose_awards,
    is_same_evening,
    opened_bets,
)
from ui.charts.statistics import Award, AwardKind, Evening

WON, LOST, TIED = Outcome
CLASSIC = find_game("classic").set_up(2, {"best_of": 5})
CYCLE = tuple(Throw) * 12
MIXED = (0, 0, 1, 0, 2, 2, 1, 1, 2, 0, 2, 1, 0, 0, 1, 2, 1, 1, 0, 2, 2, 0, 1, 0, 2, 1, 1, 2, 0, 0, 2, 1, 2, 0, 1, 1)
"""Throws by number, without a pattern."""


def thrown(*times_ms: float, outcome: Outcome = TIED) -> list[SeatEntry]:
    """Return rounds of which the hand showed at these times."""
    return [make_entry(outcome=outcome, on_time_ms=ms) for ms in times_ms]


def awards(*players: PlayerEvening) -> dict[AwardKind, Award]:
    """Return the awards by kind."""
    return {one.kind: one for one in choose_awards(players)}


def test_the_quickest_and_the_steadiest() -> None:
    quick = PlayerEvening("Ada", thrown(*[10, 20, 30, 40, 50, 60, 70, 80, 90]))
    steady = PlayerEvening("Ben", thrown(*[60] * 8))
    few = PlayerEvening("Cy", thrown(*[1] * 7))
    found = awards(quick, steady, few)
    assert found[AwardKind.QUICKEST] == Award(AwardKind.QUICKEST, ("Ada",), "usually 50 ms after the cue")
    assert found[AwardKind.STEADIEST].names == ("Ben",)
    assert awards(quick, few)[AwardKind.QUICKEST].names == ()  # nobody to compare with
    twin = PlayerEvening("Dee", thrown(*[50.3] * 8))
    assert awards(quick, twin)[AwardKind.QUICKEST].names == ("Ada", "Dee")  # equal to the millisecond


def test_the_longest_streak() -> None:
    players = (
        PlayerEvening("Ada", thrown(1, 2, 3, outcome=WON) + thrown(1, outcome=LOST)),
        PlayerEvening("Ben", thrown(1, 2, outcome=WON) + thrown(1) + thrown(1, outcome=WON)),
        PlayerEvening("Cy", thrown(1, 2, outcome=WON)),
    )
    assert awards(*players)[AwardKind.LONGEST_STREAK].names == ("Ada", "Ben")
    assert awards(players[2])[AwardKind.LONGEST_STREAK].names == ()


def test_the_boldest_bet_is_a_share_of_the_points() -> None:
    ada = PlayerEvening("Ada", (), bets=[OpenedBet(1, 20, 40), OpenedBet(1, 5, 15), OpenedBet(1, 5, 60)])
    ben = PlayerEvening("Ben", (), bets=[OpenedBet(2, 10, 10), OpenedBet(2, 5, 10)])
    found = awards(ada, ben)[AwardKind.BOLDEST_BET]
    assert (found.names, found.detail) == (("Ben",), "bet 10 of 10 points")
    more = PlayerEvening("Cy", (), bets=[OpenedBet(1, 15, 15)])
    assert awards(ada, ben, more)[AwardKind.BOLDEST_BET].names == ("Cy",)
    assert awards(ben)[AwardKind.BOLDEST_BET].names == ()  # too few bets


def test_who_is_predictable_and_who_is_not() -> None:
    ada = PlayerEvening("Ada", [make_entry(throw=throw, outcome=TIED) for throw in CYCLE])
    ben = PlayerEvening("Ben", [make_entry(throw=list(Throw)[number], outcome=TIED) for number in MIXED])
    cy = PlayerEvening("Cy", [make_entry(throw=throw, outcome=TIED) for throw in CYCLE[:29]])
    found = awards(ada, ben, cy)
    assert found[AwardKind.MOST_PREDICTABLE].names == ("Ada",)
    assert found[AwardKind.HARDEST_TO_GUESS].names == ("Ben",)
    assert awards(ben, cy)[AwardKind.MOST_PREDICTABLE].names == ()
    assert awards(ada, ada)[AwardKind.HARDEST_TO_GUESS].names == ()


def test_the_fairest_played_most_without_a_foul() -> None:
    ada, ben = PlayerEvening("Ada", thrown(*[1] * 10)), PlayerEvening("Ben", thrown(*[1] * 30), fouls=1)
    cy = PlayerEvening("Cy", thrown(*[1] * 9))
    found = awards(ada, ben, cy)[AwardKind.FAIREST]
    assert (found.names, found.detail) == (("Ada",), "10 rounds without a foul")
    assert awards(ben, cy)[AwardKind.FAIREST].names == ()


def test_nobody_has_awards_without_players() -> None:
    found = choose_awards(())
    assert [one.kind for one in found] == list(AwardKind)
    assert not any(one.names for one in found) and all(one.detail for one in found)


@pytest.mark.parametrize(
    ("gap", "same"),
    [
        (timedelta(0), True),
        (EVENING_GAP, True),
        (EVENING_GAP + timedelta(seconds=1), False),
        (timedelta(seconds=-30), True),
        (timedelta(hours=-1), False),  # the clock went back
    ],
)
def test_which_matches_are_of_an_evening(gap: timedelta, same: bool) -> None:
    until = datetime(2026, 11, 21, 22, tzinfo=UTC)
    assert is_same_evening(until.isoformat(), (until + gap).isoformat()) is same


class Clock:
    """A clock that only moves by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 19, tzinfo=UTC)

    def __call__(self) -> str:
        return self.now.isoformat(timespec="milliseconds")


def read_evening(path: Path) -> Evening:
    """Return the journal's evening."""
    opener = ArchiveOpener(path, path.parent / "cache")
    with opener.open() as archive:
        found = archive.evening()
    opener.close()
    return found


def test_an_evening_from_its_journal(tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / "evening.journal"
    box = JournalBuilder(path)
    box.close()
    with Journal(path, clock) as journal:
        box.journal = journal

        def play(names: tuple[str, str], *rounds: tuple[str, str]) -> list[int]:
            config = MatchConfig(CLASSIC, names, HouseRules(), camera="clip:x")
            box.match = journal.start_match(config.start_event(), names)
            events = [box.add_round(*hands) for hands in rounds]
            journal.append(box.match, MatchAbandoned())
            return events

        play(("Ada", "Ben"), *[(R, S)] * 4)
        clock.now += timedelta(hours=5)
        play(("Ada", "Player 2"), *[(P, R)] * 2, (P, S))
        clock.now += timedelta(hours=2)
        played = play(("Ben", "Player 2"), *[(P, R)] * 3)
        box.add_round(P, make_hand(R, "late"))  # void
        streak = next(one for one in read_evening(path).awards if one.kind is AwardKind.LONGEST_STREAK)
        assert (streak.names, streak.detail) == (("Ben",), "3 rounds won in a row")
        clock.now += timedelta(hours=20)
        box.correct(played[1], 2, S)  # on the next day
        found = read_evening(path)
        assert (found.matches, found.began_at) == (2, "2026-11-22T00:00:00.000+00:00")
        assert not any(one.names for one in found.awards)  # two in a row by Ada, one and one by Ben
        play(("Ada", "Ben"), *[(P, R)] * 3)
        assert read_evening(path).matches == 1


def test_bets_are_known_once_they_are_opened(tmp_path: Path) -> None:
    game = find_game("redeux").set_up(2, {"risk": "always", "goal": 100})
    box = JournalBuilder(tmp_path / "evening.journal", game)
    for _ in range(3):
        box.add_round(R, S)
    box.add_answer("bet", {1: 10})
    assert opened_bets(box.journal.events(box.match)) == []  # sealed until the throw
    box.add_round(R, S)
    assert opened_bets(box.journal.events(box.match)) == [OpenedBet(1, 10, 15)]
    assert isinstance(box.journal.events(box.match)[4].body, Answered)
    box.close()


def test_no_award_for_a_default_name_or_an_imported_match(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    box.match = box.start_match("Player 1", "Ben")
    for _ in range(3):
        box.add_round(R, S)
    journal_hash = "0" * 64
    origin = ImportedFrom(
        journal=journal_hash, match=1, first_hash=journal_hash, last_event=9, last_hash=journal_hash, imported_at="2026"
    )
    names = ("Ada", "Ben")
    started = MatchConfig(CLASSIC, names, HouseRules()).start_event().model_copy(update={"imported_from": origin})
    box.match = box.journal.start_match(started, names)
    for _ in range(3):
        box.add_round(P, R)
    box.close()
    found = read_evening(box.path)
    assert found.matches == 2 and not any(one.names for one in found.awards)
