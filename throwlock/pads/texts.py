"""The words of the pads, in the box's language."""

from collections.abc import Mapping
from dataclasses import dataclass

from messages import N
from rules.engine import CardChoices, Choices, IntRange, Seat, Value
from rules.engine.scoreboard import FactForm
from rules.throws import Outcome, Throw
from throwlock.pads.audience import NOBODY, REACTIONS
from throwlock.pads.view import Activity, PadState
from ui.i18n.language import current_language, ngettext, render, t
from ui.screen.pages import board as board_page
from ui.screen.pages import fact_words
from ui.screen.pages import question as question_page
from ui.screen.pages.board_position import PIECE_ICONS, Token, move_costs
from ui.screen.pages.classroom import points_text
from ui.screen.pages.common import player_title
from ui.screen.pages.fact_words import fact_text
from ui.screen.pages.group_question import ANSWERS_ARE_FINAL
from ui.screen.pages.guests import COLOURS, GUESSERS_TITLE, PICTURES, Guest, guesser_score
from ui.screen.pages.question import BoardPage, Question, answer_values, count_values, number_presets, wide_step
from ui.screen.pages.scoreboard import prompt_facts
from ui.screen.pages.seating import MAX_NAME_LENGTH
from ui.screen.pages.standings import champions_text
from ui.text import game_words, labels
from ui.text.labels import FIGURE_HEADINGS

__all__ = [
    "ANSWERS_ARE_FINAL",
    "COLOURS",
    "FIGURE_HEADINGS",
    "GUESSERS_TITLE",
    "MAX_NAME_LENGTH",
    "PICTURES",
    "REACTIONS",
    "current_language",
    "fact_text",
    "guesser_score",
    "ngettext",
    "player_title",
    "render",
    "t",
]

ACTIVITY_TEXTS: dict[Activity, str] = {
    Activity.NOTHING: N("No match is being played. This page shows the next one by itself."),
    Activity.JOINING: N("You’re in. Go on at the box’s screen."),
    Activity.QUESTION: N("Wait for the others."),
    Activity.WATCHING: N("Look at the box’s screen."),
    Activity.PAUSED: N("The match is paused. It goes on at the box’s screen."),
    Activity.PRESENCE: N("The box asks whether anybody is there. Touch its screen."),
    Activity.OVER: N("The match is over."),
}
LONG_LIST = 12
"""A list of more values is a menu to choose from."""
SELECTED_ID = "selected"
"""The id of the space of a board that is scrolled to: the selected one or the destination of the proposed move, or
else a piece in the middle of those that can move."""
COMPASS_DIRECTIONS = ("NW", "NE", "W", "E", "SW", "SE")
"""The directions as they lie on the board, two to a row."""
MOVES_LIST = N("All moves as a list")
STATE_LABELS = {
    "asked": N("choosing"),
    "on phone": N("choosing"),
    "entering": N("choosing"),
    "in": N("in", "of an answer"),
    "out of time": N("time’s up"),
}
"""What each seat that is asked does."""
LOOK_LABELS = {"asked": N("looking"), "on phone": N("looking"), "in": N("has looked")}
"""What each seat does that is told what it alone may know."""
OUTCOME_TEXTS = {Outcome.WON: N("You won."), Outcome.TIED: N("You drew."), Outcome.LOST: N("You lost.")}
JOIN_TITLE = N("Play with your phone")
JOIN_TEXT = N("Type the code that the box’s screen shows below the QR code.")
JOIN_LABEL = N("Join")
CODE_LABEL = N("Code on the box")
CHOOSE_SEAT = N("Which seat is yours?")
CHOOSE_NUMBER = N("Which number is on your card?")
ASK_TO_JOIN = N("To choose a seat, touch Pause on the box’s screen, then “Play with phones”.")
AUDIENCE_ID = "audience"
"""The id of the part of the page for those without a seat."""
GUESS_TITLE = N("Who wins the next round?")
GUESS_NOBODY = N("Nobody")
GUESS_OPEN = N("Your guess: {name}. You can change it until the throw.")
GUESS_FINAL = N("Your guess is final: {name}.")
GUESSES_CLOSED = N("Guesses are closed until the reveal.")
GUESSED_RIGHT, GUESSED_WRONG = N("You guessed right!"), N("Not this time.")
REACTIONS_TITLE = N("How was it?")
WATCHING = N("You’re watching. The box’s screen shows the match.")
YOU_ARE_HERE = N("The box knows that you’re here. It offers you a seat when a match is set up.")
NEXT_MATCH, YOUR_MATCH = N("Next: {players}."), N("Your next match: {players}.")
YOU_ARE_NEXT = N("You’re next: {players}.")
WHO_ARE_YOU = N("Who are you?")
NAME_LABEL, PICTURE_LABEL, COLOUR_LABEL = N("Your name"), N("Your picture"), N("Your colour")
INTRODUCE = N("I’m here")
CHANGE = N("Change name or picture")
LEAVE = N("I’m not here any more")
SHOW_LABEL = N("Show my page")
TAKEN = N("has a phone")
AT_SCREEN = N("Your seat answers on the box’s screen.")
RETURN_TO_PHONE = N("Answer on this phone again")
LEAVE_SEAT = N("Give the seat back")
OTHER_NUMBER = N("Another number")
LOCKED_IN = N("Your answer is in.")
LOOKED = N("You have looked.")
TIME_UP = N("Your time ran out.")
YOUR_TURN = N("Your turn")
OFFLINE = N("The box can’t be reached. Are you in the same Wi-Fi?")
FULL = N("So many phones are connected that this page isn’t kept up to date. Reload it.")
JUST_NOW = N("Just now")
LAST_ANSWER = N("Your last answer")
SCORES, PLAYERS = N("Scores"), N("Players")
CONFIRM = N("Confirm")
PLEASE_CHOOSE = N("Choose …")
NO_THROW_SEEN = N("Your throw was not seen.")
THROW_DRAWN = N("Your throw was not seen: the box drew this one.")
NO_ROUND_YET = N("Your throw shows here after the first round.")


