"""``throwlock play`` and ``throwlock demo``: a match at a real or a simulated table, in a window or without one."""

import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from device.camera.base import Camera, CameraError
from device.camera.clip import ClipCamera
from device.camera.frames import Size
from device.simulated.printed.camera import PrintedCamera
from device.simulated.table.table import SimulatedTable
from device.system.clock import Clock, JumpingClock, SteadyClock
from rules.catalogue import GAMES
from rules.engine import Game
from throwlock.cli import terminal_display
from throwlock.cli.main import UsageError, camera_option, option_option, seats_option, set_up
from throwlock.journal.file import usual_place
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.answers import Answerers, AtScreen, AtTerminal, PeopleOrSimulated, SimulatedPlayers
from throwlock.match.config import Billing, billing_of
from throwlock.match.house_rules import House, OnFoul, ThrowWith
from throwlock.match.match import Match, Pace, left_off, take_up
from throwlock.session import HOME, Evening, PlayOne, SitDown, Wanted, billing_for, usual_names
from throwlock.settings import model, pages
from throwlock.simulation.card_players import SHOWN as SHOWN_CARDS
from throwlock.simulation.card_players import SimulatedCardPlayers, card_camera
from throwlock.simulation.card_players import read_shown as read_card_shows
from throwlock.simulation.scripted_fouls import ALL, SHOWN, read_shown
from throwlock.table_setup import sound as hearing
from throwlock.table_setup.cameras import NO_CAMERA, ClipTable, open_camera, usual_camera
from throwlock.table_setup.seat_io import seats_at
from throwlock.table_setup.zone_setup import before_match
from throwlock.table_setup.zone_store import zones_for
from throwlock.tables.board_play import CAMERA, SCREEN, answerers_for
from throwlock.tables.cards import CardTable, judge_for, plays_with_cards
from throwlock.tables.classroom_match import play_class
from throwlock.tables.hands import Table
from throwlock.tables.no_camera import Unwatched
from ui.screen.core.button_display import Unseen
from ui.screen.core.display import Display, NoScreenError, Silent, WindowClosedError
from ui.screen.core.page_stack import Asking
from ui.screen.core.png_display import Pictures
from ui.screen.core.window import Window
from ui.screen.drawing.theme import MARKS
from ui.screen.pages.views import DISPUTE, Ended, Notice
from ui.text import verdicts
from vision.lock.judge import GIVE_WAY, Judge
from vision.zones import spread

CHEATS_AT = 1
"""The simulated match's throw (from 0) in which somebody waits to see the other's hand."""
DEMO_BET_S = 6.0
"""Seconds in which people may place the demo's bets, before its players do."""
DEMO_END_S = 15.0
"""Seconds the demo's result stays on the screen if nobody touches it."""


def house_options(command: Callable[..., None]) -> Callable[..., None]:
    """The house rules as options of a command, described as in House."""
    fields = House.model_fields
    for option, field, kind in (
        ("--beat", "beat_ms", click.IntRange(300, 2000)),
        ("--forfeit-after", "forfeit_after", click.IntRange(0, 99)),
        ("--foul", "on_foul", click.Choice([str(rule) for rule in OnFoul])),
        ("--window", "window_ms", click.IntRange(50, 2000)),
        ("--throw-with", "throw_with", click.Choice([str(what) for what in ThrowWith])),
        ("--card-window", "card_window_ms", click.IntRange(300, 1500)),
    ):
        described = f"{fields[field].description}  [default: as set, else {fields[field].default}]"
        command = click.option(option, field, type=kind, help=described)(command)
    return command


