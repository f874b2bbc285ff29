"""A display of a match whose questions phones answer as well."""

from typing_extensions import override

from errors import ThrowlockError
from messages import capitalise
from throwlock.pads.table import PadTable
from ui.screen.core.display import Display
from ui.screen.pages import phones as phones_page
from ui.screen.pages.common import SWITCH_ON_ANSWER
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.notice import Notice
from ui.screen.pages.phones import PhonesPage, RemovePhone
from ui.screen.views import Answer, InteractiveView, NobodyAnswered, View


class PadDisplay(Display):
    """A display that tells ``pads`` what it shows to everybody, and takes their answers."""

    def __init__(self, display: Display, pads: PadTable) -> None:
        self._display, self._pads = display, pads

    @override
    def show(self, view: View) -> None:
        self._pads.show(view)
        self._display.show(view)

    @override
    def ask(self, view: InteractiveView) -> Answer:
        self._pads.show(view)
        if self._pads.is_on and isinstance(view, GroupQuestion):
            view = self._pads.begin_question(view)
        elif self._pads.is_on and isinstance(view, GroupQuestionPage):
            view = self._pads.resume_question(view)
        try:
            return self._display.ask(view)
        finally:
            self._pads.end_question()


def ask_for_phones(display: Display, pads: PadTable) -> bool:
    """Show where phones join, until people go on. They may switch the network on, and take seats back. Return False if
    nobody has touched anything for long. Raises PauseRequestedError."""
    while True:
        opens = None if pads.network is None else pads.network.second_screen_page
        match display.ask(PhonesPage(pads.status, pads.status(), opens)):
            case RemovePhone(seat):
                pads.remove_phone(seat)
            case answer if answer == SWITCH_ON_ANSWER and pads.network is not None:
                error: ThrowlockError | None = pads.network.switch_on()
                if error is not None:
                    display.ask(Notice(phones_page.TITLE, capitalise(error.text), ("back",)))
            case answer:
                return not isinstance(answer, NobodyAnswered)