def question_text(question: Question) -> str:
    """The question."""
    return question_page.question_text(question.prompt)


def about_lines(question: Question) -> list[str]:
    """What to know when answering: the round's facts, the seat's, and everybody's claims."""
    prompt, seat = question.prompt, question.seat
    if "means" in prompt.about:
        return [question_page.about_text(prompt, seat)]
    facts = prompt_facts(prompt)
    own = tuple(fact for fact in facts.of_seat(seat) if fact.shown.form not in (FactForm.THROW, FactForm.HAND))
    lines = [fact_text(fact) for fact in (*facts.table, *own)]
    names = {player.seat: player.name for player in question.players}
    throws = question_page.public_throws(prompt)
    shown = [f"{names[other]} {fact_words.fact_value(fact)}" for other, fact in throws.items()]
    if shown:
        heading = fact_words.fact_label(next(iter(throws.values())))
        shown[0] = t("{name}: {throw}", name=heading, throw=shown[0])
    return [" · ".join(group) for group in (lines, shown) if group]


def hand(state: PadState) -> list[tuple[str, str]]:
    """The cards of the seat's hand: the icon and the label of each kind; none where they are the answers to choose
    from."""
    asked = state.question and state.question.question.prompt.seats[state.question.question.seat]
    held = next((fact for fact in state.own_facts if fact.shown.form is FactForm.HAND), None)
    if held is None or not isinstance(held.value, Mapping) or isinstance(asked, CardChoices):
        return []
    return [(card, f"{game_words.code_word(card, held.text)} ×{count}") for card, count in held.value.items() if count]


def own_lines(state: PadState) -> list[str]:
    """What else the seat alone knows."""
    return [fact_text(fact) for fact in state.own_facts if fact.shown.form is not FactForm.HAND]


def options(question: Question) -> list[tuple[int, str, str | None, str]]:
    """The answers of a list: the place of each, its label, its throw's icon, and what it costs or can win. Cards are
    counted."""
    prompt, seat = question.prompt, question.seat
    allowed = prompt.seats[seat]
    assert isinstance(allowed, Choices)
    return [
        (
            number,
            question_page.answer_text(prompt, value) + (f" ×{count}" if count > 1 else ""),
            str(value) if value in list(Throw) else None,
            question_page.consequence_text(prompt, seat, value),
        )
        for number, (value, count) in enumerate(count_values(allowed))
    ]


def consequences(question: Question, allowed: IntRange) -> list[str]:
    """What each number costs or can win; none where no number does."""
    numbers = range(allowed.start, allowed.stop + 1, allowed.step)
    texts = [question_page.consequence_text(question.prompt, question.seat, number) for number in numbers]
    return texts if any(texts) else []


@dataclass(frozen=True)
class BoardCell:
    """A space of the board."""

    name: str
    label: str
    piece: Token | None
    """R0, or P011: a stack by its sheets' owners; None: it is empty."""
    marks: str
    """The CSS classes of its marks."""
    is_selected: bool
    is_shown_first: bool
    can_touch: bool
    """Whether a touch there leads to anything."""


