"""A journal with every kind of event that there is."""

from pathlib import Path

from rules.catalogue import find_game
from rules.record.tournament import (
    TournamentAbandoned,
    TournamentCorrected,
    TournamentDrawn,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from rules.tournaments.fixture import Format
from tests.helpers.disputing_people import CLASSIC, AnswerOnce, People, make_the_other_win
from tests.helpers.table_matches import make_match, match_config, play
from tests.helpers.tournament_steps import fixture_id
from throwlock.journal.events import MatchAbandoned
from throwlock.journal.journal import NO_MATCH, Journal
from throwlock.journal.maintenance import JournalMaintenance
from ui.screen.pages.dispute import AgreedCorrection


def write_every_kind(file: Path) -> Path:
    """Write a journal with every kind of event, and a note, to ``file``."""
    for reply in (make_the_other_win, "stands", AgreedCorrection(None)):
        with Journal(file) as journal:
            make_match(journal, CLASSIC, display=People(file, AnswerOnce(0, [reply])))[0].play()
    play(file, match_config(find_game("future").set_up(2), seed=5))
    with Journal(file) as journal:
        config = match_config(find_game("classic").set_up(2))
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
        second = journal.matches()[1]
        started = TournamentStarted(game="classic", options={}, format=Format.SWISS, rounds=2)
        number = journal.start_tournament(started, ["Ada", "Ben", "Cy", "Dora"])
        for body in (
            TournamentDrawn(tournament=number, draw="S1", players=((1, 3), (2, 4))),
            TournamentResult(tournament=number, fixture=fixture_id("S1.1"), winners=(1,)),
            TournamentCorrected(tournament=number, fixture=fixture_id("S1.1"), winners=(3,)),
            TournamentNoShow(tournament=number, fixture=fixture_id("S1.2"), player=4),
            TournamentPlayerWithdrawn(tournament=number, player=2),
        ):
            journal.append(NO_MATCH, body)
        journal.enter_player(number, "Emil")
        journal.append(NO_MATCH, TournamentAbandoned(tournament=number))
    assert JournalMaintenance(file).delete_pictures(second).evidence_count
    JournalMaintenance(file).write_note(second, "a note")
    return file
