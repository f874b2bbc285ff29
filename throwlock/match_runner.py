"""Plays one match from its camera to its result."""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.simulated.printed.camera import PrintedCamera
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock
from throwlock.cli.options import UsageError
from throwlock.journal.journal import Journal, JournalReader
from throwlock.launch_options import Wanted
from throwlock.match.answers import Answerers, AtScreen, AtTerminal, PeopleOrSimulated
from throwlock.match.config import Billing
from throwlock.match.house_rules import ThrowWith
from throwlock.match.match import Match, Pace, left_off, take_up
from throwlock.simulation.card_players import SimulatedCardPlayers, card_camera
from throwlock.simulation.players import SimulatedPlayers
from throwlock.table_setup import sound as hearing
from throwlock.table_setup.cameras import NO_CAMERA, open_camera
from throwlock.table_setup.zone_setup import before_match
from throwlock.table_setup.zone_store import zones_for
from throwlock.tables.board_answers import answerers_for
from throwlock.tables.cards import CardTable, judge_for, plays_with_cards
from throwlock.classroom_runner import play_class
from throwlock.tables.clip import ClipTable
from throwlock.tables.hands import Table
from throwlock.tables.no_camera import Unwatched
from ui.screen.core.display import Display
from ui.screen.drawing.theme import MARKS
from ui.screen.pages.views import DISPUTE, Ended
from ui.text import verdicts
from vision.lock.judge import GIVE_WAY, Judge
from vision.zones import Zone, spread

HOME, AGAIN = "home", "try again"
SitDown = Callable[[Billing, Sequence[Zone]], Billing | None]
"""Lets people say who sits where, given everybody's zones; None when they go back."""
PlayOne = Callable[[Wanted, Billing, SitDown | None], object]
"""Plays one match, and returns what people chose at its end; HOME when they went back from sitting down."""

CHEATS_AT = 1
"""The simulated match's throw (from 0) in which somebody waits to see the other's hand."""
DEMO_BET_S = 6.0
"""Seconds in which people may place the demo's bets, before its players do."""
DEMO_END_S = 15.0
"""Seconds the demo's result stays on the screen if nobody touches it."""


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder.absolute()} can't be made ({error.strerror}): give --journal") from error


def _one_match(
    wanted: Wanted, billing: Billing, opened: Callable[[], Display], clock: Clock, sit: SitDown | None = None
) -> object:
    """Play one match, the one that was cut off or a new one, before which people ``sit`` down. Everything that may be
    missing is opened before the screens and the journal, so that a fault leaves nothing written. Returns what people
    chose at the end."""
    if not wanted.is_new() and not wanted.new:
        with JournalReader(wanted.journal) as reader:
            there = left_off(reader, billing)
        if there:
            billing, sit = replace(there, camera=billing.camera), None
    seats = billing.game.setup.seats
    heard = wanted.settings.sound
    if billing.camera == NO_CAMERA:
        seated = sit(billing, spread(seats)) if sit else billing
        return HOME if seated is None else _unwatched(wanted, seated, opened(), clock)
    if seats > len(MARKS):
        return play_class(wanted, billing, opened(), clock)
    billing = _simulated_with_cards(billing)
    camera = _opened(billing, clock)
    camera.start()
    sound = hearing.opened(heard, clock)
    try:
        zoning = zones_for(camera, billing.camera, seats, wanted.zones)
        for zone in zoning.zones:
            zone.box(camera.size)
        with judge_for(billing.game, billing.house, 0 if wanted.headless else GIVE_WAY) as judge:
            if wanted.folder:
                _made(wanted.folder)
            display = opened()
            wanted.news.show(display)
            if zoning.fault:
                click.echo(zoning.fault)
            if sit:
                seated = sit(billing, zoning.zones)
                if seated is None:
                    return HOME
                billing = seated
            zones = zoning.zones
            if not wanted.headless:
                zones = before_match(display, camera, billing.camera, clock, zoning, billing.names)
            with Journal(wanted.journal) as journal:
                table, answerers = _seated(wanted, billing, camera, display, clock, judge)
                live = not wanted.headless
                answerers = answerers_for(
                    wanted.board, billing, camera, clock, display, answerers, click.echo, live=live
                )
                table.zones, table.sound = zones, sound
                number = take_up(journal, billing, new=wanted.new)
                with closing(table):
                    match = Match(journal, number, table, answerers, click.echo, _pace(wanted))
                    return _ended(wanted, display, match)
    finally:
        camera.stop()
        sound.stop()


