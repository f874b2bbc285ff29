"""Fuzzes whatever reads text that people write. An input is a parser's name, and from the next line on its text."""

import random
import unicodedata
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from errors import ThrowlockError
from messages import is_printable
from rules.battle.calculator import parse_count
from rules.board.moves import move_tables
from rules.board.notation import (
    format_move,
    format_position,
    format_space,
    parse_move,
    parse_position,
    parse_space,
)
from rules.board.position import STANDARD_VARIANT
from rules.catalogue import GAMES, find_game
from rules.engine import Choices, IntRange, Prompt, ThrowPrompt, TimeLimit
from rules.throws import Throw
from rules.tr.roll import Roll
from tests.helpers.samples.dispute import disputed_round
from throwlock.cli.options import parse_game_options, parse_size
from throwlock.filming.folder import CONSENT_FILE, TAKES_FILE, FilmingFolder
from throwlock.hall.membership import read_membership
from throwlock.hall.protocol import (
    Acknowledgement,
    EventBatch,
    HallPlayer,
    Hello,
    Message,
    Pairing,
    Pairings,
    Picture,
    StreamEvent,
    decode,
    encode,
)
from throwlock.hub.store import is_understood
from throwlock.journal.hash_chain import event_hash, parse_proof_code
from throwlock.match.terminal_display import read_correction
from throwlock.settings.model import Settings, describe_settings, read_settings, save_settings
from throwlock.simulation.scripted_fouls import SCENARIOS, parse_scenarios
from throwlock.table_setup.class_names import LISTS_FILE, MAX_NAME_LENGTH, ClassLists
from throwlock.table_setup.name_lists import parse_form_names, read_names
from throwlock.table_setup.zone_store import ZoneStore
from throwlock.tables.answers import TerminalAnswers
from tools.fuzz.target import FindingError, MutateBytes, Target, check_message, require, temporary_folder
from ui.screen.pages.common import Player
from ui.text.names import clean_name
from vision.zones import Zone

BOARD = move_tables(STANDARD_VARIANT.layout).board
DISPUTE = disputed_round(3)
TERMINAL_PROMPTS = (
    Prompt("bet", {1: IntRange(0, 50, 5)}, time_limit=TimeLimit(20)),
    ThrowPrompt({1: Choices(("rock", "paper", "scissors"))}),
)
ZONES_FILE = """[[table]]
camera = "usb:0"
seats = 2
aspect = 1.7778
zones = ["0,0,0.5,1", "0.5,0,0.5,1"]
rotation = 180
"""
SETTINGS_FILE = """[screen]
language = "de"  # a comment
[sound]
volume = 30
[rules]
beat_ms = 600
[[seat]]
raise = 5
confirm = 6
"""


def _round_trip(parse: Callable[[str], Any], format_text: Callable[[Any], str]) -> Callable[[str], None]:
    """Return a check of a parser: what it parses, formatted and parsed again, is the same."""

    def check_text(text: str) -> None:
        value = parse(text)
        written = format_text(value)
        require(format_text(parse(written)) == written, f"{text!r} was read, and {written!r} is not the same")

    return check_text


def _check_option(text: str) -> None:
    name, _, options = text.partition(" ")
    rules = find_game(name)
    rules.set_up(rules.min_players, parse_game_options(rules, options.split(" ") if options else []))


def _check_terminal(text: str) -> None:
    lines = iter([text, "rock", "0", "paper", "5"])
    for prompt in TERMINAL_PROMPTS:
        answers = TerminalAnswers(lambda _: next(lines, "rock"), check_message)
        prompt.check(answers.answer(prompt, (Player(1, "Ada"),), 0))


def _check_correction(text: str) -> None:
    correction = read_correction(DISPUTE, text)
    require(correction is None or correction.seat in (None, 1, 2, 3), "a correction of nobody")


def _check_file(read: Callable[[Path], object]) -> Callable[[str], None]:
    def check_text(text: str) -> None:
        with temporary_folder() as folder:
            path = Path(folder) / "file"
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            read(path)

    return check_text


def _change_settings(path: Path) -> None:
    """Read the settings, change some and read them again."""
    read_settings(path)
    changed = save_settings(path, {"sound.volume": 40, "screen.handed": "left"})
    require(read_settings(path) == changed, "settings that were saved read differently")
    require((changed.sound.volume, changed.screen.handed) == (40, "left"), "the change was not saved")


