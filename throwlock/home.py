"""A session at the box: its home page, one match after the other, and the choices when a match can't be played."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from device.camera.base import CameraError
from device.system.host import Host, HostFeature
from errors import ThrowlockError
from messages import N, capitalise
from rules.battle.calculator import calculate_round
from rules.catalogue import GAMES
from rules.engine import Game, IllegalSetupError
from rules.tournaments.fixture import TournamentError
from throwlock import first_start
from throwlock.box_setup import BoxSetup, choose_camera
from throwlock.class_setup import set_up_class
from throwlock.film_runner import film_from_home
from throwlock.first_start import FirstStep, lead_through
from throwlock.hall.homie import BoxFacts
from throwlock.hall.switch import ChosenHallMatch, HallSwitch, PairingWithdrawnError
from throwlock.house_rules import CardRules
from throwlock.journal.file import JournalDamagedError
from throwlock.journal.journal import JournalError
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.quarantined import trim_quarantined
from throwlock.journal.recovery import replace_damaged_journal
from throwlock.launch_options import LaunchOptions
from throwlock.match.explanation import throw_setting
from throwlock.match.frame_keeper import trim_kept_frames
from throwlock.match.match import MatchError
from throwlock.match.pause import show_guests
from throwlock.match_runner import NextStep, RunMatch
from throwlock.nonessential import nonessential
from throwlock.offered_matches import last_match_text, match_again, offered_games, random_match, running_tournament
from throwlock.practice import practise_from_home
from throwlock.preparing import preparing_page
from throwlock.review.history_pages import MatchHistoryPages
from throwlock.review.statistics.pages import open_awards
from throwlock.seating import SeatAssigner, new_match_config, turn_seats
from throwlock.session import AssignSeats, Services
from throwlock.settings import pages
from throwlock.settings.model import Settings, SettingsError, default_settings_path, read_settings, save_settings
from throwlock.sources import judges_hands
from throwlock.table_setup.cameras import CameraKind
from throwlock.table_setup.name_lists import NameListError
from throwlock.table_setup.zone_setup import set_up_from_home
from throwlock.tournament_pages import ChosenFixture, TournamentPages
from throwlock.unfinished_match import (
    JOURNAL_TITLE,
    PlainMatch,
    UnfinishedMatch,
    is_journal_unreadable,
    offer_unfinished,
    read_unfinished_match,
    replace_unfinished,
)
from throwlock.web.lan_switch import LanSwitch
from ui.screen.core.display import Display
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages import home
from ui.screen.pages.attract import ATTRACT_AFTER_S, AttractMode
from ui.screen.pages.box_setup import BoxTool
from ui.screen.pages.calculator import Calculator
from ui.screen.pages.hall import ChosenPairing, PairingOffer
from ui.screen.pages.home import (
    ON_TOOLS_PAGE,
    TURNED_ANSWER,
    ChosenGame,
    GameMenu,
    HomeTool,
)
from ui.screen.pages.notice import Notice
from ui.screen.pages.tournament import ToTournament
from ui.screen.views import Answer
from vision.hands.model import ModelError

DAY_S = 86_400.0
logger = logging.getLogger(__name__)

ERROR_TITLES: Mapping[type[ThrowlockError], str] = {
    CameraError: N("The camera"),
    ModelError: N("The hand model"),
    JournalError: JOURNAL_TITLE,
    MatchError: N("The match"),
    TournamentError: N("The tournament"),
    NameListError: N("The names"),
}
"""The errors because of which a match can't be played, and what they are about."""
NEW_JOURNAL_OFFER = N("{error}. You can start a new journal; this one is kept next to it under another name.")