def _unwatched(wanted: Wanted, billing: Billing, display: Display, clock: Clock) -> object:
    """As ``_one_match``, without a camera: throws are asked for as everything else is."""
    if wanted.folder:
        _made(wanted.folder)
    answerers = AtScreen(display) if wanted.people else AtTerminal(_from_terminal, click.echo)
    sound = hearing.opened(wanted.settings.sound, clock)
    try:
        with Journal(wanted.journal) as journal:
            number = take_up(journal, billing, new=wanted.new)
            table = Unwatched(display, clock, billing.house, sound)
            return _ended(wanted, display, Match(journal, number, table, answerers, click.echo, _pace(wanted)))
    finally:
        sound.stop()


def _seated(
    wanted: Wanted, billing: Billing, camera: Camera, display: Display, clock: Clock, judge: Judge
) -> tuple[Table, Answerers]:
    """The table, and who answers at it."""
    live = not wanted.headless
    if isinstance(camera, ClipCamera):
        table: Table = ClipTable(camera, (), judge, display, clock, billing.house, live=live)
    elif plays_with_cards(billing.game, billing.house.throw_with):
        game, people = billing.game, wanted.people
        table = CardTable(camera, (), judge, display, clock, billing.house, live=live, game=game, people=people)
    else:
        table = Table(camera, (), judge, display, clock, billing.house, live=live)
    answerers: Answerers = AtScreen(display)
    if isinstance(camera, SimulatedTable | PrintedCamera):
        try:
            simulated = _simulated(billing, camera)
        except ValueError as error:
            raise UsageError(f"{wanted.journal}: its match can't go on: {error}") from error
        table.performers = simulated
        if not wanted.people:
            answerers = simulated
        elif wanted.demo:
            answerers = PeopleOrSimulated(display, simulated, DEMO_BET_S)
    elif not wanted.people:
        answerers = AtTerminal(_from_terminal, click.echo)
    return table, answerers


def _simulated(billing: Billing, camera: SimulatedTable | PrintedCamera) -> SimulatedPlayers:
    """Who plays before a simulated camera. Raises ValueError for what they can't show."""
    if isinstance(camera, PrintedCamera):
        return SimulatedCardPlayers(billing.seed, camera, billing.game, billing.shows, click.echo)
    return SimulatedPlayers(billing.seed, camera, CHEATS_AT, billing.shows, click.echo)


def _simulated_with_cards(billing: Billing) -> Billing:
    """Before a simulated camera a game with printed cards is thrown with cards throughout: it shows no hands."""
    if billing.camera != "simulated" or not plays_with_cards(billing.game, billing.house.throw_with):
        return billing
    return replace(billing, house=billing.house.model_copy(update={"throw_with": ThrowWith.CARDS}))


def _opened(billing: Billing, clock: Clock) -> Camera:
    """The camera of a match. Raises CameraError."""
    if plays_with_cards(billing.game, billing.house.throw_with):
        if billing.camera == "simulated":
            return card_camera(clock, billing.seed)
        if billing.camera.startswith("clip:"):
            raise CameraError("nobody lays cards on a clip: play with cards before a camera, or throw with hands")
    return open_camera(billing.camera, clock, billing.game.setup.seats, billing.seed)


def _from_terminal(prompt: str) -> str:
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        raise UsageError(
            "nobody answers on the terminal: the match is kept; start again with the same journal to go on"
        )
    return line


def _pace(wanted: Wanted) -> Pace:
    return Pace(0.0, 0.0) if wanted.headless and wanted.camera.startswith("clip") else Pace()


def _ended(wanted: Wanted, display: Display, match: Match) -> object:
    """Play to the end and show it; at the box people say whether to play again, or dispute the last rounds, from which
    the match may go on."""
    while True:
        result = match.play()
        view = Ended(match.players(), result, verdicts.told_result(result, match.names))
        if not wanted.people:
            display.show(view)
            return None
        seconds = DEMO_END_S if wanted.demo else None
        chosen = display.ask(replace(view, seconds_left=seconds, can_dispute=match.can_dispute))
        if chosen != DISPUTE:
            return chosen
        match.dispute()