@click.command()
@click.argument("game", required=False)
@seats_option
@option_option
@camera_option
@click.option(
    "--zone", "zones", multiple=True, metavar="X,Y,W,H", help="A seat's zone in fractions of the frame; one per seat."
)
@click.option("--name", "names", multiple=True, metavar="NAME", help="A player's name; repeat it in seat order.")
@click.option(
    "--board",
    type=click.Choice([CAMERA, SCREEN]),
    help="The board game's moves: made on the printed board and watched, or on the screen.  [default: offered there]",
)
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help="Where the match is kept.")
@click.option("--new", is_flag=True, help="Give up a match that was cut off, instead of going on with it.")
@click.option("--headless", is_flag=True, help="No window; questions are asked on the terminal.")
@click.option(
    "--buttons",
    is_flag=True,
    help="The seats' buttons and lights, though the settings have them off; with --headless people answer with them.",
)
@click.option("--screens", type=click.Path(path_type=Path), metavar="DIR", help="With --headless: the screens as PNG.")
@click.option("--disputes", is_flag=True, help="With --headless: rounds can be disputed on the terminal.")
@click.option("--size", default="800x480", show_default=True, metavar="WxH", help="Of the window.")
@click.option("--fullscreen", is_flag=True, help="The whole screen.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of simulated players and tables.")
@house_options
def play(
    game: str | None,
    seats: int,
    options: tuple[str, ...],
    camera: str | None,
    zones: tuple[str, ...],
    names: tuple[str, ...],
    journal: Path | None,
    size: str,
    seed: int,
    **rest: Any,
) -> None:
    """Play GAME at this table; without GAME, choose it on the screen.

    A match that was cut off goes on where it stopped. Before a simulated table, simulated players throw; people place
    the bets on the screen, and without a screen the simulated players do.
    """
    named = {name: rest.pop(name) for name in House.model_fields}
    given = {name: value for name, value in named.items() if value is not None}
    camera = camera or usual_camera()
    usual = usual_place()
    ours = None if journal else usual.parent
    wanted = Wanted(journal or usual, camera, zones, size=read_size(size), folder=ours, given=given, **rest)
    chosen = set_up(game, seats, options) if game else None
    if len(names) > seats and chosen:
        raise UsageError(f"{len(names)} names for {seats} seats")
    for name in names:
        if not (name.strip() and name.isprintable()):
            raise UsageError(f"--name {name!r}: give a name that can be shown")
    if not wanted.headless:
        in_window(wanted, lambda window: Evening(wanted, window, playing_in(window), names, seed).run(chosen))
        return
    if wanted.buttons and _by_buttons(wanted, chosen, names, seed):
        return
    if chosen is None:
        raise UsageError(f"without a screen, name the game: {', '.join(GAMES)}")
    wanted = replace(wanted, buttons=False, settings=model.read(model.usual_place()))
    billing = billing_for(chosen, names, wanted.house, seed, camera)
    _one_match(wanted, billing, lambda: _headless(wanted), _clock(wanted))


@click.command()
@click.option("--seed", type=click.IntRange(0), help="The same seed plays the same match.  [default: by chance]")
@click.option(
    "--journal", type=click.Path(path_type=Path), metavar="FILE", help="[default: throwlock-demo/demo.journal]"
)
@click.option("--screens", type=click.Path(path_type=Path), metavar="DIR", help="[default: throwlock-demo/screens]")
@click.option("--headless", is_flag=True, help="No window, even if there is a screen.")
@click.option("--size", default="800x480", show_default=True, metavar="WxH", help="Of the window.")
@click.option("--fullscreen", is_flag=True, help="The whole screen.")
@click.option(
    "--show",
    "shows",
    multiple=True,
    metavar="KIND",
    help=f"A foul or trouble to act out from the second throw on; repeat it. {', '.join(SHOWN)}, or {ALL}; "
    f"with --cards {', '.join(SHOWN_CARDS)}, or {ALL}.",
)
@click.option("--cards", is_flag=True, help="With printed cards in place of hands.")
def demo(
    seed: int | None,
    journal: Path | None,
    screens: Path | None,
    headless: bool,
    size: str,
    fullscreen: bool,
    shows: tuple[str, ...],
    cards: bool,
) -> None:
    """A whole match of RPS Redeux at a simulated table: real recognition, no hardware.

    In a window if there is a screen, where you may place the bets; else the screens are written as pictures.
    """
    try:
        shown = read_card_shows(shows) if cards else read_shown(shows)
    except ValueError as error:
        raise UsageError(f"--show: {error}") from error
    folder = Path("throwlock-demo")
    headless = headless or not has_screen()
    wanted = Wanted(
        journal or folder / ("cards.journal" if cards else "demo.journal"),
        "simulated",
        headless=headless,
        screens=(screens or folder / "screens") if headless else None,
        size=read_size(size),
        fullscreen=fullscreen,
        demo=True,
        folder=folder if journal is None else None,
        settings=model.read(model.usual_place()),
    )
    pages.apply(wanted.settings)
    game = set_up("redeux", 2, ["risk=always", *(("play_with=cards", "cards=table") if cards else ())])
    wanted, chance = _seeded(wanted, seed, shown)
    billing = replace(billing_for(game, (), House(), chance, "simulated"), shows=shown)
    click.echo("RPS Redeux at a simulated table: the Primary game, then Risk Rounds to 100 points.")
    if headless:
        _one_match(wanted, billing, lambda: _headless(wanted), JumpingClock())
        click.echo(f"Screens: {wanted.screens}")
    else:
        in_window(wanted, lambda window: _one_match(wanted, billing, lambda: window, SteadyClock()))
    click.echo(f"Journal: {wanted.journal} (check it with: throwlock verify {wanted.journal})")


