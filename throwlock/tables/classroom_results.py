"""The results of a class's round as tables for the terminal: by throw, and by student."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rules.battle.calculator import BattleRound
from rules.battle.match import throws_table
from rules.engine import Seat
from rules.engine.scoreboard import BEATS
from rules.text import throw_word
from rules.throws import Outcome, Throw
from ui.screen.pages.classroom import (
    PlayerStanding,
    ThrowCount,
    count_throws,
    own_name,
    player_standing,
)
from ui.screen.pages.message import GameMessage
from ui.screen.pages.scoreboard import Fact

NO_SCORES: Mapping[Seat, int | None] = MappingProxyType({})


def throw_lines(lines: Sequence[ThrowCount]) -> list[str]:
    """Return the table by throw: how many threw it, how many of those won, tied and lost, and what it beats."""
    rows = [f"  {'throw':<10}{'thrown':>7}{'won':>6}{'tied':>7}{'lost':>6}  beats"]
    for line in lines:
        won, lost, tied = (line.outcomes[outcome] for outcome in Outcome)
        ends = f"{won:>6}{tied:>7}{lost:>6}"
        beats = " and ".join(str(throw_word(beaten)) for beaten in line.beats) or "nothing"
        rows.append(f"  {throw_word(line.throw):<10}{line.count:>7}{ends}  {beats}")
    return rows


def student_lines(
    names: Mapping[Seat, str],
    stands: Mapping[Seat, PlayerStanding],
    scores: Mapping[Seat, int | None] = NO_SCORES,
) -> list[str]:
    """Return the table by student: number, name, throw (marked if the box has drawn it), result and, with
    ``scores``, score and streak; then the highest scores come first, equal ones by number."""
    shown_names = {seat: own_name(seat, name) or "" for seat, name in names.items()}
    width = max(map(len, shown_names.values()), default=0)
    width += 2 if width else 0
    head = f"  {'no.':>4}  {'name':<{width}}" if width else f"  {'no.':>4}  "
    rows = [f"{head}{'throw':<18}{'result':<8}" + (f"{'score':>5}{'streak':>8}" if scores else "")]
    for seat in sorted(stands, key=lambda seat: (-(scores.get(seat) or 0), seat)) if scores else stands:
        stand = stands[seat]
        thrown = str(throw_word(stand.throw)) if stand.throw else "none"
        thrown += " (drawn)" if stand.is_drawn else ""
        result = stand.outcome or ""
        points = scores.get(seat)
        score = "" if points is None else f"{points:+d}" if points else "0"
        streak = f"{stand.streak:+d}" if stand.streak else ""
        rows.append(f"  {seat:>4}  {shown_names[seat]:<{width}}{thrown:<18}{result:<8}{score:>5}{streak:>8}".rstrip())
    return rows


def round_lines(view: GameMessage) -> list[str]:
    """Return the tables of a round's message. Empty if the message has no results."""
    stands = {player.seat: player_standing(player.facts) for player in view.players}
    lines = count_throws(tuple(stands.values()), view.facts)
    if not lines:
        return []
    names = {player.seat: player.name for player in view.players}
    return [
        *throw_lines(lines),
        *student_lines(names, stands, {player.seat: player.score for player in view.players}),
    ]


def evaluate_round(
    throws: Mapping[Seat, Throw | None], on: Sequence[str] = ()
) -> tuple[tuple[ThrowCount, ...], dict[Seat, PlayerStanding]]:
    """Evaluate a round of Battle for the seats that have a throw: the results by throw, and each seat's.

    Args:
        throws: Each seat's throw.
        on: The options of Battle that are on; with "team", odd seats play against even ones.
    """

    def side(seat: Seat) -> int:
        return (seat - 1) % 2 if "team" in on else 0

    counts = [dict.fromkeys(Throw, 0) for _ in range(2 if "team" in on else 1)]
    for seat, throw in throws.items():
        if throw is not None:
            counts[side(seat)][throw] += 1
    battles = BattleRound(tuple(counts), inverted="inverted" in on, count="count" in on)
    stands = {
        seat: PlayerStanding(throw, battles.tally(throw, side(seat)).outcome if throw else None)
        for seat, throw in throws.items()
    }
    return count_throws(tuple(stands.values()), (Fact("table", throws_table(battles), shown=BEATS),)), stands
