"""The gallery's pages of a printed board that a camera watches: all is well, what stands wrong, a move that may be
several, spaces that can't be read."""

from rules.board.board import RECONSTRUCTION, Board
from rules.board.notation import read_space
from rules.engine import Ask, Choices, Json
from tools.gallery.people import players
from ui.i18n.language import N, row
from ui.screen.core.page_stack import Page
from ui.screen.pages.board.printed_view import Sighting
from ui.screen.pages.views import View, Watching
from ui.text import board as words

BOARD = Board(RECONSTRUCTION)


def watching_pages(position: str, set_up: str) -> dict[str, View | Page]:
    """Of a position in the midst of a game, and of the ``set_up``."""

    def space(text: str) -> int:
        return read_space(text, BOARD)

    def page(text: str, now: Sighting) -> Watching:
        about: dict[str, Json] = {"position": text, "south": 2, "north": 1}
        return Watching(players(2, scores=False), Ask("move", {2: Choices(())}, about=about), 2, now)

    names = BOARD.names
    here, there = space("-2,2"), space("-3,1")
    facts = {"piece": words.piece("R0"), "here": names[here], "there": names[there]}
    wrong = [words.missing(names[space("-3,3")], "P0"), words.extra(names[space("-3,2")], "P0")]
    swapped = [words.other(names[there], "S0", "P1"), words.other(names[here], "P0", "S1")]
    hidden = tuple(space(text) for text in ("0,2", "1,1", "2,0"))
    return {
        "watching": page(position, Sighting(words.turn("Ben", 0))),
        "watching-illegal": page(
            position, Sighting(row([N(words.NO_MOVE, **facts), words.PUT_BACK]), False, ((there, "R0"),), (here,))
        ),
        "watching-set-up": page(
            set_up + " to-move=0",
            Sighting(N(words.PUT_UP, wrong=words.some(wrong)), False, ((space("-3,2"), "P0"),), (space("-3,3"),)),
        ),
        "watching-worst": page(
            position,
            Sighting(
                N(words.PUT_UP, wrong=words.some([*swapped, *wrong, *wrong, *wrong])),
                False,
                ((there, "P1"), (here, "S1")),
                (space("-3,3"),),
                hidden,
            ),
        ),
        "watching-several": page(position, Sighting(words.SEVERAL, False, (), (here,), several=True)),
        "watching-unread": page(
            position,
            Sighting(N(words.HIDDEN, spaces=words.spaces([names[one] for one in hidden])), False, unread=hidden),
        ),
    }
