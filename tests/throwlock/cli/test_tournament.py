"""``throwlock tournament`` on the terminal, and what it leaves in the journal."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

from rules.catalogue import find_game
from rules.engine import Result
from rules.record.tournament import TournamentMatch
from tests.helpers.tournament_steps import fixture_id
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Deleted, MatchAbandoned, MatchEnded, record_result
from throwlock.journal.journal import Journal, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.replay.tournaments import newest_tournament, read_tournament
from throwlock.review.verify import verify
from throwlock.seating import new_match_config
from ui.screen.pages.tournament import GIVEN_UP

Run = Callable[..., str]
NAMES = ("Ada", "Ben", "Cy", "Dora", "Emil")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a tournament command and returns what it prints, or its error."""

    def run_tournament(command: str, *words: str) -> str:
        status = run_command(["tournament", command, *words, "--journal", str(tmp_path / "t.journal")])
        printed = capsys.readouterr()
        assert (status == 2) == bool(printed.err)
        assert printed.err.count("\n") <= 1
        return printed.out + printed.err

    return run_tournament


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "t.journal"


def begin(run: Run, *options: str, names: tuple[str, ...] = NAMES) -> str:
    return run("new", "classic", *options, *(word for name in names for word in ("--name", name)))


def play_match(journal: Path, fixture: str, players: tuple[int, ...], *winners: int) -> int:
    """Write a match of a tournament and its end."""
    with Journal(journal) as opened:
        record = newest_tournament(opened)
        assert record is not None
        of = TournamentMatch(tournament=record.number, fixture=fixture_id(fixture), players=players)
        names = [record.name(player) for player in players]
        config = new_match_config(find_game("classic").set_up(len(players)), names, HouseRules(), 1, "none")
        match = opened.start_match(config.start_event().model_copy(update={"tournament": of}), names)
        seats = [players.index(winner) + 1 for winner in winners]
        result = Result(tuple(seats), {seat: int(seat in seats) for seat in range(1, len(players) + 1)})
        opened.append(match, MatchEnded(result=record_result(result)))
    return match


def test_a_knockout_from_the_draw_to_the_champion(run: Run, journal: Path) -> None:
    assert "Next: K1.2     Dora against Emil" in begin(run)
    assert "K2.1     Ada against Emil" in run("result", "K1.2", "emil")
    assert "Next: K2.1" in run("no-show", "K2.2", "Cy")
    assert "Next: K3.1     Ada against Ben (Final)" in run("result", "K2.1", "1")
    assert run("result", "K3.1", "Ben") == "The tournament is won by Ben.\n"
    assert run("correct", "K3.1", "Ada") == "The tournament is won by Ada.\n"
    assert "Ada against bye" in run("matches")
    assert "Ben wins by walkover" in run("matches")
    assert "  1. Ada" in run("standings")
    assert "won by Ada" in run("list")
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()
        assert reader.matches() == []
        assert [event.kind for event in reader.events()].count("tournament_drawn") == 1


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("result", "K9.9", "Ada"), "no match K9.9"),
        (("result", "K1.2", "Zoe"), "nobody in the tournament is called Zoe"),
        (("result", "K1.2", "Ada"), "player 1 does not play match K1.2"),
        (("withdraw", "9"), "nobody in the tournament is called 9"),
        (("enter", "ADA"), "ADA is in the tournament already"),
        (("play", "K3.1", "--headless", "--camera", "simulated"), "match K3.1 can't be played now"),
        (("next", "--tournament", "7"), "has no tournament 7"),
    ],
)
def test_errors_are_one_line_and_write_nothing(run: Run, journal: Path, words: tuple[str, ...], error: str) -> None:
    begin(run)
    before = journal.read_bytes()
    assert error in run(*words)
    with JournalReader(journal) as reader:
        assert reader.number_and_hash()[0] == 1
    assert len(before) == len(journal.read_bytes())


def test_errors_before_a_tournament(run: Run) -> None:
    assert "no such file" in run("next")
    assert "names 1 and 2 are both ada: tell them apart" in begin(run, names=("Ada", "ada"))
    assert "needs two players" in begin(run, names=("Ada",))
    assert "has no option 'x'" in begin(run, "--option", "x=1")


def test_a_tournament_of_tables(run: Run, journal: Path) -> None:
    assert "Ada, Ben, Cy" in begin(run, "--format", "tables", "--table-size", "3", "--rounds", "1")
    run("result", "T1.1", "Cy")
    assert "won by Cy" in play_and_read(run, journal)


