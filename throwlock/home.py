"""A session at the box: its home page, one match after the other, and the choices when a match can't be played."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from device.camera.base import CameraError
from device.system.host import Host
from errors import ThrowlockError
from messages import N, capitalise, join, ngettext_lazy
from rules.battle.calculator import calculate_round
from rules.catalogue import GAMES
from rules.engine import Game, IllegalSetupError
from rules.markers import MAX_STUDENTS
from rules.record.tournament import TournamentMatch
from rules.tournaments.fixture import TournamentError
from throwlock.box_setup.menu import BoxSetup
from throwlock.film_runner import film_from_home
from throwlock.hall.homie import BoxFacts
from throwlock.hall.switch import ChosenHallMatch, HallSwitch, PairingWithdrawnError
from throwlock.house_rules import CardRules, HouseRules
from throwlock.journal.events import HallMatch, MatchAbandoned
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import Journal, JournalError, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.recovery import replace_damaged_journal
from throwlock.launch_options import LaunchOptions
from throwlock.match.explanation import explain_match, throw_setting
from throwlock.match.frame_keeper import trim_kept_frames
from throwlock.match.match import MatchError
from throwlock.match_runner import RunMatch
from throwlock.next_step import NextStep
from throwlock.practice_runner import practise_from_home
from throwlock.replay.config import MatchConfig, config_from_events
from throwlock.review.history_pages import MatchHistoryPages
from throwlock.review.statistics.pages import open_awards
from throwlock.session import AssignSeats
from throwlock.settings import pages
from throwlock.settings.model import Settings, default_settings_path
from throwlock.table_setup import player_names
from throwlock.table_setup.cameras import NO_CAMERA
from throwlock.table_setup.class_choice import WHICH_CLASS, choose_class
from throwlock.table_setup.class_names import ClassListError, ClassLists
from throwlock.table_setup.zone_setup import set_up_from_home
from throwlock.tables.classroom import class_rules, with_class_options
from throwlock.tables.source import PeopleLeftError
from throwlock.tournament_pages import ChosenFixture, TournamentPages
from throwlock.web.lan_switch import LanSwitch
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.attract import ATTRACT_AFTER_S, AttractMode
from ui.screen.pages.calculator import Calculator
from ui.screen.pages.countdown import Preparing
from ui.screen.pages.hall import ChosenPairing, PairingOffer
from ui.screen.pages.home import DEFAULT_CLASS_SIZE, IDLE_ANSWER, RESUME_ANSWER, ChosenGame, GameMenu
from ui.screen.pages.how_to_play import START, START_ANSWER, FirstTimePage
from ui.screen.pages.notice import Notice
from ui.screen.pages.tournament import ToTournament
from ui.screen.views import SET_UP_PATIENCE_S, Answer, NobodyAnswered, Reply
from ui.text import verdicts
from vision.hands.model import ModelError
from vision.zones import Zone

logger = logging.getLogger(__name__)

ERROR_TITLES: Mapping[type[ThrowlockError], str] = {
    CameraError: N("The camera"),
    ModelError: N("The hand model"),
    JournalError: N("The journal"),
    MatchError: N("The match"),
    TournamentError: N("The tournament"),
}
"""The errors because of which a match can't be played, and what they are about."""
NEW_JOURNAL_OFFER = N("{error}. You can start a new journal; this one is kept next to it under another name.")
HALL_TOOLS = ("hall", "hall is on")
SIMULATED_NAMES = ("Ada", "Ben", "Chidi", "Dora", "Emil", "Fumi", "Gita", "Hugo")


def default_names(camera: str, seats: int) -> list[str]:
    """Return the names of players who give none."""
    if camera == "simulated" and seats <= len(SIMULATED_NAMES):
        return list(SIMULATED_NAMES[:seats])
    return [verdicts.default_name(n + 1) for n in range(seats)]


def new_match_config(game: Game, names: Sequence[str], house_rules: HouseRules, seed: int, camera: str) -> MatchConfig:
    """Configure a new match of ``game``. A player without a name in ``names``, or with "", gets the default one."""
    return MatchConfig(
        game, player_names.fill_in_names(names, default_names(camera, game.setup.seats)), house_rules, seed, camera
    )


@dataclass(frozen=True)
class PlainMatch:
    """A match that people want to play, of no tournament, or that they resume."""

    game: Game


OrderedMatch = TypeVar("OrderedMatch", TournamentMatch, HallMatch)
Chosen = PlainMatch | ChosenFixture | ChosenHallMatch
"""What people want to play."""


