"""The commands that play at a real or a simulated table: ``play``, ``demo``, ``practise`` and ``film``."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from device.system.clock import MonotonicClock, SimulatedClock
from rules.catalogue import GAMES, find_game
from rules.classroom import CLASS_RULES
from rules.engine import Game, Rules
from throwlock.cli.classroom import class_game
from throwlock.cli.names import check_names
from throwlock.cli.options import (
    UsageError,
    camera_option,
    journal_option,
    live_camera_option,
    option_option,
    seats_option,
    seed_option,
    set_up_game,
    window_options,
    zone_option,
)
from throwlock.cli.rule_options import house_options
from throwlock.cli.window import has_screen, no_screen_hint, run_in_window
from throwlock.film_runner import FOLDER_NAME, run_filming
from throwlock.home import GameSession
from throwlock.house_rules import HouseRules, ThrowWith
from throwlock.journal.file import default_journal_path
from throwlock.launch_options import LaunchOptions
from throwlock.match.terminal_display import ClassroomDisplay, TerminalDisplay
from throwlock.match_runner import run_match, runner_on
from throwlock.practice import run_practice
from throwlock.seating import default_names, new_match_config
from throwlock.session import Services
from throwlock.settings.model import read_settings
from throwlock.settings.pages import apply_settings
from throwlock.simulation.card_players import CARD_SCENARIOS
from throwlock.simulation.scripted_fouls import ALL_SCENARIOS, SCENARIOS, parse_scenarios
from throwlock.sources import is_class
from throwlock.table_setup.cameras import CameraKind, clock_for_camera
from throwlock.table_setup.seat_io import open_seat_hardware_if_enabled
from throwlock.tables.answers import read_terminal_line
from throwlock.tables.board import MOVES_BY_CAMERA, MOVES_BY_SCREEN
from throwlock.unfinished_match import unfinished_config
from ui.screen.core.button_display import ButtonOnlyDisplay
from ui.screen.core.display import Display, NullDisplay, WindowClosedError
from ui.screen.core.png_display import PngDisplay
from ui.screen.core.window import Window
from ui.screen.drawing.theme import SEAT_MARKS
from ui.screen.pages.notice import Notice
from ui.screen.views import InteractiveView


@click.command()
@click.argument("game", required=False)
@seats_option
@option_option
@camera_option
@zone_option("Zone of a seat in fractions of the frame. Repeat it for each seat.")
@click.option("--name", "names", multiple=True, metavar="NAME", help="Name of a player. Repeat it in seat order.")
@click.option(
    "--board",
    type=click.Choice([MOVES_BY_CAMERA, MOVES_BY_SCREEN]),
    help="Read the board game's moves from the printed board, or enter them on the screen.  [default: ask on the "
    "screen]",
)
@journal_option("Journal to save the match in.  [default: throwlock.journal in the data folder]")
@click.option("--new", is_flag=True, help="Give up an unfinished match instead of resuming it.")
@click.option("--headless", is_flag=True, help="Open no window; ask questions on the terminal.")
@click.option(
    "--buttons",
    is_flag=True,
    help="Use the seats' buttons and lights even if the settings have them off. With --headless, people answer with "
    "them.",
)
@click.option(
    "--screens", type=click.Path(path_type=Path), metavar="DIR", help="With --headless: write the screens here as PNG."
)
@click.option("--disputes", is_flag=True, help="With --headless: let people dispute rounds on the terminal.")
@window_options()
@seed_option("simulated players and tables")
@house_options
def play(
    game: str | None, seats: int, options: tuple[str, ...], names: tuple[str, ...], seed: int, **launch_values: Any
) -> None:
    """Play GAME at this table; without GAME, choose one on the screen.

    An unfinished match is resumed. At a simulated table the players are simulated; people place the bets on the screen,
    or, without a screen, the simulated players do.
    """
    launch = LaunchOptions.from_command(**launch_values)
    in_class = game == CLASS_RULES.name and seats > len(SEAT_MARKS) and launch.camera != CameraKind.NONE
    chosen = class_game(seats, options) if in_class else set_up_game(game, seats, options) if game else None
    if len(names) > seats and chosen:
        raise UsageError(f"{len(names)} names for {seats} seats")
    names = check_names(names)
    _say_if_names_are_ignored(launch, names)
    if not launch.headless:
        services = Services()

        def run_session(window: Window) -> None:
            run_match_on = runner_on(window, MonotonicClock(), services)
            GameSession(launch, window, run_match_on, names, seed, services=services).run(chosen)

        run_in_window(launch, run_session, services=services)
        return
    if launch.buttons and _run_with_buttons_only(launch, chosen, names, seed):
        return
    if chosen is None:
        raise UsageError(f"without a screen, name the game: {', '.join(GAMES)}")
    launch = replace(launch, buttons=False, settings=read_settings())
    config = new_match_config(chosen, names, launch.house_rules, seed, launch.camera)
    clock = clock_for_camera(launch.camera)
    run_match(launch, config, lambda: _headless_display(launch, is_class(launch, config)), clock)


def _say_if_names_are_ignored(launch: LaunchOptions, names: tuple[str, ...]) -> None:
    """Say that a match that is resumed keeps its names, if other ``names`` are given."""
    unfinished = None if launch.new or not names else unfinished_config(launch)
    if unfinished and tuple(map(str, unfinished.names[: len(names)])) != names:
        players = ", ".join(map(str, unfinished.names))
        click.echo(f"The unfinished match of {players} is resumed; --name is for a new match: add --new to begin one.")


@click.command()
@click.argument("name", default=next(name for name, rules in GAMES.items() if rules.demos), metavar="[GAME]")
@click.option(
    "--seed", type=click.IntRange(0), help="Random seed; the same seed plays the same match.  [default: random]"
)
@journal_option("Journal to save the match in.  [default: throwlock-demo/demo.journal]")
@click.option(
    "--screens",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Without a window: write the screens here as PNG.  [default: throwlock-demo/screens]",
)
@click.option("--headless", is_flag=True, help="Open no window, even if there is a screen.")
@window_options()
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="NAME",
    help="Act out a foul or a camera fault, from the second throw on. Can be repeated. "
    f"One of {', '.join(SCENARIOS)}, or {ALL_SCENARIOS}; with --cards one of {', '.join(CARD_SCENARIOS)}, or "
    f"{ALL_SCENARIOS}.",
)
@click.option("--cards", is_flag=True, help="Throw with printed cards instead of hands.")
def demo(
    name: str,
    seed: int | None,
    journal: Path | None,
    screens: Path | None,
    headless: bool,
    scenarios: tuple[str, ...],
    cards: bool,
    **window: Any,
) -> None:
    """Play a whole match of GAME (RPS Redeux unless given) at a simulated table: real recognition, no hardware.

    If there is a screen, it runs in a window, where you can place the bets; otherwise the screens are written as PNG.
    """
    try:
        scenarios = parse_scenarios(scenarios, CARD_SCENARIOS if cards else SCENARIOS)
    except ValueError as error:
        raise UsageError(f"--scenario: {error}") from error
    folder = Path("throwlock-demo")
    headless = headless or not has_screen()
    launch = LaunchOptions(
        journal or folder / ("cards.journal" if cards else "demo.journal"),
        "simulated",
        headless=headless,
        screens=(screens or folder / "screens") if headless else None,
        demo=True,
        folder_to_create=folder if journal is None else None,
        settings=read_settings(),
        **window,
    )
    apply_settings(launch.settings)
    game = _demo_game(find_game(name), cards)
    house_rules = HouseRules(throw_with=ThrowWith.CARDS) if cards and not game.uses_printed_cards else HouseRules()
    launch, seed = with_demo_seed(launch, seed, scenarios)
    config = replace(new_match_config(game, (), house_rules, seed, "simulated"), scenarios=scenarios)
    click.echo(f"{game.rules.title} at a simulated table. {game.rules.description}")
    if headless:
        run_match(launch, config, lambda: _headless_display(launch), SimulatedClock())
        click.echo(f"Screens: {launch.screens}")
    else:
        services = Services()
        run_in_window(
            launch,
            lambda window: run_match(launch, config, lambda: window, MonotonicClock(), services=services),
            services=services,
        )
    click.echo(f"Journal: {launch.journal} (check it with: throwlock verify {launch.journal})")


def _demo_game(rules: Rules, cards: bool) -> Game:
    """Return the game's demo with hands or, if it has one, with printed cards."""
    games = [rules.set_up(sample.seats, sample.options) for sample in rules.demos or rules.samples]
    return next((game for game in games if game.uses_printed_cards == cards), games[0])


