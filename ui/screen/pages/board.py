"""The texts of the board."""

from collections.abc import Mapping

from messages import N
from rules.board.board import Side, Space
from ui.i18n.language import t
from ui.screen.pages.board_position import (
    PIECE_KINDS,
    BoardMove,
    BoardPosition,
    Token,
    move_text,
    owner_of,
    piece_name,
)
from ui.screen.pages.question import BoardPage, answer_text, question_text
from ui.text import labels

CONFIRM_MOVE = N("Confirm")
WHOLE_BOARD = N("Whole board")
RECONSTRUCTION_NOTICE = N("Board and set-up are our reconstruction")
SIDE_NAMES = (N("South"), N("North"))
SIDE_LETTERS = (N("S", "South"), N("N", "North"))
DIRECTION_NAMES = {
    "E": N("East"),
    "NE": N("North-East"),
    "NW": N("North-West"),
    "W": N("West"),
    "SW": N("South-West"),
    "SE": N("South-East"),
}


def space_label(name: str, token: Token | None) -> str:
    """A space and the piece on it."""
    return name if token is None else f"{name}: {_owned_piece(token)}"


def page_title(page: BoardPage) -> str:
    """What is proposed, the selected piece, or the question."""
    if page.other is not None or not page.moves:
        prompt = page.view.prompt
        return question_text(prompt) if page.other is None else t("{answer}?", answer=answer_text(prompt, page.other))
    return move_title(page.position, page.selected, page.move)


def page_hint(page: BoardPage, *, needs_enlarging: bool = False) -> str:
    """The instruction for the next touch."""
    if page.other is not None:
        return t("Confirm, or touch the board to go back.")
    if not page.moves:
        return labels.waiting_for([page.view.seat], {player.seat: player.name for player in page.view.players})
    spreads = any(move.spread for move in page.selected_moves)
    return move_hint(page.position, page.selected, bool(page.selected_moves), spreads, needs_enlarging)


def move_title(position: BoardPosition, selected: Space | None, move: BoardMove | None) -> str:
    """The proposed move, the selected piece, or whose move it is."""
    if move is not None:
        return move_text(position, move)
    if selected is not None:
        here = position.board.space_names[selected]
        return t("{piece} on {here}", piece=piece_name(position.pieces[selected]), here=here)
    return t("{side} to move", side=SIDE_NAMES[position.to_move])


def move_hint(
    position: BoardPosition, selected: Space | None, can_move: bool, can_spread: bool, needs_enlarging: bool
) -> str:
    """The instruction for the next touch; on a board that ``needs_enlarging`` that touch enlarges it."""
    if selected is None and needs_enlarging:
        return t("Touch the board near your piece to enlarge it.")
    if selected is None:
        return t("Touch one of your pieces, then where it goes.")
    token = position.pieces[selected]
    owners = "".join(t(SIDE_LETTERS[int(owner)]) for owner in token[1:])
    prefix = f"{t('From the bottom: {owners}.', owners=owners)} " if len(token) > 2 else ""
    if not position.is_own(selected):
        return prefix + t("It belongs to {side}.", side=SIDE_NAMES[owner_of(token)])
    if not can_move:
        return prefix + t("It can’t move now.")
    if needs_enlarging:
        return prefix + (t("Touch near where it goes, or spread it:") if can_spread else t("Touch near where it goes."))
    return prefix + (t("Touch where it goes, or spread it:") if can_spread else t("Touch where it goes."))


def own_losses(pieces: Mapping[str, int]) -> str:
    """The player's own pieces that a move takes off the board."""
    return t("Costs you {things}", things=_list_pieces(pieces))


def captures(pieces: Mapping[str, int]) -> str:
    """The other side's pieces that a move takes off the board."""
    return t("Takes {things}", things=_list_pieces(pieces)) if pieces else t("Takes nothing")


def spread_label(direction: str) -> str:
    """The label of the button that spreads a stack in a direction."""
    return t("Spread {direction}", direction=DIRECTION_NAMES[direction])


def _owned_piece(token: Token) -> str:
    side: Side = owner_of(token)
    return t("{side}’s {piece}", side=SIDE_NAMES[side], piece=piece_name(token))


def _list_pieces(things: Mapping[str, int]) -> str:
    return ", ".join(
        t(PIECE_KINDS[kind][0]) if count == 1 else f"{count} {t(PIECE_KINDS[kind][1])}"
        for kind, count in things.items()
    )