@dataclass(frozen=True)
class UnfinishedMatch:
    """A match that can be resumed."""

    number: int
    config: MatchConfig

    @property
    def names(self) -> str:
        """Its players' names, or their number if there are many."""
        if self.config.game.setup.seats > len(SIMULATED_NAMES):
            return ngettext_lazy("{count} player", "{count} players", self.config.game.setup.seats)
        return join(self.config.names, ", ")


def read_unfinished_match(options: LaunchOptions) -> UnfinishedMatch | None:
    """Return the journal's unfinished match; None if there is none. Raises JournalError."""
    if options.is_new_journal():
        return None
    with JournalReader(options.journal) as reader:
        number = reader.unfinished_match()
        return None if number is None else UnfinishedMatch(number, config_from_events(reader.events(number)))


def unfinished_config(options: LaunchOptions) -> MatchConfig | None:
    """Return the configuration of the journal's unfinished match; None if there is none. Raises JournalError."""
    unfinished = read_unfinished_match(options)
    return None if unfinished is None else unfinished.config


class GameSession:
    """Plays match after match on ``display``, as people choose; ``run_match`` plays each.

    ``names`` are those from the command line. Without them, people are asked who sits where. They may administer
    ``host``, if it is given.
    """

    def __init__(
        self,
        options: LaunchOptions,
        display: Display,
        run_match: RunMatch,
        names: Sequence[str],
        seed: int,
        host: Host | None = None,
    ) -> None:
        self._options = options
        self._camera = options.camera
        self._display = display
        self._run_match = run_match
        self._given_names = tuple(names)
        self._names = self._given_names
        self._class_names: tuple[str, ...] = ()
        self._seed = seed
        self._host = host
        self._settings_file = default_settings_path()
        self._hall = HallSwitch(options.journal, self._settings_file, BoxFacts)
        self._offered: set[tuple[str, frozenset[str]]] = set()  # games explained, or not wanted to be, to whom

    def run(self, game: Game | None) -> None:
        """Play ``game`` first. If it is None, offer to resume an unfinished match, or open the home page.

        Phones and review are on the network only while people have switched it on.

        Raises:
            WindowClosedError: People closed the window.
        """
        self._options = replace(self._options, settings=pages.load_at_start(self._display, self._settings_file))
        trim_kept_frames(self._options.journal, self._options.settings.clips)
        with (
            LanSwitch(
                self._options.journal,
                pads=self._options.pads,
                second_screen=self._options.second_screen,
                clips=self._options.clips,
            ) as network,
            self._open_hall(network) as self._hall,
        ):
            seated, fixture = False, None
            tournament: int | None = None
            if game is None:
                game = self._offer_unfinished()
            while True:
                if game is None:
                    chosen = self._choose_fixture(tournament) if tournament else None
                    chosen = chosen or self.choose_game(network)
                    fixture = None if isinstance(chosen, PlainMatch) else chosen
                    game, seated = chosen.game, False
                assign_seats = None if seated else self._assign_seats
                choice = self._play_match(game, assign_seats, fixture)
                seated = choice != NextStep.RETRY or assign_seats is None
                if choice == NextStep.HOME or isinstance(choice, ToTournament):
                    game, tournament = None, choice.number if isinstance(choice, ToTournament) else None
                    self._options = replace(self._options, camera=self._camera)  # the next match tries it again

    def _open_hall(self, network: LanSwitch) -> HallSwitch:
        """Return the link to the hall, on if the settings have it on."""

        def facts() -> BoxFacts:
            review = network.status()
            address = next(iter(review.addresses), "") if review is not None else ""
            return BoxFacts(camera=self._options.camera, review=address, alert=str(self._options.alerts.newest))

        hall = HallSwitch(self._options.journal, self._settings_file, facts)
        hall.apply(self._options.settings)
        return hall

    def _play_match(
        self, game: Game, assign_seats: AssignSeats | None, fixture: ChosenFixture | ChosenHallMatch | None
    ) -> object:
        """Play one match, ``fixture`` of a tournament or a hall if there is one. Return what people chose at its end,
        or when it could not be played."""
        names = self._names if fixture is None else fixture.names
        if game.setup.seats > len(SEAT_MARKS) and not self._given_names:
            names = self._class_names
        config = new_match_config(game, names, self._options.house_rules, self._seed, self._options.camera)
        if isinstance(fixture, ChosenFixture):
            config = replace(config, tournament=fixture.match)
        elif fixture is not None:
            config = replace(config, hall=fixture.match)
        self._display.show(Preparing(game.rules.title))
        try:
            choice = self._run_match(self._options, config, assign_seats)
        except tuple(ERROR_TITLES) as error:
            choice = self._ask_after_error(error)
            self._options = replace(self._options, new=False)
            return choice
        self._options, self._seed = replace(self._options, new=False), self._seed + 1
        self._trim_journal()
        return choice

    def _trim_journal(self) -> None:
        """Keep the journal's evidence, and the frames next to it, within the limits in the settings. If that fails, the
        next match reports why."""
        with suppress(JournalError):
            JournalMaintenance(self._options.journal).trim_evidence(
                self._options.settings.journal.evidence_mb * 1_000_000
            )
        trim_kept_frames(self._options.journal, self._options.settings.clips)

    def _ask_after_error(self, error: ThrowlockError) -> NextStep:
        """Show what is wrong and do what people choose. Return RETRY or HOME."""
        logger.warning("a match of %s can't be played: %s", self._options.journal, error)
        title = next(title for kind, title in ERROR_TITLES.items() if isinstance(error, kind))
        text, ways_out = capitalise(error.text), tuple[NextStep, ...]()
        match error:
            case CameraError() | ModelError():
                ways_out = (NextStep.WITHOUT_CAMERA,)
            case JournalError() if isinstance(error, JournalDamagedError) or self._is_journal_unreadable():
                ways_out = (NextStep.NEW_JOURNAL,)
                text = N(NEW_JOURNAL_OFFER, error=text)
        match self._display.ask(Notice(title, text, (NextStep.RETRY, *ways_out, NextStep.HOME))):
            case NextStep.WITHOUT_CAMERA:
                self._options = replace(self._options, camera=NO_CAMERA)
            case NextStep.NEW_JOURNAL:
                replace_damaged_journal(self._options.journal)
            case NextStep.HOME:
                return NextStep.HOME
        return NextStep.RETRY

    def _is_journal_unreadable(self) -> bool:
        """Whether the journal exists and can't be read."""
        try:
            if not self._options.is_new_journal():
                with JournalReader(self._options.journal) as reader:
                    reader.unfinished_match()
        except JournalError:
            return self._options.journal.is_file()
        return False

    def _assign_seats(self, config: MatchConfig, zones: Sequence[Zone]) -> MatchConfig:
        """Ask who sits where, unless names are given, and offer to explain the game to those who play it for the first
        time; nobody sits at a simulated table. Raises PeopleLeftError if they go back."""
        if config.camera == "simulated":
            return config
        if config.tournament is not None or config.hall is not None:
            config = self._swap_seats(config, zones)
        elif not self._given_names:
            config = self._ask_names(config, zones)
        if not self._options.headless:
            self._offer_explanation(config)
        return config

    def _ask_names(self, config: MatchConfig, zones: Sequence[Zone]) -> MatchConfig:
        """Ask who sits where. Raises PeopleLeftError if they go back."""
        seats = config.game.setup.seats
        last_names = (*self._last_names(), *[""] * seats)[:seats]
        self._names = self._ask_who_sits_where(config, zones, last_names)
        return replace(config, names=player_names.fill_in_names(self._names, default_names(config.camera, seats)))

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
        title, has_camera = N(config.game.rules.title), config.camera != NO_CAMERA
        answer = player_names.ask_player_names(
            self._display, title, names, zones, self._options.journal, has_camera, fixed=fixed
        )
        if answer is None:
            raise PeopleLeftError
        return answer

    def _last_names(self) -> tuple[str, ...]:
        """Return who sat where in the last match, "" for a seat without a name."""
        return self._names or player_names.last_names(self._options.journal)

    def _offer_explanation(self, config: MatchConfig) -> None:
        """Offer to explain a game before a match, once to a group of whom nobody has played it. Raises PeopleLeftError
        if nobody is there."""
        explanation = explain_match(config, Reply(START_ANSWER))
        group = config.game.rules.name, frozenset(config.names)
        known = group in self._offered or player_names.have_played(config.names, group[0], self._options.journal)
        if explanation is not None and not known:
            answer = self._display.ask(FirstTimePage(replace(explanation, done=START)))
            if isinstance(answer, NobodyAnswered):
                raise PeopleLeftError
        self._offered.add(group)

    def _choose_fixture(self, number: int | None = None) -> Chosen | None:
        """Show the tournaments, at first tournament ``number``. Return the match of one that people want to play, or
        the unfinished match if they go on with that; None if they go back to the home page."""
        pages = TournamentPages(self._display, self._options)
        while (chosen := pages.open(number)) is not None:
            unfinished = self._unfinished_match()
            of = unfinished.config.tournament if unfinished else None
            number = chosen.match.tournament
            if unfinished is None or (of and (of.tournament, of.fixture) == (number, chosen.match.fixture)):
                return chosen
            replaced = self._replace_unfinished(unfinished, chosen)
            if replaced is not None:
                return replaced
        return None

    def _open_hall_page(self) -> Chosen | None:
        """Show the hall's page. Return the match of the hall that people want to play, if any."""
        settings, chosen = self._hall.open(self._display, self._options.settings)
        self._options = replace(self._options, settings=settings)
        return self._choose_hall_match(chosen) if chosen is not None else None

    def _choose_hall_match(self, wanted: ChosenPairing) -> Chosen | None:
        """Return the match of the hall that people want to play, or the unfinished match if they go on with that; None
        if it was withdrawn, or they go back."""
        try:
            chosen = self._hall.choose(wanted)
        except (PairingWithdrawnError, IllegalSetupError) as error:
            self._display.ask(Notice(N("Hall"), capitalise(error.text)))
            return None
        unfinished = self._unfinished_match()
        of = unfinished.config.hall if unfinished else None
        if unfinished is None:
            return chosen
        if of is not None and of.pairing == chosen.match.pairing:
            return PlainMatch(unfinished.config.game)
        return self._replace_unfinished(unfinished, chosen)

    def choose_game(self, network: LanSwitch) -> Chosen:
        """Return the game that people choose on the home page; until then they may use its other tools."""
        while True:
            self._options.alerts.show(self._display)
            tools: dict[str, Callable[[], object]] = {
                "practise": self._practise,
                "class": lambda: None,
                "calculator": lambda: self._display.ask(Calculator(calculate_round)),
                "tournament": lambda: None,
                "zones": lambda: set_up_from_home(self._display, self._options.camera, self._seed),
                "past matches": lambda: MatchHistoryPages(
                    self._display, self._options.journal, clips=self._options.clips
                ).open(),
                "awards": lambda: open_awards(self._display, self._options.journal),
                "phones and review are on" if network.is_on else "phones and review": lambda: network.open(
                    self._display
                ),
                "hall is on" if self._hall.is_on else "hall": lambda: None,
                "settings": lambda: self._change_settings(network),
                "language": self._choose_language,
            }
            if not self._hall.is_member:
                tools = {name: tool for name, tool in tools.items() if name not in HALL_TOOLS}
            unfinished = self._unfinished_match()
            if self._camera == NO_CAMERA:
                del tools["practise"], tools["class"], tools["zones"]
            banner = ""
            if unfinished is not None:
                title = N(unfinished.config.game.rules.title)
                banner = N("Go on with match {number}: {game}", number=unfinished.number, game=title)
            menu = GameMenu(
                tuple(GAMES.values()),
                tuple(tools),
                ATTRACT_AFTER_S,
                usual_seats=len(self._last_names()) or 2,
                unfinished=banner,
                throwing=throw_setting(self._options.camera, self._options.house_rules),
                offer=self._offer(unfinished),
                current_offer=partial(self._offer, unfinished) if self._hall.is_on else None,
            )
            chosen = self._display.ask(menu)
            if chosen == "class":
                chosen = self._set_up_class()
            if (choice := self._chosen_match(chosen, unfinished)) is not None:
                return choice
            if chosen == IDLE_ANSWER:
                self._display.ask(AttractMode())
            elif isinstance(chosen, str) and chosen not in ("back", None):
                tools[str(chosen)]()

    def _chosen_match(self, chosen: Answer, unfinished: UnfinishedMatch | None) -> Chosen | None:
        """Return the match that an answer of the home page leads to, None if it leads to none."""
        match chosen:
            case "tournament":
                return self._choose_fixture()
            case "hall" | "hall is on":
                return self._open_hall_page()
            case ChosenPairing():
                return self._choose_hall_match(chosen)
            case ChosenGame():
                wanted = PlainMatch(GAMES[chosen.game].set_up(chosen.seats, chosen.options))
                return wanted if unfinished is None else self._replace_unfinished(unfinished, wanted)
            case str() if chosen == RESUME_ANSWER and unfinished is not None:
                return PlainMatch(unfinished.config.game)
        return None

    def _offer(self, unfinished: UnfinishedMatch | None) -> PairingOffer | None:
        """Return the match of the hall that is to be played next, unless it is the unfinished one."""
        offer, of = self._hall.current_offer(), unfinished.config.hall if unfinished else None
        return None if offer is not None and of is not None and of.pairing == offer.id else offer

    def _set_up_class(self) -> Answer:
        """Let people choose a class's list, if any is kept, and set up a match for it. Return their choice."""
        names: tuple[str, ...] | None = ()
        try:
            lists = ClassLists(self._options.journal).read()
        except ClassListError as error:
            self._display.ask(Notice(WHICH_CLASS, capitalise(error.text)))
            lists = {}
        if lists:
            names = choose_class(self._display, lists)
        if names is None:
            return None
        self._class_names = names
        chosen = self._display.ask(
            GameMenu(
                (class_rules(GAMES["battle"]),),
                idle_timeout_s=SET_UP_PATIENCE_S,
                seat_limit=MAX_STUDENTS,
                can_go_back=True,
                usual_seats=len(names) or DEFAULT_CLASS_SIZE,
            )
        )
        return replace(chosen, options=with_class_options(chosen.options)) if isinstance(chosen, ChosenGame) else chosen

    def _practise(self) -> None:
        options = replace(self._options, zones=self._options.zones[:1])
        practise_from_home(options, self._display, self._seed)

    def _film(self, camera: str) -> None:
        film_from_home(replace(self._options, camera=camera, zones=()), self._display, self._seed)

    def _change_settings(self, network: LanSwitch) -> None:
        overridden = [
            f"{'cards' if name in CardRules.model_fields else 'rules'}.{name}" for name in self._options.rule_overrides
        ]
        setup = BoxSetup(self._display, self._settings_file, self._host, network.switch_off, self._film)

        def open_box(settings: Settings) -> Settings:
            settings, self._camera = setup.open(settings, self._camera)
            return settings

        further_pages = {"box": open_box}
        settings = pages.change_settings(
            self._display, self._settings_file, self._options.settings, overridden, further_pages
        )
        self._options = replace(self._options, settings=settings, camera=self._camera)

    def _choose_language(self) -> None:
        settings = pages.choose_language(self._display, self._settings_file, self._options.settings)
        self._options = replace(self._options, settings=settings)

    def _unfinished_match(self) -> UnfinishedMatch | None:
        """Return the journal's unfinished match; None if there is none, or the next match gives it up anyway."""
        if self._options.new:
            return None
        try:
            return read_unfinished_match(self._options)
        except JournalError:
            return None  # reported before the next match is written

    def _offer_unfinished(self) -> Game | None:
        """Offer to resume an unfinished match and return its game; give the match up if people don't want it."""
        unfinished = self._unfinished_match()
        if unfinished is None:
            return None
        game, names = N(unfinished.config.game.rules.title), unfinished.names
        text = N("{game} with {names} was interrupted. Resume it?", game=game, names=names)
        if self._display.ask(Notice(N("Unfinished match"), text, ("go on", "give it up"), is_idle=True)) == "go on":
            return unfinished.config.game
        self._give_up(unfinished.number)
        return None

    def _replace_unfinished(self, unfinished: UnfinishedMatch, chosen: Chosen) -> Chosen | None:
        """Return what to play if people choose a game while another match is unfinished: it, once they have given up
        that match; or that match. None if they go back."""
        title = N("Match {number} is not over", number=unfinished.number)
        game = N(unfinished.config.game.rules.title)
        text = N("{game} with {names} can be resumed. A new match gives it up.", game=game, names=unfinished.names)
        match self._display.ask(Notice(title, text, ("go on with it", "give it up", "back"))):
            case "go on with it":
                return PlainMatch(unfinished.config.game)
            case "give it up" if self._give_up(unfinished.number):
                return chosen
        return None

    def _give_up(self, number: int) -> bool:
        """Journal that a match was given up. Return False if that failed, which is shown."""
        try:
            with Journal(self._options.journal) as journal:
                journal.append(number, MatchAbandoned())
        except JournalError as error:
            self._display.ask(Notice(ERROR_TITLES[JournalError], capitalise(error.text)))
            return False
        return True


def _in_order(match: OrderedMatch | None, order: Sequence[int]) -> OrderedMatch | None:
    return match and match.model_copy(update={"players": tuple(match.players[index] for index in order)})
