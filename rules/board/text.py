"""The words of the board game."""

from messages import N, join
from rules.board.events import BoardSetUp, Moved
from rules.board.notation import parse_move
from rules.board.position import STANDARD_VARIANT, starting_position
from rules.engine import GameText, Names
from rules.engine.scoreboard import FactOwner, LabelUse, ShownFact
from rules.text import fill, seat_name, template_by

_PIECES = {
    "R": N("{name}’s Rock"),
    "P": N("{name}’s Paper"),
    "S": N("{name}’s Scissors"),
    "F": N("{name}’s Flag"),
}
_DIRECTIONS = {
    "E": N("to the East"),
    "NE": N("to the North-East"),
    "NW": N("to the North-West"),
    "W": N("to the West"),
    "SW": N("to the South-West"),
    "SE": N("to the South-East"),
}


def _sides(event: BoardSetUp, names: Names) -> tuple[str, str]:
    sides = N("{south} plays South and moves first; {north} plays North.")
    return fill(sides, event.values, names), N(event.notice)


def _move(event: Moved, names: Names) -> str:
    board = starting_position(STANDARD_VARIANT).tables.board
    move = parse_move(event.move, board)
    name, origin = seat_name(event.seat, names), board.space_names[move.origin]
    if move.spread:
        towards = _DIRECTIONS[event.move.partition("*")[2]]
        line = N("{name} spreads {here} {towards}.", name=name, here=origin, towards=towards)
    else:
        target = board.space_names[move.target]
        line = N("{name} moves {here} to {there}.", name=name, here=origin, there=target)
    if not event.off:
        return line
    owners = {"0": seat_name(event.state.south, names), "1": seat_name(event.state.north, names)}
    pieces = []
    for token in dict.fromkeys(event.off):
        piece, count = N(_PIECES[token[0]], name=owners[token[1]]), event.off.count(token)
        pieces.append(N("{thing} ({count} times)", thing=piece, count=count) if count > 1 else piece)
    return join([line, N("Off the board: {things}.", things=join(pieces, ", "))])


TEXT = GameText(
    score_unit="",
    sentences={
        "board": _sides,
        "begins": N("{name} moves first ({throws})."),
        "moved": _move,
        "passed": N("{name} can’t move and passes."),
        "draw offered": N("{name} offers a draw."),
        "draw declined": N("{name} declines the draw."),
        "over": template_by(
            "reason",
            {
                "flag": N("{loser} has lost a Flag, and the game."),
                "both flags": N("{loser} has lost both Flags, and the game."),
                "no move": N("{loser} has no move left and loses."),
                "nobody can move": N("Draw: nobody can move."),
                "repetition": N("Draw: the position has been repeated too often."),
                "quiet": N("Draw: no capture for too long."),
                "resignation": N("{loser} resigns."),
                "agreement": N("Both agree on a draw."),
            },
        ),
    },
    headings={
        "moved": N("Last move"),
        "passed": N("No move"),
        "begins": N("Begins"),
        "draw offered": N("A draw?"),
        "draw declined": N("No draw"),
        "over": N("Game over"),
    },
    questions={"move": N("Which move?"), "draw offer": N("Do you accept a draw?")},
    hints={"move": N("Touch one of your pieces, then where it goes.")},
    words={
        "flags": N("flags"),
        "start": N("start", "who moves first"),
        "start.throw": N("by a throw"),
        "lock": N("lock", "Scissors"),
        "all": N("all", "enemy Scissors"),
        "any": N("any", "enemy Scissors"),
        "stuck": N("stuck"),
        "pass": N("pass", "no legal move"),
        "loss": N("loss", "no legal move"),
        "reconstruction": N("reconstruction"),
        "first move": N("first move"),
        "board": N("board"),
        "plies": N("moves", "how many"),
        "flag": N("a lost Flag"),
        "both flags": N("both Flags lost"),
        "no move": N("no move left"),
        "nobody can move": N("nobody can move"),
        "repetition": N("repetition"),
        "quiet": N("no capture"),
        "resign": N("resign"),
        "offer a draw": N("offer a draw"),
        "accept": N("accept", "a draw"),
        "decline": N("decline", "a draw"),
        "resignation": N("resignation"),
        "agreement": N("agreed"),
    },
    scoreboard={
        "begins.seat": ShownFact(FactOwner.NAMED, "begins", N("Begins")),
        "passed.seat": ShownFact(FactOwner.NAMED, "passed", N("No move")),
        "moved.seat": ShownFact(FactOwner.NAMED, "moved", N("Moved")),
        "for": ShownFact(labelled=LabelUse.NEVER),
        "result.reason": ShownFact(),
        "result.plies": ShownFact(),
    },
)