def play_and_read(run: Run, journal: Path) -> str:
    play_match(journal, "T1.2", (4, 5), 4, 5)
    return run("next")


def test_results_follow_from_matches(run: Run, journal: Path) -> None:
    begin(run, "--format", "knockout", names=("Ada", "Ben", "Cy"))
    match = play_match(journal, "K1.2", (2, 3))
    assert "Next: K1.2     Ben against Cy" in run("next")  # drawn: again
    match = play_match(journal, "K1.2", (3, 2), 3)
    assert "Ada against Cy" in run("next")
    with Journal(journal) as opened:  # disputed at its end, the match ended again
        opened.append(match, MatchEnded(result=record_result(Result((2,), {1: 0, 2: 1}))))
    assert "Ada against Ben" in run("next")
    run("withdraw", "Ada")
    assert run("next") == "The tournament is won by Ben.\n"
    play_match(journal, "K2.1", (1, 2), 1)  # came too late
    assert run("next") == "The tournament is won by Ben.\n"


def test_a_match_given_up_is_still_to_be_played(run: Run, journal: Path) -> None:
    begin(run, names=("Ada", "Ben"))
    with Journal(journal) as opened:
        record = newest_tournament(opened)
        assert record is not None
        config = new_match_config(find_game("classic").set_up(2), ("Ada", "Ben"), HouseRules(), 1, "none")
        of = record.match_of(record.state.ready[0])
        number = opened.start_match(config.start_event().model_copy(update={"tournament": of}), config.names)
        opened.append(number, MatchAbandoned())
    assert "Next: K1.1" in run("next")


def test_forgotten_players_keep_their_place(run: Run, journal: Path) -> None:
    begin(run, "--format", "swiss", names=("Ada", "Ben", "Cy"))
    run("result", "S1.1", "Ada")
    with JournalReader(journal) as reader:
        key = next(key for key, name in reader.players().items() if name == "Ada")
    JournalMaintenance(journal).forget(key)
    assert "2. Player 1" in run("standings")
    assert "Player 1 wins" in run("matches")
    with JournalReader(journal) as reader:
        assert verify(reader).problems == ()
        assert any(isinstance(event.body, Deleted) for event in reader.events())


def test_who_comes_late_and_gives_up(run: Run, journal: Path) -> None:
    begin(run, "--format", "swiss", "--rounds", "2", names=("Ada", "Ben"))
    assert "Ada against Ben" in run("enter", "Zoe")
    with JournalReader(journal) as reader:
        assert read_tournament(reader, 1).names == ("Ada", "Ben", "Zoe")
    run("abandon")
    assert run("next") == f"{GIVEN_UP}\n"
    assert "is given up already" in run("abandon")
    assert "the tournament is over" in run("result", "S1.1", "Ada")


def test_the_same_seed_draws_the_same_seeds(run: Run, journal: Path) -> None:
    found = []
    for _ in range(2):
        begin(run, "--shuffle", "--seed", "3")
        with JournalReader(journal) as reader:
            record = newest_tournament(reader)
        assert record is not None
        found.append(record.names)
    assert found[0] == found[1] != NAMES
    assert sorted(found[0]) == sorted(NAMES)


@pytest.mark.parametrize(("form", "pages"), [("knockout", 2), ("groups", 3), ("swiss", 2), ("double knockout", 3)])
def test_the_sheets_name_everybody(run: Run, tmp_path: Path, form: str, pages: int) -> None:
    names = tuple(f"Player no. {n}" for n in range(1, 13))
    begin(run, "--format", form, names=names)
    out = tmp_path / "t.pdf"
    while "Next:" in (printed := run("next")):
        fixture = printed.split()[1]
        run("result", fixture, run("matches").split(f"{fixture} ")[1].split(" against ")[0].strip())
    assert run("print", "--out", str(out)).startswith(f"{out}: {pages} pages")
    document = pypdfium2.PdfDocument(out)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    assert all(name in text for name in names)


def test_a_large_bracket_is_on_several_sheets(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("\n".join(f"Player {n}" for n in range(1, 61)))
    run("new", "classic", "--names", str(tmp_path / "names.txt"))
    run(
        "print", "--out", str(tmp_path / "t.pdf"), "--paper", "letter", "--language", "de"
    )  # Player N is a default name
    document = pypdfium2.PdfDocument(tmp_path / "t.pdf")
    assert len(document) == 5
    assert "Person 60" in "".join(page.get_textpage().get_text_range() for page in document)
