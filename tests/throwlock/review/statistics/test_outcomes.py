"""Outcomes of rounds in a journal: corrections count, void rounds don't, pairs and Battle follow the game."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rules.catalogue import GAMES, find_game
from rules.throws import Outcome, Throw
from tests.helpers.journal_builder import RESULT, JournalBuilder, P, R, S, make_hand
from throwlock.journal.events import MatchEnded, ResultRecord
from throwlock.journal.journal import Event
from throwlock.replay.project import project
from tools.sample_journal import SampleClock, SampleJournal, SampleMatch

WON, LOST, TIED = Outcome


def round_outcomes(events: Sequence[Event]) -> dict[int, dict[int, Outcome]]:
    """Return the outcomes of the rounds that count, by event and seat, of the seats that have one."""
    return {
        line.event: {seat.seat: seat.throw_outcome for seat in line.seats if seat.throw_outcome is not None}
        for line in project(events).rounds
        if not line.is_void
    }


def test_corrections_count_and_void_rounds_do_not(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    won, tied = box.add_round(R, S), box.add_round(P, P)
    late = box.add_round(R, make_hand(P, "late", at_lock=R, shown_ms=351.26))
    box.correct(won, 2, P)
    assert round_outcomes(box.journal.events(box.match)) == {won: {1: LOST, 2: WON}, tied: {1: TIED, 2: TIED}}
    box.correct(late, 2, P)
    assert round_outcomes(box.journal.events(box.match))[late] == {1: LOST, 2: WON}
    box.correct(won, None)
    assert won not in round_outcomes(box.journal.events(box.match))
    box.close()


def test_pairs_play_against_each_other_only(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal", find_game("redeux").set_up(4, {"risk": "never"}))
    event = box.add_round(R, S, P, P)
    assert round_outcomes(box.journal.events(box.match)) == {event: {1: WON, 2: LOST, 3: TIED, 4: TIED}}
    box.close()


def test_battle_follows_its_options(tmp_path: Path) -> None:
    game = find_game("battle").set_up(
        2,
        {
            "rounds": 1,
            **dict.fromkeys(("team", "survivor", "blitz", "count", "classic", "changes"), False),
            "inverted": True,
        },
    )
    box = JournalBuilder(tmp_path / "evening.journal", game)
    event = box.add_round(R, S)
    assert round_outcomes(box.journal.events(box.match)) == {event: {1: LOST, 2: WON}}
    box.close()


def test_every_sample_game_has_outcomes_that_add_up(tmp_path: Path) -> None:
    path, rng = tmp_path / "evening.journal", random.Random(4)
    with SampleJournal(path, SampleClock()) as journal, journal.in_one_transaction():
        for name, seats in (("classic", 3), ("redeux", 5), ("battle", 4), ("tr", 2), ("future", 3), ("board", 2)):
            options = {"quiet": 10} if name == "board" else {"rounds": 3} if name == "battle" else {}
            SampleMatch(journal, rng, GAMES[name].set_up(seats, options)).play(60)
    with SampleJournal(path) as journal:
        for match in journal.matches():
            found = round_outcomes(journal.events(match))
            assert found
            for outcomes in found.values():
                count = Counter(outcomes.values())
                assert bool(count[WON]) == bool(count[LOST]) and (not outcomes or len(outcomes) > 1)


def test_a_players_page_has_the_figures(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal")
    for _ in range(2):
        box.add_round(R, S)
    box.add_round(R, R)
    box.add_round(make_hand(R, "late"), S)
    with box.shelf.open() as archive:
        ada = next(one.player.key for one in archive.players() if one.player.name == "Ada")
        assert ada is not None
        found = archive.player(ada)
    figures = found.statistics
    assert figures.throws == {R: 3, P: 0, S: 0}
    assert figures.longest_win_streak == 2 and figures.longest_repeat == (R, 3)
    assert figures.situations[WON].count == 2 and figures.situations[TIED].count == 0
    assert figures.predictability is None and figures.reaction is None
    assert found.head_to_head == ()  # the match is not over
    box.journal.append(box.match, MatchEnded(result=RESULT))
    with box.shelf.open() as archive:
        (ben,) = archive.player(ada).head_to_head
    assert (ben.won, ben.lost, ben.rounds_won, ben.rounds_lost, ben.rounds_tied) == (1, 0, 2, 0, 1)
    box.close()


def test_what_counts_as_head_to_head(tmp_path: Path) -> None:
    box = JournalBuilder(tmp_path / "evening.journal", find_game("classic").set_up(3, {}))
    box.add_round(R, S, S)
    box.journal.append(box.match, MatchEnded(result=ResultRecord(winners=(1,), scores={1: 1, 2: 0, 3: 0})))
    box.match = box.start_match("Ada", "Ben", "Chidi")
    box.add_round(make_hand(R, card=7), make_hand(R, card=8), make_hand(R, card=9))
    with box.shelf.open() as archive:
        key = next(one.player.key for one in archive.players() if one.player.name == "Ada")
        assert key is not None
        found = archive.player(key)
    assert [(one.won, one.rounds_won) for one in found.head_to_head] == [(1, 0), (1, 0)]
    assert found.statistics.throws[Throw.ROCK] == 2 and found.statistics.longest_repeat == (R, 1)
    box.close()
