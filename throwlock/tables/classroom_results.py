"""A class's round in tables for the terminal: what every move came to, and every student."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from rules.battle.calculator import Outcome, Round
from rules.battle.match import moves_table
from rules.engine import Seat
from rules.throws import Throw
from ui.screen.pages.classroom.strings import own_name
from ui.screen.pages.classroom.view import LEVEL, LOSING, WINNING, MoveLine, Stand, moves_of, stand_of
from ui.screen.pages.standing.view import Fact
from ui.screen.pages.views import Told
from ui.text.names import shape

NO_SCORES: Mapping[Seat, int | None] = MappingProxyType({})
RESULTS = {WINNING: "won", LEVEL: "level", LOSING: "lost"}


def by_move(lines: Sequence[MoveLine]) -> list[str]:
    """The moves table: how many threw each, how many of those won, came out level and lost, and what it beats."""
    told = [f"  {'move':<10}{'thrown':>7}{'won':>6}{'level':>7}{'lost':>6}  beats"]
    for line in lines:
        ends = f"{line.ends[WINNING]:>6}{line.ends[LEVEL]:>7}{line.ends[LOSING]:>6}"
        beats = " and ".join(str(shape(move)) for move in line.beats) or "nothing"
        told.append(f"  {shape(line.move):<10}{line.count:>7}{ends}  {beats}")
    return told


def by_player(
    names: Mapping[Seat, str],
    stands: Mapping[Seat, Stand],
    scores: Mapping[Seat, int | None] = NO_SCORES,
    drawn: Collection[Seat] = (),
) -> list[str]:
    """A line for everybody: number, name, throw (whether it was ``drawn`` by the box), what came of it and, where there
    are scores, score and streak."""
    called = {seat: own_name(seat, name) or "" for seat, name in names.items()}
    wide = max(map(len, called.values()), default=0)
    wide += 2 if wide else 0
    head = f"  {'no.':>4}  {'name':<{wide}}" if wide else f"  {'no.':>4}  "
    told = [f"{head}{'throw':<18}{'result':<8}" + (f"{'score':>5}{'streak':>8}" if scores else "")]
    for seat, stand in stands.items():
        thrown = str(shape(stand.throw)) if stand.throw else "none"
        thrown += " (drawn)" if seat in drawn else ""
        ended = RESULTS.get(stand.outcome or "", "")
        points = scores.get(seat)
        score = "" if points is None else f"{points:+d}" if points else "0"
        streak = f"{stand.streak:+d}" if stand.streak else ""
        told.append(f"  {seat:>4}  {called[seat]:<{wide}}{thrown:<18}{ended:<8}{score:>5}{streak:>8}".rstrip())
    return told


def told_in_tables(view: Told, drawn: Collection[Seat] = ()) -> list[str]:
    """The tables of a round that was told, with whose throws were ``drawn``; nothing where none was told."""
    stands = {player.seat: stand_of(player.facts) for player in view.players}
    lines = moves_of(tuple(stands.values()), view.facts)
    if not lines:
        return []
    names = {player.seat: player.name for player in view.players}
    return [*by_move(lines), *by_player(names, stands, {player.seat: player.score for player in view.players}, drawn)]


def reckoned(
    throws: Mapping[Seat, Throw | None], on: Sequence[str] = ()
) -> tuple[tuple[MoveLine, ...], dict[Seat, Stand]]:
    """What a round comes to of those who have a throw, with the options of Battle that are ``on``: the moves table and
    everybody. Under "team" odd numbers play against even ones."""

    def side(seat: Seat) -> int:
        return (seat - 1) % 2 if "team" in on else 0

    counts = [dict.fromkeys(Throw, 0) for _ in range(2 if "team" in on else 1)]
    for seat, throw in throws.items():
        if throw is not None:
            counts[side(seat)][throw] += 1
    battles = Round(tuple(counts), inverted="inverted" in on, count="count" in on)
    stands = {
        seat: Stand(throw, str(_end(battles, throw, side(seat))) if throw else None) for seat, throw in throws.items()
    }
    return moves_of(tuple(stands.values()), (Fact("table", moves_table(battles)),)), stands


def _end(battles: Round, throw: Throw, side: int) -> Outcome:
    return battles.tally(throw, side).outcome
