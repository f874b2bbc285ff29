"""A new tournament, set up by touch: its format, its players, their seeds. Pure: no surface, no clock."""

from dataclasses import dataclass, replace
from typing import Literal

from rules.tournaments.events import Format, default_rounds
from ui.screen.pages.answers import CompoundAnswer
from ui.screen.pages.seating.view import NameTypingPage
from ui.screen.pages.views import SET_UP_PATIENCE_S, InteractiveView, ListPage, Page

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

    def first_page(self) -> "FormatPage | EntrantsPage | SeedsPage":
        """See InteractiveView: at tables of more than two there is only one format."""
        if self.draft is not None:
            return SeedsPage(self, self.draft)
        duel = self.table_size == 2
        draft = Draft(Format.KNOCKOUT if duel else Format.TABLES, title=self.title)
        return FormatPage(self, draft) if duel else EntrantsPage(self, draft)


class _SetUpPage(Page):
    """A page of the set-up."""

    @property
    def patience_s(self) -> float | None:
        """See Page."""
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

    def finish(self) -> EntrantsPage | None:
        """See TypingPage: the players with this one."""
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

    def finish(self) -> SeedsPage | None:
        """See TypingPage: the seeds with the title."""
        title = self.text.strip()
        return replace(self.back, draft=replace(self.back.draft, title=title)) if title else None
