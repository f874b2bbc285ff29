"""The pause of a match."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from typing_extensions import override

from messages import N
from ui.i18n.language import current_language
from ui.screen.drawing.forms import Column, HandFlip, HandRow, Row, lays_out
from ui.screen.drawing.nodes import TOUCH, Button, Node, Text
from ui.screen.drawing.theme import MUTED
from ui.screen.pages.how_to_play import HOW_TO_PLAY
from ui.screen.views import CompoundAnswer, Explain, Page, Reply, explain_nothing

STOP_PRACTICE = N("Stop practising")


class PauseChoice(StrEnum):
    """What people choose at a pause; the values are the answers of its page."""

    GO_ON = "go on"
    UNDO = "undo"
    PHONES = "phones"
    RESTART = "start again"
    LEAVE = "leave"
    GIVE_UP = "give it up"
    PLAYERS = "players"
    END_GAME = "end the game"
    LANGUAGE = "language"


VOLUME_STEP = 10
"""Percent that a touch changes the volume by."""


@dataclass(frozen=True)
class ChosenVolume(CompoundAnswer):
    """The answer of people who change the volume during a pause."""

    percent: int


@dataclass(frozen=True)
class PausePage(Page):
    """A match is paused. Nothing of what was on the screen is shown. Answered with a PauseChoice. To leave and to start
    again are confirmed on a page of their own; what has no match is left at once. Or answered with a ChosenVolume."""

    match: str = ""
    """Names the match; "": there is none, as in practice."""
    note: str = ""
    """Says what becomes of what was on the screen."""
    can_undo: bool = False
    """Whether UNDO may be answered."""
    can_change: bool = False
    """Whether players can change, with PLAYERS."""
    can_end_game: bool = False
    """Whether people can end the game before its end, with END_GAME."""
    can_join: bool = False
    """Whether phones can join, with PHONES."""
    volume: int | None = None
    """The volume in percent; None: nothing can be heard."""
    loud: int = 80
    """The volume after *Sound on*, in percent."""
    has_languages: bool = False
    """Whether the language can be chosen, with LANGUAGE."""
    confirms: Literal["leave", "restart"] | None = None
    """What this page asks people to confirm; None: nothing."""
    explain: Explain = field(default=explain_nothing, compare=False)
    """Returns the page about how to play."""
    stop_label: str = STOP_PRACTICE
    """The label of leaving where there is no match."""
    in_tournament: bool = False
    """Whether the match belongs to a tournament."""

    @property
    @override
    def key(self) -> object:
        return type(self), self.confirms


PAUSED = N("Paused")
MUTE, SOUND_ON, QUIETER, LOUDER = N("Mute"), N("Sound on"), N("Quieter"), N("Louder")
GO_ON = N("Go on")
THROW_CANCELLED = N("This throw doesn’t count. You throw again when you go on.")
HANDED_OVER_AGAIN = N("The screen is handed over again when you go on.")
TIME_STOPPED = N("The clock has stopped.")
UNDO_LABEL = N("Undo the last answers")
PHONES_LABEL = N("Play with phones")
RESTART_LABEL = N("Start this match again")
PLAYERS_LABEL = N("Who comes or goes")
END_GAME_LABEL = N("End the game")
LEAVE_LABEL = N("Leave")
LEAVE_TITLE = N("Leave the match?")
LEAVE_TEXT = N("It is saved. You can go on with it from the home page, or give it up now.")
LEAVE_TOURNAMENT_TEXT = N(
    "It is saved. You can go on with it from the tournament, or give it up now: then it is played again from the "
    "beginning."
)
LEAVE_FOR_NOW = N("Leave for now")
GIVE_UP = N("Give it up")
RESTART_TITLE = N("Start again from the beginning?")
RESTART_TEXT = N("The match so far is given up, and the same players start a new one.")
START_AGAIN = N("Start again")
STOP_FILMING = N("Stop filming")
BACK = N("Back")


BUTTON_HEIGHT = 1.25 * TOUCH


@lays_out(PausePage)
def lay_out_pause(page: PausePage) -> Node:
    """Return what is paused and what people can do, or what they confirm."""
    if page.confirms is not None:
        return _confirmation(page)
    leave = Button(LEAVE_LABEL, replace(page, confirms="leave"), "back", leads_back=True)
    restart = Button(RESTART_LABEL, replace(page, confirms="restart"), "again")
    if not page.match:
        leave = replace(leave, label=page.stop_label, press=Reply(PauseChoice.LEAVE))
    explanation = page.explain(page)
    buttons = (
        Button(PLAYERS_LABEL, Reply(PauseChoice.PLAYERS), "swap") if page.can_change else None,
        Button(END_GAME_LABEL, Reply(PauseChoice.END_GAME), "crown") if page.can_end_game else None,
        Button(UNDO_LABEL, Reply(PauseChoice.UNDO), "erase") if page.can_undo else None,
        Button(PHONES_LABEL, Reply(PauseChoice.PHONES), "phone") if page.can_join else None,
        Button(HOW_TO_PLAY, explanation, "bubble") if explanation is not None else None,
        restart if page.match else None,
        leave,
        Button(GO_ON, Reply(PauseChoice.GO_ON), "forward", main=True),
    )
    paused = Text(PAUSED, "big", role="shared", length=(None, 12))
    return Column(
        HandFlip(paused, _controls(page), length=(12, None)),
        Text(page.match, "small", MUTED, lines=2, fits=True),
        Text(page.note, 6, lines=2),
        *_rows(*(button for button in buttons if button is not None)),
    )


def _controls(page: PausePage) -> Row | None:
    """Return the buttons for the volume and the language."""
    nodes: list[Node] = []
    if (volume := page.volume) is not None:

        def change(percent: int, icon: str, label: str) -> Button:
            percent = max(0, min(100, percent))
            press = Reply(ChosenVolume(percent))
            return Button(label, press, icon, icon_only=True, enabled=percent != volume)

        mute = change(0, "mute", MUTE) if volume else change(page.loud, "sound", SOUND_ON)
        quieter = change(volume - VOLUME_STEP, "minus", QUIETER)
        louder = change(volume + VOLUME_STEP, "plus", LOUDER)
        nodes += [mute, quieter, Text(N("{percent} %", percent=volume), lines=1), louder]
    if page.has_languages:
        language = Button(current_language().upper(), Reply(PauseChoice.LANGUAGE), "globe", size="body", share=1.6)
        nodes.append(language)
    return Row(*nodes, length=(86, TOUCH)) if nodes else None


def _confirmation(page: PausePage) -> Column:
    """Return the question whether people want to leave, or to start again."""
    back = Button(BACK, replace(page, confirms=None), "back", leads_back=True)
    title, text = RESTART_TITLE, RESTART_TEXT
    buttons = [back, Button(START_AGAIN, Reply(PauseChoice.RESTART), "again", main=True)]
    if page.confirms == "leave":
        title, text = LEAVE_TITLE, LEAVE_TOURNAMENT_TEXT if page.in_tournament else LEAVE_TEXT
        give_up = Button(GIVE_UP, Reply(PauseChoice.GIVE_UP), "flag")
        buttons = [give_up, back, Button(LEAVE_FOR_NOW, Reply(PauseChoice.LEAVE), "forward", main=True)]
    words = Text(text, 6, MUTED, lines=4, vertical_align="top", share=3)
    return Column(Text(title, 9, lines=2, share=2), words, *_rows(*buttons))


def _rows(*buttons: Button) -> list[Node]:
    """Return the buttons one below the other; more than three in landscape in pairs. The main one is the last."""
    pairs = [HandRow(*buttons[n : n + 2], length=(BUTTON_HEIGHT, 0)) for n in range(0, len(buttons), 2)]
    narrow = (0, BUTTON_HEIGHT) if len(buttons) > 3 else BUTTON_HEIGHT
    return [*(pairs if len(buttons) > 3 else ()), *(replace(button, length=narrow) for button in buttons)]
