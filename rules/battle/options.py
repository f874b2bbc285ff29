"""The options of a round of Battle: fixed for the match, or chosen each round by a player picked at random."""

from collections.abc import Iterable, Sequence

from messages import N
from rules.battle.events import OptionsChosen
from rules.engine import BOX, Choices, IntRange, Option, Prompt, Seat, Setup, ask_box
from rules.parallel import GameStep

ROUND_OPTION_DESCRIPTIONS = {
    "blitz": N("2 s less to throw"),
    "classic": N("winning streaks earn no bonus, losing streaks no help"),
    "inverted": N("rock beats paper beats scissors beats rock"),
    "count": N("the more popular throw never loses; twice as popular, it wins"),
    "team": N("two teams: you battle only the other team"),
    "survivor": N("a lost round costs a health point; with none left, you are out"),
}
"""The options of a round, each with what it does. The source has crossed out the last two."""
MEANINGS_IN_PROTOCOL = {**ROUND_OPTION_DESCRIPTIONS, "blitz": "3 seconds to choose a throw instead of 5"}
"""The same as protocol 1 and journals have them, which never change."""
ROUND_OPTIONS = tuple(
    Option(
        name,
        Choices((False, True, "wish")),
        False if name in ("team", "survivor") else "wish",
        N("{description}; wish: the players decide", description=description),
    )
    for name, description in ROUND_OPTION_DESCRIPTIONS.items()
)
WISH_CHOICES = Choices(("on", "off", "don't care"))


class RoundOptions:
    """Decides which options are on in each round. ``left_to_players`` are those the players decide by their wishes."""

    def __init__(self, setup: Setup) -> None:
        self.left_to_players = [name for name in ROUND_OPTION_DESCRIPTIONS if setup.options[name] == "wish"]
        self._always_on = [name for name in ROUND_OPTION_DESCRIPTIONS if setup.options[name] is True]
        self._wishes: dict[str, dict[Seat, str]] = {name: {} for name in self.left_to_players}
        self._last_round: dict[str, bool] = {}

    def ask_wishes(self, seats: Iterable[Seat]) -> GameStep[None]:
        """Ask ``seats`` for their wishes, one option at a time and without a time limit. Wishes hold until a player
        changes them."""
        asked = list(seats)
        for name in self.left_to_players if asked else ():
            answers = yield Prompt(
                "wish",
                dict.fromkeys(asked, WISH_CHOICES),
                about={"option": name, "means": MEANINGS_IN_PROTOCOL[name]},
            )
            self._wishes[name] |= {seat: str(wish) for seat, wish in answers.items()}

    def forget_wishes(self, seats: Iterable[Seat]) -> None:
        """Forget the wishes of whoever was in ``seats`` before."""
        for wishes in self._wishes.values():
            for seat in seats:
                wishes.pop(seat, None)

    def choose_for_round(self, number: int, seats: Sequence[Seat]) -> GameStep[list[str]]:
        """Draw one of ``seats``, whose wishes decide, and return the options that are on in round ``number``.

        A player who is drawn for the first time is asked for their wishes. If they don't care, an option stays as it
        was in the last round; in the first round it is drawn: "the game reuses the value from the previous round or
        randomly select something" (battle.txt, Round).
        """
        if not self.left_to_players:
            return self._always_on
        answers = yield ask_box(IntRange(0, len(seats) - 1), {"draws": "who decides"}, opened_by="options")
        decider = seats[int(answers[BOX] or 0)]
        if decider not in self._wishes[self.left_to_players[0]]:
            yield from self.ask_wishes([decider])
        for name in self.left_to_players:
            wish = self._wishes[name][decider]
            if wish != "don't care":
                self._last_round[name] = wish == "on"
            elif name not in self._last_round:
                drawn = yield ask_box(Choices(("on", "off")), {"draws": name}, opened_by="options")
                self._last_round[name] = drawn[BOX] == "on"
        options = [name for name in ROUND_OPTION_DESCRIPTIONS if name in self._always_on or self._last_round.get(name)]
        yield OptionsChosen(number, options, decider)
        return options