Chosen = PlainMatch | ChosenFixture | ChosenHallMatch
"""What people want to play."""


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
        services: Services | None = None,
    ) -> None:
        self._options = options
        self._services = services or Services()
        self._camera = options.camera
        self._display = display
        self._run_match = run_match
        self._has_given_names = bool(names)
        self._seats = SeatAssigner(display, options.journal, names, self._services.pads, explains=not options.headless)
        self._class_names: tuple[str, ...] = ()
        self._seed = seed
        self._host = host
        self._settings_file = default_settings_path()
        self.network = LanSwitch(
            options.journal,
            pads=self._services.pads,
            second_screen=self._services.second_screen,
            clips=self._services.clips,
        )
        self._hall = HallSwitch(options.journal, self._settings_file, self._box_facts)

    def run(self, game: Game | None) -> None:
        """Play ``game`` first. If it is None, offer to resume an unfinished match, or open the home page.

        Phones and review are on the network only while people have switched it on.

        Raises:
            WindowClosedError: People closed the window.
        """
        self._options = replace(self._options, settings=pages.load_at_start(self._display, self._settings_file))
        trim_kept_frames(self._options.journal, self._options.settings.clips)
        limits = self._options.settings.journal
        with nonessential(f"damaged journals next to {self._options.journal} can't be deleted"):
            trim_quarantined(self._options.journal, limits.keep_damaged_days * DAY_S, limits.evidence_mb * 1_000_000)
        with self.network, self._hall:
            self._hall.apply(self._options.settings)
            self._lead_through_first_start()
            seated, fixture = False, None
            tournament: int | None = None
            opened: ChosenGame | None = None
            if game is None and (unfinished := self._unfinished_match()) is not None:
                game = offer_unfinished(self._display, self._options.journal, unfinished)
            while True:
                if game is None:
                    chosen = self._choose_fixture(tournament) if tournament else None
                    chosen = chosen or self.choose_game(opened)
                    fixture = None if isinstance(chosen, PlainMatch) else chosen
                    game, seated = chosen.game, isinstance(chosen, PlainMatch) and chosen.names is not None
                    if isinstance(chosen, PlainMatch) and chosen.names is not None:
                        self._seats.names = chosen.names
                assign_seats = None if seated else self._seats.assign
                choice = self._play_match(game, assign_seats, fixture)
                seated = choice != NextStep.RETRY or assign_seats is None
                opened = None
                if choice == NextStep.SET_UP:
                    opened, game = ChosenGame(game.rules.name, game.setup.seats, game.setup.options), None
                elif choice == TURNED_ANSWER:
                    self._seats.names = turn_seats(self._seats.last_names())
                elif choice == NextStep.HOME or isinstance(choice, ToTournament):
                    game, tournament = None, choice.number if isinstance(choice, ToTournament) else None
                    self._options = replace(self._options, camera=self._camera)  # the next match tries it again

    def _lead_through_first_start(self) -> None:
        """Lead people through what is set up once, on a box of ours on which nothing has been played yet."""
        host = self._host
        try:
            is_new = self._options.is_new_journal()
        except JournalError:
            is_new = False  # reported before the next match is written
        if host is None or not is_new or not self._options.settings.screen.first_start:
            return
        self._choose_language()
        features, setup = host.features(), self._box_setup()

        def host_step(tool: BoxTool, feature: HostFeature, words: tuple[str, str]) -> list[FirstStep]:
            return [FirstStep(words, partial(setup.open_tool, host, tool))] if feature in features else []

        has_camera = self._camera != CameraKind.NONE
        zones, practice = (partial(self._open_tool, tool) for tool in (HomeTool.ZONES, HomeTool.PRACTISE))
        steps = [
            *host_step(BoxTool.TIME_ZONE, HostFeature.TIME_ZONE, first_start.TIME_ZONE),
            FirstStep(first_start.CAMERA, self._choose_camera),
            *([FirstStep(first_start.ZONES, zones)] if has_camera else []),
            FirstStep(first_start.SOUND, partial(self._change_settings, "sound")),
            *host_step(BoxTool.WIFI, HostFeature.WIFI, first_start.WIFI),
            *([FirstStep(first_start.FIRST_ROUND, practice, first_start.PLAY)] if has_camera else []),
        ]
        lead_through(self._display, steps)
        with suppress(SettingsError):  # else it is offered again
            settings = save_settings(self._settings_file, {"screen.first_start": False})
            self._options = replace(self._options, settings=settings)

    def _choose_camera(self) -> None:
        chosen = choose_camera(self._display, self._settings_file, self._camera)
        if chosen is not None:
            settings, self._camera = chosen
            self._options = replace(self._options, settings=settings, camera=self._camera)

    def _box_facts(self) -> BoxFacts:
        """Return what the hall is told of the box."""
        review = self.network.status()
        address = next(iter(review.addresses), "") if review is not None else ""
        return BoxFacts(camera=self._options.camera, review=address, alert=str(self._services.alerts.newest))

    def _play_match(
        self, game: Game, assign_seats: AssignSeats | None, fixture: ChosenFixture | ChosenHallMatch | None
    ) -> object:
        """Play one match, ``fixture`` of a tournament or a hall if there is one. Return what people chose at its end,
        or when it could not be played."""
        names = self._seats.names if fixture is None else fixture.names
        if game.setup.seats > len(SEAT_MARKS) and not self._has_given_names:
            names = self._class_names
        config = new_match_config(game, names, self._options.house_rules, self._seed, self._options.camera)
        if isinstance(fixture, ChosenFixture):
            config = replace(config, tournament=fixture.match)
        elif fixture is not None:
            config = replace(config, hall=fixture.match)
        self._display.show(preparing_page(game.rules.title, reads_hands=judges_hands(self._options, config)))
        try:
            choice = self._run_match(self._options, config, assign_seats)
        except tuple(ERROR_TITLES) as error:
            choice = self._ask_after_error(error)
            self._options = replace(self._options, new=False)
            return choice
        self._options, self._seed = replace(self._options, new=False), self._seed + 1
        with suppress(SettingsError):  # said where they are changed
            self._options = replace(self._options, settings=read_settings(self._settings_file))  # changed in a pause
        self._trim_journal()
        return choice

    def _trim_journal(self) -> None:
        """Keep the journal's evidence, and the frames next to it, within the limits in the settings. If that fails, the
        next match reports why."""
        with suppress(JournalError):
            settings = self._options.settings.journal
            JournalMaintenance(self._options.journal).trim_evidence(
                settings.evidence_mb * 1_000_000, max_quarantine_s=settings.keep_damaged_days * DAY_S
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
            case JournalError() if isinstance(error, JournalDamagedError) or is_journal_unreadable(self._options):
                ways_out = (NextStep.NEW_JOURNAL,)
                text = N(NEW_JOURNAL_OFFER, error=text)
        match self._display.ask(Notice(title, text, (NextStep.RETRY, *ways_out, NextStep.HOME))):
            case NextStep.WITHOUT_CAMERA:
                self._options = replace(self._options, camera=CameraKind.NONE)
            case NextStep.NEW_JOURNAL:
                replace_damaged_journal(self._options.journal)
            case NextStep.HOME:
                return NextStep.HOME
        return NextStep.RETRY

    def _choose_fixture(self, number: int | None = None) -> Chosen | None:
        """Show the tournaments, at first tournament ``number``. Return the match of one that people want to play, or
        the unfinished match if they go on with that; None if they go back to the home page."""
        pages = TournamentPages(self._display, self._options, pads=self._services.pads)
        while (chosen := pages.open(number)) is not None:
            unfinished = self._unfinished_match()
            of = unfinished.config.tournament if unfinished else None
            number = chosen.match.tournament
            if unfinished is None or (of and (of.tournament, of.fixture) == (number, chosen.match.fixture)):
                return chosen
            replaced = replace_unfinished(self._display, self._options.journal, unfinished, chosen)
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
        return replace_unfinished(self._display, self._options.journal, unfinished, chosen)

    def choose_game(self, opened: ChosenGame | None = None) -> Chosen:
        """Return the game that people choose on the home page, at first in the set-up ``opened``; until then they may
        use its tools, each of which leads back to their page."""
        shows_tools = False
        while True:
            self._services.alerts.show(self._display)
            unfinished = self._unfinished_match()
            menu, opened = replace(self._home_page(unfinished), opened=opened, shows_tools=shows_tools), None
            chosen = self._display.ask(menu)
            # the hall's matches are offered on the home page
            shows_tools = chosen in ON_TOOLS_PAGE and chosen not in (HomeTool.HALL, HomeTool.HALL_ON)
            if chosen == HomeTool.CLASS:  # its set-up may be left idle, as this page
                chosen, self._class_names = set_up_class(self._display, self._options.journal)
                shows_tools = chosen != home.IDLE_ANSWER
            choice = self._chosen_match(chosen, unfinished)
            if choice is not None:
                return choice
            self._open_tool(chosen)

    def _home_page(self, unfinished: UnfinishedMatch | None) -> GameMenu:
        banner = ""
        if unfinished is not None:
            title = N(unfinished.config.game.rules.title)
            banner = N("Go on with {game}", game=title)
        return GameMenu(
            offered_games(self._options),
            tuple(self._tools()),
            ATTRACT_AFTER_S,
            usual_seats=len(self._services.pads.guests) or len(self._seats.last_names()) or 2,
            unfinished=banner,
            last=last_match_text(self._options),
            tournament=running_tournament(self._options),
            throwing=throw_setting(self._options.camera, self._options.house_rules),
            offer=self._offer(unfinished),
            current_offer=partial(self._offer, unfinished) if self._hall.is_on else None,
            join=self.network.join_address(),
        )

    def _tools(self) -> Iterator[HomeTool]:
        """Yield what the home page offers besides games, in its order."""
        has_camera = self._camera != CameraKind.NONE
        yield HomeTool.RANDOM
        if has_camera:
            yield from (HomeTool.PRACTISE, HomeTool.CLASS)
        yield from (HomeTool.CALCULATOR, HomeTool.TOURNAMENT)
        if has_camera:
            yield HomeTool.ZONES
        yield from (HomeTool.PAST_MATCHES, HomeTool.AWARDS)
        if self.network.is_on:
            yield HomeTool.GUESTS
        yield HomeTool.NETWORK_ON if self.network.is_on else HomeTool.NETWORK
        if self._hall.is_member:
            yield HomeTool.HALL_ON if self._hall.is_on else HomeTool.HALL
        yield from (HomeTool.SETTINGS, HomeTool.LANGUAGE)

    def _open_tool(self, chosen: Answer) -> None:
        """Open what an answer of the home page leads to that is no match."""
        match chosen:
            case HomeTool.PRACTISE:
                one_zone = replace(self._options, zones=self._options.zones[:1])
                practise_from_home(one_zone, self._display, self._seed, self._services)
            case HomeTool.CALCULATOR:
                self._display.ask(Calculator(calculate_round))
            case HomeTool.ZONES:
                set_up_from_home(self._display, self._options.camera, self._seed)
            case HomeTool.PAST_MATCHES:
                MatchHistoryPages(self._display, self._options.journal, clips=self._services.clips).open()
            case HomeTool.AWARDS:
                open_awards(self._display, self._options.journal)
            case HomeTool.GUESTS:
                show_guests(self._display, self._services.pads)
            case HomeTool.NETWORK | HomeTool.NETWORK_ON:
                self.network.open(self._display)
            case HomeTool.SETTINGS:
                self._change_settings()
            case HomeTool.LANGUAGE:
                self._choose_language()
            case home.IDLE_ANSWER:
                self._display.ask(AttractMode())

    def _chosen_match(self, chosen: Answer, unfinished: UnfinishedMatch | None) -> Chosen | None:
        """Return the match that an answer of the home page leads to, None if it leads to none."""
        wanted: Chosen | None = None
        match chosen:
            case HomeTool.TOURNAMENT:
                wanted = self._choose_fixture()
            case ToTournament(number):
                wanted = self._choose_fixture(number)
            case HomeTool.HALL | HomeTool.HALL_ON:
                wanted = self._open_hall_page()
            case ChosenPairing():
                wanted = self._choose_hall_match(chosen)
            case ChosenGame():
                game = GAMES[chosen.game].set_up(chosen.seats, chosen.options)
                wanted = self._play_instead(PlainMatch(game), unfinished)
            case HomeTool.RANDOM:
                wanted = self._play_instead(random_match(self._options, self._seats.last_names()), unfinished)
            case home.LAST_GAME_ANSWER | home.TURNED_ANSWER:
                wanted = match_again(self._options, turned=chosen == home.TURNED_ANSWER)
            case home.RESUME_ANSWER if unfinished is not None:
                wanted = PlainMatch(unfinished.config.game)
        return wanted

    def _play_instead(self, wanted: PlainMatch, unfinished: UnfinishedMatch | None) -> PlainMatch | None:
        """Return ``wanted``; what people choose if a match is unfinished."""
        if unfinished is None:
            return wanted
        return replace_unfinished(self._display, self._options.journal, unfinished, wanted)

    def _offer(self, unfinished: UnfinishedMatch | None) -> PairingOffer | None:
        """Return the match of the hall that is to be played next, unless it is the unfinished one."""
        offer, of = self._hall.current_offer(), unfinished.config.hall if unfinished else None
        return None if offer is not None and of is not None and of.pairing == offer.id else offer

    def _box_setup(self) -> BoxSetup:
        def film(camera: str) -> None:
            film_from_home(replace(self._options, camera=camera, zones=()), self._display, self._seed)

        return BoxSetup(self._display, self._settings_file, self._host, self.network.switch_off, film)

    def _change_settings(self, section: str | None = None) -> None:
        overridden = [
            f"{'cards' if name in CardRules.model_fields else 'rules'}.{name}" for name in self._options.rule_overrides
        ]
        setup = self._box_setup()

        def open_box(settings: Settings) -> Settings:
            settings, self._camera = setup.open(settings, self._camera)
            return settings

        settings = pages.change_settings(
            self._display, self._settings_file, self._options.settings, overridden, {"box": open_box}, section
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
