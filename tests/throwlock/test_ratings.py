"""Ratings follow from the journal's matches of two, corrections included."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.catalogue import find_game
from rules.engine import Result
from rules.record.tournament import TournamentCorrected, TournamentMatch, TournamentStarted
from rules.tournaments.fixture import Format
from tests.helpers.tournament_steps import fixture_id
from throwlock.cli.main import run_command
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchAbandoned, MatchEnded, record_result
from throwlock.journal.journal import NO_MATCH, Journal, JournalReader
from throwlock.replay.ratings import MatchOfTwo, Rating, rank_names, rate, read_ratings
from throwlock.seating import new_match_config
from throwlock.tournament_pages import KNOWN_ERROR, UNCERTAIN_ERROR

NAMES = {"a": "Ada", "b": "Ben", "c": "Cy"}


def match(*players: str, won: str) -> MatchOfTwo:
    return MatchOfTwo((players[0], players[1]), frozenset(won))


@pytest.mark.parametrize(("wins", "uncertain", "known"), [((True, True, True, False), 12, 38), ((True, False), 10, 29)])
def test_the_page_says_after_how_many_matches_somebody_is_known(
    wins: tuple[bool, ...], uncertain: int, known: int
) -> None:
    matches = [match("a", "b", won="a" if wins[number % len(wins)] else "b") for number in range(known)]
    errors = [max(rating.error for rating in rate(matches[:count], NAMES)) for count in range(1, known + 1)]
    assert sum(error >= UNCERTAIN_ERROR for error in errors) + 1 == uncertain
    assert sum(error >= KNOWN_ERROR for error in errors) + 1 == known
    page = " ".join((Path(__file__).parents[2] / "docs/tournaments.md").read_text().split())
    said = re.search(
        rf"until that is below {UNCERTAIN_ERROR:g} \(after about ([0-9]+) matches\) and \*well known\* "
        rf"below {KNOWN_ERROR:g} \(after about ([0-9]+) to ([0-9]+)\)",
        page,
    )
    assert said
    about, fewest, most = map(int, said.groups())
    assert round(uncertain, -1) == about and round(known, -1) in (fewest, most)


def play(journal: Journal, names: tuple[str, ...], *winners: int, tournament: TournamentMatch | None = None) -> int:
    """Write a match and its end; return its number."""
    config = new_match_config(find_game("classic").set_up(len(names)), names, HouseRules(), 1, "none")
    body = config.start_event().model_copy(update={"tournament": tournament})
    number = journal.start_match(body, config.names)
    if winners:
        end(journal, number, *winners)
    return number


def end(journal: Journal, number: int, *winners: int) -> None:
    journal.append(number, MatchEnded(result=record_result(Result(winners, {}))))


def ratings_of(path: Path) -> dict[str, Rating]:
    with JournalReader(path) as reader:
        return {one.name: one for one in read_ratings(reader)}


def test_whoever_wins_is_rated_higher_and_every_match_makes_it_surer() -> None:
    once = {one.name: one for one in rate([match("a", "b", won="a")], NAMES)}
    twice = {one.name: one for one in rate([match("a", "b", won="a")] * 2, NAMES)}
    assert once["Ada"].strength > 25 > once["Ben"].strength
    assert twice["Ada"].strength > once["Ada"].strength and twice["Ada"].matches == 2
    assert twice["Ada"].error < once["Ada"].error < 2 * 25 / 3
    drawn = {one.name: one for one in rate([match("a", "b", won="ab")], NAMES)}
    assert drawn["Ada"].strength == pytest.approx(drawn["Ben"].strength)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.permutations("abc"), st.sampled_from([(0,), (1,), (0, 1)])), max_size=12))
def test_the_same_matches_give_the_same_order_by_what_is_sure(played: list[tuple[list[str], tuple[int, ...]]]) -> None:
    matches = [match(*who, won="".join(who[n] for n in won)) for who, won in played]
    found = rate(matches, NAMES)
    assert found == rate(matches, NAMES)
    floors = [one.floor for one in found]
    assert floors == sorted(floors, reverse=True)
    assert sum(one.matches for one in found) == 2 * len(matches)
    assert rank_names(["Zoe", *(one.name for one in reversed(found))], found) == [*(one.name for one in found), "Zoe"]


def test_only_finished_matches_of_two_names_count(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        journal.append(play(journal, ("Ada", "Ben")), MatchAbandoned())
        play(journal, ("Ada", "Ben", "Cy"), 1)
        play(journal, ("Ada", ""), 1)
        play(journal, ("Ada", "Ben"))
        assert ratings_of(path) == {}
        disputed = play(journal, ("Ada", "Ben"), 1)
    before = ratings_of(path)
    assert before["Ada"].strength > before["Ben"].strength
    with Journal(path) as journal:
        end(journal, disputed, 2)
    after = ratings_of(path)
    assert after["Ben"].strength == before["Ada"].strength and after["Ben"].matches == 1


def test_a_tournament_s_corrected_result_counts(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path) as journal:
        body = TournamentStarted(game="classic", options={}, format=Format.KNOCKOUT)
        number = journal.start_tournament(body, ["Ada", "Ben"])
        of = TournamentMatch(tournament=number, fixture=fixture_id("K1.1"), players=(2, 1))
        play(journal, ("Ben", "Ada"), 1, tournament=of)
        assert ratings_of(path)["Ben"].strength > 25
        journal.append(NO_MATCH, TournamentCorrected(tournament=number, fixture=fixture_id("K1.1"), winners=(1,)))
    assert ratings_of(path)["Ben"].strength < 25 < ratings_of(path)["Ada"].strength


def test_the_terminal_prints_ratings_and_seeds_by_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "j")
    with Journal(Path(path)) as journal:
        play(journal, ("Ada", "Ben"), 2)
    assert run_command(["tournament", "ratings", "--journal", path]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("  1. Ben") and "± 16" in first and first.endswith("1 match")
    assert second.startswith("  2. Ada")
    names = [word for name in ("Zoe", "Ada", "Ben") for word in ("--name", name)]
    run_command(["tournament", "new", "classic", "--by-rating", *names, "--journal", path])
    with JournalReader(Path(path)) as reader:
        (number,) = reader.tournaments()
        assert reader.event(number).names == ("Ben", "Ada", "Zoe")
