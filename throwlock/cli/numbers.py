"""Commands about the games and their numbers: ``throwlock games``, ``calculate``, ``odds`` and ``perft``."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from device.system.output_files import atomic_write
from rules.battle.calculator import CountError, RoundSummary, Tally, ThrowSummary, calculate_round, parse_count
from rules.board.notation import NotationError, format_move, parse_position
from rules.board.perft import PerftCount
from rules.board.perft import divide as divided
from rules.board.perft import perft as counted
from rules.board.position import BoardVariant, LockRule, StuckRule, starting_position
from rules.catalogue import GAMES, describe_game
from rules.engine import quote
from rules.throws import Throw
from rules.tr.roll import IllegalRollError, Odds, Roll, compute_odds
from throwlock.cli.options import UsageError, show_progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@click.command()
def games() -> None:
    """List the games and their options."""
    click.echo("\n\n".join(describe_game(rules) for rules in GAMES.values()))


ALLOW_NEGATIVE_COUNTS = {"ignore_unknown_options": True}
"""Click settings that read -1 as a count, which then gets the error for a wrong count."""


@click.command(context_settings=ALLOW_NEGATIVE_COUNTS)
@click.argument("rock")
@click.argument("paper")
@click.argument("scissors")
@click.option("--inverted", is_flag=True, help="Reverse the direction: rock beats paper.")
@click.option("--count", is_flag=True, help="The larger group never loses; twice as many reverse the direction.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def calculate(rock: str, paper: str, scissors: str, inverted: bool, count: bool, as_json: bool) -> None:
    """Calculate a round of Battle.

    ROCK, PAPER and SCISSORS are the numbers of players with each throw, up to 94906266; the results are exact.
    """
    try:
        counts = {move: parse_count(move, text) for move, text in zip(Throw, (rock, paper, scissors), strict=True)}
    except CountError as error:
        raise UsageError(str(error)) from error
    summary = calculate_round(counts, inverted, count)
    click.echo(json.dumps(summary.as_json()) if as_json else round_table(summary))


def round_table(summary: RoundSummary) -> str:
    """Format a round as two tables: the battles of each move, and the result of each move against each."""
    on = [name for name, is_on in (("inverted", summary.inverted), ("count", summary.count)) if is_on]
    head = f"{summary.players:,} players, {summary.battles:,} battles" + (f", {' and '.join(on)}" if on else "")
    total = ["total", f"{summary.players:,}", *[""] * 4, *_numbers(summary.total), _signed(summary.total_score), ""]
    battles = [
        ["move", "players", "each wins", "loses", "ties", "score", "all win", "lose", "tie", "score", "round"],
        *(_table_row(line) for line in summary.by_throw),
        total,
    ]
    results = [
        ["", *(f"vs {move.value}" for move in Throw)],
        *([line.throw.value, *(outcome.result for outcome in line.against.values())] for line in summary.by_throw),
    ]
    return "\n".join([head, "", *_align(battles), "", *_align(results)])


def _table_row(line: ThrowSummary) -> list[str]:
    return [
        line.throw.value,
        f"{line.count:,}",
        *_numbers(line.per_player),
        "" if line.score is None else _signed(line.score),
        *_numbers(line.combined),
        _signed(line.combined_score),
        line.outcome.result if line.outcome else "nobody",
    ]


def _numbers(tally: Tally) -> list[str]:
    return [f"{number:,}" for number in (tally.wins, tally.losses, tally.ties)]


def _signed(score: int) -> str:
    """Format a change of the score: "+1,000", "0", "-1"."""
    return f"{score:+,}" if score else "0"


def _align(rows: list[list[str]]) -> list[str]:
    """Align the columns of ``rows``: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]


@click.command(
    "odds", context_settings={"ignore_unknown_options": True}
)  # a roll that begins with - gets its own error
@click.argument("roll", metavar="T|R-D")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a chart of the odds; FILE ends in .png or .svg.",
)
def odds_command(roll: str, as_json: bool, picture: Path | None) -> None:
    """Print the exact odds of a roll of t|r: T throws, R rethrows, difficulty D.

    Quote the roll, as in "3|2-2". R and D default to 0.
    """
    if roll.startswith("--"):
        raise click.NoSuchOption(roll, possibilities=["--json", "--picture"])
    try:
        read = Roll.parse(roll)
    except IllegalRollError as fault:
        raise UsageError(f"{quote(roll)} is not a roll: {fault}") from None
    chances = compute_odds(read)
    if picture is not None:
        write_chart(picture, read, chances)
    click.echo(json.dumps(odds_json(read, chances)) if as_json else odds_table(read, chances))


