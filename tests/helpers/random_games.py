"""Random games for property tests: any game with any options, played with random legal answers; and an independent
implementation of which answers are legal and which are visible to a seat."""

import random
from dataclasses import dataclass, field
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from rules.catalogue import GAMES
from rules.engine import (
    BOX,
    AllowedValues,
    Answers,
    Choices,
    FormattedText,
    Game,
    GameState,
    IllegalSetupError,
    IntRange,
    Option,
    Play,
    Prompt,
    Rules,
    Value,
)
from rules.tr.roll import Roll

MAX_ANSWERS = 50_000
"""Far more answers than a random match needs: the longest of 300 (Redeux with cards, 7 or 8 seats, 5 games to 1000
points) took 7,362."""
FEW_VALUES = {"games": 5, "goal": 30, "throws": 20, "rethrows": 20, "rounds": 8, "quiet": 20, "best_of": 10}
"""The number of values tried of options that only make matches longer. Another test plays each option's last value."""
FORMATTED_VALUES = {"roll": st.builds(Roll, st.integers(1, 20), st.integers(0, 20), st.integers(0, 30)).map(str)}
"""Values of options that are formatted text."""
MANY_SEATS = 40
"""The most seats tried of a game for more; another test plays with thousands."""


def option_values(option: Option) -> st.SearchStrategy[Value]:
    """Draw a value of an option."""
    allowed = option.allowed
    if isinstance(allowed, FormattedText):
        return st.sampled_from(allowed.values) | FORMATTED_VALUES[option.name]
    if isinstance(allowed, Choices):
        return st.sampled_from(allowed.values)
    steps = (allowed.stop - allowed.start) // allowed.step
    return st.integers(0, min(steps, FEW_VALUES.get(option.name, steps))).map(
        lambda n: allowed.start + n * allowed.step
    )


@st.composite
def games_of(draw: st.DrawFn, rules: Rules) -> Game:
    """Draw a game with any number of seats and any options."""
    chosen = {option.name: draw(option_values(option)) for option in rules.options if draw(st.booleans())}
    seats = st.integers(rules.min_players, min(rules.max_players, 8))
    if rules.max_players > 8:
        seats |= st.integers(9, min(rules.max_players, MANY_SEATS))
    try:
        return rules.set_up(draw(seats), chosen)
    except IllegalSetupError:  # printed cards for more pairs than there are boxes
        reject()


def games() -> st.SearchStrategy[Game]:
    """Draw any game of the catalogue with any number of seats and any options."""
    return st.sampled_from(list(GAMES.values())).flatmap(games_of)


def every_option() -> list[tuple[str, str, Value]]:
    """Return every option of every game with each listed value, or the first, second and last of a range."""
    return [
        (rules.name, option.name, value)
        for rules in GAMES.values()
        for option in rules.options
        for value in (
            option.allowed.values
            if isinstance(option.allowed, Choices)
            else dict.fromkeys((*all_values(option.allowed)[:2], all_values(option.allowed)[-1]))
        )
    ]


def all_values(options: AllowedValues) -> list[Value]:
    """Return all allowed values."""
    if isinstance(options, Choices):
        return list(options.values)
    return list(range(options.start, options.stop + 1, options.step))


def is_legal(prompt: Prompt, seat: int, value: Any) -> bool:
    """Whether a seat may give this answer."""
    if value is None and prompt.allows_no_answer:
        return True
    options = prompt.seats[seat]
    if isinstance(options, IntRange):
        steps = range(options.start, options.stop + 1, options.step)
        return type(value) is int and value in steps
    return any(type(value) is type(listed) and value == listed for listed in options.values)


def random_answers(prompt: Prompt, dice: random.Random) -> dict[int, Value]:
    """Return random legal answers, sometimes none if the prompt allows it, and most often nobody's to an optional one.
    The box always answers."""
    answers: dict[int, Value] = {}
    if prompt.is_optional and dice.random() < 0.7:
        return answers
    for seat, options in prompt.seats.items():
        if prompt.is_optional and dice.random() < 0.5:
            continue
        if seat != BOX and prompt.allows_no_answer and dice.random() < 0.1:
            answers[seat] = None
        elif isinstance(options, Choices):
            answers[seat] = dice.choice(options.values)
        else:
            answers[seat] = dice.randrange(options.start, options.stop + 1, options.step)
    return answers


@dataclass
class RandomMatch:
    """A match of random answers, with each prompt and the number of events before it."""

    play: Play
    answers: list[Answers] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    event_counts: list[int] = field(default_factory=list)

    def state_at(self, cut: int) -> GameState:
        """Return the state of the match after ``cut`` answers."""
        if cut == len(self.answers):
            return self.play.state()
        return GameState(tuple(self.play.events[: self.event_counts[cut]]), self.prompts[cut], None)

    def cut_points(self, most: int) -> list[int]:
        """Return numbers of answers after which to cut the match: all, or ``most`` evenly spread."""
        length = len(self.answers)
        return list(range(length + 1)) if length < most else sorted({length * n // (most - 1) for n in range(most)})


def play_random(game: Game, seed: int, answers: int = MAX_ANSWERS) -> RandomMatch:
    """Play random answers to the end of the game, or at most ``answers`` of them."""
    dice, match = random.Random(seed), RandomMatch(Play(game))
    while match.play.prompt and len(match.answers) < answers:
        assert len(match.answers) < MAX_ANSWERS - 1, "the game does not end"
        match.prompts.append(match.play.prompt)
        match.event_counts.append(len(match.play.events))
        match.answers.append(random_answers(match.play.prompt, dice))
        match.play.answer(match.answers[-1])
    return match


def illegal_answers(prompt: Prompt, dice: random.Random) -> list[dict[Any, Any]]:
    """Return answers the prompt must refuse, each wrong in one way."""
    right = random_answers(Prompt(prompt.kind, prompt.seats, time_limit=prompt.time_limit), dice)
    seat = dice.choice(list(right))
    others = {other: value for other, value in right.items() if other != seat}
    values: list[Any] = [None, True, False, 1.0, 5.0, "lizard", "", "Rock", "5", -5, 7, 10**30, float("nan"), [], {}]
    options = prompt.seats[seat]
    if isinstance(options, IntRange):
        values += [options.stop + options.step, options.start - options.step, "0", float(options.start)]
        values += [options.start + 1] if options.step > 1 else []
    wrong = [{**others, seat: value} for value in values if not is_legal(prompt, seat, value)]
    unknown_seat = max(right) + 1
    unknown: list[dict[Any, Any]] = [{**right, unknown_seat: right[seat]}, {**others, unknown_seat: right[seat]}]
    return [*unknown, *wrong] if prompt.is_optional else [others, *unknown, *wrong]


def visible_to_viewer(prompt: Prompt, answers: Answers, viewer: int | None) -> dict[int, Value]:
    """Return the answers ``viewer`` may see: never the box's; always their own; another's only if the prompt is not
    secret, and not sealed, or everybody has answered and no event is to open them later."""
    all_in = set(answers) == set(prompt.seats) and prompt.opened_by is None
    is_open = not prompt.is_secret and (not prompt.is_private or all_in)
    return {seat: value for seat, value in answers.items() if seat != BOX and (is_open or seat == viewer)}


def viewers(game: Game, dice: random.Random) -> list[int | None]:
    """Return a spectator and some of the seats."""
    return [None, *dice.sample(range(1, game.setup.seats + 1), min(4, game.setup.seats))]
