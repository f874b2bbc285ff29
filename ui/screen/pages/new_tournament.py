"""A new tournament, set up by touch: its format, its players, their seeds. Pure: no surface, no clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pygame import Rect
from typing_extensions import override

from messages import N, join, ngettext_lazy
from rules.tournaments.fixture import Format, default_rounds
from ui.screen.drawing import layout
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.keyboard import Key
from ui.screen.drawing.text import line_height
from ui.screen.drawing.theme import ACCENT, MUTED, PANEL, RAISED
from ui.screen.drawing.widgets import draw_choice, draw_list_cells, draw_titled_bar, hand_row, split_hand_side
from ui.screen.pages.seating import NameTypingPage, draw_name_keys
from ui.screen.views import SET_UP_PATIENCE_S, CompoundAnswer, InteractiveView, ListPage, Page, Reply
from ui.text import labels
from ui.text.tournaments import FORMAT_NAMES, FORMAT_SENTENCES

MAX_TOUCHED_PLAYERS = 64
"""The most players of a tournament that is set up by touch."""
DUEL_FORMATS = (Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT, Format.ROUND_ROBIN, Format.GROUPS, Format.SWISS)
"""The formats of matches of two."""
ROUNDS, GROUP_SIZES, QUALIFIERS = range(1, 16), range(3, 9), range(1, 5)
"""What can be chosen of rounds, players of a group, and how many of each group go on."""


@dataclass(frozen=True)
class Draft(CompoundAnswer):
    """A tournament that is being set up. ``names`` are the players', the best seed first; ``rounds`` 0: as many as a
    knock-out would have. As an answer it is ready: to be started or, if it ``is_to_be`` "shuffled" or "ranked", to be
    put into another order and asked about again."""

    format: Format
    names: tuple[str, ...] = ()
    title: str = ""
    rounds: int = 0
    group_size: int = 4
    qualifiers: int = 2
    is_to_be: Literal["started", "shuffled", "ranked"] = "started"

    def toggle(self, name: str) -> "Draft":
        """Return the draft with a player more, or without one who was in."""
        others = tuple(other for other in self.names if other.casefold() != name.casefold())
        if len(others) < len(self.names):
            return replace(self, names=others)
        return replace(self, names=(*self.names, name)) if len(self.names) < MAX_TOUCHED_PLAYERS else self

    def move(self, player: int, to: int) -> "Draft":
        """Return the draft with a player, from 0, moved to another seed."""
        names = list(self.names)
        names.insert(to, names.pop(player))
        return replace(self, names=tuple(names))

    @property
    def shown_rounds(self) -> int:
        """The number of rounds there will be."""
        return self.rounds or default_rounds(max(2, len(self.names)))


@dataclass(frozen=True)
class NewTournament(InteractiveView):
    """Set a tournament of a game up. Answered with a Draft, or with "back".

    Attributes:
        game: The game's title.
        table_size: The number of players of a match.
        min_players: The fewest players of a tournament.
        known_names: Who has played here before, the latest first.
        draft: What was set up so far; None to begin.
        can_rank: Whether players have ratings that their seeds can follow.
        title: The title that is suggested.
    """

    game: str
    table_size: int = 2
    min_players: int = 2
    known_names: tuple[str, ...] = ()
    draft: Draft | None = None
    can_rank: bool = False
    title: str = ""

    @override
    def first_page(self) -> "FormatPage | EntrantsPage | SeedsPage":
        """At tables of more than two there is only one format."""
        if self.draft is not None:
            return SeedsPage(self, self.draft)
        duel = self.table_size == 2
        draft = Draft(Format.KNOCKOUT if duel else Format.TABLES, title=self.title)
        return FormatPage(self, draft) if duel else EntrantsPage(self, draft)


class _SetUpPage(Page):
    @property
    @override
    def patience_s(self) -> float | None:
        return SET_UP_PATIENCE_S


@dataclass(frozen=True)
class FormatPage(_SetUpPage):
    """The choice of the format."""

    view: NewTournament
    draft: Draft

    def choose(self, chosen: Format) -> "EntrantsPage":
        """Return the page after a touch on a format."""
        return EntrantsPage(self.view, replace(self.draft, format=chosen))


@dataclass(frozen=True)
class EntrantsPage(ListPage, _SetUpPage):
    """Who plays: names that were typed, the newest first, and those who have played here before."""

    view: NewTournament
    draft: Draft
    typed: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who can be touched."""
        known = {name.casefold() for name in self.view.known_names}
        entered = (*self.typed, *(name for name in self.draft.names if name not in self.typed))
        return (*(name for name in entered if name.casefold() not in known), *self.view.known_names)

    def enter(self, name: str) -> "EntrantsPage":
        """Return the page with a name that was typed; whoever is in already stays in."""
        if any(name.casefold() == other.casefold() for other in self.draft.names):
            return replace(self, list_page=0)
        known = next((one for one in self.view.known_names if one.casefold() == name.casefold()), None)
        typed = self.typed if known else (name, *self.typed)
        return replace(self, draft=self.draft.toggle(known or name), typed=typed, list_page=0)

    @property
    def can_draw(self) -> bool:
        """Whether there are enough players."""
        return len(self.draft.names) >= self.view.min_players


