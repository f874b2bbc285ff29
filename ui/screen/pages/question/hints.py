"""Hints for prompts that come up for the first time in a match: one sentence each, by the kind of prompt."""

from collections.abc import Mapping

from rules.engine import Prompt
from ui.i18n.language import LazyText, N
from ui.text.verdicts import COUNT_WORDS

FIRST_TIME_HINTS: Mapping[str, LazyText] = {
    "throw": N("Fist on every word, and show your throw on {word}", word=COUNT_WORDS[-1]),
    "place": N("Choose a card and lay it face down in your zone; then take your hand away."),
    "bet": N("Your bet stays hidden until all bets are in. Won, it counts for you; lost, it is gone."),
    "risk": N("In Risk Rounds you bet the points you have, until somebody reaches the goal."),
    "claim": N("Say what your card is. It need not be true."),
    "act": N("To fold costs you nothing more this turn; to stay in, you pay."),
    "discard": N("Lay one card face down beside the table: you are out of this turn."),
    "wish": N("Each round, a player drawn at random decides which wishes come true."),
    "table": N("Between rounds you can leave, start afresh or change your wishes."),
    "team": N("Only players of the other team count against you."),
    "move": N("Touch one of your pieces, then where it goes."),
}
"""The hint for each kind of prompt."""

TURN_CARD_OVER = N("Turn your card over on {word}, and take your hand away", word=COUNT_WORDS[-1])
OPEN_BET_HINT = N("Everybody sees your bet. Won, it counts for you; lost, it is gone.")
ENTERED_THROW_HINT = N("Choose your throw where nobody else sees it: all are opened together.")
CHIP_BET_HINT = N("Chips you bet go into the pot, and whoever wins the turn takes it.")

VIRTUAL_CARD_HINTS: Mapping[str, LazyText] = {
    "place": N("Choose the card you play: the box keeps it face down."),
    "discard": N("Choose a card to give up: you are out of this turn."),
}
"""The hints for cards that are not printed: the box holds them."""


def first_time_hint(prompt: Prompt, *, entered: bool = False) -> LazyText | None:
    """Return the hint for a ``prompt`` of a kind that comes up for the first time; None if its question is clear
    enough. A throw is ``entered`` where no camera watches."""
    if prompt.kind == "throw" and entered:
        return ENTERED_THROW_HINT
    if prompt.kind == "bet" and "pot" in prompt.about:
        return CHIP_BET_HINT
    if prompt.kind == "bet" and not prompt.sealed:
        return OPEN_BET_HINT
    if prompt.secret and prompt.kind in VIRTUAL_CARD_HINTS:
        return VIRTUAL_CARD_HINTS[prompt.kind]
    return FIRST_TIME_HINTS.get(prompt.kind)
