"""``throwlock class``: Battle for a room full of students with class cards, before a camera or from one picture."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from device.system.clock import JumpingClock, SteadyClock
from rules.catalogue import find
from rules.engine import Game, IllegalSetupError, Value
from rules.markers import STUDENTS
from throwlock.cli.options import UsageError, camera_option, option_option, read_size
from throwlock.cli.window import in_window
from throwlock.journal.file import usual_place
from throwlock.journal.journal import JournalReader
from throwlock.launch_options import Wanted
from throwlock.match.config import Billing
from throwlock.match.match import left_off
from throwlock.match_runner import AGAIN
from throwlock.settings import model, pages
from throwlock.table_setup.cameras import NO_CAMERA, usual_camera
from throwlock.tables.classroom import class_rules
from throwlock.classroom_runner import play_class, read_names
from throwlock.tables.classroom_results import by_move, by_player, reckoned
from ui.screen.core.display import Display, Silent
from ui.screen.core.page_stack import USUAL_CLASS
from ui.screen.pages.classroom.strings import own_name
from ui.text import verdicts
from vision.cards.classroom_reader import Room, read_room
from vision.hands.stills import read_picture


@click.command("class")
@click.option("--students", type=click.IntRange(2, STUDENTS), help=f"How many.  [default: {USUAL_CLASS}, or the names]")
@click.option(
    "--names", "names_file", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A text file, a student a line, in the order of their cards' numbers.",
)  # fmt: skip
@option_option
@camera_option
@click.option("--picture", type=click.Path(path_type=Path), metavar="FILE", help="Read one picture, and nothing else.")
@click.option("--json", "as_json", is_flag=True, help="With --picture: one JSON object.")
@click.option("--window", type=click.IntRange(300, 1500), metavar="MS", help="From the shout to the lock.")
@click.option("--beat", type=click.IntRange(300, 2000), metavar="MS", help="Between the words of the count.")
@click.option("--keep-picture", is_flag=True, help="Keep the whole lock picture, with everybody's faces in it.")
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help="Where the match is kept.")
@click.option("--new", is_flag=True, help="Give up a match that was cut off, instead of going on with it.")
@click.option("--headless", is_flag=True, help="No window; the rounds are told on the terminal.")
@click.option("--size", default="1280x720", show_default=True, metavar="WxH", help="Of the window.")
@click.option("--fullscreen", is_flag=True, help="The whole screen.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of simulated students.")
def class_(
    students: int | None,
    names_file: Path | None,
    options: tuple[str, ...],
    camera: str | None,
    picture: Path | None,
    as_json: bool,
    window: int | None,
    beat: int | None,
    keep_picture: bool,
    journal: Path | None,
    size: str,
    seed: int,
    **rest: Any,
) -> None:
    """Battle for a class: everybody holds up a card, whose way up is their throw.

    Print the cards with: throwlock cards class. What is kept of a round are the pictures of the cards, nobody's face.
    """
    names = read_names(names_file) if names_file else ()
    count = students or len(names) or USUAL_CLASS
    if len(names) > count:
        raise UsageError(f"{len(names)} names for {count} students")
    if count < 2:
        raise UsageError(f"{names_file} has one name: a class is two or more")
    game = class_game(count, options)
    called = tuple(names[seat - 1] if seat <= len(names) else verdicts.neutral(seat) for seat in range(1, count + 1))
    if picture:
        told_picture(picture, game, called, as_json)
        return
    if as_json:
        raise UsageError("--json goes with --picture")
    kept = model.read(model.usual_place())
    given = {name: value for name, value in (("card_window_ms", window), ("beat_ms", beat)) if value is not None}
    usual = usual_place()
    wanted = Wanted(
        journal or usual,
        camera or usual_camera(),
        size=read_size(size),
        folder=None if journal else usual.parent,
        given=given,
        settings=kept,
        **rest,
    )
    if wanted.camera == NO_CAMERA:
        raise UsageError("a class needs a camera: give --camera, or play battle with --camera none")
    _play(wanted, Billing(game, called, wanted.house, seed, wanted.camera), keep_picture)


def class_game(students: int, options: tuple[str, ...]) -> Game:
    """Battle for so many, with options written NAME=VALUE. Raises IllegalSetupError."""
    rules = class_rules(find("battle"))
    known = {option.name: option for option in rules.options}
    chosen: dict[str, Value] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or name not in known:
            raise IllegalSetupError(f"--option {text}: write it NAME=VALUE; a class has the options {', '.join(known)}")
        chosen[name] = known[name].read(value)
    return find("battle").set_up(students, chosen)


def _play(wanted: Wanted, billing: Billing, keep_picture: bool) -> None:
    """Match after match, as people choose."""

    def one(display: Display, clock: SteadyClock | JumpingClock, wanted: Wanted) -> object:
        there = billing
        if not wanted.is_new() and not wanted.new:
            with JournalReader(wanted.journal) as reader:
                left = left_off(reader, billing)
            there = replace(left, camera=billing.camera) if left else billing
        return play_class(wanted, there, display, clock, keep_picture)

    if wanted.headless:
        one(Silent(), JumpingClock() if wanted.camera == "simulated" else SteadyClock(), wanted)
        return
    pages.apply(wanted.settings)

    def evening(display: Display) -> None:
        now = wanted
        while one(display, SteadyClock(), now) in ("again", AGAIN):
            now = replace(now, new=False)

    in_window(wanted, evening)


def told_picture(path: Path, game: Game, names: tuple[str, ...], as_json: bool) -> None:
    """Tell what one picture shows of a class, and what that comes to. Raises PictureError."""
    room = read_room(read_picture(path), range(1, len(names) + 1))
    on = [name for name, value in game.setup.options.items() if value is True]
    lines, stands = reckoned({one.number: one.throw for one in room.students}, on)
    if as_json:
        found = [
            {
                "number": one.number,
                "name": own_name(one.number, name),
                "throw": one.throw,
                "doubt": one.doubt,
                "result": stands[one.number].outcome,
            }
            for one, name in zip(room.students, names, strict=True)
        ]
        click.echo(json.dumps({"file": str(path), "students": found, "strangers": list(room.strangers)}))
        return
    for line in (*doubts(room, names), *by_move(lines)):
        click.echo(line)
    for line in by_player(dict(enumerate(names, 1)), stands):
        click.echo(line)


def doubts(room: Room, names: tuple[str, ...]) -> list[str]:
    """How many throws there are, who has none and why, and which cards are nobody's."""
    thrown = sum(one.throw is not None for one in room.students)
    told = [f"{thrown} throws of {len(names)} students."]
    for one, name in zip(room.students, names, strict=True):
        if one.doubt is not None:
            told.append(f"  {one.number} {own_name(one.number, name) or ''}: {one.doubt}".replace(" :", ":"))
    if room.strangers:
        told.append(f"  Not of this class: {', '.join(map(str, room.strangers))}")
    return told
