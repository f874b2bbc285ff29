"""Samples of a printed board that a camera watches: no problem, misplaced pieces, an ambiguous move, spaces that can't
be read."""

from rules.board.notation import parse_space
from rules.engine import Choices, Json, Prompt
from ui.i18n.language import N, join
from ui.screen.core.page_stack import Page
from ui.screen.pages.board.samples import BOARD, POSITION, SET_UP_POSITION
from ui.screen.pages.common.samples import players
from ui.screen.pages.printed_board.view import BoardObservation, PrintedBoardQuestion
from ui.screen.pages.views import View
from ui.text import board as words


def samples() -> dict[str, View | Page]:
    """Return the samples by name."""

    def space(text: str) -> int:
        return parse_space(text, BOARD)

    def page(text: str, observation: BoardObservation) -> PrintedBoardQuestion:
        about: dict[str, Json] = {"position": text, "south": 2, "north": 1}
        return PrintedBoardQuestion(
            players(2, scores=False), Prompt("move", {2: Choices(())}, about=about), 2, observation
        )

    names = BOARD.space_names
    first_space, second_space = space("-2,2"), space("-3,1")
    facts = {"piece": words.piece_name("R0"), "here": names[first_space], "there": names[second_space]}
    wrong = [words.missing_piece(names[space("-3,3")], "P0"), words.extra_piece(names[space("-3,2")], "P0")]
    swapped = [words.wrong_piece(names[second_space], "S0", "P1"), words.wrong_piece(names[first_space], "P0", "S1")]
    hidden = tuple(space(text) for text in ("0,2", "1,1", "2,0"))
    return {
        "printed-board": page(POSITION, BoardObservation(words.turn_sentence("Ben", 0))),
        "printed-board-illegal": page(
            POSITION,
            BoardObservation(
                join([N(words.ILLEGAL_MOVE, **facts), words.UNDO_OR_MOVE]),
                False,
                ((second_space, "R0"),),
                (first_space,),
            ),
        ),
        "printed-board-set-up": page(
            SET_UP_POSITION + " to-move=0",
            BoardObservation(
                N(words.POSITION_NOT_SET_UP, wrong=words.first_sentences(wrong)),
                False,
                ((space("-3,2"), "P0"),),
                (space("-3,3"),),
            ),
        ),
        "printed-board-worst": page(
            POSITION,
            BoardObservation(
                N(words.POSITION_NOT_SET_UP, wrong=words.first_sentences([*swapped, *wrong, *wrong, *wrong])),
                False,
                ((second_space, "P1"), (first_space, "S1")),
                (space("-3,3"),),
                hidden,
            ),
        ),
        "printed-board-several": page(
            POSITION, BoardObservation(words.AMBIGUOUS_MOVE, False, (), (first_space,), is_ambiguous=True)
        ),
        "printed-board-unread": page(
            POSITION,
            BoardObservation(
                N(words.UNREADABLE_SPACES, spaces=words.list_spaces([names[hidden_space] for hidden_space in hidden])),
                False,
                unreadable=hidden,
            ),
        ),
    }
