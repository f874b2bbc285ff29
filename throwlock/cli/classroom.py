"""``throwlock class``: Battle for a class with printed cards, at a camera or from one image."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from device.system.clock import Clock, MonotonicClock
from rules.catalogue import find_game
from rules.classroom import CLASS_RULES, with_class_options
from rules.engine import Game
from rules.markers import MAX_STUDENTS
from throwlock.cli.names import read_students
from throwlock.cli.options import (
    UsageError,
    camera_option,
    journal_option,
    option_option,
    parse_game_options,
    plural,
    seed_option,
    window_options,
)
from throwlock.cli.rule_options import rule_option
from throwlock.cli.window import run_in_window
from throwlock.journal.file import default_journal_path
from throwlock.launch_options import LaunchOptions
from throwlock.match.terminal_display import ClassroomDisplay
from throwlock.match_runner import NextStep, run_match
from throwlock.replay.config import MatchConfig
from throwlock.session import Services
from throwlock.settings.model import read_settings
from throwlock.settings.pages import apply_settings
from throwlock.table_setup.cameras import CameraKind, clock_for_camera
from throwlock.table_setup.class_names import ClassLists
from throwlock.tables.classroom_results import evaluate_round, student_lines, throw_lines
from throwlock.web.lan_switch import LanSwitch
from ui.screen.core.display import Display
from ui.screen.pages.classroom import numbered_name, own_name
from ui.screen.pages.home import DEFAULT_CLASS_SIZE
from ui.text import verdicts
from ui.text.verdicts import CLASS_CAUSES
from vision.cards.classroom_reader import ClassReading, read_class
from vision.hands.stills import read_image


@click.command("class")
@click.option(
    "--students",
    type=click.IntRange(2, MAX_STUDENTS),
    help=f"Number of students.  [default: {DEFAULT_CLASS_SIZE}, or the number of names]",
)
@click.option(
    "--names",
    "names_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Text file with one student per line, in the order of their card numbers.",
)
@click.option(
    "--class",
    "class_name",
    metavar="NAME",
    help="Class whose kept list to use. With --names: keep these names as its list, in place of an earlier one.",
)
@click.option("--lists", is_flag=True, help="Print the classes whose lists are kept, and stop.")
@click.option("--delete", is_flag=True, help="With --class: delete the class's list, and stop.")
@option_option
@camera_option
@click.option(
    "--picture", type=click.Path(path_type=Path), metavar="FILE", help="Read a single image instead of a camera."
)
@click.option("--json", "as_json", is_flag=True, help="With --picture: print one JSON object.")
@rule_option("card_window_ms", "--window", metavar="MS", help="Time from the shout to the lock.")
@rule_option("beat_ms", "--beat", metavar="MS", help="Time between the words of the count.")
@click.option("--keep-picture", is_flag=True, help="Save the whole image of each lock, faces included.")
@journal_option("Journal to save the match in.  [default: throwlock.journal in the data folder]")
@click.option("--new", is_flag=True, help="Give up an unfinished match instead of resuming it.")
@click.option("--headless", is_flag=True, help="Open no window; print the rounds on the terminal.")
@window_options("1280x720")
@seed_option("simulated students")
def class_(
    students: int | None,
    names_file: Path | None,
    class_name: str | None,
    lists: bool,
    delete: bool,
    options: tuple[str, ...],
    picture: Path | None,
    as_json: bool,
    keep_picture: bool,
    seed: int,
    **launch_values: Any,
) -> None:
    """Play Battle with a class: each student holds up a card; the edge at the top is the throw.

    Print the cards with: throwlock cards class. Only the images of the cards are saved, no faces.
    """
    class_lists = ClassLists(launch_values["journal"] or default_journal_path())
    if delete and not class_name:
        raise UsageError("--delete goes with --class")
    if class_name and delete:
        class_lists.delete(class_name)
        return
    if lists:
        for name, kept in class_lists.read().items():
            click.echo(f"{name}: {plural(len(kept), 'student', 'students')}")
        return
    named = read_students(names_file) if names_file else class_lists.find(class_name) if class_name else ()
    count = students or (len(named) if names_file or class_name else DEFAULT_CLASS_SIZE)
    if len(named) > count:
        raise UsageError(f"{len(named)} names for {count} students")
    if count < 2:
        raise UsageError("a class needs at least two students")
    if as_json and not picture:
        raise UsageError("--json goes with --picture")
    game = class_game(count, options)
    names = (*named, *(verdicts.default_name(seat) for seat in range(len(named) + 1, count + 1)))

    def keep_list() -> None:
        if names_file and class_name:
            class_lists.save(class_name, named, replacing=class_name)

    if picture:
        room = read_class(read_image(picture), range(1, count + 1))
        keep_list()
        print_reading(picture, room, game, names, as_json)
        return
    launch = LaunchOptions.from_command(
        settings=read_settings(), in_class=True, keep_whole_image=keep_picture, **launch_values
    )
    if launch.camera == CameraKind.NONE:
        raise UsageError("a class needs a camera: give --camera, or play battle with --camera none")
    keep_list()
    _run_matches(launch, MatchConfig(game, names, launch.house_rules, seed, launch.camera))


def class_game(students: int, options: tuple[str, ...]) -> Game:
    """Set up Battle for a class, with options written NAME=VALUE. Raises IllegalSetupError."""
    return find_game(CLASS_RULES.name).set_up(students, with_class_options(parse_game_options(CLASS_RULES, options)))


def _run_matches(options: LaunchOptions, config: MatchConfig) -> None:
    """Run match after match, as people choose."""

    services = Services()

    def run_one(options: LaunchOptions, display: Display, clock: Clock) -> object:
        return run_match(options, config, lambda: display, clock, services=services)

    def run_session(display: Display) -> None:
        next_options = options
        # off until people switch it on, for their phones
        with LanSwitch(options.journal, pads=services.pads, second_screen=services.second_screen):
            while run_one(next_options, display, MonotonicClock()) in ("again", NextStep.RETRY):
                next_options = replace(next_options, new=False)

    if options.headless:
        run_one(options, ClassroomDisplay(click.echo), clock_for_camera(options.camera))
    else:
        apply_settings(options.settings)
        run_in_window(options, run_session, services=services)


def print_reading(path: Path, room: ClassReading, game: Game, names: tuple[str, ...], as_json: bool) -> None:
    """Print what the image at ``path`` shows of a class and how the round ends."""
    flags = [name for name, value in game.setup.options.items() if value is True]
    counts, stands = evaluate_round({student.number: student.throw for student in room.students}, flags)
    if as_json:
        students = [
            {
                "number": student.number,
                "name": own_name(student.number, name),
                "throw": student.throw,
                "cause": student.cause and CLASS_CAUSES[student.cause],
                "result": outcome and outcome.result,
            }
            for student, name in zip(room.students, names, strict=True)
            for outcome in [stands[student.number].outcome]
        ]
        click.echo(json.dumps({"file": str(path), "students": students, "unknown_numbers": room.unknown_numbers}))
        return
    for line in (*cause_lines(room, names), *throw_lines(counts), *student_lines(dict(enumerate(names, 1)), stands)):
        click.echo(line)


def cause_lines(room: ClassReading, names: tuple[str, ...]) -> list[str]:
    """List how many throws were read, who has none and why, and which cards don't belong to the class."""
    throws = sum(student.throw is not None for student in room.students)
    lines = [f"{plural(throws, 'throw', 'throws')} from {len(names)} students."]
    for student, name in zip(room.students, names, strict=True):
        if student.cause is not None:
            lines.append(f"  {numbered_name(student.number, name)}: {CLASS_CAUSES[student.cause]}")
    if room.unknown_numbers:
        lines.append(f"  Not of this class: {', '.join(map(str, room.unknown_numbers))}")
    return lines
