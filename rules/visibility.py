"""A game as somebody at the table may see it: what was said, asked and answered so far, without what is sealed or
secret. It is what a journal shows in public and what a screen shows to one player."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import BOX, Answers, Ask, Game, Json, Play, Seat, visible

Line = dict[str, Json]


def view(
    game: Game, answers: Iterable[Answers], seat: Seat | None = None, entered: Answers | None = None
) -> list[Line]:
    """The game after ``answers`` as ``seat`` sees it (``None``: somebody who only watches), one line for each step::

        {"say": KIND, …}                              what the game said to everybody, or to this seat
        {"ask": KIND, "seats": {"1": OPTIONS, …}, …}  as the engine prints it; of a secret ask only the own options
        {"answers": {"1": VALUE, …}, "hidden": […]}   what may be seen of them, and which seats answered unseen
        {"result": …}

    ``entered`` is what is in of the last question, which not all seats have answered yet. What the box alone is asked
    and answers (a draw) is not shown: what is public of it, the game says.

    Raises IllegalAnswerError when an answer is not allowed, or when there are more answers than questions.
    """
    play = Play(game)
    lines = _news(play, 0, seat)
    for answer in answers:
        ask, heard = play.asked, len(play.said)
        play.answer(answer)
        if ask is not None:
            lines += _answered(ask, ask.check(answer), seat)
        lines += _news(play, heard, seat)
    if play.asked is not None and entered:
        lines += _answered(play.asked, entered, seat)
    return lines


def _news(play: Play, heard: int, seat: Seat | None) -> list[Line]:
    """What has been said since ``heard`` that the seat may hear, and the question or the result it led to."""
    lines = [say.as_json() for say in play.said[heard:] if say.seen_from(seat)]
    if play.result is not None:
        lines.append(play.result.as_json())
    elif play.asked is not None and (of_people := _without_box(play.asked)).seats:
        lines.append(of_people.seen_from(seat).as_json())
    return lines


def _answered(ask: Ask, given: Answers, seat: Seat | None) -> list[Line]:
    """The answers, those the seat may not see only by who gave them."""
    seen = visible(ask, given, seat)
    hidden = [other for other in given if other not in seen and other != BOX]
    if not seen and not hidden:
        return []
    shown: Mapping[str, Json] = {str(other): value for other, value in seen.items()}
    return [{"answers": shown, **({"hidden": hidden} if hidden else {})}]


def _without_box(ask: Ask) -> Ask:
    """The ask as far as it is one to people."""
    return replace(ask, seats={seat: options for seat, options in ask.seats.items() if seat != BOX})