def with_demo_seed(options: LaunchOptions, seed: int | None, scenarios: tuple[str, ...]) -> tuple[LaunchOptions, int]:
    """Return the options and the demo's seed: that of the unfinished match, unless another seed or other scenarios are
    asked for; then a new match begins."""
    if unfinished := unfinished_config(options):
        if seed in (None, unfinished.seed) and scenarios in ((), unfinished.scenarios):
            return options, unfinished.seed
        options = replace(options, new=True)
    return options, int.from_bytes(os.urandom(3), "big") if seed is None else seed


def _headless_display(options: LaunchOptions, in_class: bool = False) -> Display:
    if options.disputes:
        return TerminalDisplay(read_terminal_line, click.echo)
    if options.screens is None:
        return ClassroomDisplay(click.echo) if in_class else NullDisplay()
    try:
        return PngDisplay(options.screens, answer=_unattended_answer)
    except OSError as error:
        raise UsageError(
            f"{options.screens} can't be written ({error.strerror}): name another folder with --screens"
        ) from error


def _unattended_answer(view: InteractiveView) -> Any:
    """Return the answer when nobody is at the screen: stop, if the view is a notice."""
    return "stop" if isinstance(view, Notice) else None


def _run_with_buttons_only(options: LaunchOptions, game: Game | None, names: tuple[str, ...], seed: int) -> bool:
    """Run a session with the seats' buttons and no screen. Return False if there are no buttons."""
    clock = MonotonicClock()
    with open_seat_hardware_if_enabled(True, clock, click.echo) as hardware:
        display = ButtonOnlyDisplay(clock, click.echo, hardware.lights)
        hardware.listen(display.handle_button)
        if hardware.buttons is None:
            return False
        # Given names keep the session from asking who sits where.
        names = names or tuple(default_names(options.camera, 1))
        services = Services()
        GameSession(options, display, runner_on(display, clock, services), names, seed, services=services).run(game)
    return True


