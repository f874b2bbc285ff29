"""The pages that explain a game, and the offer of them to people who play it for the first time. Pure: no surface, no
clock."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from typing_extensions import override

from messages import LazyText, N, capitalise, join
from rules.engine import Game, ThrowPrompt
from rules.engine.explanation import BeatsScene, ClaimsScene, ExcerptScene, OutcomesScene, Step, ThrowScene
from rules.throws import THROW_CHOICES, WINDOW_MS
from ui.screen.views import SET_UP_PATIENCE_S, LiveView, Page, PreMatchPage, Press, Reply
from ui.text.game_words import BOX_WORDS
from ui.text.verdicts import COUNT_WORDS

GOT_IT = N("Got it")

MIN_PAGES, MAX_PAGES = 3, 6
"""How many pages explain a game: so few that people read them."""
PICTURES_PER_S = 30
"""How often the picture is drawn in a second: half as often as the window could, since it is large."""
READING_S = 300.0
"""How long a page stays that nobody turns, before a match: people may explain more than it does."""
START_ANSWER = "start"
"""The answer of people who begin the match."""


class ThrowMethod(StrEnum):
    """How people throw: with hands or printed cards before a camera, or by choosing on the screen."""

    HANDS = "hands"
    CARDS = "cards"
    SCREEN = "screen"


@dataclass(frozen=True)
class ThrowSetting:
    """How people throw, and the time from the first hand, or the first card, to the lock."""

    method: ThrowMethod = ThrowMethod.HANDS
    window_ms: int = WINDOW_MS
    card_window_ms: int = 1000

    @property
    def lock_ms(self) -> int:
        """The time from the first one to the lock, of what people throw with."""
        return self.card_window_ms if self.method is ThrowMethod.CARDS else self.window_ms


WITH_HANDS = ThrowSetting()
"""With hands, and the usual time to the lock."""


@dataclass(frozen=True)
class RoundScene:
    """A round before a camera: the count, the throws, the lock, and a late hand (or card)."""

    setting: ThrowSetting


class OwnScene(StrEnum):
    """Pages of a class and of practice that no game has."""

    ROLL_CALL = "roll call"
    SEAL = "seal"
    OPENED_SEAL = "opened seal"


@dataclass(frozen=True)
class MatchScene:
    """A part of a sample match."""

    excerpt: ExcerptScene
    title: str
    """The game's title."""
    seats: int
    """The number of seats."""
    setting: ThrowSetting


DrawnScene = BeatsScene | OutcomesScene | ClaimsScene | MatchScene | RoundScene | OwnScene


@dataclass(frozen=True)
class ScenePage:
    """A page: what is drawn, and the text below or next to it."""

    scene: DrawnScene
    text: str


@dataclass(frozen=True)
class HowToPlayPage(LiveView, Page):
    """One of the pages that explain something."""

    title: str
    """What they explain."""
    pages: tuple[ScenePage, ...]
    then: Press
    """Where the last page and *Skip* lead."""
    done: str = GOT_IT
    """The last page's label of that."""
    number: int = 0
    """The index of the page that is shown."""
    shown_s: float = 0.0
    """How many seconds ago the page was opened."""

    @property
    @override
    def key(self) -> object:
        return type(self), self.number

    @property
    def page(self) -> ScenePage:
        """The page that is shown."""
        return self.pages[self.number]

    @property
    def is_last(self) -> bool:
        """Whether no page follows."""
        return self.number == len(self.pages) - 1

    def turn(self, by: int) -> Self:
        """Return the page ``by`` further on."""
        return replace(self, number=self.number + by, shown_s=0.0)

    @override
    def at_time(self, seconds: float) -> Self:
        """At the picture's own rate, by the page's own time."""
        del seconds
        return replace(self, shown_s=math.floor(self.shown_s * PICTURES_PER_S) / PICTURES_PER_S)

    @property
    @override
    def patience_s(self) -> float | None:
        """Before a match, which it leads to."""
        return SET_UP_PATIENCE_S if self.then == Reply(START_ANSWER) else None

    @override
    def pass_time(self, seconds: float, quiet_s: float) -> Press:
        """Return the page with its scene ``seconds`` later."""
        after = super().pass_time(seconds, quiet_s)
        return replace(self, shown_s=self.shown_s + seconds) if after is self else after


@dataclass(frozen=True)
class FirstTimePage(PreMatchPage):
    """Offers to explain a game to people who have not played it yet. Answered with START_ANSWER or
    BACK_ANSWER."""

    explanation: HowToPlayPage


