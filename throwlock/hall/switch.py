"""The switch of the box's link to its hall: off until somebody switches it on, and then on again after a restart."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Self

from device.system.processor import Processor
from errors import ThrowlockError
from messages import N, capitalise, join
from rules.catalogue import GAMES, find_game
from rules.engine import Game
from rules.text import list_names
from throwlock.hall.homie import BoxFacts
from throwlock.hall.membership import Membership, MembershipError, read_membership
from throwlock.hall.protocol import Pairing, Pairings
from throwlock.journal.events import HallMatch
from throwlock.settings.model import Settings, SettingsError, save_settings
from ui.screen.core.display import Display
from ui.screen.pages import hall as hall_page
from ui.screen.pages.common import BACK_ANSWER
from ui.screen.pages.hall import ChosenPairing, HallPage, HallState, HallStatus, LinkStatus, PairingOffer
from ui.screen.pages.notice import Notice

if TYPE_CHECKING:  # imported when switched on: the box starts faster without
    from throwlock.hall.link import HallLink

logger = logging.getLogger(__name__)

MEMBERSHIP_FILE = "hall.toml"
"""The hall's file, beside the settings."""


class PairingWithdrawnError(ThrowlockError):
    """A match is no longer to be played at this box."""


@dataclass(frozen=True)
class ChosenHallMatch:
    """A match of the hall that people want to play: its game, the players' names, and which it is."""

    game: Game
    names: tuple[str, ...]
    match: HallMatch


def membership_path(settings_file: Path) -> Path:
    """Return where the hall's file of the box with this settings file is."""
    return settings_file.with_name(MEMBERSHIP_FILE)


class HallSwitch:
    """The switch, a context manager that closes the link on exit. ``facts`` returns the camera's name, the address of
    the review pages and what is wrong with buttons and lights; the rest is added here.

    with HallSwitch(journal, settings_file, facts) as switch:
        switch.apply(settings)
    """

    def __init__(self, journal: Path, settings_file: Path, facts: Callable[[], BoxFacts]) -> None:
        self._journal, self._settings_file = journal, settings_file
        self._box_facts, self._processor = facts, Processor()
        self._version = version("throwlock")
        self._settings = Settings()
        self._applied: object = None
        self._membership: Membership | None = None
        self._error: ThrowlockError | None = None
        self._link: HallLink | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    @property
    def is_member(self) -> bool:
        """Whether the box has a hall's file."""
        return membership_path(self._settings_file).exists()

    @property
    def is_on(self) -> bool:
        """Whether the box is to be linked to its hall."""
        return self._settings.hall.on

    def apply(self, settings: Settings) -> None:
        """Open or close the link as the settings, and the hall's file, have it."""
        file = membership_path(self._settings_file)
        wanted = settings.hall, file.stat().st_mtime_ns if file.exists() else None
        if wanted == self._applied:
            return
        self._close()
        self._applied, self._settings, self._membership, self._error = wanted, settings, None, None
        if not file.exists():
            return
        try:
            self._membership = read_membership(file)
        except MembershipError as error:
            self._error = error
            logger.warning("%s", error)
        if settings.hall.on and self._membership is not None:
            from throwlock.hall.link import HallLink  # noqa: PLC0415

            self._link = HallLink(self._membership, self._journal, self._facts, pictures=settings.hall.pictures)
            self._link.start()

    def _close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.stop()

    def _facts(self) -> BoxFacts:
        celsius = self._processor.temperature_c()
        temperature = "" if celsius is None else f"{celsius:.0f}"
        return replace(self._box_facts(), version=self._version, temperature=temperature)

    def status(self) -> HallStatus:
        """Return what people are told now."""
        membership, error, link_now = self._membership, self._error, self._link  # another thread may close it
        hall = membership.hall if membership is not None else hall_page.TITLE
        link = LinkStatus(state=HallState.OFF) if link_now is None else link_now.status
        if error is not None:
            link = LinkStatus(state=HallState.REFUSED, error=error.text)
        pairings = self._pairings()
        return HallStatus(
            hall=hall,
            table=pairings.table,
            sends_pictures=self._settings.hall.pictures,
            pairings=tuple(map(_offer, pairings.pairings)),
            **vars(link),
        )

    def _pairings(self) -> Pairings:
        link = self._link
        return Pairings(table="") if link is None else link.pairings

    def current_offer(self) -> PairingOffer | None:
        """Return the match of the hall that is to be played here next, for the home page; None if there is none."""
        pairings = self._pairings()
        if not pairings.pairings:
            return None
        offer = _offer(pairings.pairings[0])
        text = N("{table}: {players}", table=pairings.table, players=offer.players) if pairings.table else offer.players
        return PairingOffer(offer.id, text, offer.about)

    def choose(self, chosen: ChosenPairing) -> ChosenHallMatch:
        """Return the match that people want to play. Raises PairingWithdrawnError; IllegalSetupError if this box can't
        play the game like that."""
        for pairing in self._pairings().pairings:
            if pairing.id == chosen.id:
                game = find_game(pairing.game).set_up(len(pairing.players), pairing.options)
                match = HallMatch(pairing=pairing.id, players=tuple(player.id for player in pairing.players))
                return ChosenHallMatch(game, distinct_names([player.name for player in pairing.players]), match)
        raise PairingWithdrawnError(N("this match is no longer to be played here"))

    def open(self, display: Display, settings: Settings) -> tuple[Settings, ChosenPairing | None]:
        """Show the hall's page until people go back to the home page or want to play a match; return the settings as
        they left them, and that match. Raises WindowClosedError."""
        self.apply(settings)
        while True:
            answer = display.ask(HallPage(self.status, self.status()))
            changes = {
                hall_page.ON: {"hall.on": True},
                hall_page.OFF: {"hall.on": False},
                hall_page.PICTURES_ON: {"hall.pictures": True},
                hall_page.PICTURES_OFF: {"hall.pictures": False},
            }
            if isinstance(answer, ChosenPairing):
                return settings, answer
            if not isinstance(answer, str) or answer not in changes:
                return settings, None
            try:
                settings = save_settings(self._settings_file, changes[answer])
            except SettingsError as error:
                display.ask(Notice(hall_page.TITLE, capitalise(error.text), (BACK_ANSWER,)))
            self.apply(settings)


def _offer(pairing: Pairing) -> PairingOffer:
    names = distinct_names([player.name for player in pairing.players])
    if len(names) == 2:
        players: str = N("{first} against {second}", first=names[0], second=names[1])
    else:
        players = list_names(range(1, len(names) + 1), dict(enumerate(names, 1)))
    about = [
        pairing.tournament,
        N("round {number}", number=pairing.round) if pairing.round else "",
        _title(pairing.game),
    ]
    return PairingOffer(pairing.id, players, join([part for part in about if part], " · "))


def _title(game: str) -> str:
    return N(GAMES[game].title) if game in GAMES else game


def distinct_names(names: list[str]) -> tuple[str, ...]:
    """Return names of which no two are the same: the second Ada is "Ada 2"."""
    distinct: list[str] = []
    for name in names:
        numbered, number = name, 2
        while numbered in distinct:
            numbered, number = f"{name} {number}", number + 1
        distinct.append(numbered)
    return tuple(distinct)
