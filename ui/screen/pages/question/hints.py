"""Hints for prompts that come up for the first time in a match: one sentence each, by the kind of prompt."""

from messages import N
from rules.engine import Prompt
from ui.text.verdicts import COUNT_WORDS

THROW_HINT = N("Fist on every word, and show your throw on {word}", word=COUNT_WORDS[-1])
ENTERED_THROW_HINT = N("Choose your throw where nobody else can see it: all are revealed together.")
TURN_CARD_OVER = N("Turn your card over on {word}, and take your hand away", word=COUNT_WORDS[-1])
PLACE_HINT = N("Choose a card and lay it face down in your zone; then take your hand away.")
VIRTUAL_PLACE_HINT = N("Choose the card you play: the box keeps it face down.")


def first_time_hint(prompt: Prompt, *, entered: bool = False) -> str | None:
    """Return the hint for a ``prompt`` of a kind that comes up for the first time: the game's, or the box's for a throw
    and a card; None if its question is clear enough. A throw is ``entered`` where no camera watches."""
    if prompt.kind in prompt.text.hints:
        hint = prompt.text.hints[prompt.kind]
        return hint if isinstance(hint, str) else hint(prompt)
    if prompt.kind == "throw":
        return ENTERED_THROW_HINT if entered else THROW_HINT
    if prompt.kind == "place":
        return VIRTUAL_PLACE_HINT if prompt.secret else PLACE_HINT
    return None
