"""``throwlock play`` and ``throwlock demo``: a match at a real or a simulated table, in a window or without one."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from device.system.clock import Clock, JumpingClock, SteadyClock
from rules.catalogue import GAMES
from rules.engine import Game
from throwlock.match import terminal_display
from throwlock.cli.options import (
    UsageError,
    camera_option,
    house_options,
    option_option,
    read_size,
    seats_option,
    set_up,
)
from throwlock.cli.window import has_screen, in_window
from throwlock.journal.file import usual_place
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import Wanted
from throwlock.match.config import billing_of
from throwlock.match.house_rules import House
from throwlock.match_runner import PlayOne, _from_terminal, _one_match
from throwlock.session import Evening, billing_for, usual_names
from throwlock.settings import model, pages
from throwlock.simulation.card_players import SHOWN as SHOWN_CARDS
from throwlock.simulation.card_players import read_shown as read_card_shows
from throwlock.simulation.scripted_fouls import ALL, SHOWN, read_shown
from throwlock.table_setup.cameras import usual_camera
from throwlock.table_setup.seat_io import seats_at
from throwlock.tables.board_answers import CAMERA, SCREEN
from ui.screen.core.button_display import Unseen
from ui.screen.core.display import Display, Silent
from ui.screen.core.page_stack import Asking
from ui.screen.core.png_display import Pictures
from ui.screen.pages.views import Notice


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
