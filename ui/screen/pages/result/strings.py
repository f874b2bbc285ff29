"""The texts of the result page."""

from ui.i18n.language import N

PLAY_AGAIN = N("Play again")
OTHER_GAMES = N("Other games")
