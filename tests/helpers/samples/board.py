"""Samples of the board: nothing selected, each kind of piece selected, proposed moves, and a message about a move."""

from dataclasses import replace

from rules.board.board import RECONSTRUCTED_LAYOUT, Board
from rules.board.events import BoardState, Moved
from rules.board.notation import format_move, format_space, parse_position, parse_space
from rules.board.text import TEXT
from rules.engine import Choices, ChoicesAndMore, FactValue, Prompt
from tests.helpers.samples.common import players
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage, LiveAnswers
from ui.screen.pages.message import GameMessage
from ui.screen.pages.question import BoardPage, Question, new_draft
from ui.screen.views import View

BOARD = Board(RECONSTRUCTED_LAYOUT)
SET_UP_POSITION = " ".join(f"{token}@{format_space(space, BOARD)}" for space, token in BOARD.initial_pieces.items())
POSITION = (
    "F1@1,-6 F1@5,-6 S1@4,-4 S1@3,-1 P1111110101101@-1,-2 P1@2,-2 P01@2,0 S0@1,1 R0@-2,2 P0@-1,2 P0110@0,2 "
    "R1@-2,-1 P00@-3,3 S0@-4,4 R0@0,4 F0@-5,5 F0@-1,5 to-move=0 lost=0,1"
)
"""A position that shows every piece and every mark."""


def move_question(text: str, last: str | None = None, seconds_left: float | None = None) -> Question:
    """A question for a move on the board, with all legal moves."""
    position = parse_position(text.partition(" lost=")[0])
    moves = Choices(tuple(format_move(move, position.tables.board) for move in position.legal_moves()))
    seat = 2 - position.to_move
    about: dict[str, FactValue] = {"position": text, "south": 2, "north": 1, "last": last}
    return Question(players(2, scores=False), Prompt("move", {seat: moves}, about=about), seat, seconds_left)


def board_page(view: Question, selected: str | None = None, move: str | None = None) -> BoardPage:
    """The page of a question for a move, with a piece selected or a move proposed."""
    page = new_draft(view)
    assert isinstance(page, BoardPage)
    if move is not None:
        return page.propose(next(legal for legal in page.moves if legal.notation == move))
    return page.select(None if selected is None else parse_space(selected, BOARD))


def samples() -> dict[str, View]:
    """Return the samples by name."""
    view = move_question(POSITION, "2,-3>2,-2")
    selected = {
        "rock": "-2,2", "scissors": "1,1", "stack": "0,2", "theirs": "-1,-2", "flag": "-5,5",
    }  # fmt: skip
    proposed = {"costs": "-2,2>-1,2", "takes": "-2,2>-2,-1", "spread": "0,2*W"}
    enlarged = board_page(view).enlarge(parse_space("0,2", BOARD))
    moved = Moved(1, "2,-3>2,-2", (), BoardState(1, 2, 1, POSITION), text=TEXT)
    sentences = ("Ann moves a Paper from i6 to h7.", "It takes a Rock of South's.")
    offer = Prompt("draw offer", {2: Choices(("accept", "decline"))}, about=view.prompt.about, text=TEXT)
    offered = new_draft(Question(view.players, offer, 2))
    moves = view.prompt.seats[view.seat]
    assert isinstance(moves, Choices) and isinstance(offered, BoardPage)
    more = {view.seat: ChoicesAndMore(moves.values, ("resign", "offer a draw"))}
    with_more = board_page(replace(view, prompt=replace(view.prompt, seats=more, text=TEXT)))
    undone = GameMessage(players(2), moved, sentences, can_undo=True, seconds_left=5.0)
    live = LiveAnswers(phones=frozenset({view.seat}), on_phone=frozenset({view.seat}))
    watched = GroupQuestion(view.players, with_more.view.prompt, poll_answers=lambda _: live)
    timed = replace(watched, seconds=30.0).first_page().poll()
    assert isinstance(timed, GroupQuestionPage)
    return {
        "board-more": with_more,
        "board-resign": with_more.propose_other("resign"),
        "board-draw": offered,
        "board-undo": undone,
        "board-watched": watched.first_page(),
        "board-watched-time": timed,
        "board": move_question(SET_UP_POSITION.replace("-3,3", "-3,2") + " to-move=1", "-3,3>-3,2", 41.0),
        **{f"board-{name}": board_page(view, space) for name, space in selected.items()},
        **{f"board-{name}": board_page(view, move=move) for name, move in proposed.items()},
        "board-enlarged": enlarged,
        "board-enlarged-stack": enlarged.touch(parse_space("0,2", BOARD)),
        "board-message": GameMessage(players(2), moved, sentences),
    }
