"""An evening at the box: its home page, one match after the other, and what people can do where one can't be played."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from device.camera.base import CameraError
from rules.battle.calculator import calculate
from rules.catalogue import GAMES
from rules.engine import Game
from rules.markers import STUDENTS
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import JournalError, JournalReader
from throwlock.journal.maintenance import Keeper
from throwlock.journal.recovery import carry_on
from throwlock.launch_options import Wanted
from throwlock.match.config import Billing, billing_of
from throwlock.match.house_rules import Cards, House
from throwlock.match.match import MatchError
from throwlock.match_runner import AGAIN, HOME, PlayOne, SitDown
from throwlock.practice_runner import practise_from_home
from throwlock.review.history_pages import LookingBack
from throwlock.review.lan_switch import Network
from throwlock.settings import pages
from throwlock.settings.model import usual_place
from throwlock.table_setup import player_names
from throwlock.table_setup.cameras import NO_CAMERA
from throwlock.table_setup.zone_setup import set_up_from_home
from throwlock.tables.classroom import class_rules
from ui.i18n.error_messages import told
from ui.i18n.language import N, Nn, capital, row
from ui.screen.core.display import Display
from ui.screen.pages.home.view import ATTRACT_AFTER_S
from ui.screen.pages.views import IDLE, Attract, Calculating, Choosing, Chosen, Notice, Waiting
from ui.text import verdicts
from vision.hands.model import ModelError
from vision.zones import Zone

SIMULATED_NAMES = ("Ada", "Ben", "Chidi", "Dora", "Emil", "Fumi", "Gita", "Hugo")
WITHOUT = "play without the camera"
ASIDE = "begin a new journal"


def usual_names(camera: str, seats: int) -> list[str]:
    """What players are called who give no name."""
    if camera == "simulated" and seats <= len(SIMULATED_NAMES):
        return list(SIMULATED_NAMES[:seats])
    return [verdicts.neutral(n + 1) for n in range(seats)]


def billing_for(game: Game, names: Sequence[str], house: House, seed: int, camera: str) -> Billing:
    """A match of ``game``; who has no name in ``names``, or "", has the usual one."""
    return Billing(game, player_names.full_names(names, usual_names(camera, game.setup.seats)), house, seed, camera)


class Evening:
    """Match after match in a window, as people choose. ``play_one`` plays each; ``names`` are those the command line
    gave, with which nobody is asked who sits where."""

    def __init__(self, wanted: Wanted, display: Display, play_one: PlayOne, names: Sequence[str], seed: int) -> None:
        self._wanted = wanted
        self._camera = wanted.camera
        self._display = display
        self._play_one = play_one
        self._given = tuple(names)
        self._names = self._given
        self._seed = seed
        self._file = usual_place()

    def run(self, game: Game | None) -> None:
        """Play ``game`` first or, where it is None, go on with a match that was cut off or begin at home. The review is
        on the network only while people have switched it on. Raises WindowClosedError."""
        self._wanted = replace(self._wanted, settings=pages.at_start(self._display, self._file))
        with Network(self._wanted.journal) as network:
            seated = False
            while True:
                if game is None:
                    game = self._cut_off()
                if game is None:
                    chosen = self.at_home(network)
                    game, seated = GAMES[chosen.game].set_up(chosen.seats, chosen.options), False
                sit = None if seated or self._given else self._sit_down
                came = self._one(game, sit)
                seated = came != AGAIN or sit is None
                if came == HOME:
                    game = None
                    self._wanted = replace(self._wanted, camera=self._camera)  # the next match tries it again

    def _one(self, game: Game, sit: SitDown | None) -> object:
        """One match; what people chose at its end, or where it can't be played."""
        billing = billing_for(game, self._names, self._wanted.house, self._seed, self._wanted.camera)
        self._display.show(Waiting(game.rules.title))
        try:
            came = self._play_one(self._wanted, billing, sit)
        except (CameraError, ModelError, JournalError, MatchError) as fault:
            came = self._mend(fault)
            self._wanted = replace(self._wanted, new=False)
            return came
        self._wanted, self._seed = replace(self._wanted, new=False), self._seed + 1
        self._make_room()
        return came

    def _make_room(self) -> None:
        """Keep the journal's pictures within the size that is set. Where that fails, the next match tells why."""
        with suppress(JournalError):
            Keeper(self._wanted.journal).trim(self._wanted.settings.journal.evidence_mb * 1_000_000)

    def _mend(self, fault: Exception) -> object:
        """Say what is wrong, and do what people choose: AGAIN or HOME."""
        title, ways = N("The match"), [AGAIN, HOME]
        if isinstance(fault, CameraError):
            title, ways = N("The camera"), [AGAIN, WITHOUT, HOME]
        elif isinstance(fault, ModelError):
            title, ways = N("The hand model"), [AGAIN, WITHOUT, HOME]
        elif isinstance(fault, JournalError):
            broken = isinstance(fault, JournalDamagedError) or self._is_broken()
            title, ways = N("The journal"), [AGAIN, ASIDE, HOME] if broken else [AGAIN, HOME]
        text = capital(told(str(fault)))
        if ASIDE in ways:
            text = N("{fault}. A new one can be begun: this one is kept beside it under another name.", fault=text)
        match self._display.ask(Notice(title, text, tuple(ways))):
            case "play without the camera":
                self._wanted = replace(self._wanted, camera=NO_CAMERA)
            case "begin a new journal":
                carry_on(self._wanted.journal)
            case "home":
                return HOME
        return AGAIN

    def _is_broken(self) -> bool:
        """Whether the journal can't even be read."""
        try:
            if not self._wanted.is_new():
                with JournalReader(self._wanted.journal) as reader:
                    reader.unfinished()
        except JournalError:
            return self._wanted.journal.is_file()
        return False

    def _sit_down(self, billing: Billing, zones: Sequence[Zone]) -> Billing | None:
        """Who sits where; before a simulated table nobody does."""
        if billing.camera == "simulated":
            return billing
        seats = billing.game.setup.seats
        before = [*self._names, *[""] * seats][:seats]
        names = player_names.sit_down(self._display, N(billing.game.rules.title), before, zones, self._wanted.journal)
        if names is None:
            return None
        self._names = names
        return replace(billing, names=player_names.full_names(names, usual_names(billing.camera, seats)))

    def at_home(self, network: Network) -> Chosen:
        """The game that people choose; before that, they may use what the box can do besides."""
        while True:
            self._wanted.news.show(self._display)
            tools: dict[str, Callable[[], object]] = {
                "practise": self._practise,
                "class": lambda: None,
                "calculator": lambda: self._display.ask(Calculating(calculate)),
                "zones": lambda: set_up_from_home(self._display, self._wanted.camera, self._seed),
                "past matches": lambda: LookingBack(self._display, self._wanted.journal).open(),
                "review is on" if network.on else "review on the network": lambda: network.open(self._display),
                "settings": self._change_settings,
                "language": self._choose_language,
            }
            if self._camera == NO_CAMERA:
                del tools["practise"], tools["class"], tools["zones"]
            chosen = self._display.ask(Choosing(tuple(GAMES.values()), tuple(tools), ATTRACT_AFTER_S))
            if chosen == "class":
                chosen = self._display.ask(Choosing((class_rules(GAMES["battle"]),), room=STUDENTS))
            if isinstance(chosen, Chosen):
                return chosen
            if chosen == IDLE:
                self._display.ask(Attract())
            else:
                tools[str(chosen)]()

    def _practise(self) -> None:
        wanted = self._wanted
        practise_from_home(self._display, wanted.camera, wanted.settings, self._seed, wanted.zones)

    def _change_settings(self) -> None:
        given = [f"{'cards' if name in Cards.model_fields else 'house'}.{name}" for name in self._wanted.given]
        now = pages.change(self._display, self._file, self._wanted.settings, given)
        self._wanted = replace(self._wanted, settings=now)

    def _choose_language(self) -> None:
        now = pages.choose_language(self._display, self._file, self._wanted.settings)
        self._wanted = replace(self._wanted, settings=now)

    def _cut_off(self) -> Game | None:
        """The game of a match that was cut off, if people want to go on with it; if not, it is given up."""
        if self._wanted.new:
            return None
        try:
            there = self._unfinished()
        except JournalError:
            return None  # it is told before a match is kept in it
        if there is None:
            return None
        game, names = N(there.game.rules.title), row(there.names, ", ")
        if there.game.setup.seats > len(SIMULATED_NAMES):
            names = Nn("{count} player", "{count} players", there.game.setup.seats)
        text = N("{game} with {names} was cut off. Go on with it?", game=game, names=names)
        if self._display.ask(Notice(N("A match is not over"), text, ("go on", "give it up"))) == "go on":
            return there.game
        self._wanted = replace(self._wanted, new=True)
        return None

    def _unfinished(self) -> Billing | None:
        if self._wanted.is_new():
            return None
        with JournalReader(self._wanted.journal) as reader:
            number = reader.unfinished()
            return None if number is None else billing_of(reader.events(number))
