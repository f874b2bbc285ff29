"""Who plays a match, and who sits where."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from messages import N
from rules.engine import Game
from rules.record.tournament import TournamentMatch
from throwlock.house_rules import HouseRules
from throwlock.journal.events import HallMatch
from throwlock.match.explanation import explain_match
from throwlock.pads.table import PadTable
from throwlock.replay.config import MatchConfig
from throwlock.table_setup import player_names
from throwlock.table_setup.cameras import CameraKind
from throwlock.tables.source import BackToSetUpError, PeopleLeftError
from ui.screen.core.display import Display
from ui.screen.pages.common import BACK_ANSWER
from ui.screen.pages.how_to_play import START, START_ANSWER, FirstTimePage
from ui.screen.views import NobodyAnswered, Reply
from ui.text import verdicts
from vision.zones import Zone

SIMULATED_NAMES = ("Ada", "Ben", "Chidi", "Dora", "Emil", "Fumi", "Gita", "Hugo")


def default_names(camera: str, seats: int) -> list[str]:
    """Return the names of players who give none."""
    if camera == CameraKind.SIMULATED and seats <= len(SIMULATED_NAMES):
        return list(SIMULATED_NAMES[:seats])
    return [verdicts.default_name(n + 1) for n in range(seats)]


def turn_seats(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, by seat, once everybody has moved one seat further on, and the last one to the first seat."""
    return *names[-1:], *names[:-1]


def new_match_config(game: Game, names: Sequence[str], house_rules: HouseRules, seed: int, camera: str) -> MatchConfig:
    """Configure a new match of ``game``. A player without a name in ``names``, or with "", gets the default one."""
    return MatchConfig(
        game, player_names.fill_in_names(names, default_names(camera, game.setup.seats)), house_rules, seed, camera
    )


OrderedMatch = TypeVar("OrderedMatch", TournamentMatch, HallMatch)


class SeatAssigner:
    """Asks who sits where before each match, unless names were ``given``, and explains games if it ``explains``. It
    offers seats to those who are here with a phone of the ``pads`` first."""

    def __init__(
        self, display: Display, journal: Path, given: Sequence[str], pads: PadTable | None = None, *, explains: bool
    ) -> None:
        self._display, self._journal, self._explains = display, journal, explains
        self._pads = pads or PadTable()
        self._given = tuple(given)
        self.names = self._given
        """Who sat where last, by seat; "" for a seat without a name."""
        self._offered: set[tuple[str, frozenset[str]]] = set()  # games explained, or not wanted to be, to whom

    def assign(self, config: MatchConfig, zones: Sequence[Zone]) -> MatchConfig:
        """Ask who sits where, unless names are given, and offer to explain the game to those who play it for the first
        time; nobody sits at a simulated table. Raises BackToSetUpError if they go back, and PeopleLeftError if nobody
        is there."""
        if config.camera == CameraKind.SIMULATED:
            return config
        is_fixture = config.tournament is not None or config.hall is not None
        while True:
            if is_fixture:
                config = self._swap_seats(config, zones)
            elif not self._given:
                config = self._ask_names(config, zones)
            if not self._explains or self._offer_explanation(config):
                return config
            if self._given and not is_fixture:
                raise BackToSetUpError

    def _ask_names(self, config: MatchConfig, zones: Sequence[Zone]) -> MatchConfig:
        """Ask who sits where. Raises PeopleLeftError if they go back."""
        seats = config.game.setup.seats
        last_names = (*self.last_names(), *[""] * seats)[:seats]
        self.names = self._ask_who_sits_where(config, zones, last_names)
        return replace(config, names=player_names.fill_in_names(self.names, default_names(config.camera, seats)))

    def _swap_seats(self, config: MatchConfig, zones: Sequence[Zone]) -> MatchConfig:
        """Ask who of a tournament's or a hall's match sits where. Raises PeopleLeftError if they go back."""
        names = self._ask_who_sits_where(config, zones, config.names, fixed=True)
        order = [config.names.index(name) for name in names]
        return replace(
            config,
            names=names,
            tournament=_in_order(config.tournament, order),
            hall=_in_order(config.hall, order),
        )

    def _ask_who_sits_where(
        self, config: MatchConfig, zones: Sequence[Zone], names: Sequence[str], *, fixed: bool = False
    ) -> tuple[str, ...]:
        title, has_camera = N(config.game.rules.title), config.camera != CameraKind.NONE
        here = [guest.name for guest in self._pads.guests]
        answer = player_names.ask_player_names(
            self._display, title, names, zones, self._journal, has_camera, fixed=fixed, here=here
        )
        if answer is None:
            raise BackToSetUpError
        return answer

    def last_names(self) -> tuple[str, ...]:
        """Return who sat where in the last match, "" for a seat without a name."""
        if self._given:
            return self._given
        return player_names.drop_forgotten(self.names, self._journal) or player_names.last_names(self._journal)

    def _offer_explanation(self, config: MatchConfig) -> bool:
        """Offer to explain a game before a match, once to a group of whom nobody has played it. Return False if they go
        back. Raises PeopleLeftError if nobody is there."""
        explanation = explain_match(config, Reply(START_ANSWER))
        group = config.game.rules.name, frozenset(config.names)
        known = group in self._offered or player_names.have_played(config.names, group[0], self._journal)
        if explanation is not None and not known:
            answer = self._display.ask(FirstTimePage(replace(explanation, done=START)))
            if isinstance(answer, NobodyAnswered):
                raise PeopleLeftError
            if answer == BACK_ANSWER:
                return False
        self._offered.add(group)
        return True


def _in_order(match: OrderedMatch | None, order: Sequence[int]) -> OrderedMatch | None:
    return match and match.model_copy(update={"players": tuple(match.players[index] for index in order)})