def board_rows(page: BoardPage) -> list[tuple[int, list[BoardCell]]]:
    """The rows of a board from the North: how far each is indented, in halves of a space, and its spaces."""
    board, pieces = page.position.board, page.position.pieces
    centres = [board.centre(space) for space in range(len(board.coordinates))]
    left = min(x for x, _ in centres)
    last, moves = page.position.last, [move for move in page.selected_moves if not move.spread]
    last_spaces = {last.origin, *last.landing_spaces} if last else set()
    targets = {move.landing_spaces[-1]: bool(move_costs(page.position, move)[0]) for move in moves}
    movable = {move.origin for move in page.moves}
    selected = page.move.landing_spaces[-1] if page.move else page.selected
    middle = sorted(movable or pieces, key=lambda space: centres[space])[len(movable or pieces) // 2]
    shown_first = middle if selected is None else selected
    rows: dict[int, list[BoardCell]] = {}
    indents: dict[int, int] = {}
    for space, (_, row) in enumerate(board.coordinates):
        piece, marks = pieces.get(space), ["half-south" if row >= 0 else "half-north"]
        marks += ["last"] if space in last_spaces else []
        marks += ["chosen"] if space == page.selected else []
        if page.move and space in page.move.landing_spaces:
            marks.append("proposed")
        elif page.move is None and space in targets:
            marks += ["target", *(["hit"] if piece else []), *(["costs"] if targets[space] else [])]
        label = board_page.space_label(board.space_names[space], piece)
        touches = space in targets or space in movable or space == page.selected
        indents.setdefault(row, round(2 * (centres[space][0] - left)))
        rows.setdefault(row, []).append(
            BoardCell(
                board.space_names[space],
                label,
                piece,
                " ".join(marks),
                space == selected,
                space == shown_first,
                touches,
            )
        )
    return [(indents[row], cells) for row, cells in sorted(rows.items())]


def board_lines(page: BoardPage) -> list[tuple[str, bool]]:
    """What is selected or proposed on a board and what to do next; whether each line warns of a loss."""
    lines = [(board_page.page_title(page), False)]
    if page.move is None:
        return [*lines, (board_page.page_hint(page), False)]
    own, others = move_costs(page.position, page.move)
    lines += [(board_page.own_losses(own), True)] if own else []
    return lines + ([(board_page.captures(others), False)] if others or not own else [])


def spreads(page: BoardPage) -> list[tuple[str, str, bool, bool]]:
    """The directions to spread the selected stack in, if it can be: the name, the label, whether it can be spread
    there, and whether that is proposed."""
    moves = {move.spread: move for move in page.selected_moves if move.spread is not None}
    return [
        (name, board_page.spread_label(name), name in moves, page.move is not None and page.move == moves.get(name))
        for name in (COMPASS_DIRECTIONS if moves else ())
    ]


def piece_icon(piece: Token) -> str:
    """The icon of a piece."""
    return PIECE_ICONS[piece[0]]


def other_answers(page: BoardPage) -> list[tuple[str, str]]:
    """What can be answered instead of a move, with the labels; nothing while a piece is selected."""
    others = page.others if page.selected is None else ()
    return [(other, question_page.answer_text(page.view.prompt, other)) for other in others]


def proposed_place(page: BoardPage) -> int | None:
    """The place of the proposed answer among all that are allowed; None without one."""
    allowed = page.view.prompt.seats[page.view.seat]
    if page.proposed is None or not isinstance(allowed, Choices):
        return None
    return answer_values(allowed).index(page.proposed)


def span(question: Question) -> IntRange | None:
    """The range of a number; None for a list."""
    allowed = question.prompt.seats[question.seat]
    return allowed if isinstance(allowed, IntRange) else None


def first_number(question: Question, allowed: IntRange) -> int:
    """The number that a question starts with."""
    default = question.prompt.default
    return default if isinstance(default, int) and allowed.allows(default) else allowed.start


def steps(allowed: IntRange) -> list[int]:
    """The numbers that the buttons of a range add."""
    wide = wide_step(allowed)
    return [count * allowed.step for count in ((-wide, -1, 1, wide) if wide else (-1, 1))]


def presets(allowed: IntRange) -> list[tuple[str, int]]:
    """The presets of a range, with their labels."""
    return [(label and t(label), number) for number, label in number_presets(allowed).items()]


def signed(number: int) -> str:
    """A number with its sign."""
    return f"+{number}" if number > 0 else f"−{-number}"


def no_seat_text(state: PadState) -> str:
    """What a phone without a seat shows instead of a question."""
    plays = state.activity not in (Activity.NOTHING, Activity.OVER)
    if state.guest is not None:
        return t(WATCHING) if plays else tournament_text(state) or t(YOU_ARE_HERE)
    return t(ASK_TO_JOIN) if plays else waiting_text(state)


def tournament_text(state: PadState) -> str:
    """What comes next in the tournament, and the match of whoever holds the phone; empty without one."""
    tournament = state.tournament
    if tournament is None:
        return ""
    summary, ready = tournament.summary, tournament.ready
    if summary.champions:
        return champions_text(summary)
    name = state.guest.name if state.guest is not None else state.names.get(state.seat or 0, "")
    own = [fixture for fixture in ready if name in map(summary.name, fixture.present)]
    if own and own[0] is ready[0]:
        return t(YOU_ARE_NEXT, players=t(summary.against(own[0])))
    lines = [(NEXT_MATCH, ready[:1]), (YOUR_MATCH, own[:1])]
    return " ".join(t(text, players=t(summary.against(fixture))) for text, some in lines for fixture in some)


def suggested_guest(state: PadState) -> Guest:
    """Who holds the phone; of whoever has yet to say so, a picture and a colour that nobody has if there are any."""
    if state.guest is not None:
        return state.guest
    pictures, colours = ({getattr(guest, name) for guest in state.guests} for name in ("picture", "colour"))
    numbers = range(1, len(COLOURS) + 1)
    picture = next((picture for picture in PICTURES if picture not in pictures), next(iter(PICTURES)))
    return Guest("", picture, next((number for number in numbers if number not in colours), 1))


def is_audience(state: PadState) -> bool:
    """Whether the phone may guess and react now."""
    watches = state.activity not in (Activity.NOTHING, Activity.JOINING, Activity.OVER)
    return watches and state.seat is None and state.guest is not None and state.audience is not None


def guess_options(state: PadState) -> list[tuple[Seat, str]]:
    """Who may win the next round, each with their name; or nobody."""
    throwing = state.audience.throwing if state.audience else ()
    names = [(seat, name) for seat, name in state.names.items() if not throwing or seat in throwing]
    return [*names, (NOBODY, t(GUESS_NOBODY))]


def guess_text(state: PadState) -> str:
    """The phone's own guess, and whether it can still be changed."""
    assert state.audience is not None  # else nothing is guessed
    if state.audience.guess is None:
        return t(GUESSES_CLOSED)
    name = dict(guess_options(state))[state.audience.guess]
    return t(GUESS_OPEN if state.audience.is_open else GUESS_FINAL, name=name)


def waiting_text(state: PadState) -> str:
    """What the box does, or whom it waits for."""
    if state.activity is not Activity.QUESTION:
        is_between = state.activity is Activity.NOTHING
        return (is_between and tournament_text(state)) or t(ACTIVITY_TEXTS[state.activity])
    waiting = [seat for seat, progress in sorted(state.asked.items()) if progress not in ("in", "out of time")]
    others = [seat for seat in waiting if seat != state.seat]
    if not others:
        return t(ACTIVITY_TEXTS[Activity.WATCHING])
    return labels.waiting_for(others, state.names)


def own_state_text(state: PadState) -> str:
    """Whether the phone's own seat has answered; empty where it wasn't asked."""
    own = state.asked.get(state.seat) if state.seat is not None else None
    if own == "in":
        return t(LOOKED if state.only_tells else LOCKED_IN)
    return t(TIME_UP) if own == "out of time" else ""


def state_label(state: PadState, seat: Seat) -> str:
    """What a seat does; empty if it isn't asked."""
    shown = state.asked.get(seat)
    if shown is None:
        return ""
    return t((STATE_LABELS | LOOK_LABELS if state.only_tells else STATE_LABELS)[shown])


def player_name(state: PadState) -> str:
    """The name of the phone's player, or the number of a student without one."""
    assert state.seat is not None  # else nobody is shown
    return state.names.get(state.seat) or t("Number {number}", number=state.seat)


def last_answer_text(last_answer: tuple[Question, Value]) -> str:
    """A question that the phone answered, and its answer."""
    question, value = last_answer
    return f"{question_text(question)} {question_page.answer_text(question.prompt, value)}"


def throw_text(throw: Throw) -> str:
    """A throw."""
    return game_words.value_text(throw.value)


def standing_text(state: PadState) -> str:
    """A student's own result of the last round, and the score."""
    standing = state.standing
    assert standing is not None  # else there was no round
    if standing.throw is None:
        return t(NO_THROW_SEEN)
    own = (player.score for player in state.players if player.seat == state.seat)
    scores = [points_text(score) for score in own if score]
    drawn = [THROW_DRAWN] if state.is_unseen else []
    outcome = [] if standing.outcome is None else [OUTCOME_TEXTS[standing.outcome]]
    return " ".join(map(t, (*drawn, *outcome, *scores)))