def odds_table(roll: Roll, chances: Odds) -> str:
    """Return the odds as text: a line for each outcome, with the degrees of failure and success below theirs."""
    rows: list[tuple[str, Fraction]] = []
    for outcome, chance in chances.outcomes().items():
        rows.append((outcome, chance))
        rows += [(f"  degree {degree}", part) for degree, part in degrees_of(outcome, chances).items()]
    wide = max(len(name) for name, _ in rows)
    lines = [f"{name:<{wide}}  {as_percent(chance):>9}  {as_fraction(chance)}" for name, chance in rows]
    return "\n".join([f"{roll}: {roll_in_words(roll)}", *lines])


def odds_json(roll: Roll, chances: Odds) -> dict[str, object]:
    """Return the odds by outcome and by degree, each exact (``"fraction": "7/27"``) and as a float from 0 to 1."""
    return {
        "roll": str(roll),
        "throws": roll.throws,
        "rethrows": roll.rethrows,
        "difficulty": roll.difficulty,
        "outcomes": {outcome: _chance(chance) for outcome, chance in chances.outcomes().items()},
        "degrees": {str(degree): _chance(chance) for degree, chance in chances.degrees.items()},
    }


def _chance(chance: Fraction) -> dict[str, object]:
    return {"fraction": as_fraction(chance), "chance": float(chance)}


def degrees_of(outcome: str, chances: Odds) -> dict[int, Fraction]:
    """Return the odds of the degrees of ``outcome``: "failure" or "success"; other outcomes have none."""
    wanted = {"failure": False, "success": True}.get(outcome)
    return {degree: chance for degree, chance in chances.degrees.items() if (degree >= 0) is wanted}


def roll_in_words(roll: Roll) -> str:
    """Spell out a roll's three numbers."""
    throws = "1 throw" if roll.throws == 1 else f"{roll.throws} throws"
    rethrows = "1 rethrow" if roll.rethrows == 1 else f"{roll.rethrows or 'no'} rethrows"
    return f"{throws}, {rethrows}, difficulty {roll.difficulty}"


def as_fraction(chance: Fraction) -> str:
    """Format a chance exactly: "7/27", "0/1"."""
    return f"{chance.numerator}/{chance.denominator}"


def as_percent(chance: Fraction) -> str:
    """Format a chance to a hundredth of a percent; only an impossible one is 0 %, and only a certain one 100 %."""
    hundred = float(100 * chance)
    if chance in (0, 1):
        return f"{hundred:.0f} %"
    if hundred < 0.01:
        return "< 0.01 %"
    return "> 99.99 %" if hundred >= 99.995 else f"{hundred:.2f} %"


MAX_DEGREES_SHOWN = 24
"""Charts with more degrees than this leave out the invisible ones."""
MIN_VISIBLE_CHANCE = Fraction(1, 10_000)
"""The chance below which a bar would be invisible."""
MAX_LABELLED_BARS = 10
"""Charts with more bars than this have no figures above them."""
MAX_DEGREE_LABELS = 20
"""How many degrees of an outcome are named at most below its bars."""


def write_chart(path: Path, roll: Roll, chances: Odds) -> None:
    """Write the chart of the odds to ``path``, as PNG or SVG by its suffix.

    Raises:
        UsageError: The suffix is another one, or the file can't be written.
    """
    import matplotlib as mpl  # noqa: PLC0415 - only a chart needs it

    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise UsageError(f"--picture {path}: the name must end in .png or .svg")
    try:
        with atomic_write(path) as part, mpl.rc_context({"svg.fonttype": "none"}):  # text stays text
            odds_figure(roll, chances).savefig(part, format=suffix[1:])
    except OSError as error:
        raise UsageError(f"--picture {path} can't be written: {error.strerror}") from None


