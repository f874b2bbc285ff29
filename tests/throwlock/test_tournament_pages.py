"""Tournaments by touch: from the home page to the champions, and the same next match after a power cut anywhere."""

import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.system.clock import SimulatedClock
from rules.catalogue import find_game
from rules.engine import Result
from rules.record.tournament import (
    TournamentCorrected,
    TournamentMatch,
    TournamentNoShow,
    TournamentPlayerWithdrawn,
    TournamentResult,
    TournamentStarted,
)
from rules.tournaments.fixture import Format
from tests.helpers.home_people import People
from tests.helpers.pad_phones import Phones
from tests.helpers.panels import PANELS, Panel
from tests.helpers.scripted_display import ScriptedDisplay, Touch
from tests.helpers.tournament_people import TournamentPeople
from tests.helpers.tournament_steps import fixture_id
from throwlock.home import GameSession
from throwlock.house_rules import HouseRules
from throwlock.journal.events import MatchAbandoned, MatchEnded, MatchStarted, record_result
from throwlock.journal.journal import Event, Journal, JournalReader
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import runner_on
from throwlock.pads import texts as pad_texts
from throwlock.replay.config import MatchConfig
from throwlock.replay.tournaments import TournamentRecord, newest_tournament
from throwlock.review.verify import verify
from throwlock.seating import new_match_config
from throwlock.table_setup.cameras import CameraKind
from throwlock.tournament_pages import ChosenFixture, TournamentPages, tournament_view
from ui.screen.core.display import WindowClosedError
from ui.screen.drawing.canvas import Canvas, Target
from ui.screen.pages import tournament as tournament_page
from ui.screen.pages.history import HistoryList
from ui.screen.pages.home import ChosenGame, GameMenu
from ui.screen.pages.how_to_play import FirstTimePage
from ui.screen.pages.new_tournament import NewTournament
from ui.screen.pages.notice import Notice
from ui.screen.pages.pause import PausePage
from ui.screen.pages.seating import SeatingAnswer, SeatingView
from ui.screen.pages.standings import champions_text
from ui.screen.pages.tournament import (
    GIVE_UP_ANSWER,
    LateEntry,
    PlayFixture,
    ToTournament,
    TournamentAction,
    TournamentRoundPage,
    TournamentView,
)
from ui.screen.views import InteractiveView, View

pytestmark = pytest.mark.usefixtures("offline_box")


def hold(people: TournamentPeople) -> None:
    session = GameSession(
        LaunchOptions(people.journal, CameraKind.NONE), people, runner_on(people, people.clock), (), 0
    )
    with pytest.raises(WindowClosedError):
        session.run(None)
    assert people.bad_pages == {}


def new_people(journal: Path, panel: Panel = PANELS[0], **values: object) -> TournamentPeople:
    options = {"game": "classic", "options": {"best_of": 1}, **values}
    return TournamentPeople(random.Random(4), panel, SimulatedClock(), journal, 0, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel.size[0]}x{panel.size[1]}")
def test_tournament_by_touch_to_its_champion(panel: Panel, tmp_path: Path) -> None:
    people = new_people(tmp_path / "j", panel)
    hold(people)
    assert people.next_fixtures[0] == "K1.1" and people.next_fixtures[-1] == "K2.1"
    with JournalReader(tmp_path / "j") as reader:
        assert verify(reader).problems == ()
        record = newest_tournament(reader)
        assert record is not None and len(record.state.champions) == 1
        assert set(record.names) == set(people.players)
        kinds = [event.kind for event in reader.events()]
        assert kinds[:3] == ["tournament_started", "tournament_drawn", "match_started"]
        assert kinds.count("tournament_drawn") == 1
        assert len(reader.matches()) >= 3


