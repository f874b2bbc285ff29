"""The choice of a game and its set-up."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.engine import Rules, Value
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.common.view import SetOption, ShowListPage

IDLE_ANSWER = "idle"
"""The answer when nobody has touched the screen for a while."""


@dataclass(frozen=True)
class GameMenu:
    """Choose a game, the number of players and the options. Answered with a ChosenGame, with one of ``tools`` such as
    "calculator", or with IDLE_ANSWER after ``idle_timeout_s`` seconds without a touch. ``seat_limit`` is how many fit
    before the camera (``None``: one per seat mark)."""

    games: tuple[Rules, ...]
    tools: tuple[str, ...] = ()
    idle_timeout_s: float | None = None
    seat_limit: int | None = None


@dataclass(frozen=True)
class ChosenGame:
    """The answer to a GameMenu."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)


DEFAULT_CLASS_SIZE = 30
"""The number of players a class is set up for until people change it."""


@dataclass(frozen=True)
class PickGame:
    """Press: pick a game, or go back to all games (``None``)."""

    game: str | None


@dataclass(frozen=True)
class SetPlayerCount:
    """Press: set the number of players."""

    seats: int


@dataclass(frozen=True)
class GamesPage:
    """The list of games."""

    view: GameMenu
    list_page: int = 0


@dataclass(frozen=True)
class SetUpPage:
    """One game's seats and options. ``options`` holds every option's value by name."""

    view: GameMenu
    game: Rules
    seats: int
    options: Mapping[str, Value]
    list_page: int = 0


HomePage = GamesPage | SetUpPage
HomePress = PickGame | SetPlayerCount | SetOption


def next_home(page: HomePage, press: object) -> HomePage:
    """Return the page ``press`` leads to. A press without a meaning on ``page`` changes nothing."""
    after: HomePage = page
    match page, press:
        case GamesPage(view=view), PickGame(game=str() as name):
            after = next((set_up_page(view, game) for game in view.games if game.name == name), page)
        case SetUpPage(view=view), PickGame(game=None):
            after = GamesPage(view)
        case SetUpPage(view, game), SetPlayerCount(seats=seats) if (
            game.min_players <= seats <= max_seats(game, view.seat_limit)
        ):
            after = replace(page, seats=seats)
        case SetUpPage(options=options), SetOption(name=name, value=value) if name in options:
            after = replace(page, options=MappingProxyType({**options, name: value}))
        case _, ShowListPage(list_page=list_page):
            after = replace(page, list_page=list_page)
    return after


def max_seats(game: Rules, seat_limit: int | None = None) -> int:
    """Return the most players that can play: as many as the game allows, but no more than ``seat_limit``, or than there
    are seat marks."""
    return max(game.min_players, min(game.max_players, seat_limit or len(SEAT_MARKS)))


def set_up_page(view: GameMenu, game: Rules) -> SetUpPage:
    """Return the set-up of ``game``, every option at its default."""
    options = MappingProxyType({option.name: option.default for option in game.options})
    usual = 2 if view.seat_limit is None else min(DEFAULT_CLASS_SIZE, view.seat_limit)
    return SetUpPage(view, game, max(game.min_players, min(usual, game.max_players)), options)
