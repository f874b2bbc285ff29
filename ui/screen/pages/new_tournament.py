"""A new tournament, set up by touch: its format, its players, their seeds. Pure: no surface, no clock."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from typing_extensions import override

from messages import N, join, ngettext_lazy
from rules.tournaments.fixture import Format, default_rounds
from ui.screen.drawing.canvas import Canvas, paints
from ui.screen.drawing.forms import AtLeast, Column, Either, Form, Grid, HandFlip, ItemList, Row, lays_out
from ui.screen.drawing.keyboard import Key
from ui.screen.drawing.nodes import GAP, SMALL_LINE, TOUCH, Button, CardPanel, Choice, Icon, Node, Space, Text, note
from ui.screen.drawing.theme import MUTED, RAISED
from ui.screen.pages.seating import EVERYBODY_HERE, NameTypingPage, draw_name_keys
from ui.screen.views import CompoundAnswer, InteractiveView, ListPage, PreMatchPage, Reply
from ui.text import labels
from ui.text.names import normalise_name
from ui.text.tournaments import FORMAT_NAMES, FORMAT_SENTENCES

MAX_TOUCHED_PLAYERS = 64
"""The most players of a tournament that is set up by touch."""
DUEL_FORMATS = (Format.KNOCKOUT, Format.DOUBLE_KNOCKOUT, Format.ROUND_ROBIN, Format.GROUPS, Format.SWISS)
"""The formats of matches of two."""
ROUNDS, GROUP_SIZES, QUALIFIERS = range(1, 16), range(3, 9), range(1, 5)
"""What can be chosen of rounds, players of a group, and how many of each group go on."""


@dataclass(frozen=True)
class Draft(CompoundAnswer):
    """A tournament that is being set up."""

    format: Format
    names: tuple[str, ...] = ()
    """The players', the best seed first."""
    title: str = ""
    rounds: int = 0
    """0: as many as a knock-out would have."""
    group_size: int = 4
    qualifiers: int = 2
    is_to_be: Literal["started", "shuffled", "ranked", "of another game"] = "started"
    """As an answer: whether it is ready to be started, or to be put into another order or changed to another game, and
    asked about again."""

    def toggle(self, name: str) -> "Draft":
        """Return the draft with a player more, or without one who was in."""
        rest = tuple(entered for entered in self.names if normalise_name(entered) != normalise_name(name))
        if len(rest) < len(self.names):
            return replace(self, names=rest)
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
    """Set a tournament of a game up. Answered with a Draft."""

    game: str
    """The game's title."""
    table_size: int = 2
    """The number of players of a match."""
    min_players: int = 2
    """The fewest players of a tournament."""
    known_names: tuple[str, ...] = ()
    """Who has played here before, the latest first."""
    draft: Draft | None = None
    """What was set up so far; None to begin."""
    entered: tuple[str, ...] = ()
    """Who plays so far; nobody to begin."""
    can_rank: bool = False
    """Whether players have ratings that their seeds can follow."""
    title: str = ""
    """The title that is suggested."""
    here: tuple[str, ...] = ()
    """Those who have said on their phones that they are here, in the order in which they came."""

    @override
    def first_page(self) -> "FormatPage | EntrantsPage | SeedsPage":
        """At tables of more than two there is only one format."""
        if self.draft is not None:
            return SeedsPage(self, self.draft)
        duel = self.table_size == 2
        draft = Draft(Format.KNOCKOUT if duel else Format.TABLES, self.entered, self.title)
        return FormatPage(self, draft) if duel else EntrantsPage(self, draft)


@dataclass(frozen=True)
class FormatPage(PreMatchPage):
    """The choice of the format."""

    view: NewTournament
    draft: Draft

    def choose(self, chosen: Format) -> "EntrantsPage":
        """Return the page after a touch on a format."""
        return EntrantsPage(self.view, replace(self.draft, format=chosen))