def copy_at_every_event(journal: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the journal copied after every event, as it is on the disk then: what is left after a power cut."""

    def copying(name: str) -> None:
        method = getattr(Journal, name)

        def write(self: Journal, *values: object, **more: object) -> object:
            result = method(self, *values, **more)
            there = folder / str(self.number_and_hash()[0])
            there.mkdir()
            for path in journal.parent.glob(f"{journal.name}*"):
                shutil.copy(path, there / path.name)
            return result

        monkeypatch.setattr(Journal, name, write)

    for name in ("append", "start_match", "start_tournament", "enter_player"):
        copying(name)


def next_fixture(events: list[Event], after: int) -> str:
    """Return which fixture was played next after an event: the first whose match begins or ends after it."""
    fixtures = {
        event.number: str(event.body.tournament.fixture)
        for event in events
        if isinstance(event.body, MatchStarted) and event.body.tournament
    }
    return next(
        (
            fixtures[event.match]
            for event in events
            if event.number > after and isinstance(event.body, MatchStarted | MatchEnded)
        ),
        "",
    )


class PeopleAfterPowerCut(TournamentPeople):
    """People who find out what the box offers after a power cut, and then leave."""

    found = ""
    """The fixture that the tournament's page offers next, or that was resumed."""
    asked = False
    """Whether the box asked at once whether to resume a match."""

    def ask(self, view: InteractiveView) -> Any:
        if isinstance(view, TournamentView):
            self.found = str(view.ready[0].id) if view.ready else ""
            raise WindowClosedError("seen")
        if isinstance(view, Notice):
            self.asked = True
            return "go on"
        if isinstance(view, GameMenu):
            return "tournament"
        if isinstance(view, HistoryList):
            return view.lines[0].answer
        raise WindowClosedError("a match goes on")


def test_after_a_power_cut_at_any_event_the_same_match_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies, journal = tmp_path / "copies", tmp_path / "box" / "j"
    copies.mkdir()
    journal.parent.mkdir()
    with monkeypatch.context() as patched:
        copy_at_every_event(journal, copies, patched)
        hold(new_people(journal, format=Format.DOUBLE_KNOCKOUT, options={"best_of": 3}))
    with JournalReader(journal) as reader:
        events = reader.events()
        last = newest_tournament(reader)
    assert len(list(copies.iterdir())) == len(events) > 30
    resumed = 0
    for event in events:
        copy = copies / str(event.number) / "j"
        with JournalReader(copy) as reader:
            record = newest_tournament(reader)
        people = PeopleAfterPowerCut(random.Random(1), PANELS[0], SimulatedClock(), copy, 0)
        with pytest.raises(WindowClosedError):
            GameSession(LaunchOptions(copy, CameraKind.NONE), people, runner_on(people, people.clock), (), 0).run(None)
        assert record is not None and last is not None
        assert str(record.interrupted or people.found) == next_fixture(events, event.number), event
        assert people.asked == bool(record.interrupted)
        resumed += people.asked
    assert resumed >= 3
    assert record is not None and record.state.champions == last.state.champions != ()


NAMES = ("Ada", "Ben", "Cy", "Dora")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "j"


def begin(journal: Path, form: Format = Format.KNOCKOUT, names: Sequence[str] = NAMES, **fields: Any) -> int:
    with Journal(journal) as opened:
        body = TournamentStarted(game="classic", options={"best_of": 3}, format=form, **fields)
        return opened.start_tournament(body, names)


def entered(fixture: str, winners: tuple[int, ...], number: int = 1) -> TournamentAction:
    return TournamentAction(TournamentResult(tournament=number, fixture=fixture_id(fixture), winners=winners))


def corrected(fixture: str, winners: tuple[int, ...]) -> TournamentAction:
    return TournamentAction(TournamentCorrected(tournament=1, fixture=fixture_id(fixture), winners=winners))


def withdrawn(player: int) -> TournamentAction:
    return TournamentAction(TournamentPlayerWithdrawn(tournament=1, player=player))


def do(journal: Path, number: int, *answers: Any) -> tuple[People, ChosenFixture | None]:
    """Answer the page of a tournament, and then go home. Return what was seen, and the match that people chose."""
    people = People({TournamentView: [*answers, "back"], HistoryList: "home", Notice: "back"})
    pages = TournamentPages(people, LaunchOptions(journal, CameraKind.NONE))
    return people, pages.open(number)


def read(journal: Path) -> TournamentRecord:
    with JournalReader(journal) as reader:
        record = newest_tournament(reader)
        assert record is not None
        return record


def test_results_corrections_and_no_shows_lead_to_the_next_match(journal: Path) -> None:
    number = begin(journal)
    people, chosen = do(
        journal,
        number,
        entered("K1.1", (1,)),
        corrected("K1.1", (4,)),
        TournamentAction(TournamentNoShow(tournament=1, fixture=fixture_id("K1.2"), player=2)),
        PlayFixture(fixture_id("K2.1")),
    )
    assert chosen is not None
    assert (chosen.names, chosen.match.players, str(chosen.match.fixture)) == (("Dora", "Cy"), (4, 3), "K2.1")
    assert chosen.game.setup.options["best_of"] == 3
    assert people.of(Notice) == []
    kinds = [type(event.body).kind for event in JournalReader(journal).events()]
    assert kinds[1:] == ["tournament_drawn", "tournament_result", "tournament_corrected", "tournament_no_show"]


def test_phones_say_who_is_next(journal: Path) -> None:
    phones = Phones(())
    phones.pads.close()
    for name in NAMES:
        phones.pads.introduce(name, name, "cat", 1)
    shown = []

    def answer(reply: Any) -> Touch:
        def touch(_: View) -> Any:
            shown.append([pad_texts.no_seat_text(phones.pads.state(name)) for name in ("Ada", "Ben")])
            return reply

        return touch

    replies = (entered("K1.1", (1,)), entered("K1.2", (2,)), entered("K2.1", (2,)), "back")
    people = ScriptedDisplay(*map(answer, replies), "home")
    TournamentPages(people, LaunchOptions(journal, CameraKind.NONE), pads=phones.pads).open(begin(journal))
    first, second, final = "Ada against Dora", "Ben against Cy", "Ada against Ben"
    next_match, own_match = pad_texts.NEXT_MATCH.format(players=first), pad_texts.YOUR_MATCH.format(players=second)
    next_ben = pad_texts.NEXT_MATCH.format(players=second)
    you_are_next = pad_texts.YOU_ARE_NEXT
    assert shown == [
        [you_are_next.format(players=first), f"{next_match} {own_match}"],
        [next_ben, you_are_next.format(players=second)],
        [you_are_next.format(players=final)] * 2,
        [champions_text(tournament_view(read(journal)).summary)] * 2,
    ]
    assert pad_texts.no_seat_text(phones.pads.state("Ada")) == str(pad_texts.YOU_ARE_HERE)


def test_players_come_late_and_leave_where_the_format_allows_it(journal: Path) -> None:
    number = begin(journal, Format.SWISS)
    assert do(journal, number, entered("S1.1", (1,)))[0].of(TournamentView)[-1].can_enter
    do(journal, number, LateEntry("Emil"), withdrawn(2))
    record = read(journal)
    assert record.names[-1] == "Emil" and 2 in record.state.withdrawn
    begin(journal)
    record = read(journal)
    people, _ = do(journal, record.number, entered("K1.1", (1,), record.number), LateEntry("Fay"))
    assert not people.of(TournamentView)[-1].can_enter
    assert "nobody can enter" in people.of(Notice)[0].text
    assert read(journal).names == NAMES


@pytest.mark.parametrize(
    ("played", "action", "why"),
    [
        (3, corrected("K1.1", (4,)), "its result stays"),
        (2, entered("K1.1", (4,)), "has a result already"),
        (2, withdrawn(4), "no match left to play"),
        (0, LateEntry("ben"), "en is in the tournament already"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(played: int, action: Any, why: str, journal: Path) -> None:
    number = begin(journal)
    results = (entered("K1.1", (1,)), entered("K1.2", (2,)), entered("K2.1", (1,)))
    do(journal, number, *results[:played])
    before = JournalReader(journal).number_and_hash()
    people, _ = do(journal, number, action)
    assert why in people.of(Notice)[0].text
    assert JournalReader(journal).number_and_hash() == before


def test_abandoned_tournaments_are_listed_last(journal: Path) -> None:
    first = begin(journal, title="Friday's cup")
    second = begin(journal)
    people, _ = do(journal, second, GIVE_UP_ANSWER)
    assert not people.of(TournamentView)[-1].is_open and not people.of(TournamentView)[-1].ready
    lines = people.of(HistoryList)[-1].lines
    assert [line.answer for line in lines] == [first, second]
    assert lines[0].title == "Friday's cup" and "next: Ada against Dora" in lines[0].detail
    assert "given up" in lines[1].detail


def start(journal: Path, *end: Any) -> None:
    """Write that the next match of the tournament began and, if given, how it ended."""
    record = read(journal)
    fixture = record.state.ready[0]
    names = [record.name(player) for player in fixture.present]
    config = new_match_config(record.game(fixture), names, HouseRules(), 1, "none")
    with Journal(journal) as opened:
        match = opened.start_match(replace(config, tournament=record.match_of(fixture)).start_event(), names)
        for body in end:
            opened.append(match, body)


@pytest.mark.parametrize(
    ("end", "note"),
    [
        ((), tournament_page.INTERRUPTED),
        ((MatchAbandoned(),), tournament_page.MATCH_GIVEN_UP),
        ((MatchEnded(result=record_result(Result((1, 2), {}))),), tournament_page.DRAWN_AGAIN),
    ],
)
def test_what_became_of_a_match_is_on_the_page(end: tuple[Any, ...], note: str, journal: Path) -> None:
    begin(journal)
    start(journal, *end)
    view = tournament_view(read(journal))
    assert str(view.ready[0].id) == "K1.1" and view.notes == {fixture_id("K1.1"): note}


def test_a_draw_that_a_dispute_turns_into_a_win_counts(journal: Path) -> None:
    begin(journal)
    start(
        journal,
        MatchEnded(result=record_result(Result((1, 2), {}))),
        MatchEnded(result=record_result(Result((2,), {}))),
    )
    assert read(journal).state.fixture(fixture_id("K1.1")).outcome is not None
    assert fixture_id("K1.1") not in tournament_view(read(journal)).notes


def test_a_win_that_a_dispute_turns_into_a_draw_is_played_again(journal: Path) -> None:
    begin(journal)
    ends = [MatchEnded(result=record_result(Result(winners, {}))) for winners in ((1,), (1, 2), (2,))]
    start(journal, *ends[:2])
    view = tournament_view(read(journal))
    assert str(view.ready[0].id) == "K1.1" and view.notes == {fixture_id("K1.1"): tournament_page.DRAWN_AGAIN}
    start(journal, ends[2])
    assert read(journal).state.fixture(fixture_id("K1.1")).outcome is not None


def test_seeds_are_shuffled_until_they_are_drawn(journal: Path) -> None:
    drafts = [
        lambda view: replace(view.first_page().draft, names=NAMES, is_to_be="shuffled"),
        lambda view: replace(view.draft, is_to_be="shuffled"),
        lambda view: replace(view.draft, is_to_be="started"),
    ]
    people = People(
        {
            HistoryList: ["new", "home"],
            GameMenu: ChosenGame("battle", 4, {"rounds": 2}),
            NewTournament: drafts,
            TournamentView: "back",
        }
    )
    assert TournamentPages(people, LaunchOptions(journal, CameraKind.NONE), random.Random(3)).open() is None
    orders = [view.draft.names for view in people.of(NewTournament)[1:]]
    record = read(journal)
    assert len({NAMES, *orders}) == 3 and record.names == orders[-1]
    assert (record.started.format, record.started.table_size) == (Format.TABLES, 4)
    assert record.title.startswith("Battle, ")


def test_the_game_can_be_changed_once_players_are_entered(journal: Path) -> None:
    first, second = ChosenGame("classic", 2, {"best_of": 5}), ChosenGame("battle", 4, {"rounds": 2})
    people = People(
        {
            HistoryList: ["new", "home"],
            GameMenu: [first, second],
            NewTournament: [
                lambda view: replace(view.first_page().draft, names=NAMES, is_to_be="of another game"),
                lambda view: view.first_page().draft,
            ],
            TournamentView: "back",
        }
    )
    assert TournamentPages(people, LaunchOptions(journal, CameraKind.NONE)).open() is None
    assert [menu.opened for menu in people.of(GameMenu)] == [None, first]
    record = read(journal)
    assert (record.started.game, record.names) == ("battle", NAMES)


def test_players_of_a_tournament_swap_seats_before_their_match(journal: Path, tmp_path: Path) -> None:
    number = begin(journal)
    configs: list[MatchConfig] = []

    def run_one(options: LaunchOptions, config: MatchConfig, assign_seats: Any) -> object:
        configs.append(assign_seats(config, ()))
        return ToTournament(number)

    people = People(
        {
            GameMenu: ["tournament"],
            HistoryList: [number, "home"],
            TournamentView: [PlayFixture(fixture_id("K1.1")), "back"],
            SeatingView: lambda view: SeatingAnswer(view.names[::-1]),
            FirstTimePage: "start",
        }
    )
    with pytest.raises(WindowClosedError):
        GameSession(LaunchOptions(journal, CameraKind.NONE), people, run_one, (), 0).run(None)
    (config,) = configs
    assert config.names == ("Dora", "Ada")
    assert config.tournament == TournamentMatch(tournament=number, fixture=fixture_id("K1.1"), players=(4, 1))
    assert people.of(SeatingView)[0].fixed_names
    assert len(people.of(TournamentView)) == 2, "its page comes after the match"


def test_a_match_that_is_left_goes_on_from_the_tournament(tmp_path: Path) -> None:
    left: list[str] = []

    def leave_once(page: View, canvas: Canvas) -> Target | None:
        wanted = {"GroupQuestionPage": "Pause", "PausePage": "Leave"}.get(type(page).__name__)
        if isinstance(page, PausePage) and page.confirms:
            wanted = "Leave for now"
        if isinstance(page, TournamentRoundPage) and page.view.notes:
            left.append(page.view.notes[page.view.ready[0].id])
        if left or wanted is None:
            return None
        return next(target for target in canvas.targets if target.label == wanted)

    people = new_people(tmp_path / "j", at_tournament=leave_once, players=("Ada", "Ben"))
    hold(people)
    assert left == [tournament_page.INTERRUPTED]
    at = people.touched.index("PausePage: Leave for now")
    assert people.touched[at + 1] == "TournamentRoundPage: Go on", "its page comes at once"
    assert people.next_fixtures[:2] == ["K1.1", "K1.1"]
    assert len(JournalReader(tmp_path / "j").matches()) == 1


@pytest.mark.parametrize(("choice", "played"), [("give it up", ["K1.1"]), ("go on with it", ["tr"]), ("back", [])])
def test_an_unfinished_match_comes_before_the_tournaments(choice: str, played: list[str], journal: Path) -> None:
    number = begin(journal)
    with Journal(journal) as opened:
        config = new_match_config(find_game("tr").set_up(2), ("Yan", "Zoe"), HouseRules(), 1, "none")
        opened.start_match(config.start_event(), config.names)
    plays: list[str] = []
    people = People(
        {
            GameMenu: "tournament",
            HistoryList: [number],
            TournamentView: [PlayFixture(fixture_id("K1.1"))],
            Notice: choice,
        }
    )
    session = GameSession(LaunchOptions(journal, CameraKind.NONE), people, runner_on(people, SimulatedClock()), (), 0)
    with pytest.raises(WindowClosedError):
        chosen = session.choose_game()
        plays.append(str(chosen.match.fixture) if isinstance(chosen, ChosenFixture) else chosen.game.rules.name)
        raise WindowClosedError
    assert plays == played
    kinds = [event.kind for event in JournalReader(journal).events()]
    assert ("match_abandoned" in kinds) == (choice == "give it up")
