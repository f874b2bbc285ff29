"""What the demo was asked to show is part of what makes the same match again: it is journaled, and goes on."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.simulated.table.table import SimulatedTable
from device.system.clock import JumpingClock
from rules.catalogue import find
from throwlock.cli.main import run_command
from throwlock.cli.play import Wanted, _seeded
from throwlock.journal.journal import Journal
from throwlock.match.config import Billing, billing_of
from throwlock.match.house_rules import House
from throwlock.simulation.players import SimulatedPlayers
from throwlock.simulation.scripted_fouls import SHOWN

BILLING = Billing(
    find("redeux").set_up(2, {"risk": "always"}), ("Ada", "Ben"), House(), 5, "simulated", ("late", "gap")
)
BEAT_NS = 600_000_000


def cut_off(path: Path, billing: Billing) -> Wanted:
    with Journal(path) as journal:
        journal.begin(billing.body())
    return Wanted(path, "simulated", headless=True, demo=True)


def test_a_match_says_what_it_shows(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        number = journal.begin(BILLING.body())
        assert billing_of(journal.events(number)) == BILLING
        plain = replace(BILLING, shows=())
        assert "shows" not in plain.body()
        assert billing_of(journal.events(journal.begin(plain.body()))) == plain


def test_a_match_of_another_throwlock_that_shows_more_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_off(tmp_path / "new.journal", replace(BILLING, shows=("late", "sneeze")))
    where = ["--journal", str(tmp_path / "new.journal"), "--screens", str(tmp_path)]
    assert run_command(["demo", "--headless", *where]) == 2
    assert "its match can't go on: there is no 'sneeze' to show" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seed", "shows", "goes_on"),
    [
        (None, (), True),
        (5, (), True),
        (None, ("late", "gap"), True),
        (5, ("late", "gap"), True),
        (6, ("late", "gap"), False),
        (None, ("gap",), False),
        (5, tuple(SHOWN), False),
    ],
)
def test_a_demo_cut_off_goes_on_unless_something_else_is_asked_for(
    tmp_path: Path, seed: int | None, shows: tuple[str, ...], goes_on: bool
) -> None:
    wanted, chance = _seeded(cut_off(tmp_path / "demo.journal", BILLING), seed, shows)
    assert wanted.new is not goes_on
    if goes_on or seed is not None:
        assert chance == (seed or 5)


def test_a_demo_taken_up_shows_the_rest() -> None:
    """And what it shows looks the same: the same disturbance, from the seed and the number of the throw."""
    first, told = _thrown(range(4))
    again, rest = _thrown(range(2, 4))
    assert told == ["covered", "moved"]
    assert rest == ["moved"]
    assert first.disturbances[-1] == again.disturbances[-1]


def _thrown(numbers: range) -> tuple[SimulatedTable, list[str]]:
    """The table after throws of those numbers, with what was said of them."""
    clock, told = JumpingClock(), list[str]()
    table = SimulatedTable(clock, 2, 5, cloth="plain")
    players = SimulatedPlayers(5, table, 1, ("covered", "moved"), lambda line: told.append(line.split(")")[0]))
    players.throws = numbers.start
    for number in numbers:
        clock.wait_until(number * 8_000_000_000)
        players.throw_at((1, 2), clock.now_ns() + 5_000_000_000, BEAT_NS)
    return table, [line.partition("(")[2] for line in told]