@click.command()
@live_camera_option
@zone_option("Zone of the hand in fractions of the frame.")
@window_options()
@seed_option("the simulated table")
def practise(camera: str | None, zones: tuple[str, ...], size: tuple[int, int], fullscreen: bool, seed: int) -> None:
    """Practise against the box, which commits to its throw before the count.

    Before every round the box seals its throw: it shows the SHA-256 hash as a QR code. After the round it shows the
    sealed text, so that anybody can check it. Nothing is saved.
    """
    settings = read_settings()
    apply_settings(settings)
    options = LaunchOptions.from_command(None, camera, zones=zones, settings=settings)
    if options.camera == CameraKind.NONE:
        raise UsageError("practice needs a camera that sees your hand: name one with --camera")
    window = Window(size, fullscreen=fullscreen)
    with suppress(WindowClosedError), no_screen_hint("practice needs one"):
        score = window.run(lambda display: run_practice(options, display, MonotonicClock(), seed))
        click.echo(f"Won {score.won}, lost {score.lost}, tied {score.tied}; fouls {score.fouls}.")


@click.command()
@live_camera_option
@zone_option("Zone of a seat in fractions of the frame. Repeat it for each seat.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help=f"Where the clips are kept.  [default: {FOLDER_NAME} next to the journal]",
)
@window_options()
@seed_option("the simulated table")
def film(
    camera: str | None, zones: tuple[str, ...], folder: Path | None, size: tuple[int, int], fullscreen: bool, seed: int
) -> None:
    """Film agreed throws with the players' consent, mark when each hand showed, and see how right the box is.

    About ten minutes for two players, all by touch. The clips, marks and a report are kept in a folder that can be
    given to the project. Nothing is sent. Run it again to go on.
    """
    settings = read_settings()
    apply_settings(settings)
    options = LaunchOptions.from_command(None, camera, zones=zones, settings=settings)
    if options.camera == CameraKind.NONE:
        raise UsageError("filming needs a camera that sees your hands: name one with --camera")
    root = (folder or default_journal_path().parent / FOLDER_NAME).absolute()
    window = Window(size, fullscreen=fullscreen)
    with suppress(WindowClosedError), no_screen_hint("filming needs one"):
        window.run(lambda display: run_filming(options, display, MonotonicClock(), root, seed))
    click.echo(f"Filmed throws are in {root}." if root.is_dir() else "Nothing was filmed.")