def _read_names(suffix: str) -> Callable[[str], None]:
    """Return a check of a list of names in a file: each can be shown, and no letter of the list is lost without a note;
    as a class's list it is kept as it is."""

    def check_text(text: str) -> None:
        with temporary_folder() as folder:
            path = Path(folder) / f"names{suffix}"
            content = text.encode("utf-8", "surrogateescape")
            path.write_bytes(content)
            read = read_names(path, longest=MAX_NAME_LENGTH)
            for name in read.names:
                require(is_printable(name) and name == clean_name(name) != "", f"a name that can't be shown: {name!r}")
            for note in read.notes:
                check_message(note)
            if not read.notes and is_utf8(content):
                require(_letters(text) == _letters(" ".join(read.names)), f"{text!r} was read as {read.names}")
            if read.names:
                lists = ClassLists(path)
                lists.save("3b", read.names)
                require(lists.find("3B") == read.names, f"{read.names} were kept otherwise")

    return check_text


def is_utf8(content: bytes) -> bool:
    """Whether a file is read as UTF-8."""
    with suppress(UnicodeDecodeError):
        return bool(content.decode()) and b"\0" not in content
    return False


def _letters(text: str) -> list[str]:
    """Return the letters and digits of a text, without their accents."""
    return [one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one)[0] in "LN"]


def _check_hall_message(name: str) -> Callable[[str], None]:
    """Return a check of a message of a hall: written and read again, it is the same."""

    def check_text(text: str) -> None:
        message = decode(name, text.encode("utf-8", "surrogateescape"))
        require(decode(name, encode(message)) == message, "a message reads differently when it is sent on")
        for event in message.events if isinstance(message, EventBatch) else ():
            is_understood(event.kind, event.body)
            event.has_valid_hash()

    return check_text


def _read_classes(path: Path) -> None:
    path.rename(path.with_name(LISTS_FILE))
    for names in ClassLists(path).read().values():
        require(all(isinstance(name, str) for name in names), "a class with a name that is none")


def _read_takes(path: Path) -> None:
    """Read a folder of filmed throws whose takes are in this file."""
    path.rename(path.with_name(TAKES_FILE))
    path.with_name(CONSENT_FILE).write_text(CONSENT)
    for take in FilmingFolder(path.parent).takes:
        require(take.fps >= 0, "a rate that is none")
        take.ms_at(take.frame_at(0))


def _change_zones(path: Path) -> None:
    """Read the zones, save some and read them again."""
    store, halves = ZoneStore(path), (Zone(0, 0, 0.5, 1), Zone(0.5, 0, 0.5, 1))
    store.read("usb:0", 2, (1280, 720))
    store.save("usb:0", (1280, 720), halves)
    require(store.read("usb:0", 2, (1280, 720)) == halves, "zones that were saved read differently")


