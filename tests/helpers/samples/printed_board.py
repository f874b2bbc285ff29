"""Samples of a printed board that a camera watches: no problem, misplaced pieces, an ambiguous move, spaces that can't
be read."""

from typing import Any

from messages import N, join
from rules.board.notation import parse_space
from rules.engine import Choices, Json, Prompt
from tests.helpers.samples.board import BOARD, POSITION, SET_UP_POSITION
from tests.helpers.samples.common import players
from ui.screen.pages.printed_board import BoardObservation, PrintedBoardQuestion
from ui.screen.views import View
from ui.text import board as words


def samples() -> dict[str, View]:
    """Return the samples by name."""

    def space(text: str) -> int:
        return parse_space(text, BOARD)

    def page(sentence: str, *, text: str = POSITION, **state: Any) -> PrintedBoardQuestion:
        about: dict[str, Json] = {"position": text, "south": 2, "north": 1}
        prompt = Prompt("move", {2: Choices(())}, about=about)
        return PrintedBoardQuestion(players(2, scores=False), prompt, 2, BoardObservation(sentence, **state))

    names = BOARD.space_names
    first, second, empty, full = space("-2,2"), space("-3,1"), space("-3,3"), space("-3,2")
    facts = {"piece": words.piece_name("R0"), "here": names[first], "there": names[second]}
    illegal = join([N(words.ILLEGAL_MOVE, **facts), words.UNDO_OR_MOVE])
    wrong = [words.missing_piece(names[empty], "P0"), words.extra_piece(names[full], "P0")]
    swapped = [words.wrong_piece(names[second], "S0", "P1"), words.wrong_piece(names[first], "P0", "S1")]
    longest = [*swapped, *wrong, *wrong, *wrong]
    not_set_up, both_wrong, worst, *longer = (
        N(words.POSITION_NOT_SET_UP, wrong=words.first_sentences(lines, count))
        for lines, count in ((wrong, 1), (wrong, 2), (longest, 1), (longest, 4), (longest, 3), (longest, 2))
    )
    hidden = tuple(space(text) for text in ("0,2", "1,1", "2,0"))
    unread = N(words.UNREADABLE_SPACES, spaces=words.list_spaces([names[one] for one in hidden]))
    moved, extra, both = ((second, "R0"),), ((full, "P0"),), ((second, "P1"), (first, "S1"))
    set_up = SET_UP_POSITION + " to-move=0"
    return {
        "printed-board": page(words.move_sentence("Ben", 0)),
        "printed-board-illegal": page(illegal, is_ok=False, unexpected=moved, missing=(first,)),
        "printed-board-set-up": page(
            not_set_up, text=set_up, is_ok=False, unexpected=extra, missing=(empty,), longer_sentences=(both_wrong,)
        ),
        "printed-board-worst": page(
            worst,
            is_ok=False,
            unexpected=both,
            missing=(empty,),
            unreadable=hidden,
            longer_sentences=tuple(longer),
        ),
        "printed-board-several": page(words.AMBIGUOUS_MOVE, is_ok=False, missing=(first,), is_ambiguous=True),
        "printed-board-unread": page(unread, is_ok=False, unreadable=hidden),
    }