def odds_figure(roll: Roll, chances: Odds) -> "Figure":
    """Return the odds as a figure of 1280 × 720 pixels, with axes for each possible outcome. With many degrees,
    invisible ones are left out and a note says so."""
    groups: dict[str, Mapping[str, Fraction]] = {}
    left_out = 0
    for outcome, chance in chances.outcomes().items():
        if outcome in ("botch", "failed"):
            bars: Mapping[str, Fraction] = {"": chance}
        else:
            degrees = degrees_of(outcome, chances)
            seen = visible_degrees(degrees) if len(chances.degrees) > MAX_DEGREES_SHOWN else list(degrees)
            left_out += len(degrees) - len(seen)
            bars = {str(degree): degrees[degree] for degree in seen}
        if bars:
            groups[outcome] = bars
    counts = [len(bars) for bars in groups.values()]
    from matplotlib.figure import Figure  # noqa: PLC0415 - only a chart needs matplotlib

    figure = Figure(figsize=(12.8, 7.2), dpi=100, layout="constrained")
    figure.suptitle(
        f"Chances of {roll}\n{roll_in_words(roll)}: success {as_percent(chances.success)}", size=20, weight="bold"
    )
    note = "The numbers below the bars are degrees."
    if left_out:
        note += f" Left out: {left_out:,} rarer than 1 in {MIN_VISIBLE_CHANCE.denominator:,}."
    figure.supxlabel(note, size=12)
    widths = [max(count, 2, max(counts) / 5) for count in counts]
    plots = figure.subplots(1, len(groups), sharey=True, squeeze=False, width_ratios=widths)[0]
    for plot, (outcome, bars) in zip(plots, groups.items(), strict=True):
        _draw_outcome(plot, bars, outcome == "success", labelled=sum(counts) <= MAX_LABELLED_BARS)
        plot.set_xlabel(f"{outcome}\n{as_percent(chances.outcomes()[outcome])}", size=16, weight="bold")
    figure.align_xlabels()
    plots[0].yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    return figure


def _draw_outcome(plot: "Axes", bars: Mapping[str, Fraction], solid: bool, labelled: bool) -> None:
    """Draw an outcome's bars, filled or hatched, so that they differ without colours."""
    colour, edge, hatch = ("tab:blue", None, None) if solid else ("bisque", "saddlebrown", "--")
    places = range(len(bars))
    heights = [float(chance) for chance in bars.values()]
    drawn = plot.bar(places, heights, color=colour, edgecolor=edge, hatch=hatch)
    if labelled:
        plot.bar_label(drawn, [as_percent(chance) for chance in bars.values()], padding=3)
    step = -(-len(bars) // MAX_DEGREE_LABELS)
    plot.set_xticks(places[::step], list(bars)[::step])
    plot.set_xlim(-1, len(bars))
    plot.tick_params(length=0, labelsize=12)
    plot.spines[["left", "right", "top"]].set_visible(False)
    plot.grid(axis="y", color="gainsboro")
    plot.set_axisbelow(True)


def visible_degrees(degrees: Mapping[int, Fraction]) -> list[int]:
    """Return the degrees with a visible bar, and always the likeliest one."""
    likeliest = max(degrees, key=lambda degree: degrees[degree], default=None)
    return [degree for degree, chance in degrees.items() if chance >= MIN_VISIBLE_CHANCE or degree == likeliest]


@click.command()
@click.argument("depth", type=click.IntRange(min=0))
@click.option(
    "--position",
    metavar="TEXT",
    help='Start from this position, such as "R0@-4,0 S1@0,0 to-move=0".  [default: the set-up]',
)
@click.option(
    "--flags", type=click.IntRange(1, 2), default=1, show_default=True, help="Number of flags a player must lose."
)
@click.option(
    "--lock",
    type=click.Choice(["all", "any"]),
    default="all",
    show_default=True,
    help="Which enemy Scissors a locked Scissors must stay in contact with.",
)
@click.option(
    "--stuck",
    type=click.Choice(["pass", "loss"]),
    default="pass",
    show_default=True,
    help="What happens to a player without a legal move.",
)
@click.option("--divide", is_flag=True, help="Also print each first move with its leaves and its ended games.")
def perft(depth: int, position: str | None, flags: int, lock: str, stuck: str, divide: bool) -> None:
    """Count the board game's move sequences of DEPTH plies: the leaves, and the games that ended earlier.

    The board and its set-up are a reconstruction: the rule sheet's diagrams are lost.
    """
    rulings = BoardVariant(flags, cast(LockRule, lock), cast(StuckRule, stuck))
    try:
        root = starting_position(rulings) if position is None else parse_position(position, rulings)
    except NotationError as fault:
        raise UsageError(f"--position: {fault}") from None
    with show_progress("Counting", len(root.legal_moves())) as add_steps:
        parts = divided(root, depth, lambda: add_steps(1)) if divide and depth else {}
        if parts:
            total = PerftCount(*map(sum, zip(*parts.values(), strict=True)))
        else:
            total = counted(root, depth, on_first_move=lambda: add_steps(1))
    for move, count in parts.items():
        click.echo(f"{format_move(move, root.tables.board)} {count.leaves} {count.ended}")
    click.echo(f"leaves {total.leaves}")
    click.echo(f"ended {total.ended}")