@dataclass(frozen=True)
class EntrantKeyboardPage(NameTypingPage, _SetUpPage):
    """The keyboard for a player's name."""

    back: EntrantsPage

    @override
    def finish(self) -> EntrantsPage | None:
        """The players with this one."""
        return self.back.enter(self.text.strip()) if self.text.strip() else None

    def next_name(self) -> "EntrantKeyboardPage | None":
        """Return the keyboard for another name after this one."""
        done = self.finish()
        full = done is None or len(done.draft.names) >= MAX_TOUCHED_PLAYERS
        return None if done is None or full else EntrantKeyboardPage(done)


@dataclass(frozen=True)
class SeedsPage(ListPage, _SetUpPage):
    """The players in the order of their seeds, and the last choices before the draw. ``moving`` is a player, from 0,
    who is about to get another seed."""

    view: NewTournament
    draft: Draft
    moving: int | None = None

    def select(self, player: int) -> "SeedsPage":
        """Return the page after a touch on a player: to be moved, or moved to the place of this one."""
        if self.moving is None:
            return replace(self, moving=player)
        return replace(self, draft=self.draft.move(self.moving, player), moving=None)


@dataclass(frozen=True)
class TitleKeyboardPage(NameTypingPage, _SetUpPage):
    """The keyboard for the tournament's title."""

    MAX_LENGTH = 40

    back: SeedsPage

    @override
    def finish(self) -> SeedsPage | None:
        """The seeds with the title."""
        title = self.text.strip()
        return replace(self.back, draft=replace(self.back.draft, title=title)) if title else None


WHICH_FORMAT = N("Which format?")
WHO_PLAYS = N("Who plays?")
NOBODY_KNOWN = N("Nobody has played here yet. Write the players’ names.")
WRITE_NAME = N("Write a name")
NEXT_PLAYER = N("Another player")
SEED_HELP = N("The best first, or shuffled. To move a player, touch them and then the new place.")
MOVE_HELP = N("Touch the place where {name} goes.")
SHUFFLE = N("Shuffle")
BY_RATING = N("By rating")
START = N("Draw")
TITLE = N("Title")
ROUNDS_LABEL = N("Rounds", "of a tournament")
GROUP_SIZE_LABEL, QUALIFIERS_LABEL = N("Players of a group"), N("Go on, of each group")


def player_count(count: int) -> str:
    """Return how many play."""
    return ngettext_lazy("{count} player", "{count} players", count)


def seed_label(number: int, name: str) -> str:
    """Return a player with the number of the seed."""
    return join([f"{number}. ", name], "")


FormatNumber = tuple[str, int, range, Callable[[int], Draft]]
"""A number of a format: its label, its value, what can be chosen, and the draft with another value."""


@paints(FormatPage)
def draw_formats(canvas: Canvas, page: FormatPage) -> None:
    """Draw the formats, each with a sentence."""
    theme = canvas.theme
    body = draw_titled_bar(canvas, WHICH_FORMAT, Reply("back"), note=page.view.game)
    across = 1 if theme.portrait else 2
    for cell, form in zip(layout.grid(body, len(DUEL_FORMATS), across, theme.gap), DUEL_FORMATS, strict=True):
        canvas.framed_panel(cell, RAISED)
        canvas.add_target(cell, page.choose(form), FORMAT_NAMES[form])
        inner, icon_box = layout.split_right(
            layout.inset(cell, theme.units(2), theme.units(1)), theme.units(3.4), theme.gap
        )
        canvas.icon(icon_box, "forward", ACCENT)
        name, about = layout.split_top(inner, line_height(theme.title), 0)
        canvas.text(name, FORMAT_NAMES[form], theme.title, align="left")
        canvas.text(about, FORMAT_SENTENCES[form], theme.small, MUTED, align="left", max_lines=3, vertical_align="top")


@paints(EntrantsPage)
def draw_entrants(canvas: Canvas, page: EntrantsPage) -> None:
    """Draw everybody who may play; a touch takes them in or out."""
    theme = canvas.theme
    back = FormatPage(page.view, page.draft) if page.view.table_size == 2 else Reply("back")
    note = player_count(len(page.draft.names))
    body = draw_titled_bar(canvas, WHO_PLAYS, back, note=note)
    body, foot = layout.split_bottom(body, round(theme.touch_size * 1.2), theme.gap)
    write, go_on = hand_row(canvas, foot, [1, 1], theme.gap)
    canvas.button(write, WRITE_NAME, EntrantKeyboardPage(page), icon="pencil")
    seeds = SeedsPage(page.view, page.draft)
    canvas.button(go_on, labels.GO_ON, seeds, icon="forward", main=page.can_draw, enabled=page.can_draw)
    if not page.names:
        canvas.text(body, NOBODY_KNOWN, theme.title, MUTED, max_lines=4)
        return
    across, height = 2 if theme.portrait else 3, theme.touch_size
    chosen = {name.casefold() for name in page.draft.names}
    for cell, name in draw_list_cells(
        canvas, body, page, page.names, height, across=across, max_height=round(height * 1.15)
    ):
        draw_choice(canvas, cell, name, replace(page, draft=page.draft.toggle(name)), name.casefold() in chosen)