CONSENT = '{"text": "", "language": "en", "licence": "CC0-1.0", "table_seats": 2, "seats": {}}'
TAKES = """{"takes": {"1": {"number": 1, "beat_ms": 600, "exposed_ms": [-33.3, 0.1, 33.4], "hands": {"1":
{"file": "1.avi", "agreed": {"throw": "rock", "hand": "right", "late": false}}}}}}"""
JOURNAL_ID, ZERO, AT = "ab" * 32, "0" * 32, "2026-05-02T18:00:00.000+00:00"
EVENTS = EventBatch(
    journal=JOURNAL_ID,
    events=(
        StreamEvent(
            number=1, match=1, at=AT, kind="match_abandoned", body="{}", previous_hash=JOURNAL_ID,
            hash=event_hash(1, 1, AT, "match_abandoned", "{}", JOURNAL_ID),
        ),
    ),
)  # fmt: skip
ADA, BEN = (HallPlayer(id=letter * 32, name=name) for letter, name in (("a", "Ada"), ("b", "Ben")))
HALL_MESSAGES: Mapping[str, Message] = {
    "hello": Hello(journal=JOURNAL_ID, number=4, hash=JOURNAL_ID, stored=2),
    "events": EVENTS,
    "pictures": Picture(
        journal=JOURNAL_ID, event=1, name="lock.jpg", media_type="image/jpeg", commitment=JOURNAL_ID, salt=ZERO,
        data=b64encode(b"a picture"),
    ),
    "stored": Acknowledgement(journal=JOURNAL_ID, number=4, hash=JOURNAL_ID, problem="cut"),
    "pairings": Pairings(
        table="Table 7",
        pairings=(Pairing(id=ZERO, tournament="Cup", game="classic", options={"best_of": 3}, players=(ADA, BEN)),),
    ),
}  # fmt: skip
MEMBERSHIP = 'hall = "School hall"\nhost = "hall.local"\nport = 8883\nca = ""\nbox = "box-7"\npassword = "x"\n'
NAMES_TABLE = 'sep=;\nVorname;Nachname\n"Ada";B\u200c\n'
PARSERS: Mapping[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "roll": (_round_trip(Roll.parse, str), ("3", "3|2", "3-1", "3|2-2", " 12 | 0 - 5")),
    "space": (
        _round_trip(lambda text: parse_space(text, BOARD), lambda one: format_space(one, BOARD)),
        ("-4,0", "0,0"),
    ),
    "move": (
        _round_trip(lambda text: parse_move(text, BOARD), lambda one: format_move(one, BOARD)),
        ("-4,0>0,0", "0,0*E", "1,-1*NW"),
    ),
    "position": (
        _round_trip(parse_position, format_position),
        ("R0@-4,0 S1@0,0 P011@2,-1 to-move=0 lost=0,1", "F0@0,0 F1@1,0 to-move=1"),
    ),
    "option": (
        _check_option,
        ("classic best_of=5", "redeux risk=always bets=open goal=20", "tr roll=3|2-1", "battle rounds=3"),
    ),
    "count": (lambda text: parse_count(Throw.ROCK, text), ("0", "12", "007")),
    "zone": (_round_trip(Zone.parse, lambda zone: ",".join(map(repr, zone))), ("0,0,0.5,1", "1e-3,.1,.2,.3")),
    "size": (parse_size, ("800x480", "1920X1080")),
    "proof code": (parse_proof_code, ("7QK3M-0VXZ9-8HTBN-2WJRD", "7qk3m 0vxz9 8htbn 2wjrd")),
    "scenario": (lambda text: parse_scenarios(text.split(",")), (",".join(SCENARIOS), "all")),
    "terminal": (_check_terminal, ("rock", "10", "-5")),
    "correction": (_check_correction, ("2 paper", "void", "3 nothing")),
    "settings": (_check_file(_change_settings), (SETTINGS_FILE, "")),
    "zones": (_check_file(_change_zones), (ZONES_FILE, "")),
    "names": (_read_names(".txt"), ("Ada\nBen\n", "\ufeffZoë\r\n\r\n Cy ", NAMES_TABLE)),
    "names in a table": (_read_names(".csv"), ("No,Name\n1,Ada\n2,Ben\n", "Ada,Lovelace\n", NAMES_TABLE)),
    "names in a form": (parse_form_names, ("Ada\nBen\n", "Ada\tLovelace")),
    "classes": (_check_file(_read_classes), ('{"3b": ["Ada", "Ben"], "4a": []}',)),
    "takes": (_check_file(_read_takes), (TAKES,)),
    "hall's file": (_check_file(read_membership), (MEMBERSHIP,)),
    **{
        f"hall's {name}": (_check_hall_message(name), (encode(message).decode(),))
        for name, message in HALL_MESSAGES.items()
    },
}  # fmt: skip
"""By name: what takes a text, and texts that it takes."""
SIMPLE_ERRORS = ("proof code", "scenario")
"""Parsers that raise ValueError, which their command turns into a UsageError."""
INSERTED_TEXTS = (
    *("", " ", ",", "-", "|", ">", "*", "@", "=", "x", "\n", "\t", "\x1b", "\0", "\u2028", "é", "٣", "½", "１"),
    *("9" * 50, "9" * 5000, "a" * 300, "nan", "inf", "-0", "1e400", "1_0", "to-move=1", "lost=2,2", "P01", "[", "]]"),
    *("true", "[" * 300, "{", "'''", "\\u001b", "\\ud800", "1979-05-27", "0x1f", '"'),
    *(one.key for one in describe_settings()),
    *(f"{option.name}=" for rules in GAMES.values() for option in rules.options), *Settings.model_fields,
)  # fmt: skip


def seeds() -> Iterator[bytes]:
    """Yield the texts that each parser takes."""
    for name, (_, texts) in PARSERS.items():
        for text in texts:
            yield f"{name}\n{text}".encode()


def mutate(data: bytes, rng: random.Random, mutate_bytes: MutateBytes) -> bytes:
    """Change the text, not the parser's name."""
    name, newline, text = data.partition(b"\n")
    match rng.randrange(4):
        case 0:
            at = rng.randrange(len(text) + 1)
            end = at + rng.choice((0, 0, 1, 5))
            return name + newline + text[:at] + rng.choice(INSERTED_TEXTS).encode() + text[end:]
        case 1 if rng.random() < 0.1:
            return rng.choice(list(PARSERS)).encode() + newline + text
        case _:
            return name + newline + mutate_bytes(text)


def check(data: bytes) -> None:
    """Parse a text: it has a value, or an error of one line."""
    name, _, raw = data.partition(b"\n")
    parser = PARSERS.get(name.decode(errors="replace"))
    if parser is None:
        return
    try:
        parser[0](raw.decode("utf-8", "surrogateescape"))
    except FindingError:
        raise
    except ThrowlockError as error:
        check_message(error)
    except ValueError as error:
        if name.decode() not in SIMPLE_ERRORS:
            raise
        check_message(error)


TARGET = Target("notation", seeds, mutate, check, max_bytes=20_000, max_cpu_s=5)
