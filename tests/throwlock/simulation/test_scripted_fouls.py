"""What the demo was asked to show is part of what makes the same match again: it is journaled, and goes on."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.simulated.table.camera import SimulatedTable
from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.engine import Game
from throwlock.cli.main import run_command
from throwlock.cli.play import with_demo_seed
from throwlock.house_rules import HouseRules, ThrowWith
from throwlock.journal.journal import Journal
from throwlock.launch_options import LaunchOptions
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import SCENARIOS

CONFIG = MatchConfig(
    find_game("redeux").set_up(2, {"risk": "always"}), ("Ada", "Ben"), HouseRules(), 5, "simulated", ("late", "gap")
)
PRINTED = {"risk": "always", "play_with": "cards", "cards": "table"}
BEAT_NS = 600_000_000


def begin_match(path: Path, config: MatchConfig) -> LaunchOptions:
    with Journal(path) as journal:
        journal.start_match(config.start_event(), config.names)
    return LaunchOptions(path, "simulated", headless=True, demo=True)


def test_match_journals_its_scenarios(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        number = journal.start_match(CONFIG.start_event(), CONFIG.names)
        assert config_from_events(journal.events(number)) == CONFIG
        plain = replace(CONFIG, scenarios=())
        assert config_from_events(journal.events(journal.start_match(plain.start_event(), plain.names))) == plain


def test_unknown_scenario_in_a_journal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin_match(tmp_path / "new.journal", replace(CONFIG, scenarios=("late", "sneeze")))
    where = ["--journal", str(tmp_path / "new.journal"), "--screens", str(tmp_path)]
    assert run_command(["demo", "--headless", *where]) == 2
    assert "the match can’t be resumed: there is no scenario 'sneeze'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "game", "throw_with"),
    [
        ((), CONFIG.game, ThrowWith.HANDS),
        (("--cards",), find_game("redeux").set_up(2, PRINTED), ThrowWith.HANDS),
        (("classic",), find_game("classic").set_up(2), ThrowWith.HANDS),
        (("classic", "--cards"), find_game("classic").set_up(2), ThrowWith.CARDS),
    ],
)
def test_any_game_has_a_demo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...], game: Game, throw_with: ThrowWith
) -> None:
    played: list[MatchConfig] = []
    monkeypatch.setattr("throwlock.cli.play.run_match", lambda launch, config, *given: played.append(config))
    where = ["--journal", str(tmp_path / "new.journal"), "--screens", str(tmp_path)]
    assert run_command(["demo", *words, "--headless", *where]) == 0
    assert [(config.game, config.house_rules.throw_with) for config in played] == [(game, throw_with)]


@pytest.mark.parametrize(
    ("seed", "shows", "goes_on"),
    [
        (None, (), True),
        (5, (), True),
        (None, ("late", "gap"), True),
        (5, ("late", "gap"), True),
        (6, ("late", "gap"), False),
        (None, ("gap",), False),
        (5, tuple(SCENARIOS), False),
    ],
)
def test_interrupted_demo_resumes_unless_options_differ(
    tmp_path: Path, seed: int | None, shows: tuple[str, ...], goes_on: bool
) -> None:
    options, chance = with_demo_seed(begin_match(tmp_path / "demo.journal", CONFIG), seed, shows)
    assert options.new is not goes_on
    if goes_on or seed is not None:
        assert chance == (seed or 5)


def test_resumed_demo_acts_out_the_remaining_scenarios() -> None:
    """And what it shows looks the same: the same disturbance, from the seed and the number of the throw."""
    first, names = _throw_rounds(range(4))
    again, rest = _throw_rounds(range(2, 4))
    assert names == ["covered", "moved"]
    assert rest == ["moved"]
    assert first.disturbances[-1] == again.disturbances[-1]


def _throw_rounds(numbers: range) -> tuple[SimulatedTable, list[str]]:
    """The table after throws of those numbers, with what was said of them."""
    clock, names = SimulatedClock(), list[str]()
    table = SimulatedTable(clock, 2, 5, cloth="plain")
    players = SimulatedPlayers(5, table, 1, ("covered", "moved"), names.append)
    for number in numbers:
        clock.wait_until(number * 8_000_000_000)
        players.on_count((1, 2), clock.now_ns() + 5_000_000_000, BEAT_NS, number)
    return table, [line.removeprefix("Scenario ").partition(":")[0] for line in names]
