"""What a notice's buttons say."""

from ui.screen.pages.common.game_words import code_word


def choice_label(name: str) -> str:
    """A choice of a notice as its button says it."""
    return code_word(name)
