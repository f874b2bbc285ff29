"""Games played at random, with all that is asked and said."""

import random

from rules.engine import BOX, AllowedValues, Choices, GameEvent, Play, Prompt, Rules, Value

QUESTIONS = 40
"""The most prompts answered in a match."""


def any_answer(options: AllowedValues, chance: random.Random) -> Value:
    if isinstance(options, Choices):
        return chance.choice(options.values)
    return chance.randrange(options.start, options.stop + 1, options.step)


def heard(rules: Rules, seed: int) -> tuple[list[Prompt], list[GameEvent], int]:
    """Return the prompts and events of a match with ``seed``."""
    chance = random.Random(seed)
    seats = chance.randint(rules.min_players, min(8, rules.max_players))
    options = {option.name: any_answer(option.allowed, chance) for option in rules.options}
    options.pop("starting_points", None)  # another test plays with them; most would be more than the goal
    play, asked = Play(rules.set_up(seats, options)), []
    for _ in range(QUESTIONS):
        if play.prompt is None:
            break
        asked += [play.prompt] if BOX not in play.prompt.seats else []
        answering = [seat for seat in play.prompt.seats if not play.prompt.is_optional or chance.random() < 0.1]
        play.answer({seat: any_answer(play.prompt.seats[seat], chance) for seat in answering})
    return asked, play.events, seats
