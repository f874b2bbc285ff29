"""The texts of the pages that explain a game."""

from messages import LazyText, N, capitalise
from ui.screen.pages.common.game_words import BOX_WORDS
from ui.text.verdicts import COUNT_WORDS

HOW_TO_PLAY = N("How to play")
FIRST_TIME = N("First time?")
FIRST_TIME_TEXT = N("A few pictures show how to play.")
START = N("Start")
NEXT = N("Next")
BACK = N("Back")
SKIP = N("Skip")
GOT_IT = N("Got it")
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


def throw_text(method: str, window_ms: int) -> LazyText:
    """How people throw."""
    return N(THROW_TEXTS[method], word=COUNT_WORDS[-1], ms=window_ms)


def title(name: str) -> LazyText:
    """The title of the pages that explain the game called ``name``."""
    return N("How to play: {game}", game=name if isinstance(name, LazyText) else N(name))
