"""A class plays Battle before the simulated room: what is journaled is what the room meant, cards alone are kept, and
what the screen and the terminal say of it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.classroom import CLASS_ROUNDS, CLASS_RULES, with_class_options
from rules.engine import FactValue, Play, ThrowPrompt, TimeLimit, Value
from rules.throws import THROW_CHOICES, Outcome, Throw
from tests.helpers.journal_events import json_body
from tests.helpers.samples.classroom import sample_message, sample_throws
from tests.helpers.samples.classroom import samples as classroom_samples
from tests.helpers.table_parts import throw
from throwlock.cli.classroom import cause_lines
from throwlock.cli.main import throwlock
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal, JournalReader
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.match.terminal_display import print_attendance
from throwlock.replay.config import MatchConfig
from throwlock.review.archive import ArchiveOpener
from throwlock.simulation.classroom import SimulatedClass
from throwlock.table_setup.class_names import ClassLists, with_class_names
from throwlock.table_setup.name_lists import NameListError
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.classroom import AttendanceScanner, ClassTable, update_attendance
from throwlock.tables.classroom_results import evaluate_round, round_lines, student_lines, throw_lines
from throwlock.tables.presence import NobodyThereError
from throwlock.tables.source import PeopleLeftError, RoundSource
from ui.screen.core.display import NullDisplay
from ui.screen.pages.classroom import (
    HOME_ANSWER,
    SHOUT_ANSWER,
    Attendance,
    PlayerStanding,
    RollCall,
    count_throws,
    player_standing,
)
from ui.screen.pages.common import Player
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import HERE_ANSWER, LEAVE_ANSWER, Presence
from ui.screen.views import NobodyAnswered
from ui.text.rounds import outcome_sentences
from ui.text.verdicts import CLASS_CAUSES, ROUND_REPLAYED
from ui.web.strings import throw_counts
from vision.cards.classroom_reader import BLANK_GREY, ClassCardCause, ClassReading, Student, read_class

COUNT = 12


class Teacher(NullDisplay):
    """Answers the attendance page and keeps the messages."""

    def __init__(self, answer: str = SHOUT_ANSWER, presence: Sequence[str | None] = ()) -> None:
        self.answer = answer
        self.presence = list(presence)
        self.rolls: list[RollCall] = []
        self.messages: list[GameMessage] = []

    def ask(self, view):
        if isinstance(view, RollCall):
            self.rolls.append(view)
            return self.answer
        if isinstance(view, Presence):
            return self.presence.pop(0)
        if isinstance(view, GameMessage):
            self.messages.append(view)
        return None


def match_of(journal: Journal, display: NullDisplay, seed: int = 3, people: bool = True, **options: Value):
    clock = SimulatedClock()
    game = find_game("battle").set_up(COUNT, with_class_options({"rounds": 2, **options}))
    names = tuple(f"Player {seat}" for seat in range(1, COUNT + 1))
    players = SimulatedClass(clock, COUNT, seed)
    players.camera.start()
    table = ClassTable(
        camera=players.camera, display=display, clock=clock, house_rules=HouseRules(), listener=players,
        people_answer=people,
    )  # fmt: skip
    number = journal.start_match(MatchConfig(game, names, HouseRules(), seed, "simulated").start_event(), names)
    lines: list[str] = []
    source = RoundSource(ScreenAnswers(display), (table,))
    return Match(journal, number, source, MatchOutput(display, clock, lines.append, Pace(0.0, 0.0))), players, table


def test_journal_has_what_everybody_showed_at_the_lock(tmp_path: Path) -> None:
    display = Teacher()
    with Journal(tmp_path / "class.journal") as journal:
        match, players, _ = match_of(journal, display)
        meant = []

        def noted(*seats: object, at=players.on_count) -> None:
            at(*seats)
            meant.append(dict(players.intended))

        players.on_count = noted
        result = match.play()
        events = journal.events(match.number)
        thrown_in = [event for event in events if event.round]
        assert len(thrown_in) == len(meant) == len(display.rolls) == 2
        for event, round_meant in zip(thrown_in, meant, strict=True):
            seats = json_body(event)["judgement"]["seats"]
            assert {int(seat): one["at_lock"] for seat, one in seats.items()} == round_meant
            assert json_body(event)["answers"] == {str(seat): throw for seat, throw in round_meant.items()}
            assert json_body(event)["fouls"] == [] and json_body(event)["judgement"]["lock_ms"] == 1000.0
            assert json_body(event)["text"].startswith(f"Throws read: {sum(map(bool, round_meant.values()))} of 12.")
            kept = {one.name for one in journal.evidence(event.number)}
            at_the_lock = {seat for seat, one in seats.items() if "card" in one}
            assert kept == {"lock.jpg"} | {f"seat-{seat}.jpg" for seat in at_the_lock}
            assert {seat for seat, one in seats.items() if one["zone"][2]} == at_the_lock
        drawn = [event for event in events if json_body(event).get("prompt") == "draw"]
        assert len(drawn) == sum(throw is None for one in meant for throw in one.values()) > 0
        marked = [
            {player.seat for player in message.players if player_standing(player.facts).is_drawn}
            for message in display.messages
            if round_lines(message)
        ]
        assert [seats for seats, _ in groupby(marked)] == [
            {seat for seat, throw in one.items() if throw is None} for one in meant
        ]
        assert result.winners
    with ArchiveOpener(tmp_path / "class.journal", tmp_path / "cache").open() as archive:
        page = archive.round(thrown_in[0].number)
    assert [seat.seat for seat in page.line.seats] == list(range(1, COUNT + 1))
    assert sum(row.count for row in throw_counts(page.line)) == COUNT and any(
        "win" in line for line in outcome_sentences(page.line)
    )


@pytest.mark.parametrize("gone", [LEAVE_ANSWER, None])
def test_a_class_that_nobody_attends_is_left_without_a_round_and_resumes(tmp_path: Path, gone: str | None) -> None:
    class EmptyRoom(Teacher):
        """Nobody touches the attendance page."""

        def ask(self, view):
            answer = super().ask(view)
            return NobodyAnswered(view) if isinstance(view, RollCall) else answer

    empty = EmptyRoom(presence=[HERE_ANSWER, gone])
    with Journal(tmp_path / "class.journal") as journal:
        match, _, _ = match_of(journal, empty)
        with pytest.raises(NobodyThereError):
            match.play()
        assert [event.kind for event in journal.events(match.number)] == ["match_started"]
        assert len(empty.rolls) == 2 and empty.rolls[0] is empty.rolls[1], "the same page, with who was ticked off"
        assert journal.unfinished_match() == match.number


def test_second_look_skips_attendance_and_asks_only_its_seats(tmp_path: Path) -> None:
    display = Teacher()
    with Journal(tmp_path / "class.journal") as journal:
        match, players, table = match_of(journal, display, seed=6)
        people = match.players()
        about: dict[str, FactValue] = {"phase": "second look", "round": 2, "throws": {"1": "rock"}}
        ask = ThrowPrompt(
            {2: THROW_CHOICES, 5: THROW_CHOICES}, about=about, time_limit=TimeLimit(5), may_be_missing=True
        )
        thrown_now = throw(table, ask, people, "Second look")
    assert not display.rolls
    assert {seat.seat: seat.at_lock for seat in thrown_now.judgement.seats} == {
        seat: players.intended[seat] for seat in (2, 5)
    }
    assert thrown_now.answers is not None and set(thrown_now.answers) == {2, 5}


def test_only_the_cards_of_an_image_are_saved(tmp_path: Path) -> None:
    with Journal(tmp_path / "class.journal") as journal:
        match, _, _ = match_of(journal, Teacher(), seed=4)
        match.play()
        event = next(event for event in journal.events(match.number) if event.round)
        lock = next(one for one in journal.evidence(event.number) if one.name == "lock.jpg")
        picture = np.asarray(cv2.imdecode(np.frombuffer(lock.data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    blank = np.abs(picture.astype(int) - BLANK_GREY).max(2) < 12
    assert blank.mean() > 0.9
    again = read_class(picture, range(1, COUNT + 1))
    seats = json_body(event)["judgement"]["seats"]
    for student in again.students:
        if student.card is not None and student.cause is None:
            assert student.throw == seats[str(student.number)]["at_lock"]
    assert len(again.read_numbers) >= 0.8 * COUNT


def test_nothing_is_saved_around_a_card(tmp_path: Path) -> None:
    with Journal(tmp_path / "class.journal") as journal:
        match, _, _ = match_of(journal, Teacher(), seed=67)
        match.play()
        event = next(event for event in journal.events(match.number) if event.round)
        saved = {one.name: np.frombuffer(one.data, np.uint8) for one in journal.evidence(event.number)}
    seats = json_body(event)["judgement"]["seats"]
    assert seats["3"]["cause"] == "card moving"
    assert "seat-3.jpg" not in saved and seats["3"]["zone"] == [0, 0, 0, 0], "there may be a face"
    assert seats["10"]["cause"] == "card slanted"
    picture = cv2.imdecode(saved["seat-10.jpg"], cv2.IMREAD_COLOR).astype(int)
    assert np.abs(picture[[2, 2, -3, -3], [2, -3, 2, -3]] - BLANK_GREY).max() < 12, "the corners of the card's box"


def test_home_leaves_the_class_and_the_match_can_be_resumed(tmp_path: Path) -> None:
    with Journal(tmp_path / "class.journal") as journal:
        match, _, _ = match_of(journal, Teacher(HOME_ANSWER))
        with pytest.raises(PeopleLeftError):
            match.play()
        assert journal.unfinished_match() == match.number


def test_with_no_card_up_everybody_throws_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "class.journal") as journal:
        match, players, _ = match_of(journal, Teacher(), seed=5)
        on_count = players.on_count
        rounds = []

        def once_nobody(seats, cue_ns, beat_ns, throw_number):
            rounds.append(cue_ns)
            if len(rounds) > 1:
                on_count(seats, cue_ns, beat_ns, throw_number)

        players.on_count = once_nobody
        match.play()
        kinds = [event.kind for event in journal.events(match.number) if event.round]
        void = next(event for event in journal.events(match.number) if event.kind == "round_voided")
    assert kinds == ["round_voided", "round_judged", "round_judged"]
    assert json_body(void)["text"] == f"No throw was seen. {ROUND_REPLAYED}"


def test_a_camera_that_stops_is_restarted_and_the_round_is_void(tmp_path: Path) -> None:
    with Journal(tmp_path / "class.journal") as journal:
        match, players, table = match_of(journal, Teacher(), seed=4)
        on_count, start = players.on_count, players.camera.start
        cues = []

        def start_slowly() -> None:
            table.clock.wait_until(table.clock.now_ns() + 1_000_000_000)
            start()

        def stop_once(seats: Sequence[int], cue_ns: int, *rest: int) -> None:
            cues.append(cue_ns)
            on_count(seats, cue_ns, *rest)
            if len(cues) == 1:
                players.camera.stall()

        players.on_count, players.camera.start = stop_once, start_slowly
        match.play()
        events = [event for event in journal.events(match.number) if event.round]
    assert [event.kind for event in events] == ["round_voided", "round_judged", "round_judged"]
    assert json_body(events[0])["text"].startswith("The camera gave no image at the lock.")


def arriving_class() -> tuple[SimulatedClock, AttendanceScanner]:
    """A class of eight that holds its cards up one after the other, and a student of another class with card 9."""
    clock = SimulatedClock()
    players = SimulatedClass(clock, 9, seed=1)
    players.camera.start()
    players.arrive()
    return clock, AttendanceScanner(players.camera, range(1, 9))


@pytest.mark.slow
def test_attendance_of_a_moving_class_goes_on_from_the_frames_before() -> None:
    clock, scanner = arriving_class()
    seen = [frozenset[int]()]
    for _ in range(6 * 24):
        clock.wait_until(clock.now_ns() + 1_000_000_000 // 24)
        if scanner.scan():
            seen.append(scanner.attendance.seen)
    assert all(later >= earlier for earlier, later in pairwise(seen))
    assert seen[-1] == set(range(1, 9)) and scanner.attendance.unknown == (9,)


def test_attendance_keeps_students_it_has_seen() -> None:
    clock, scanner = arriving_class()
    clock.wait_until(clock.now_ns() + 1_500_000_000)
    assert scanner.scan() and not scanner.scan()  # the same frame is not looked at twice
    first = scanner.attendance
    assert 0 < len(first.seen) < 8
    clock.wait_until(clock.now_ns() + 4_000_000_000)
    scanner.scan()
    assert scanner.attendance.seen == set(range(1, 9)) and scanner.attendance.unknown == (9,)
    gone = update_attendance(scanner.attendance, read_class(np.zeros((90, 160), np.uint8), range(1, 9)))
    assert gone.seen == scanner.attendance.seen


def test_attendance_without_a_screen_prints_the_missing(capsys: pytest.CaptureFixture[str]) -> None:
    clock = SimulatedClock()
    players = SimulatedClass(clock, 9, seed=1)
    players.camera.start()
    roll = print_attendance(players.camera, clock, tuple(f"Player {n}" for n in range(1, 10)))
    assert roll.seen == frozenset()
    assert capsys.readouterr().out.splitlines()[0] == "0 of 9 seen"


def test_a_class_has_fixed_options_only() -> None:
    rules = CLASS_RULES
    assert {"teams", "changes", "free"}.isdisjoint(option.name for option in rules.options)
    assert all(not option.allowed.allows("wish") and "wish" not in option.description for option in rules.options)
    options = with_class_options({"count": True})
    assert options["rounds"] == CLASS_ROUNDS and options["changes"] is False
    assert options["count"] is True and options["blitz"] is False
    play = Play(find_game("battle").set_up(9, options))
    for _ in range(2):
        assert play.prompt and play.prompt.kind == "throw", "nobody is asked one by one"
        play.answer(dict.fromkeys(range(1, 10), "rock"))


def test_tables_agree_with_the_calculator_and_the_page() -> None:
    throws: dict[int, Throw | None] = {**sample_throws(30), 31: None}
    lines, stands = evaluate_round(throws)
    view = sample_message(tuple(Player(seat, f"Player {seat}", 0) for seat in range(1, 31)))
    on_page = count_throws([player_standing(player.facts) for player in view.players], view.facts)
    assert throw_lines(on_page) == throw_lines(lines)
    assert sum(line.count for line in lines) == 30 and stands[31].outcome is None
    table = student_lines({1: "Mia", 31: "Player 31"}, {1: stands[1], 31: stands[31]})
    assert "Mia" in table[1] and "none" in table[2]
    assert throw_lines(lines)[0].split() == ["throw", "thrown", "won", "tied", "lost", "beats"]
    tied = student_lines({1: "Mia"}, {1: PlayerStanding(Throw.ROCK, Outcome.TIED)})
    assert tied[1].split() == ["1", "Mia", "rock", "tied"]
    assert len(round_lines(view)) == 3 + 1 + 30 + 1
    inverted, _ = evaluate_round(throws, ["inverted"])
    assert {line.throw: line.beats for line in inverted} != {line.throw: line.beats for line in lines}
    one_side, _ = evaluate_round({1: Throw.ROCK, 3: Throw.PAPER}, ["team"])
    assert all(line.outcomes[Outcome.TIED] == line.count for line in one_side)


def test_names_next_to_the_journal_are_used(tmp_path: Path) -> None:
    (tmp_path / "class.txt").write_text("Mia\nNoah\n")
    names = tuple(f"Player {seat}" for seat in range(1, 4))
    config = MatchConfig(find_game("battle").set_up(3), names, HouseRules())
    assert with_class_names(config, tmp_path / "x.journal").names == ("Mia", "Noah", "Player 3")
    own = replace(config, names=("Ada", "Ben", "Cy"))
    assert with_class_names(own, tmp_path / "x.journal") is own
    (tmp_path / "class.txt").write_text("Mia\nNoah\nCy\nDi\n")
    with pytest.raises(NameListError, match=r"class\.txt has 4 names for 3 students"):
        with_class_names(config, tmp_path / "x.journal")


@pytest.mark.slow
def test_command_plays_a_class_and_reads_an_image(tmp_path: Path) -> None:
    run = CliRunner()
    journal = tmp_path / "a.journal"
    asked = ["class", "--camera", "simulated", "--students", "10", "--headless", "--seed", "3", "--option", "rounds=1"]
    played = run.invoke(throwlock, [*asked, "--journal", str(journal)], catch_exceptions=False)
    assert played.exit_code == 0 and "10 of 10 seen" in played.output and "scissors" in played.output
    again = run.invoke(throwlock, [*asked, "--journal", str(tmp_path / "b.journal")], catch_exceptions=False)
    assert again.output.splitlines()[:-1] == played.output.splitlines()[:-1], "all but the proof code"
    clock = SimulatedClock()
    players = SimulatedClass(clock, 10, seed=3)
    players.camera.start()
    clock.wait_until(1_000_000_000)
    players.arrive()
    clock.wait_until(6_000_000_000)
    picture = tmp_path / "room.png"
    cv2.imwrite(str(picture), players.camera.latest().pixels()[..., ::-1])
    read = run.invoke(throwlock, ["class", "--students", "11", "--picture", str(picture), "--json"])
    found = json.loads(read.output)
    assert [one["throw"] for one in found["students"]] == ["rock"] * 10 + [None]
    assert found["students"][10]["cause"] == "no card seen" and found["students"][0]["result"] == "tie"
    assert found["unknown_numbers"] == []
    fewer = run.invoke(throwlock, ["class", "--students", "8", "--picture", str(picture), "--json"])
    assert json.loads(fewer.output)["unknown_numbers"] == [9, 10]
    result = run.invoke(throwlock, ["class", "--students", "11", "--picture", str(picture)])
    assert result.output.splitlines()[:2] == ["10 throws from 11 students.", "  11: no card seen"]


def test_a_list_is_kept_used_and_deleted(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("Mia;Meier\nNoah;Nowak\n")
    (tmp_path / "room.png").write_bytes(cv2.imencode(".png", np.full((90, 160, 3), 200, np.uint8))[1].tobytes())
    run = CliRunner()
    place = ["--journal", str(tmp_path / "a.journal")]
    room = ["class", *place, "--class", "3b", "--picture", str(tmp_path / "room.png"), "--json"]
    for options in ([*room, "--names", str(tmp_path / "names.csv")], [*room[:4], "3B", *room[5:]]):
        read = run.invoke(throwlock, options, catch_exceptions=False)
        assert [one["name"] for one in json.loads(read.output)["students"]] == ["Mia Meier", "Noah Nowak"]
    assert run.invoke(throwlock, ["class", *place, "--lists"]).output == "3b: 2 students\n"
    cards = ["cards", "class", *place, "--class", "3b", "--out", str(tmp_path / "cards.pdf")]
    assert run.invoke(throwlock, cards).exit_code == 0 and (tmp_path / "cards.pdf").exists()
    assert run.invoke(throwlock, ["class", *place, "--class", "3b", "--delete"]).exit_code == 0
    assert run.invoke(throwlock, ["class", *place, "--lists"]).output == ""
    missing = run.invoke(throwlock, ["class", *place, "--class", "3b", "--headless"])
    assert str(missing.exception) == "there is no class list named 3b"


@pytest.mark.parametrize(
    ("names", "more", "why"),
    [
        ("Mia\n", [], "a class needs at least two students"),
        ("", [], "a class needs at least two students"),
        ("Mia\nNoah\nZoe\n", ["--students", "2"], "3 names for 2 students"),
        ("Mia\nNoah\n", ["--option", "speed=1"], "battle has no option 'speed'"),
        ("Mia\nNoah\n", ["--json"], "--json goes with --picture"),
        ("Mia\nNoah\n", ["--camera", "none"], "a class needs a camera"),
        ("Mia\nNoah\n", ["--picture", "nowhere.jpg"], "nowhere.jpg"),
    ],
)
def test_a_refused_command_leaves_the_list_as_it_was(tmp_path: Path, names: str, more: list[str], why: str) -> None:
    lists = ClassLists(tmp_path / "a.journal")
    lists.save("3b", ("Ada", "Ben"))
    (tmp_path / "names.txt").write_text(names)
    command = ["class", "--class", "3b", "--names", str(tmp_path / "names.txt"), "--headless"]
    refused = CliRunner().invoke(throwlock, [*command, "--journal", str(tmp_path / "a.journal"), *more])
    assert why in refused.output + str(refused.exception)
    assert lists.read() == {"3b": ("Ada", "Ben")}


def test_new_class_list_replaces_the_old(tmp_path: Path) -> None:
    lists = ClassLists(tmp_path / "a.journal")
    lists.save("3b", ("Ada", "Ben"))
    (tmp_path / "names.txt").write_text("Mia\nNoah\nZoe\n")
    place = ["--journal", str(tmp_path / "a.journal"), "--headless", "--camera", "simulated", "--option", "rounds=1"]
    command = ["class", *place, "--class", "3B", "--names", str(tmp_path / "names.txt")]
    played = CliRunner().invoke(throwlock, command, catch_exceptions=False)
    assert played.exit_code == 0 and "Noah" in played.output
    assert lists.read() == {"3B": ("Mia", "Noah", "Zoe")}


def test_a_kept_list_of_one_is_too_short_for_a_class(tmp_path: Path) -> None:
    ClassLists(tmp_path / "a.journal").save("3b", ("Ada",))
    command = ["class", "--class", "3b", "--headless", "--journal", str(tmp_path / "a.journal")]
    assert "a class needs at least two students" in CliRunner().invoke(throwlock, command).output


def test_every_cause_has_the_screens_words_on_the_terminal() -> None:
    students = tuple(Student(number, None, cause) for number, cause in enumerate(ClassCardCause, 1))
    names = ("Ada", *(f"Player {number}" for number in range(2, len(students) + 1)))
    assert cause_lines(ClassReading(students, (9,)), names) == [
        "0 throws from 5 students.",
        "  1 Ada: no card seen",
        "  2: card moving",
        "  3: card tilted",
        "  4: no throw on the top edge",
        "  5: card seen twice",
        "  Not of this class: 9",
    ]
    assert set(CLASS_CAUSES) == set(ClassCardCause)
    read = Student(1, Throw.ROCK, None)
    assert cause_lines(ClassReading((read, read)), names[:2])[0] == "2 throws from 2 students."
    assert cause_lines(ClassReading((read, students[1])), names[:2])[0] == "1 throw from 2 students."


@pytest.mark.parametrize("keep", [False, True])
def test_a_class_that_would_fit_at_a_table_throws_cards_too(tmp_path: Path, keep: bool) -> None:
    journal = tmp_path / "a.journal"
    asked = ["class", "--camera", "simulated", "--students", "4", "--headless", "--seed", "3", "--option", "rounds=1"]
    more = ["--keep-picture"] if keep else []
    played = CliRunner().invoke(throwlock, [*asked, *more, "--journal", str(journal)], catch_exceptions=False)
    assert played.exit_code == 0 and "4 of 4 seen" in played.output
    with JournalReader(journal) as reader:
        event = next(event for event in reader.events() if event.round)
        lock = next(one for one in reader.evidence(event.number) if one.name == "lock.jpg")
    picture = cv2.imdecode(np.frombuffer(lock.data, np.uint8), cv2.IMREAD_COLOR)
    blank = np.abs(picture.astype(int) - BLANK_GREY).max(2) < 12
    assert (blank.mean() > 0.9) is not keep, "faces are saved only where that was asked for"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["--option", "wish=1"], "battle has no option 'wish'"),
        (["--option", "team=wish"], "option team can’t be"),
        (["--json"], "goes with --picture"),
        (["--camera", "none"], "needs a camera"),
        (["--picture", "nowhere.jpg"], "nowhere.jpg"),
    ],
)
def test_user_errors_are_reported(asked: list[str], why: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(throwlock, ["class", "--headless", "--journal", str(tmp_path / "a"), *asked])
    assert why in (run.output + str(run.exception))
    assert not (tmp_path / "a").exists()


def test_pages_list_the_missing() -> None:
    pages = classroom_samples()
    roll = pages["classroom-roll-call-30"]
    assert isinstance(roll, RollCall) and roll.missing == (4, 17, 23)
    assert roll.poll().attendance == Attendance()  # what is so now
