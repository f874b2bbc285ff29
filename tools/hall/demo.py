"""A whole evening of a hall: a broker, a database, a hub, eight simulated boxes and a Swiss of sixteen players.

``python -m tools.hall.demo`` prints each result as it comes and ends with the champion, in about a minute; on a
terminal the page stays open until Ctrl-C. The boxes play real matches, by the real rules and into real journals, but
without cameras: rendering and judging hands at eight tables at once would take ten times as long."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from errors import ThrowlockError
from rules.tournaments.fixture import Fixture, FixtureId
from throwlock.hub.tournaments import HallTournament
from tools.hall.boxes import Fleet
from tools.hall.check import compare_journals
from tools.hall.organiser import Organiser
from tools.hall.trial import TrialHall, hall_command, trial_folder

PLAYERS = (
    "Ada", "Ben", "Chidi", "Dora", "Emil", "Fumi", "Gita", "Hugo",
    "Inès", "Jomo", "Karl", "Lena", "Mira", "Nuno", "Olga", "Pia",
)  # fmt: skip
TABLE_COUNT = 8
SIT_DOWN_S = 2.0
"""Mean time from the moment a match is given out until it has been played."""
LOOK_EVERY_S = 0.5
TIMEOUT_S = 300.0


class DemoError(ThrowlockError):
    """The demo went wrong. The message says what."""


def run_demo(folder: Path, *, stays: bool, sit_down_s: float = SIT_DOWN_S) -> str:
    """Run the demo in a folder and return the champion's name. ``stays``: leave the page open until Ctrl-C. Raises
    DemoError, ServerMissingError, ServerStartError."""
    with TrialHall(folder, "Demo hall", TABLE_COUNT) as hall:
        address = hall.page_address
        print(f"A hall of {TABLE_COUNT} tables. Its page: {address}", flush=True)
        organiser = Organiser(hall.database.dsn, PLAYERS, "Demo Swiss")
        with Fleet(hall.memberships, folder, pace_s=sit_down_s) as fleet:
            tournament = _follow(fleet, organiser)
            if not fleet.settle():
                raise DemoError("not everything that the boxes have committed was stored")
            with hall.connect() as connection:
                events, problems = compare_journals(connection, fleet.journals)
            if problems:
                raise DemoError("; ".join(problems))
            _print_standings(tournament)
            print(f"{events} events of {TABLE_COUNT} journals are stored, each once, in order and the same.")
            champion = tournament.record.summary().champion_names
            print(f"The champion is {champion}. The page: {address}", flush=True)
            if stays:
                print("Press Ctrl-C to stop", flush=True)
                fleet.run(float("inf"))
            organiser.close()
        return champion


def _follow(fleet: Fleet, organiser: Organiser) -> HallTournament:
    """Have the boxes play until the tournament is over, print each result, and return it."""
    printed: set[FixtureId] = set()
    end, tournament = time.monotonic() + TIMEOUT_S, None
    while time.monotonic() < end:
        fleet.run(LOOK_EVERY_S)
        tournament = organiser.look()
        if tournament is None:
            continue
        for line in _new_results(tournament, printed):
            print(line, flush=True)
        if tournament.record.state.is_over:
            return tournament
    left = ", ".join(f"{given.fixture} at {given.box}" for given in tournament.open.values()) if tournament else "?"
    raise DemoError(f"the tournament was not over after {TIMEOUT_S:.0f} s; given out: {left or 'nothing'}")


def _new_results(tournament: HallTournament, printed: set[FixtureId]) -> Iterator[str]:
    """Yield a line for each result that is not in ``printed``, and add it."""
    summary = tournament.record.summary()
    for fixture in summary.fixtures:
        if fixture.outcome is None or fixture.id in printed:
            continue
        printed.add(fixture.id)
        given = tournament.pairings.get(fixture.id)
        where = f"{given.box.replace('box-', 'Table ')}: " if given else ""
        yield f"{summary.round_title(fixture)}, {where}{summary.against(fixture)}, {_outcome(tournament, fixture)}"


def _outcome(tournament: HallTournament, fixture: Fixture) -> str:
    assert fixture.outcome is not None  # it has ended
    winners = " and ".join(tournament.record.name(player) for player in fixture.outcome.winners)
    scores = fixture.outcome.scores
    counted = f" ({', '.join(str(scores.get(player, 0)) for player in fixture.present)})" if scores else ""
    return f"{winners} won{counted}" if winners else f"drawn{counted}"


def _print_standings(tournament: HallTournament) -> None:
    for _, rows in tournament.record.summary().tables:
        for row in rows:
            print(f"{row.place:>3}. {tournament.record.name(row.player):8} {row.points:g}")


def main() -> None:
    """Run the demo; exit with 1 if it can't be run."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.hall.demo", description=str(__doc__).split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--end", action="store_true", help="end with the tournament, also on a terminal")
    options = parser.parse_args()
    with hall_command(), trial_folder() as folder:
        run_demo(folder, stays=sys.stdout.isatty() and not options.end)


if __name__ == "__main__":
    main()