def _seeded(wanted: Wanted, seed: int | None, shows: tuple[str, ...]) -> tuple[Wanted, int]:
    """The demo's seed: that of a match that was cut off, unless another one is asked for, or something else is to be
    shown, for which a new match begins."""
    if not wanted.is_new():
        with JournalReader(wanted.journal) as journal:
            left = journal.unfinished()
            if left is not None:
                there = billing_of(journal.events(left))
                if seed in (None, there.seed) and shows in ((), there.shows):
                    return wanted, there.seed
                wanted = replace(wanted, new=True)
    return wanted, int.from_bytes(os.urandom(3), "big") if seed is None else seed


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder.absolute()} can't be made ({error.strerror}): give --journal") from error


def read_size(text: str) -> Size:
    """A window's size written 800x480. Raises UsageError."""
    wide, by, high = text.lower().partition("x")
    if not (by and wide.isdecimal() and high.isdecimal() and 320 <= int(wide) <= 7680 and 240 <= int(high) <= 7680):
        raise UsageError(f"--size {text}: write it WIDTHxHEIGHT in pixels, e.g. 800x480")
    return int(wide), int(high)


def has_screen() -> bool:
    """Whether there is a desktop to open a window on."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _headless(wanted: Wanted) -> Display:
    if wanted.disputes:
        return terminal_display.AtTerminal(_from_terminal, click.echo)
    if wanted.screens is None:
        return Silent()
    try:
        return Pictures(wanted.screens, answer=_nobody)
    except OSError as error:
        raise UsageError(
            f"{wanted.screens} can't be written ({error.strerror}): name another folder with --screens"
        ) from error


def _nobody(view: Asking) -> Any:
    """What nobody at a screen answers: to stop, where that is a choice."""
    return "stop" if isinstance(view, Notice) else None


def _clock(wanted: Wanted) -> Clock:
    """Time need not pass where nobody watches and nothing is real."""
    return JumpingClock() if wanted.headless and not wanted.camera.startswith("usb") else SteadyClock()


def in_window(
    wanted: Wanted, play_in: Callable[[Window], object], turned: Callable[[Window], None] = lambda window: None
) -> None:
    """Run ``play_in`` in a window; ``turned`` is called whenever its loop has turned. Raises UsageError where there is
    no screen; closing the window is no fault."""
    with seats_at(wanted.buttons, SteadyClock(), wanted.news.tell) as at_seats:

        def begun(window: Window) -> object:
            at_seats.listen(window.stroke)
            return play_in(window)

        try:
            window = Window(
                wanted.size, fullscreen=wanted.fullscreen, turned=lambda: turned(window), lights=at_seats.lights
            )
            window.run(begun)
        except WindowClosedError:
            click.echo("Closed. The same command goes on where the match stopped.")
        except NoScreenError as error:
            raise UsageError(str(error)) from error


def playing_in(display: Display) -> PlayOne:
    """Plays matches on ``display``."""
    return lambda wanted, billing, sit: _one_match(wanted, billing, lambda: display, SteadyClock(), sit)


def _by_buttons(wanted: Wanted, game: Game | None, names: tuple[str, ...], seed: int) -> bool:
    """An evening with the seats' buttons alone, whose pages nobody sees. False where there are no buttons."""
    clock = SteadyClock()
    with seats_at(True, clock, click.echo) as at_seats:
        unseen = Unseen(clock, click.echo, at_seats.lights)
        at_seats.listen(unseen.stroke)
        if at_seats.buttons is None:
            return False
        named = names or tuple(usual_names(wanted.camera, 1))  # with names nobody is asked who sits where
        Evening(wanted, unseen, playing_in(unseen), named, seed).run(game)
    return True


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
