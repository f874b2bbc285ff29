"""The choice of a game and its set-up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from rules.engine import Game, IllegalSetupError, Rules, Setup, Value
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.hall.view import PairingOffer
from ui.screen.pages.how_to_play.view import WITH_HANDS, HowToPlayPage, ThrowSetting, explain_class, explain_game
from ui.screen.pages.views import InteractiveView, ListPage

IDLE_ANSWER = "idle"
"""The answer when nobody has touched the screen for a while."""
RESUME_ANSWER = "resume"
"""The answer of people who go on with the unfinished match."""
DEFAULT_CLASS_SIZE = 30
"""The number of players a class is set up for until people change it."""


@dataclass(frozen=True)
class GameMenu(InteractiveView):
    """Choose a game, the number of players and the options. Answered with a ChosenGame, with one of ``tools`` such as
    "calculator", or with IDLE_ANSWER after ``idle_timeout_s`` seconds without a touch. ``seat_limit`` is how many fit
    before the camera (``None``: one per seat mark), ``usual_seats`` how many players a set-up begins with.
    ``unfinished`` offers to go on with a match ("": there is none), answered with RESUME_ANSWER. ``offer`` is a match
    of the hall that is to be played here, answered with a ChosenPairing; ``current_offer`` returns it now. If people
    ``can_go_back``, it is answered with "back". ``throwing`` is how they will throw. ``for_tournament``: it is for
    a tournament."""

    is_idle = True

    games: tuple[Rules, ...]
    tools: tuple[str, ...] = ()
    idle_timeout_s: float | None = None
    seat_limit: int | None = None
    usual_seats: int = 2
    unfinished: str = ""
    can_go_back: bool = False
    throwing: ThrowSetting = WITH_HANDS
    for_tournament: bool = False
    offer: PairingOffer | None = None
    current_offer: Callable[[], PairingOffer | None] | None = None

    def first_page(self) -> "GamesPage | SetUpPage":
        """See InteractiveView: without a choice, the set-up of the only game."""
        return GamesPage(self) if len(self.games) != 1 or self.tools else set_up_page(self, self.games[0])


@dataclass(frozen=True)
class ChosenGame(CompoundAnswer):
    """The answer to a GameMenu."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class GamesPage(ListPage):
    """The list of games."""

    view: GameMenu

    def at_time(self, seconds: float) -> Self:
        """See View."""
        current = self.view.current_offer
        return self if current is None else replace(self, view=replace(self.view, offer=current()))


@dataclass(frozen=True)
class SetUpPage(ListPage):
    """One game's seats and options. ``options`` holds every option's value by name."""

    view: GameMenu
    game: Rules
    seats: int
    options: Mapping[str, Value]

    @property
    def problem(self) -> str | None:
        """Why the game can't be played like this, if it can't."""
        try:
            self.game.set_up(self.seats, self.options)
        except IllegalSetupError as error:
            return error.text
        return None

    @property
    def explanation(self) -> HowToPlayPage | None:
        """The page that explains the game as it is set up, and leads back here; None if there is none."""
        game = Game(self.game, Setup(self.seats, self.options))  # it is explained even if it can't be played like this
        if self.view.seat_limit is not None:
            return explain_class(game, self)
        return explain_game(game, self.view.throwing, self)

    def with_option(self, name: str, value: Value) -> Self:
        """Return the page with an option set."""
        return replace(self, options=MappingProxyType({**self.options, name: value}))


def max_seats(game: Rules, seat_limit: int | None = None) -> int:
    """Return the most players that can play: as many as the game allows, but no more than ``seat_limit``, or than there
    are seat marks."""
    return max(game.min_players, min(game.max_players, seat_limit or len(SEAT_MARKS)))


def set_up_page(view: GameMenu, game: Rules) -> SetUpPage:
    """Return the set-up of ``game``, every option at its default."""
    options = MappingProxyType({option.name: option.default for option in game.options})
    usual = max(game.min_players, min(view.usual_seats, max_seats(game, view.seat_limit)))
    return SetUpPage(view, game, usual, options)
