"""The labels of a notice's buttons."""

from ui.screen.pages.common.game_words import code_word


def choice_label(name: str) -> str:
    """The label of a choice."""
    return code_word(name)
