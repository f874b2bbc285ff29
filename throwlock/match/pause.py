"""Between whatever shows and asks, and the display: the pause of a match, or of practice, and phones that answer as
well."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from typing_extensions import override

from device.sound.base import Sound
from errors import ThrowlockError
from messages import capitalise
from rules.engine import STOP_ANSWER, Prompt
from throwlock.nonessential import nonessential
from throwlock.pads.table import PadTable
from throwlock.settings.model import Settings, SoundSettings, save_settings
from throwlock.settings.pages import choose_language
from ui.screen.core.display import Display, PauseRequestedError
from ui.screen.pages import phones as phones_page
from ui.screen.pages.common import SWITCH_ON_ANSWER
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.guests import GuestsChoice, GuestsPage, RemoveGuest
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import (
    HANDED_OVER_AGAIN,
    STOP_PRACTICE,
    THROW_CANCELLED,
    TIME_STOPPED,
    ChosenVolume,
    PauseChoice,
    PausePage,
)
from ui.screen.pages.phones import PhonesPage, RemovePhone
from ui.screen.views import Answer, Explain, InteractiveView, NobodyAnswered, Page, PausedAt, View, explain_nothing


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
            case phones_page.AUDIENCE_ANSWER:
                pads.switch_audience()
            case answer if answer == SWITCH_ON_ANSWER and pads.network is not None:
                error: ThrowlockError | None = pads.network.switch_on()
                if error is not None:
                    display.ask(Notice(phones_page.TITLE, capitalise(error.text), ("back",)))
            case answer:
                return not isinstance(answer, NobodyAnswered)


def show_guests(display: Display, pads: PadTable) -> None:
    """Show where people join and who is here, until people are done. They may take others off the list."""
    while True:
        match display.ask(GuestsPage(pads.guests_status, pads.guests_status())):
            case RemoveGuest(name):
                pads.forget_guest_named(name)
            case GuestsChoice.FORGET_ALL:
                pads.forget_guests()
            case phones_page.AUDIENCE_ANSWER:
                pads.switch_audience()
            case _:
                return


class PausedError(ThrowlockError):
    """People paused and chose something else than to go on with the page; with GO_ON, the count was interrupted, and
    its throw has to be asked for again."""

    def __init__(self, choice: PauseChoice) -> None:
        super().__init__(f"paused: {choice}")
        self.choice = choice


class PauseSettings:
    """What people set during a pause, kept in ``settings_file``: the volume of ``sound``, and the language."""

    def __init__(self, sound: Sound, settings: Settings, settings_file: Path) -> None:
        self._sound, self._settings, self._file = sound, settings, settings_file
        self._loud = settings.sound.volume or SoundSettings().volume

    def on_page(self, page: PausePage) -> PausePage:
        """Return the pause page with the volume and the language."""
        volume = round(self._sound.volume * 100) if self._settings.sound.on else None
        return replace(page, volume=volume, loud=self._loud, has_languages=True)

    def change(self, display: Display, choice: Answer) -> bool:
        """Do what people chose, and return True; False if it is no choice of a setting."""
        match choice:
            case ChosenVolume(percent):
                self._sound.volume = percent / 100
                self._loud = percent or self._loud
                with nonessential("the volume can't be kept"):
                    save_settings(self._file, {"sound.volume": percent})
            case PauseChoice.LANGUAGE:
                self._settings = choose_language(display, self._file, self._settings)
            case _:
                return False
        return True


class PausableDisplay(Display):
    """A display on which people can pause. Going on returns to the same page with the time that was left; whoever asked
    notices nothing. ``menu`` returns the pause page for a paused page (None: the count). Phones can join ``pads``, if
    there are any, during a pause, and ``settings`` can be changed."""

    def __init__(self, display: Display, pads: PadTable | None = None, settings: PauseSettings | None = None) -> None:
        self._display, self._pads, self._settings = display, pads, settings
        self.menu: Callable[[Page | None], PausePage] = pause_page

    @override
    def show(self, view: View) -> None:
        """Show ``view``. Raises PausedError if people paused at the view before; ``view`` was not shown then."""
        try:
            self._display.show(view)
        except PauseRequestedError:
            self._pause(None)
            raise PausedError(PauseChoice.GO_ON) from None

    @override
    def ask(self, view: InteractiveView) -> Answer:
        """Ask as the display does. Raises PausedError if people don't go on after a pause."""
        while True:
            try:
                answer = self._display.ask(view)
            except PauseRequestedError:
                self._pause(None)
                continue
            if not isinstance(answer, PausedAt):
                return answer
            self._pause(answer.page)
            view = answer.page

    def _pause(self, page: Page | None) -> None:
        """Show the pause until people go on. Raises PausedError if they choose something else."""
        choice, pads = None, self._pads
        can_join = pads is not None and pads.network is not None
        while choice is None:  # a pause on a pause would be nothing
            try:
                menu = replace(self.menu(page), can_join=can_join)
                choice = self._display.ask(menu if self._settings is None else self._settings.on_page(menu))
                if self._settings is not None and self._settings.change(self._display, choice):
                    choice = None
                if pads is not None and choice == PauseChoice.PHONES:
                    choice = None
                    ask_for_phones(self._display, pads)
            except PauseRequestedError:
                continue
        if choice != PauseChoice.GO_ON:
            raise PausedError(PauseChoice(str(choice)))


def pause_page(page: Page | None, explain: Explain = explain_nothing, stop_label: str = STOP_PRACTICE) -> PausePage:
    """Return the pause page of practice, which ``explain`` explains, or of what ``stop_label`` stops."""
    return PausePage(note=_note(page), explain=explain, stop_label=stop_label)


def match_pause_page(
    page: Page | None, match: str, can_undo: bool, explain: Explain, between_rounds: Prompt | None = None
) -> PausePage:
    """Return the pause page of a ``match``, paused at ``page``; ``between_rounds`` is what its game asks if people want
    it to. Answers can't be taken back once somebody has answered the next question. ``explain`` returns the page that
    explains the game."""
    begun = isinstance(page, GroupQuestionPage) and bool(page.answers)
    allowed = list(between_rounds.seats.values()) if between_rounds else []
    return replace(
        pause_page(page, explain),
        match=match,
        can_undo=can_undo and not begun,
        can_change=any(options.allows("leave") for options in allowed),
        can_end_game=any(options.allows(STOP_ANSWER) for options in allowed),
    )


def _note(page: Page | None) -> str:
    if page is None:
        return THROW_CANCELLED
    if isinstance(page, GroupQuestionPage) and page.own_page is not None and page.view.prompt.is_private:
        return HANDED_OVER_AGAIN
    return TIME_STOPPED if page.seconds_left is not None else ""
