"""A game as one seat or a spectator may see it, without sealed or secret answers: for public journals and screens that
show one player's view."""

from collections.abc import Iterable, Mapping

from rules.engine import BOX, Answers, Game, Json, Play, Prompt, Seat, visible_events

ViewLine = dict[str, Json]


def view_game(
    game: Game, answers: Iterable[Answers], seat: Seat | None = None, partial_answers: Answers | None = None
) -> list[ViewLine]:
    """Return the game after ``answers`` as ``seat`` (``None``: a spectator) may see it, one line for each step::

        {"say": KIND, …}                              an event visible to everybody or to this seat
        {"ask": KIND, "seats": {"1": OPTIONS, …}, …}  as the engine prints it; secret options only of this seat
        {"answers": {"1": VALUE, …}, "hidden": […]}   the visible answers, and the seats whose answers are hidden
        {"result": …}

    ``partial_answers`` are those given to the current prompt, which some seats have not answered yet. Prompts to the
    box alone (a draw) are left out: the game yields an event for what is public of them.

    Raises:
        IllegalAnswerError: An answer is not allowed, or there are more answers than prompts.
    """
    play = Play(game)
    lines = _new_lines(play, 0, seat)
    for answer in answers:
        prompt, event_count = play.prompt, len(play.events)
        play.answer(answer)
        if prompt is not None:
            lines += _answer_lines(prompt, prompt.check(answer), seat)
        lines += _new_lines(play, event_count, seat)
    if play.prompt is not None and partial_answers:
        lines += _answer_lines(play.prompt, partial_answers, seat)
    return lines


def _new_lines(play: Play, first_event: int, seat: Seat | None) -> list[ViewLine]:
    """Return the visible events from index ``first_event`` on, then the prompt or the result they led to."""
    lines = [event.as_json() for event in visible_events(play.events[first_event:], seat)]
    if play.result is not None:
        lines.append(play.result.as_json())
    elif play.prompt is not None and (prompt := play.prompt.to_players()).seats:
        lines.append(prompt.visible_to(seat).as_json())
    return lines


def _answer_lines(prompt: Prompt, answers: Answers, seat: Seat | None) -> list[ViewLine]:
    """Return a line with the visible answers and the seats whose answers are hidden; no line if there are neither."""
    visible = prompt.visible_answers(answers, seat)
    hidden = [asked for asked in answers if asked not in visible and asked != BOX]
    if not visible and not hidden:
        return []
    by_seat: Mapping[str, Json] = {str(asked): value for asked, value in visible.items()}
    return [{"answers": by_seat, **({"hidden": hidden} if hidden else {})}]