def explain_game(game: Game, setting: ThrowSetting, then: Press) -> HowToPlayPage | None:
    """Return the first page that explains ``game`` as it is set up; None if it has none."""
    title, seats = game.rules.title, game.setup.seats
    pages = []
    for page in game.rules.how_to_play(game):
        match page.scene:
            case ThrowScene(method):
                decided = method is not None and setting.method is not ThrowMethod.SCREEN
                how = replace(setting, method=ThrowMethod(str(method))) if decided else setting
                pages.append(_throw_page(how, page.text))
            case ExcerptScene() as excerpt:
                pages.append(ScenePage(MatchScene(excerpt, title, seats, setting), page.text))
            case BeatsScene(inverted) as scene if not page.text:
                pages.append(ScenePage(scene, BEATS_INVERTED if inverted else BEATS))
            case scene:
                pages.append(ScenePage(scene, page.text))
    return HowToPlayPage(title, tuple(pages), then) if pages else None


def explain_class(game: Game, then: Press) -> HowToPlayPage | None:
    """Return the first page that explains ``game`` to a class, whose students throw with cards."""
    explanation = explain_game(game, ThrowSetting(ThrowMethod.CARDS), then)
    if explanation is None:
        return None
    turned = ScenePage(RoundScene(ThrowSetting(ThrowMethod.CARDS)), N(CLASS_THROW, word=COUNT_WORDS[-1]))
    cards = [ScenePage(OwnScene.ROLL_CALL, ROLL_CALL), turned]
    pages = [
        scene_page
        for page in explanation.pages
        for scene_page in (cards if isinstance(page.scene, RoundScene) else [page])
    ]
    return replace(explanation, pages=tuple(pages[:MAX_PAGES]))


def explain_practice(setting: ThrowSetting, then: Press) -> HowToPlayPage:
    """Return the first page that explains practice."""
    seal, opened = (
        ScenePage(OwnScene.SEAL, SEAL),
        ScenePage(OwnScene.OPENED_SEAL, OPENED_SEAL),
    )
    return HowToPlayPage(PRACTICE, (_throw_page(setting), seal, opened), then)


def _throw_page(setting: ThrowSetting, more: str = "") -> ScenePage:
    text = how_to_throw(setting.method, setting.lock_ms)
    by_screen = setting.method is ThrowMethod.SCREEN
    scene = MatchScene(ExcerptScene(_entered_throw), "", 2, setting) if by_screen else RoundScene(setting)
    return ScenePage(scene, join([text, more]) if more else text)


def _entered_throw() -> Sequence[Step]:
    prompt = ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES))
    return [Step(prompt, {1: "scissors", 2: "rock"})]


HOW_TO_PLAY = N("How to play")
FIRST_TIME = N("First time?")
FIRST_TIME_TEXT = N("A few pictures show how to play.")
START = N("Start")
NEXT = N("Next")
BACK = N("Back")
SKIP = N("Skip")
PRACTICE = capitalise(BOX_WORDS["practise"])
BLUFF = N("Bluff!")
ROLL_CALL = N("Everybody holds up their card until the screen has ticked off their number. Then lower it.")
CLASS_THROW = N("Hold the card to your chest, your throw at the top. On {word} everybody turns it to the camera.")
SEAL = N("You play against the box. It chooses its throw before the count and seals it: it can’t wait for yours.")
OPENED_SEAL = N("Then the seal is opened. You can be late, too: such a throw doesn’t count.")
LOST_ROUND = N("The box wins: {box} beats {yours}.")
BEATS = N("Rock beats scissors, scissors beat paper, and paper beats rock. Two equal throws tie.")
BEATS_INVERTED = N("Here it is the other way round: rock beats paper, paper beats scissors, and scissors beat rock.")
THROW_TEXTS = {
    "hands": N(
        "On {word} everybody shows a hand. {ms} ms after the first one all throws are locked: whoever shows later is "
        "late."
    ),
    "cards": N(
        "Lay a card face down. On {word} everybody turns it over. {ms} ms after the first one all cards are locked."
    ),
    "screen": N("Choose your throw on the screen, where nobody else sees it. All throws are shown together."),
}
"""How people throw, by the method."""


def how_to_throw(method: str, window_ms: int) -> LazyText:
    """How people throw."""
    return N(THROW_TEXTS[method], word=COUNT_WORDS[-1], ms=window_ms)


def title(name: str) -> LazyText:
    """The title of the pages that explain the game called ``name``."""
    return N("How to play: {game}", game=name if isinstance(name, LazyText) else N(name))
