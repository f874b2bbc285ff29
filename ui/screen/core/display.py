"""What the referee needs of a screen, and the one that shows nothing. The window is in ``ui.screen.core.window``, the
one that writes pictures in ``ui.screen.core.png_display``."""

from typing import Protocol

from errors import ThrowlockError
from ui.screen.core.page_stack import Asking
from ui.screen.pages.views import Answer, Reveal, Told, View


class WindowClosedError(ThrowlockError):
    """People closed the window. Raised from ``show`` and ``ask``, in the thread that called them."""


class NoScreenError(ThrowlockError):
    """There is no screen to open a window on. The message says why, and what to do instead."""


class NoInputError(ThrowlockError):
    """A screen nobody can touch was asked something. The message says what, and what to give instead."""


class Display(Protocol):
    """Something that shows views. Both methods may be called from any one thread."""

    def show(self, view: View) -> None:
        """Show ``view`` and return at once. Raises WindowClosedError."""

    def ask(self, view: Asking) -> Answer:
        """Show ``view`` and wait for people: a Chosen or one of its tools for Choosing, every seat's value for a
        Gather, one of the values allowed for a Question, "home" for Calculating, what Ended and Disputing say, one of
        its choices for a Notice, DISPUTE for a Reveal or what was Told; ``None`` when the view's ``seconds_left`` ran
        out.

        Raises WindowClosedError when people close the window, NoInputError where there are none to ask; but where
        nobody is there to dispute a Reveal or what was Told, that is answered with ``None`` at once."""


class Silent:
    """Shows nothing, and nobody can answer it."""

    def show(self, view: View) -> None:
        """See Display. Does nothing."""

    def ask(self, view: Asking) -> Answer:
        """See Display. Raises NoInputError, unless the view needs no answer."""
        unanswered(view)
        return None


def unanswered(view: Asking) -> None:
    """What nobody answers to ``view`` where nobody can touch the screen. Raises NoInputError where people must."""
    if isinstance(view, Reveal | Told):
        return
    raise NoInputError(
        f"nobody can touch this screen to answer its {type(view).__name__.lower()}: "
        "play in a window, or give simulated players"
    )
