"""The options of a round of Battle: fixed for the match, or left to the players, one of whom is drawn and decides."""

from collections.abc import Iterable, Sequence

from rules.engine import BOX, Ask, Choices, Option, Say, Seat, Setup, Span
from rules.parallel import Part

ABOUT = {
    "blitz": "3 seconds to choose a throw instead of 5",
    "classic": "streaks of wins earn no bonus",
    "inverted": "rock beats paper beats scissors beats rock",
    "count": "the throw of more players never loses; of twice as many, it wins",
    "team": "two teams: everybody battles the other team only",
    "survivor": "a lost round costs a health point; who has none left is out",
}
"""The options of a round, and what each does."""
ROUND_OPTIONS = tuple(
    Option(name, Choices((False, True, "wish")), False, f"{about}; wish: the players decide")
    for name, about in ABOUT.items()
)
WISHES = Choices(("on", "off", "don't care"))
WISH_SECONDS = 20
"""Time for a wish; who lets it pass does not care."""


class RoundOptions:
    """Which options are on, round by round."""

    def __init__(self, setup: Setup) -> None:
        self.wished = [name for name in ABOUT if setup.options[name] == "wish"]
        self._fixed = [name for name in ABOUT if setup.options[name] is True]
        self._wishes: dict[str, dict[Seat, str]] = {name: {} for name in self.wished}
        self._last: dict[str, bool] = {}

    def ask(self, seats: Iterable[Seat]) -> Part[None]:
        """Ask the players in ``seats`` for their wishes, option by option. They hold until they are changed."""
        asked = list(seats)
        for name in self.wished if asked else ():
            answers = yield Ask(
                "wish",
                dict.fromkeys(asked, WISHES),
                seconds=WISH_SECONDS,
                default="don't care",
                about={"option": name, "means": ABOUT[name]},
            )
            self._wishes[name] |= {seat: str(wish) for seat, wish in answers.items()}

    def of_round(self, number: int, seats: Sequence[Seat]) -> Part[list[str]]:
        """Draw who of ``seats`` decides, and give the options that are on in round ``number``. Where that player
        doesn't care, an option stays as in the last round; in the first round it is drawn."""
        if not self.wished:
            return self._fixed
        place = yield Ask("draw", {BOX: Span(0, len(seats) - 1)}, secret=True, about={"draws": "who decides"})
        decides = seats[int(place[BOX] or 0)]
        for name in self.wished:
            wish = self._wishes[name][decides]
            if wish != "don't care":
                self._last[name] = wish == "on"
            elif name not in self._last:
                drawn = yield Ask("draw", {BOX: Choices(("on", "off"))}, secret=True, about={"draws": name})
                self._last[name] = drawn[BOX] == "on"
        on = [name for name in ABOUT if name in self._fixed or self._last.get(name)]
        yield Say("options", {"round": number, "on": on, "decides": decides})
        return on
