"""The interface of a display, and one that shows nothing. The others are ``ui.screen.core.window``,
``ui.screen.core.png_display`` and ``ui.screen.core.button_display``."""

from typing import Protocol

from typing_extensions import override

from errors import ThrowlockError
from messages import N
from ui.screen.pages.message import GameMessage
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.showdown import Showdown
from ui.screen.views import Answer, InteractiveView, View


class WindowClosedError(ThrowlockError):
    """People closed the window. Raised from ``show`` and ``ask``, in the thread that called them."""


class PauseRequestedError(ThrowlockError):
    """People paused while a view was shown that they can't answer, such as the count. Raised from the next ``show`` or
    ``ask``, in the thread that called it."""


class NoInputError(ThrowlockError):
    """A display without input was asked something. The message says what to do instead."""


class Display(Protocol):
    """Shows views and asks people. Both methods may be called from any one thread."""

    def show(self, view: View) -> None:
        """Show ``view`` and return at once.

        Raises:
            WindowClosedError: People closed the window.
            PauseRequestedError: People paused at the view before.
        """

    def ask(self, view: InteractiveView) -> Answer:
        """Show ``view`` and wait for the answer, which each view's class documents; ``None`` when its ``seconds_left``
        ran out. A display without input answers ``None`` at once to a view that needs no answer (a round's result that
        could be disputed). People who pause answer a page of a match with PausedAt.

        Raises:
            WindowClosedError: People closed the window.
            PauseRequestedError: People paused at the view before.
            NoInputError: The view needs an answer and the display has no input.
        """


class NullDisplay(Display):
    """Shows nothing and has no input."""

    @override
    def show(self, view: View) -> None:
        """Does nothing."""

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Raises NoInputError, unless the view needs no answer."""
        require_no_answer(view)
        return None


def require_no_answer(view: InteractiveView) -> None:
    """Raise NoInputError if ``view`` needs an answer."""
    if isinstance(view, Reveal | Showdown | GameMessage):
        return
    raise NoInputError(
        N(
            "this display has no input to answer a {view}: play in a window, or use simulated players",
            view=type(view).__name__,
        )
    )