@dataclass(frozen=True)
class EntrantsPage(ListPage, PreMatchPage):
    """Who plays: new names, and people who have played here before."""

    view: NewTournament
    draft: Draft
    typed: tuple[str, ...] = ()
    """Names that were typed, the newest first."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who can be touched."""
        offered = {normalise_name(name): name for name in (*self.view.here, *self.view.known_names)}
        entered = (*self.typed, *(name for name in self.draft.names if name not in self.typed))
        return (*(name for name in entered if normalise_name(name) not in offered), *offered.values())

    def enter(self, name: str) -> "EntrantsPage":
        """Return the page with a name that was typed; whoever is in already stays in."""
        if any(normalise_name(name) == normalise_name(entered) for entered in self.draft.names):
            return replace(self, list_page=0)
        offered = (*self.view.here, *self.view.known_names)
        known = next((known for known in offered if normalise_name(known) == normalise_name(name)), None)
        typed = self.typed if known else (name, *self.typed)
        return replace(self, draft=self.draft.toggle(known or name), typed=typed, list_page=0)

    def enter_everybody(self) -> "EntrantsPage":
        """Return the page with everybody in who is here."""
        page = self
        for name in self.view.here:
            page = page.enter(name)
        return page

    @property
    def can_draw(self) -> bool:
        """Whether there are enough players."""
        return len(self.draft.names) >= self.view.min_players


@dataclass(frozen=True)
class EntrantKeyboardPage(NameTypingPage, PreMatchPage):
    """The keyboard for a player's name."""

    back: EntrantsPage

    @override
    def finish(self) -> EntrantsPage | None:
        """The players with this one."""
        return self.back.enter(self.name) if self.name else None

    def next_name(self) -> "EntrantKeyboardPage | None":
        """Return the keyboard for another name after this one."""
        done = self.finish()
        full = done is None or len(done.draft.names) >= MAX_TOUCHED_PLAYERS
        return None if done is None or full else EntrantKeyboardPage(done)


@dataclass(frozen=True)
class SeedsPage(ListPage, PreMatchPage):
    """The players in the order of their seeds, and the last choices before the draw."""

    view: NewTournament
    draft: Draft
    moving: int | None = None
    """The index of a player who is about to get another seed."""

    def select(self, player: int) -> "SeedsPage":
        """Return the page after a touch on a player: to be moved, or moved to the place of this one."""
        if self.moving is None:
            return replace(self, moving=player)
        return replace(self, draft=self.draft.move(self.moving, player), moving=None)


@dataclass(frozen=True)
class TitleKeyboardPage(NameTypingPage, PreMatchPage):
    """The keyboard for the tournament's title."""

    MAX_LENGTH = 40

    back: SeedsPage

    @override
    def finish(self) -> SeedsPage | None:
        """The seeds with the title."""
        return replace(self.back, draft=replace(self.back.draft, title=self.name)) if self.name else None


WHICH_FORMAT = N("Which format?")
WHO_PLAYS = N("Who plays?")
NOBODY_KNOWN = N("Nobody has played here yet. Write the players’ names.")
WRITE_NAME = N("Write a name")
NEXT_PLAYER = N("One more")
SEED_HELP = N("The best first, or shuffled. To move a player, touch them and then the new place.")
MOVE_HELP = N("Touch the place where {name} goes.")
SHUFFLE = N("Shuffle")
BY_RATING = N("By rating")
START = N("Draw")
ROUNDS_LABEL = N("Rounds", "of a tournament")
GROUP_SIZE_LABEL, QUALIFIERS_LABEL = N("Players of a group"), N("Go on, of each group")


def player_count(count: int) -> str:
    """Return how many play."""
    return ngettext_lazy("{count} player", "{count} players", count)


def seed_label(number: int, name: str) -> str:
    """Return a player with the number of the seed."""
    return join([f"{number}. ", name], "")


TITLE_LINE = 8.4
"""The height of a format's name."""
NUMBER_LINE = TOUCH + 0.6
"""The height of a number with its buttons."""
FormatNumber = tuple[str, int, range, Callable[[int], Draft]]
"""A number of a format: its label, its value, what can be chosen, and the draft with another value."""


@lays_out(FormatPage)
def lay_out_formats(page: FormatPage) -> Form:
    """Return the formats, each with a sentence."""
    cards = [_format_card(page, offered) for offered in DUEL_FORMATS]
    return Form(WHICH_FORMAT, Grid(cards, (2, 1)), back=_to_game(page.draft), note=page.view.game)


def _to_game(draft: Draft) -> Reply:
    """Return the answer of people who go back to the game, whose players stay."""
    return Reply(replace(draft, is_to_be="of another game"))


def _format_card(page: FormatPage, offered: Format) -> CardPanel:
    name = FORMAT_NAMES[offered]
    about = Text(FORMAT_SENTENCES[offered], "small", MUTED, lines=3, align="left", vertical_align="top")
    words = Column(Text(name, "title", lines=1, align="left", length=TITLE_LINE), about, gap=0)
    return CardPanel(Row(words, Icon("forward", length=3.4)), page.choose(offered), name, down=1, fill=RAISED)


