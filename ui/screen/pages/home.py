"""The choice of a game and its set-up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from typing_extensions import override

from messages import LazyText, N
from rules.engine import Game, GameText, IllegalSetupError, Option, Rules, Setup, Value
from ui.i18n.language import ngettext, render, t
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.common import JoinAddress
from ui.screen.pages.hall import PairingOffer
from ui.screen.pages.how_to_play import WITH_HANDS, HowToPlayPage, ThrowSetting, explain_class, explain_game
from ui.screen.views import CompoundAnswer, InteractiveView, ListPage, Page
from ui.text import labels
from ui.text.game_words import code_word, value_text
from ui.text.labels import capitalised_line


class HomeTool(StrEnum):
    """What the home page leads to besides games that people choose; the values are its answers."""

    RANDOM = "random game"
    PRACTISE = "practise"
    CLASS = "class"
    CALCULATOR = "calculator"
    TOURNAMENT = "tournament"
    ZONES = "zones"
    PAST_MATCHES = "past matches"
    AWARDS = "awards"
    GUESTS = "who is here"
    NETWORK = "phones and review"
    NETWORK_ON = "phones and review are on"
    HALL = "hall"
    HALL_ON = "hall is on"
    SETTINGS = "settings"
    LANGUAGE = "language"


ON_HOME_PAGE = (HomeTool.RANDOM, HomeTool.GUESTS, HomeTool.LANGUAGE)
"""Those with a place of their own."""
ON_TOOLS_PAGE = tuple(tool for tool in HomeTool if tool not in ON_HOME_PAGE)
"""Those on the page of tools."""
IDLE_ANSWER = "idle"
"""The answer when nobody has touched the screen for a while."""
RESUME_ANSWER = "resume"
"""The answer of people who go on with the unfinished match."""
LAST_GAME_ANSWER, TURNED_ANSWER = "last game", "last game, seats turned"
"""The answers of people who play the last game again: as they sat, or everybody one seat further on."""
DEFAULT_CLASS_SIZE = 30
"""The number of players a class is set up for until people change it."""


@dataclass(frozen=True)
class ChosenGame(CompoundAnswer):
    """The answer to a GameMenu."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class RunningTournament:
    """A tournament that goes on."""

    number: int
    title: str


@dataclass(frozen=True)
class GameMenu(InteractiveView):
    """Choose a game, the number of players and the options. Answered with a ChosenGame, with one of its tools, or with
    one of the answers that its fields name."""

    is_idle = True

    games: tuple[Rules, ...]
    tools: tuple[HomeTool, ...] = ()
    idle_timeout_s: float | None = None
    """After so long without a touch it is answered with IDLE_ANSWER; None: never."""
    seat_limit: int | None = None
    """How many players fit before the camera; None: one per seat mark."""
    usual_seats: int = 2
    """How many players a set-up begins with."""
    class_name: str = ""
    """The class that plays; "": none of those whose lists are kept."""
    unfinished: str = ""
    """Offers to go on with a match, answered with RESUME_ANSWER; "": there is none."""
    last: str = ""
    """Offers the last game with the last people, answered with LAST_GAME_ANSWER or TURNED_ANSWER; "": there is none.
    An unfinished match takes its place."""
    tournament: RunningTournament | None = None
    """A tournament that goes on, answered with ToTournament."""
    opened: ChosenGame | None = None
    """The set-up that it opens with, of people who come back to it; None: the list of games."""
    shows_tools: bool = False
    """Whether it opens with the page of tools, of people who come back from one."""
    can_go_back: bool = False
    """Whether people can go back, answered with "back"."""
    throwing: ThrowSetting = WITH_HANDS
    """How people will throw."""
    for_tournament: bool = False
    """Whether the game is for a tournament."""
    offer: PairingOffer | None = None
    """A match of the hall that is to be played here, answered with a ChosenPairing."""
    current_offer: Callable[[], PairingOffer | None] | None = None
    """Returns the offer now."""
    join: JoinAddress | None = None
    """Where phones join; None while they can't."""

    @override
    def first_page(self) -> "GamesPage | ToolsPage | SetUpPage":
        """Without a choice, the set-up of the only game."""
        if (opened := self.opened) is not None:
            for game in self.games:  # children are not offered every game that was played
                if game.name == opened.game:
                    page = set_up_page(self, game)
                    options = MappingProxyType({**page.options, **opened.options})
                    return replace(page, seats=opened.seats, options=options)
        if self.shows_tools:
            return ToolsPage(self)
        return GamesPage(self) if len(self.games) != 1 or self.tools else set_up_page(self, self.games[0])


@dataclass(frozen=True)
class GamesPage(ListPage):
    """The list of games."""

    view: GameMenu

    @override
    def at_time(self, seconds: float) -> Self:
        current = self.view.current_offer
        return self if current is None else replace(self, view=replace(self.view, offer=current()))


@dataclass(frozen=True)
class ToolsPage(Page):
    """What the box can do besides playing."""

    view: GameMenu


@dataclass(frozen=True)
class SetUpPage(ListPage):
    """One game's seats and options."""

    view: GameMenu
    game: Rules
    seats: int
    options: Mapping[str, Value]
    """Every option's value, by its name."""

    @property
    def problem(self) -> str | None:
        """Why the game can't be played like this, if it can't."""
        try:
            self.game.set_up(self.seats, self.options)
        except IllegalSetupError as error:
            return error.text
        return None

    @property
    def shown_options(self) -> tuple[Option, ...]:
        """The options that matter for so many players."""
        return tuple(
            option for option in self.game.options if option.most_players is None or self.seats <= option.most_players
        )

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


def short_facts(game: Rules, most_players: int) -> str:
    """Return the number of players, and the age and the time of a game if its source gives them, as short as on a box:
    "2–8 players · 7+ · 90 s"."""
    players = ngettext("{count} player", "{count} players", most_players)
    if game.min_players != most_players:
        players = t("{fewest}–{most} players", fewest=game.min_players, most=most_players)
    age = [t("{age}+", "years", age=game.min_age)] if game.min_age else []
    seconds = [t("{seconds} s", seconds=game.game_seconds)] if game.game_seconds else []
    return " · ".join([players, *age, *seconds])


def time_and_age(game: Rules) -> str:
    """Return a game's time and age as its source gives them: "90 s a game · from age 7"; "" if it gives neither."""
    seconds = [t("{seconds} s a game", seconds=game.game_seconds)] if game.game_seconds else []
    age = [t("from age {age}", age=game.min_age)] if game.min_age else []
    return " · ".join([*seconds, *age])


def set_up_title(page: SetUpPage) -> str:
    """Return who sets up what: of a class whose list is kept, its name."""
    name = page.view.class_name
    return t("{class_name}: Battle", class_name=name) if name else render(page.game.title)


def players_label(view: GameMenu) -> str:
    """Return what the number of players is of."""
    return N("Players of a match") if view.for_tournament else N("Players")


def start_label(view: GameMenu) -> str:
    """Return the label of the button that ends the set-up."""
    return labels.GO_ON if view.for_tournament else N("Start")


def option_name(option: Option, text: GameText) -> str:
    """An option's name for people."""
    return code_word(option.name, text)


def option_about(option: Option) -> str:
    """A line about an option."""
    about = option.description
    return capitalised_line(about if isinstance(about, LazyText) else N(about))


def option_value(option: Option, value: Value, text: GameText) -> str:
    """The text of an option's value."""
    return value_text(value, text, option.name)


def option_change(option: Option, value: Value, text: GameText) -> str:
    """The label of the button that sets an option."""
    return f"{option_name(option, text)}: {option_value(option, value, text)}"
