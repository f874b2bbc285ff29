"""An evening at the box: what fails is said on the screen with what to do, and what people choose is done."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.camera.base import CameraError
from device.system.clock import SimulatedClock
from rules.catalogue import GAMES
from rules.record.tournament import TournamentAbandoned, TournamentStarted
from rules.throws import Throw
from rules.tournaments.fixture import Format
from tests.helpers.home_people import CLASSIC, People, make_session
from throwlock.house_rules import HouseRules
from throwlock.journal.events import Answered, MatchAbandoned
from throwlock.journal.file import quarantine
from throwlock.journal.journal import NO_MATCH, Journal, JournalError, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import NextStep, run_match
from throwlock.preparing import FETCHES_MODEL
from throwlock.replay.config import MatchConfig
from throwlock.review.verify import verify
from throwlock.session import AssignSeats
from throwlock.table_setup.class_names import LISTS_FILE, ClassLists
from ui.i18n import language
from ui.screen.pages.calculator import Calculator
from ui.screen.pages.countdown import Preparing
from ui.screen.pages.group_question import GroupQuestion
from ui.screen.pages.history import LINES_PER_PAGE, HistoryAnswer, HistoryList
from ui.screen.pages.home import (
    DEFAULT_CLASS_SIZE,
    LAST_GAME_ANSWER,
    RESUME_ANSWER,
    TURNED_ANSWER,
    ChosenGame,
    GameMenu,
    GamesPage,
    HomeTool,
    RunningTournament,
    SetUpPage,
)
from ui.screen.pages.how_to_play import FirstTimePage
from ui.screen.pages.message import GameMessage
from ui.screen.pages.notice import Notice
from ui.screen.pages.result import MatchResult
from ui.screen.pages.seating import SeatingAnswer, SeatingView
from ui.screen.pages.settings import LanguageChoice, SettingsAnswer, SettingsView
from ui.screen.pages.tournament import ToTournament, TournamentView
from ui.screen.views import NobodyAnswered, Reply
from vision.hands.model import ModelError
from vision.zones import default_zones


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))


@pytest.mark.parametrize("for_children", [True, False])
def test_children_are_offered_games_without_bets(tmp_path: Path, for_children: bool) -> None:
    (tmp_path / "throwlock.toml").write_text(f"[screen]\nchildren = {str(for_children).lower()}\n")
    people = People({GameMenu: []})
    make_session(people, tmp_path, lambda *_: "home", camera="none")
    names = [rules.name for rules in people.of(GameMenu)[0].games]
    assert names == (["classic"] if for_children else list(GAMES))


def test_a_game_that_children_are_not_offered_is_not_opened_again() -> None:
    menu = GameMenu((GAMES["classic"],), (HomeTool.SETTINGS,), opened=ChosenGame("redeux", 2))
    assert isinstance(menu.first_page(), GamesPage)
    assert isinstance(replace(menu, opened=CLASSIC).first_page(), SetUpPage)


def test_waiting_page_is_shown_while_a_match_is_prepared(tmp_path: Path) -> None:
    people, before = People({GameMenu: [CLASSIC]}), []

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        before.append(people.seen[-1])
        return "home"

    make_session(people, tmp_path, run_one)
    assert before == [Preparing("Classic")]


@pytest.mark.parametrize(("camera", "fetches"), [("simulated", True), ("none", False)])
def test_waiting_page_says_that_the_hand_model_is_fetched(
    camera: str, fetches: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THROWLOCK_CACHE", str(tmp_path / "empty"))
    people = People({GameMenu: [CLASSIC]})
    make_session(people, tmp_path, lambda *_: "home", camera=camera)
    assert [page.title for page in people.of(Preparing)] == [FETCHES_MODEL if fetches else "Classic"]


@pytest.mark.parametrize("error", [CameraError("no camera usb:0"), ModelError("the hand model can’t be had")])
def test_match_without_camera_is_offered_if_camera_or_model_fails(tmp_path: Path, error: Exception) -> None:
    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        if config.camera != "none":
            raise error
        return "home"

    people = People({GameMenu: [CLASSIC], Notice: ["try again", NextStep.WITHOUT_CAMERA]})
    began = make_session(people, tmp_path, run_one)
    assert [config.camera for config in began] == ["usb:0", "usb:0", "none"]
    assert all(NextStep.WITHOUT_CAMERA in notice.choices and "home" in notice.choices for notice in people.of(Notice))


def test_the_next_match_tries_the_camera_again(tmp_path: Path) -> None:
    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        if config.camera != "none":
            raise CameraError("no camera usb:0")
        return "home"

    people = People({GameMenu: [CLASSIC, CLASSIC], Notice: NextStep.WITHOUT_CAMERA})
    began = make_session(people, tmp_path, run_one)
    assert [config.camera for config in began] == ["usb:0", "none", "usb:0", "none"]
    without_camera = People({GameMenu: []})
    make_session(without_camera, tmp_path, run_one, camera="none")
    assert not {"zones", "practise"} & set(without_camera.of(GameMenu)[0].tools), "no tool that needs a camera"
    assert {"zones", "practise"} <= set(people.of(GameMenu)[0].tools)


def test_home_is_offered_after_an_error(tmp_path: Path) -> None:
    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        raise CameraError("camera usb:0 has stopped sending images: check its cable and start again")

    people = People({GameMenu: [CLASSIC, CLASSIC], Notice: "home"})
    assert len(make_session(people, tmp_path, run_one)) == 2
    assert len(people.of(GameMenu)) == 3


def test_full_disk_can_be_retried_and_keeps_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    Journal(path).__enter__().__exit__(None, None, None)
    errors = [JournalError(f"the disk of {path} is full: free some space and continue")]

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        if errors:
            raise errors.pop()
        return "home"

    people = People({GameMenu: [CLASSIC], Notice: "try again"})
    assert len(make_session(people, tmp_path, run_one)) == 2
    assert people.of(Notice)[0].choices == ("try again", "home")


def test_damaged_journal_is_renamed_and_never_deleted(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    path.write_bytes(b"no journal" * 100)

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        with Journal(options.journal):
            return "home"

    people = People({GameMenu: [CLASSIC], Notice: [NextStep.NEW_JOURNAL]})
    assert len(make_session(people, tmp_path, run_one)) == 2
    assert NextStep.NEW_JOURNAL in people.of(Notice)[0].choices
    assert (tmp_path / "session.journal.broken-1").read_bytes() == b"no journal" * 100
    with JournalReader(path) as reader:
        assert reader.matches() == []
    path.write_bytes(b"again")
    assert quarantine(path).name == "session.journal.broken-2"


def test_seats_are_kept_for_the_next_match(tmp_path: Path) -> None:
    ends = ["again", "home"]

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        if assign_seats is not None:
            assert assign_seats(config, default_zones(2)) is not None
        return ends.pop(0)

    people = People({GameMenu: [CLASSIC], SeatingView: SeatingAnswer(("Ann", ""))})
    began = make_session(people, tmp_path, run_one)
    assert [config.names for config in began] == [("Player 1", "Player 2"), ("Ann", "Player 2")]
    assert len(people.of(SeatingView)) == 1


def test_names_and_number_of_players_are_those_of_the_last_match(tmp_path: Path) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        game = GAMES["classic"].set_up(3, {})
        config = MatchConfig(game, ("Ann", "Player 2", "Zoë"), HouseRules(), 0, "none")
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        assert assign_seats is not None
        assign_seats(config, default_zones(4))
        return "home"

    people = People({GameMenu: [ChosenGame("classic", 4, {})], SeatingView: SeatingAnswer(("Ann", "", "", ""))})
    make_session(people, tmp_path, run_one)
    (seating,) = people.of(SeatingView)
    assert seating.names == ("Ann", "", "Zoë", "") and seating.known_names == ("Zoë", "Ann")
    assert [menu.usual_seats for menu in people.of(GameMenu)] == [3, 4]


def test_names_from_the_command_line_skip_seat_assignment(tmp_path: Path) -> None:
    people = People({GameMenu: [CLASSIC]})

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        assert assign_seats is not None and assign_seats(config, default_zones(2)) == config
        return "home"

    began = make_session(people, tmp_path, run_one, ("Ann",))
    assert began[0].names == ("Ann", "Player 2") and not people.of(SeatingView)


def ask_seats(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
    """Begin a match with the seats that people choose, and give it up."""
    if assign_seats is not None:
        config = assign_seats(config, default_zones(2))
    with Journal(options.journal) as journal:
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
    return "home"


def test_a_new_game_is_offered_to_be_explained_once(tmp_path: Path) -> None:
    groups = [("Ann", "Ben"), ("Ann", "Ben"), ("Chidi", "ann "), ("Chidi", "Dora"), ("Eve", "Fay")]
    people = People(
        {
            GameMenu: [CLASSIC, CLASSIC, CLASSIC, ChosenGame("redeux", 2), CLASSIC],
            SeatingView: [SeatingAnswer(names) for names in groups],
        }
    )
    make_session(people, tmp_path, ask_seats, camera="none")
    offers = [page.explanation for page in people.of(FirstTimePage)]
    assert [page.title for page in offers] == ["Classic", "RPS Redeux", "Classic"]
    assert all(page.then == Reply("start") and page.done == "Start" for page in offers)
    assert "on the screen" in offers[0].pages[1].text, "as it is played without a camera"


def test_players_without_a_name_are_offered_a_game_once(tmp_path: Path) -> None:
    people = People({GameMenu: [CLASSIC, CLASSIC], SeatingView: SeatingAnswer(("", ""))})
    make_session(people, tmp_path, ask_seats)
    assert len(people.of(FirstTimePage)) == 1
    again = People({GameMenu: [CLASSIC], SeatingView: SeatingAnswer(("", ""))})
    make_session(again, tmp_path, ask_seats)
    assert not again.of(FirstTimePage)


def test_a_group_that_goes_back_after_the_offer_is_not_asked_twice(tmp_path: Path) -> None:
    def go_back(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        assert assign_seats is not None
        assign_seats(config, default_zones(2))
        return "home"

    people = People({GameMenu: [CLASSIC, CLASSIC], SeatingView: SeatingAnswer(("Ann", "Ben"))})
    make_session(people, tmp_path, go_back)
    assert len(people.of(FirstTimePage)) == 1 and len(people.of(SeatingView)) == 2


@pytest.mark.parametrize("options", [{"camera": "simulated"}, {"headless": True, "buttons": True}])
def test_no_offer_at_a_simulated_table_or_without_a_screen(tmp_path: Path, options: dict[str, Any]) -> None:
    people = People({GameMenu: [CLASSIC], SeatingView: SeatingAnswer(("Ann", "Ben"))})
    make_session(people, tmp_path, ask_seats, **options)
    assert not people.of(FirstTimePage)


def test_a_match_again_and_an_unfinished_one_offer_nothing(tmp_path: Path) -> None:
    ends = ["again", "home"]

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        ask_seats(options, config, assign_seats)
        return ends.pop(0)

    people = People({GameMenu: [CLASSIC], SeatingView: SeatingAnswer(("Ann", "Ben"))})
    make_session(people, tmp_path, run_one)
    assert len(people.of(FirstTimePage)) == 1


def play_through(people: People) -> Callable[..., object]:
    """Return what plays a match on the display of ``people``, without a camera."""
    return lambda options, config, assign: run_match(options, config, lambda: people, SimulatedClock(), assign)


def test_going_back_from_the_seats_leads_to_the_set_up_as_it_was(tmp_path: Path) -> None:
    chosen = ChosenGame("classic", 3, {"best_of": 5})
    people = People({GameMenu: [chosen], SeatingView: "back"})
    make_session(people, tmp_path, play_through(people), camera="none")
    first, second = people.of(GameMenu)
    page = second.first_page()
    assert isinstance(page, SetUpPage) and not isinstance(first.first_page(), SetUpPage)
    assert (page.game.name, page.seats, page.options) == ("classic", 3, {"best_of": 5})
    assert not (tmp_path / "session.journal").exists()


def test_back_from_the_explanation_offer_keeps_the_seats(tmp_path: Path) -> None:
    seats = [SeatingAnswer(("Ann", "Ben")), "back"]
    people = People({GameMenu: [CLASSIC], SeatingView: seats, FirstTimePage: "back"})
    make_session(people, tmp_path, play_through(people), camera="none")
    assert [view.names for view in people.of(SeatingView)] == [("", ""), ("Ann", "Ben")]
    assert people.of(GameMenu)[-1].opened is not None
    given = People({GameMenu: [CLASSIC], FirstTimePage: "back"})
    make_session(given, tmp_path, play_through(given), ("Ann", "Ben"), camera="none")
    assert given.of(GameMenu)[-1].opened is not None, "whose names are given sees no seats"


def seated(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
    """A match of which nobody was asked who plays it."""
    assert assign_seats is None
    return "home"


def test_the_last_game_is_played_again_in_one_touch(tmp_path: Path) -> None:
    game = GAMES["classic"].set_up(3, {"best_of": 5})
    config = MatchConfig(game, ("Ann", "Player 2", "Zoë"), HouseRules(), 0, "none")
    with Journal(tmp_path / "session.journal") as journal:
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
    people = People({GameMenu: [LAST_GAME_ANSWER, TURNED_ANSWER]})
    began = make_session(people, tmp_path, seated, camera="none")
    assert [match.game.setup for match in began] == [game.setup] * 2
    assert [match.names for match in began] == [("Ann", "Player 2", "Zoë"), ("Zoë", "Ann", "Player 3")]
    assert all("Classic" in str(menu.last) and not menu.unfinished for menu in people.of(GameMenu))


def test_a_match_again_may_turn_the_seats(tmp_path: Path) -> None:
    ends = [TURNED_ANSWER, "home"]

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        if assign_seats is not None:
            assign_seats(config, default_zones(2))
        return ends.pop(0)

    people = People({GameMenu: [CLASSIC], SeatingView: SeatingAnswer(("Ann", "Ben")), FirstTimePage: "start"})
    began = make_session(people, tmp_path, run_one)
    assert began[1].names == ("Ben", "Ann")


def test_a_class_and_a_new_box_have_no_game_to_play_again(tmp_path: Path) -> None:
    game = GAMES["battle"].set_up(9, {})
    people = People({GameMenu: []})
    make_session(people, tmp_path, seated)
    config = MatchConfig(game, tuple(f"Player {seat}" for seat in range(1, 10)), HouseRules(), 0, "none")
    with Journal(tmp_path / "session.journal") as journal:
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
    make_session(people, tmp_path, seated)
    assert [menu.last for menu in people.of(GameMenu)] == ["", ""]


@pytest.mark.parametrize("seats", [2, 7])
def test_a_random_game_is_one_that_the_last_people_can_play(tmp_path: Path, seats: int) -> None:
    config = MatchConfig(GAMES["classic"].set_up(seats, {}), tuple("ABCDEFG"[:seats]), HouseRules(), 0, "none")
    with Journal(tmp_path / "session.journal") as journal:
        journal.append(journal.start_match(config.start_event(), config.names), MatchAbandoned())
    people = People({GameMenu: [HomeTool.RANDOM] * 20})
    began = make_session(people, tmp_path, seated, camera="none")
    assert {match.names for match in began} == {config.names}
    assert len({match.game.rules.name for match in began}) > 1


def test_a_random_game_on_a_new_box_asks_who_plays(tmp_path: Path) -> None:
    people = People({GameMenu: [HomeTool.RANDOM], SeatingView: "back"})
    make_session(people, tmp_path, play_through(people), camera="none")
    assert len(people.of(SeatingView)) == 1


def test_a_tournament_that_goes_on_is_on_the_home_page(tmp_path: Path) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        started = TournamentStarted(title="Cup", game="classic", options={}, format=Format.KNOCKOUT)
        number = journal.start_tournament(started, ("Ann", "Ben"))
    people = People({GameMenu: [ToTournament(number)], TournamentView: None, HistoryList: HistoryAnswer.HOME})
    make_session(people, tmp_path, seated, camera="none")
    (menu, _), (page,) = people.of(GameMenu), people.of(TournamentView)
    assert menu.tournament == RunningTournament(number, "Cup") and page.number == number
    with Journal(tmp_path / "session.journal") as journal:
        journal.append(NO_MATCH, TournamentAbandoned(tournament=number))
    later = People({GameMenu: []})
    make_session(later, tmp_path, seated, camera="none")
    assert later.of(GameMenu)[0].tournament is None


@pytest.mark.parametrize("page", [SeatingView, FirstTimePage])
def test_nobody_there_before_a_match_leads_home_and_begins_nothing(tmp_path: Path, page: type) -> None:
    def leave(view: Any) -> NobodyAnswered:
        return NobodyAnswered(view.first_page())

    seats = SeatingAnswer(("Ann", "Ben"))
    people = People({GameMenu: [CLASSIC, CLASSIC], SeatingView: seats, FirstTimePage: None} | {page: leave})

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        return run_match(options, config, lambda: people, SimulatedClock(), assign_seats)

    make_session(people, tmp_path, run_one, camera="none")
    assert len(people.of(GameMenu)) == 3 and len(people.of(page)) == 2
    assert not (tmp_path / "session.journal").exists()


def test_settings_and_language_apply_to_the_next_match(tmp_path: Path) -> None:
    def change(view: SettingsView) -> SettingsAnswer:
        assert [one.key for one in view.visible_settings] and view.section == "screen"
        return SettingsAnswer({"rules.window_ms": 300, "rules.beat_ms": 900}, None)

    people = People(
        {GameMenu: ["settings", "language", CLASSIC], SettingsView: change, LanguageChoice: "de", Notice: "home"}
    )
    began = make_session(people, tmp_path, lambda *_: "home", rule_overrides={"beat_ms": 500})
    assert (began[0].house_rules.window_ms, began[0].house_rules.beat_ms) == (300, 500), "the command line comes first"
    assert language.current_language() == "de" and len(people.of(LanguageChoice)) == 1
    assert 'language = "de"' in (tmp_path / "throwlock.toml").read_text()


def test_whole_match_without_a_camera(tmp_path: Path) -> None:
    """Everybody enters a sealed throw at the same time, and the match is journaled like any other."""
    path = tmp_path / "session.journal"
    throws = iter([(Throw.ROCK, Throw.ROCK), (Throw.PAPER, Throw.ROCK)])

    def throws_for(view: GroupQuestion) -> dict[int, object]:
        assert view.prompt.kind == "throw" and view.prompt.is_private
        assert view.hint is None or "together" in view.hint, "there is no count to throw on"
        return dict(zip(view.prompt.seats, next(throws), strict=True))

    people = People(
        {
            GroupQuestion: throws_for,
            MatchResult: "home",
            SeatingView: SeatingAnswer(("Ann", "Ben")),
            GameMenu: [CLASSIC],
        }
    )

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        return run_match(options, config, lambda: people, SimulatedClock(), assign_seats)

    make_session(people, tmp_path, run_one, camera="none")
    (ended,) = people.of(MatchResult)
    assert ended.result.winners == (1,) and [player.name for player in ended.players] == ["Ann", "Ben"]
    assert not ended.can_dispute, "there is no picture to look at"
    assert people.of(GameMessage) and next(throws, None) is None
    with JournalReader(path) as reader:
        assert not verify(reader).problems and reader.unfinished_match() is None


def test_match_continues_without_a_failed_camera(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    game = GAMES["classic"].set_up(2, {"best_of": 3})
    launch = LaunchOptions(path, "usb:0")
    with Journal(path) as journal:
        config = MatchConfig(game, ("Ann", "Ben"), launch.house_rules, 0, "usb:0")
        number = journal.start_match(config.start_event(), config.names)
        journal.append(number, Answered(prompt="throw", answers={1: "rock", 2: "paper"}))

    def throws_for(view: GroupQuestion) -> dict[int, object]:
        return {1: Throw.ROCK, 2: Throw.PAPER}

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        return run_match(options, config, lambda: people, SimulatedClock(), assign_seats)

    people = People(
        {GroupQuestion: throws_for, Notice: ["go on", NextStep.WITHOUT_CAMERA], MatchResult: "home", GameMenu: []}
    )
    make_session(people, tmp_path, run_one, camera="usb:99")
    (ended,) = people.of(MatchResult)
    assert ended.result.winners == (2,) and len(people.of(GroupQuestion)) == 1 and not people.of(SeatingView)


def leave_unfinished(path: Path, answers: int = 1) -> int:
    """Write a match that people left; return its number."""
    game = GAMES["classic"].set_up(2, {"best_of": 3})
    with Journal(path) as journal:
        config = MatchConfig(game, ("Ann", "Ben"), LaunchOptions(path, "none").house_rules, 0, "none")
        number = journal.start_match(config.start_event(), config.names)
        for _ in range(answers):
            journal.append(number, Answered(prompt="throw", answers={1: "rock", 2: "paper"}))
    return number


def kinds(path: Path) -> list[str]:
    with JournalReader(path) as reader:
        return [event.kind for event in reader.events()]


def test_match_that_was_left_is_resumed_from_the_home_page(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    began: list[MatchConfig] = []

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        if not began:
            leave_unfinished(path)
        began.append(config)
        return "home"

    people = People({GameMenu: [CLASSIC, RESUME_ANSWER], SeatingView: "back"})
    make_session(people, tmp_path, run_one, camera="none")
    menus = people.of(GameMenu)
    assert [str(menu.unfinished) for menu in menus] == [
        "",
        "Go on with Classic",
        "Go on with Classic",
    ]
    assert began[1].game.setup.options == {"best_of": 3} and not people.of(Notice), "nobody is asked on the way home"
    assert kinds(path) == ["match_started", "answered"]


def test_match_is_given_up_at_once_and_before_another_begins(tmp_path: Path) -> None:
    path = tmp_path / "session.journal"
    leave_unfinished(path)
    people = People({GameMenu: [], Notice: "give it up"})
    make_session(people, tmp_path, lambda *_: "home", camera="none")
    assert kinds(path) == ["match_started", "answered", "match_abandoned"], "though no other match has begun"
    leave_unfinished(path)
    began: list[object] = []
    people = People({GameMenu: [CLASSIC, CLASSIC, CLASSIC], Notice: ["go on", "back", "go on with it", "give it up"]})

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: AssignSeats | None) -> object:
        began.append((config.game.setup.options["best_of"], options.new, kinds(path)[-1]))
        return "home"

    make_session(people, tmp_path, run_one, camera="none")
    assert began == [(3, False, "answered"), (3, False, "answered"), (1, False, "match_abandoned")]
    assert [notice.choices for notice in people.of(Notice)[1:]] == [("go on with it", "give it up", "back")] * 3


def test_class_is_not_a_dead_end(tmp_path: Path) -> None:
    people = People({GameMenu: ["class", "back", "class"], Notice: "home"})
    assert make_session(people, tmp_path, lambda *_: "home") == []
    home, of_class, again, _ = people.of(GameMenu)
    assert of_class.can_go_back and not home.can_go_back and again == replace(home, shows_tools=True)


def test_a_tool_leads_back_to_the_tools_and_what_is_on_the_home_page_to_that(tmp_path: Path) -> None:
    people = People(
        {
            GameMenu: ["calculator", "language", "past matches"],
            HistoryList: "home",
            Calculator: "home",
            LanguageChoice: "en",
        }
    )
    assert make_session(people, tmp_path, lambda *_: "home") == []
    assert [menu.shows_tools for menu in people.of(GameMenu)] == [False, True, False, True]


def test_the_set_up_of_a_class_leads_back_to_the_classes(tmp_path: Path) -> None:
    ClassLists(tmp_path / "session.journal").save("3b", tuple("ABCDEFGHIJKL"))
    people = People({GameMenu: ["class", "back"], HistoryList: [0, "back"], Notice: "home"})
    assert make_session(people, tmp_path, lambda *_: "home") == []
    assert len(people.of(HistoryList)) == 2 and people.of(GameMenu)[-1].shows_tools


def test_class_plays_with_the_list_that_people_choose(tmp_path: Path) -> None:
    lists = ClassLists(tmp_path / "one.journal")
    for number in range(LINES_PER_PAGE):
        lists.save(f"{number}a", ("Ada", "Ben"))
    lists.save("9b", tuple(f"Student {number}" for number in range(1, 13)))
    played: list[tuple[str, ...]] = []

    def play(options: LaunchOptions, config: MatchConfig, assign: object) -> str:
        played.append(config.names)
        return "home"

    chosen = ChosenGame("battle", 13)
    people = People(
        {
            GameMenu: ["class", chosen, "class", chosen, "class"],
            HistoryList: ["later", LINES_PER_PAGE, "unnamed", "back"],
        }
    )
    make_session(people, tmp_path, play)
    assert played == [
        (*(f"Student {number}" for number in range(1, 13)), "Player 13"),
        tuple(f"Player {number}" for number in range(1, 14)),
    ]
    first, second, *_ = people.of(HistoryList)
    assert [line.title for line in second.lines] == ["9b"] and second.list_page == 1 and first.has_more
    menus = [menu for menu in people.of(GameMenu) if menu.can_go_back]
    assert [(menu.class_name, menu.usual_seats) for menu in menus] == [("9b", 12), ("", DEFAULT_CLASS_SIZE)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("all play", "A B C D E F G H I J K L"),
        ("they wait", "A B C D E F G H I J"),
        ("back", None),
    ],
)
def test_class_is_told_who_has_no_seat(answer: str, expected: str | None, tmp_path: Path) -> None:
    ClassLists(tmp_path / "session.journal").save("3b", tuple("ABCDEFGHIJKL"))
    people = People({GameMenu: ["class", ChosenGame("battle", 10)], HistoryList: [0], Notice: answer})
    began = make_session(people, tmp_path, lambda *_: "home")
    assert [" ".join(config.names) for config in began] == ([] if expected is None else [expected])
    (notice,) = people.of(Notice)
    assert "K, L" in notice.text and "J" not in notice.text


def test_damaged_class_lists_are_reported_and_a_class_still_plays(tmp_path: Path) -> None:
    (tmp_path / LISTS_FILE).write_text("[]")
    people = People({GameMenu: ["class", "back"], Notice: "ok"})
    make_session(people, tmp_path, lambda *_: "home")
    (notice, *_) = people.of(Notice)
    assert "can’t be read (damaged)" in notice.text and people.of(GameMenu)[1].can_go_back
