"""The texts of the second screen in a browser."""

from messages import N
from ui.i18n.language import current_language, t
from ui.web.pads.strings import FIGURE_HEADINGS

__all__ = ["current_language", "t"]

FIGURE_LABELS = FIGURE_HEADINGS
TITLE = N("Second screen")
CODE_LABEL = N("Code")
JOIN_TITLE = N("Watch on this screen")
JOIN_TEXT = N("Type the code that the box’s screen shows under “Second screen”.")
JOIN_LABEL = N("Watch")
JUDGING = N("Reading the hands …")
IDLE = N("The best rounds of the evening will be shown here.")
CLAIM = N("Claims")
ANSWER_IN = N("In")
ANSWER_MISSING = N("Choosing")
OFFLINE = N("The box can’t be reached. Trying again …")
ENDED = N("This screen has to be opened again: the box shows its address under “Phones and review”, “Second screen”.")
NO_SCRIPT = N("This page needs JavaScript.")
DECIDED = N("It decided the match")
FOUL = N("Foul")