@lays_out(EntrantsPage)
def lay_out_entrants(page: EntrantsPage) -> Form:
    """Return everybody who may play; a touch takes them in or out."""
    chosen = {normalise_name(name) for name in page.draft.names}

    def choice(name: str) -> Choice:
        return Choice(name, replace(page, draft=page.draft.toggle(name)), normalise_name(name) in chosen)

    seeds = SeedsPage(page.view, page.draft)
    names: Node = ItemList(page, page.names, choice, TOUCH, 1.15 * TOUCH, across=(3, 2))
    return Form(
        WHO_PLAYS,
        names if page.names else Text(NOBODY_KNOWN, "title", MUTED, lines=4),
        foot=(
            Button(WRITE_NAME, EntrantKeyboardPage(page), "pencil", size="body"),
            Button(EVERYBODY_HERE, page.enter_everybody(), "phone", size="body") if page.view.here else None,
            Button(labels.GO_ON, seeds, "forward", size="body", main=page.can_draw, enabled=page.can_draw),
        ),
        foot_length=1.2 * TOUCH,
        note=player_count(len(page.draft.names)),
        back=FormatPage(page.view, page.draft) if page.view.table_size == 2 else _to_game(page.draft),
    )


@paints(EntrantKeyboardPage)
def draw_entrant_keyboard(canvas: Canvas, page: EntrantKeyboardPage) -> None:
    """Draw the name of a player as far as it is typed, and the keys, with one for another player."""
    another = Key(NEXT_PLAYER, page.next_name())
    draw_name_keys(canvas, canvas.page, page, page.back, another)


@lays_out(SeedsPage)
def lay_out_seeds(page: SeedsPage) -> Form:
    """Return the players in the order of their seeds, and the last choices."""
    draft = page.draft
    help_text: str = SEED_HELP if page.moving is None else N(MOVE_HELP, name=draft.names[page.moving])

    # as high for a player who is moved as before, so that the list keeps its pages
    help_lines = AtLeast(note(help_text, lines=3), 2 * SMALL_LINE)

    def choice(player: int) -> Choice:
        return Choice(seed_label(player + 1, draft.names[player]), page.select(player), player == page.moving)

    rank = Button(BY_RATING, Reply(replace(draft, is_to_be="ranked")), size="small") if page.view.can_rank else None
    title = Button(draft.title, TitleKeyboardPage(page, text=draft.title), "pencil", size="small", length=TOUCH)
    shuffle = Button(SHUFFLE, Reply(replace(draft, is_to_be="shuffled")), size="small")
    names_and_order = Either(
        Column(title, Row(shuffle, rank, length=TOUCH)),
        Row(replace(title, length=None, share=2), shuffle, rank),
        length=(None, TOUCH),
    )
    numbers = [_number_line(page, number) for number in _numbers(page)]
    start = Button(START, Reply(replace(draft, is_to_be="started")), main=True, length=1.3 * TOUCH)
    return Form(
        FORMAT_NAMES[draft.format],
        HandFlip(
            Column(help_lines, ItemList(page, range(len(draft.names)), choice, TOUCH, across=2)),
            Column(names_and_order, *numbers, Space(length=(None, 0)), start, length=(62, None)),
            gap=(2 * GAP, GAP),
        ),
        back=EntrantsPage(page.view, draft),
    )


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


def _number_line(page: SeedsPage, number: FormatNumber) -> CardPanel:
    """Return a number of the format between the buttons that change it."""
    label, value, choices, change = number

    def step(by: int, icon: str, name: str) -> Button:
        changed, enabled = replace(page, draft=change(value + by)), value + by in choices
        return Button(name, changed, icon, icon_only=True, enabled=enabled, repeats=True, length=TOUCH)

    fewer, more = step(-1, "minus", labels.FEWER), step(1, "plus", labels.MORE)
    words = Text(label, "small", lines=2, align="left")
    line = Row(words, fewer, Text(str(value), "title", length=7), more, gap=0)
    return CardPanel(line, across=1, down=0.2, length=NUMBER_LINE)


@paints(TitleKeyboardPage)
def draw_title_keyboard(canvas: Canvas, page: TitleKeyboardPage) -> None:
    """Draw the title as far as it is typed, and the keys."""
    draw_name_keys(canvas, canvas.page, page, page.back)