@paints(EntrantKeyboardPage)
def draw_entrant_keyboard(canvas: Canvas, page: EntrantKeyboardPage) -> None:
    """Draw the name of a player as far as it is typed, and the keys, with one for another player."""
    another = Key(NEXT_PLAYER, page.next_name(), "plus")
    draw_name_keys(canvas, canvas.page, page, page.back, another)


@paints(SeedsPage)
def draw_seeds(canvas: Canvas, page: SeedsPage) -> None:
    """Draw the players in the order of their seeds, and the last choices."""
    theme, draft = canvas.theme, page.draft
    body = draw_titled_bar(canvas, FORMAT_NAMES[draft.format], EntrantsPage(page.view, draft))
    numbers = _numbers(page)
    orders = [(SHUFFLE, "shuffled"), *([(BY_RATING, "ranked")] if page.view.can_rank else [])]
    side_rows = 2 + len(numbers)
    row = theme.touch_size
    if theme.portrait:
        body, side = layout.split_bottom(body, (side_rows + 1) * (row + theme.gap), theme.gap)
    else:
        body, side = split_hand_side(canvas, body, theme.units(62), theme.gap * 2)
    side, start = layout.split_bottom(side, round(row * 1.3), theme.gap)
    canvas.button(start, START, Reply(replace(draft, is_to_be="started")), main=True, size=theme.title)
    title, side = layout.split_top(side, row, theme.gap)
    canvas.button(title, draft.title, TitleKeyboardPage(page, text=draft.title), icon="pencil", size=theme.small)
    order, side = layout.split_top(side, row, theme.gap)
    for cell, (label, wanted) in zip(layout.columns(order, [1] * len(orders), theme.gap), orders, strict=True):
        canvas.button(cell, label, Reply(replace(draft, is_to_be=wanted)), size=theme.small)  # type: ignore[arg-type]
    for number in numbers:
        line, side = layout.split_top(side, row, theme.gap)
        _draw_number(canvas, line, page, number)
    help_text: str = SEED_HELP
    if page.moving is not None:
        help_text = N(MOVE_HELP, name=draft.names[page.moving])
    height = canvas.text_height(help_text, body.w, max_lines=3)
    line, body = layout.split_top(body, height, theme.gap)
    canvas.text(line, help_text, theme.small, MUTED, align="left", max_lines=3)
    for cell, player in draw_list_cells(canvas, body, page, range(len(draft.names)), row):
        name = seed_label(player + 1, draft.names[player])
        draw_choice(canvas, cell, name, page.select(player), player == page.moving)


def _numbers(page: SeedsPage) -> list[FormatNumber]:
    draft = page.draft
    match draft.format:
        case Format.SWISS | Format.TABLES:
            return [(ROUNDS_LABEL, draft.shown_rounds, ROUNDS, lambda n: replace(draft, rounds=n))]
        case Format.GROUPS:
            return [
                (GROUP_SIZE_LABEL, draft.group_size, GROUP_SIZES, lambda n: replace(draft, group_size=n)),
                (QUALIFIERS_LABEL, draft.qualifiers, QUALIFIERS, lambda n: replace(draft, qualifiers=n)),
            ]
    return []


def _draw_number(canvas: Canvas, line: Rect, page: SeedsPage, number: FormatNumber) -> None:
    """Draw a number of the format between the buttons that change it."""
    theme, (label, value, choices, change) = canvas.theme, number
    canvas.panel(line, PANEL)
    text, control = layout.split_right(line, 2 * theme.touch_size + theme.units(7), theme.units(1))
    canvas.text(layout.inset(text, theme.units(1), 0), label, theme.small, align="left", max_lines=2)
    fewer, count, more = layout.columns(control, [theme.touch_size, theme.units(7), theme.touch_size], 0)
    canvas.text(count, str(value), theme.title)
    for cell, by, icon, name in ((fewer, -1, "minus", labels.FEWER), (more, 1, "plus", labels.MORE)):
        changed = replace(page, draft=change(value + by))
        canvas.button(cell, name, changed, icon=icon, icon_only=True, enabled=value + by in choices, repeats=True)


@paints(TitleKeyboardPage)
def draw_title_keyboard(canvas: Canvas, page: TitleKeyboardPage) -> None:
    """Draw the title as far as it is typed, and the keys."""
    draw_name_keys(canvas, canvas.page, page, page.back)
