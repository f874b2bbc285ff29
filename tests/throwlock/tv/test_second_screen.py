"""What second screens are sent: the full state, each change once, pictures for a while, and nothing that is sealed."""

import json
import random
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread

import httpx
import numpy as np
import pytest

from device.system.clock import SimulatedClock
from errors import NotFoundError
from rules.catalogue import GAMES
from rules.engine import Choices, Game, IntRange, Prompt, Result, Seat, Value
from rules.throws import Throw
from tests.helpers.random_games import random_answers
from tests.helpers.samples.common import players
from tests.helpers.samples.guests import guessers, guests
from tests.helpers.samples.phones import ADDRESS
from tests.helpers.samples.reveal import mixed_reveal
from tests.helpers.samples.slow_motion import sample_slow_motion
from tests.helpers.waiting import LIMIT_S, wait_until
from throwlock.house_rules import HouseRules
from throwlock.journal.journal import Journal
from throwlock.match.match import Match
from throwlock.match.reveal import MatchOutput, Pace
from throwlock.pads.table import PadTable
from throwlock.replay.config import MatchConfig
from throwlock.review.archive import JournalArchive
from throwlock.tables.answers import ScreenAnswers
from throwlock.tables.source import RoundSource
from throwlock.tv.second_screen import KEPT_SCENES, MAX_SCREENS, Scene, SecondScreen
from throwlock.tv.texts import IDLE, answer_states, more_text
from throwlock.tv.time_line import passed_at, photo_finish_course, slow_motion_course
from throwlock.web.lan_switch import LanSwitch
from throwlock.web.server import ReviewServer
from throwlock.web.serving import local_addresses
from throwlock.web.tv import SlideShow, tv_page
from tools.gallery import samples
from ui.i18n.language import set_language
from ui.screen.core.display import WindowClosedError
from ui.screen.pages.classroom import READING_CARDS, throwing_text, winners_text
from ui.screen.pages.common import Player
from ui.screen.pages.countdown import GET_READY, Countdown, Judging, Preparing
from ui.screen.pages.countdown_picture import judging_text
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.guests import GuestsStatus
from ui.screen.pages.message import GameMessage
from ui.screen.pages.message_picture import message_title
from ui.screen.pages.phones import PhonesPage, count_phones
from ui.screen.pages.question import SEEN_REPLY
from ui.screen.pages.result import MatchResult
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.second_screen import MAX_GUESSERS, Choosing, public_view
from ui.screen.pages.showdown import CARD_S, OPENING_S, TURN_S, Showdown, ShowdownCard
from ui.screen.views import Answer, InteractiveView, Reply, View
from ui.web.live import TooManyViewersError
from ui.web.pages import ANONYMOUS

WORDS = ("ROCK", "PAPER", "SCISSORS", "SHOOT!")
SAMPLES = samples()
MAX_QUESTIONS = 60
"""Questions of a match that are asked: enough for some rounds of each game."""


def show(screen: SecondScreen, view: View, at_ms: int = 1000, drawn: View | None = None) -> Scene:
    screen.show(view, drawn or view, at_ms * 1_000_000)
    return screen.scene()


def no_archive() -> AbstractContextManager[JournalArchive]:
    raise NotFoundError("nothing was played yet")


def html(screen: SecondScreen) -> str:
    """Return all that a second screen is sent."""
    return tv_page(screen, SlideShow(no_archive)).render_parts(ANONYMOUS)["scene"]


@pytest.mark.parametrize("page", ["won-2", "again-2", "again-8", "stars-2", "result-2", "result-8"])
def test_children_see_stars_and_neither_times_nor_fouls(page: str) -> None:
    screen = SecondScreen(lambda: 5_000_000)
    show(screen, SAMPLES[f"children-{page}"])
    sent = re.sub(r'<text class="number".*?</text>', "", html(screen))  # the seats' marks
    assert not re.findall(r"[0-9]", re.sub(r"<[^>]*>", "", sent))
    assert 'class="verdict' not in sent and "foul" not in sent and 'class="line"' not in sent
    if "stars" in page or "result" in page:
        assert sent.count('class="stars"') == int(page[-1])


def test_before_anything_is_shown_nobody_plays() -> None:
    assert str(IDLE) in html(SecondScreen(lambda: 5_000_000))


def test_waits_say_what_the_touchscreen_says() -> None:
    screen, known = SecondScreen(), SAMPLES["message-known-2"]
    assert isinstance(known, GameMessage)
    for view, text in (
        (Preparing("Classic"), GET_READY),
        (Judging(players(2)), judging_text(Judging(players(2)))),
        (Judging(tuple(Player(seat, "") for seat in range(1, 64))), READING_CARDS),
        (known, message_title(known)),
    ):
        show(screen, view)
        assert f">{text}<" in html(screen)


def test_what_stays_is_the_same_scene() -> None:
    screen, view = SecondScreen(), Judging(players(2))
    first = show(screen, view)
    assert show(screen, view) is first
    assert show(screen, Judging(players(2)), 2000).number == first.number + 1
    before = html(screen)
    show(screen, Judging(players(3)), 2000)
    assert html(screen) != before


def test_a_question_whose_time_runs_is_one_scene() -> None:
    screen, page = SecondScreen(), SAMPLES["group-sealed-2"]
    assert isinstance(page, GroupQuestionPage) and page.waiting
    first = show(screen, page)
    assert show(screen, replace(page, clock_s=3.4)) is first
    assert show(screen, replace(page, answers=dict.fromkeys(page.waiting, 5))).number == first.number + 1


def test_another_language_is_sent_again() -> None:
    screen = SecondScreen()
    show(screen, Judging(players(2)))
    english = html(screen)
    set_language("de")
    german = html(screen)
    set_language("en")
    assert 'lang="de"' in german and german.replace('lang="de"', 'lang="en"') != english


def test_count_scene_has_all_word_times() -> None:
    screen = SecondScreen()
    count = Countdown(players(2), "Round 1", WORDS, -1, beat_s=1.5, word_s=0.6)
    begun = show(screen, count, 1000)
    assert begun.words_at_ms == (2500.0, 3100.0, 3700.0, 4300.0)
    for beat, at_ms in enumerate((2510, 3130, 3700, 4301)):
        assert show(screen, replace(count, beat=beat, beat_s=0.6), at_ms) is begun
    seen = replace(count, beat=3, beat_s=0.6, seen=(1,))
    assert show(screen, seen, 4301) is begun, "whose throw was seen is for those at the table"
    again = show(screen, count, 9000)
    assert again.words_at_ms[0] == 10_500.0
    assert show(screen, replace(count, title="Round 2"), 9000).number == again.number + 1


def test_what_everybody_knows_stays_while_a_question_is_answered() -> None:
    screen, pages = SecondScreen(), SAMPLES
    message, question = pages["message-facts-8"], pages["group-sealed-8"]
    show(screen, message)
    show(screen, question)
    shown = html(screen)
    assert all(text in shown for text in ("Pot 17", "Goal 100", "Claims Rock", "Waiting for 6 players"))
    assert isinstance(message, GameMessage)
    show(screen, replace(message, facts=(), event=replace(message.event, only=1)))
    show(screen, question)
    assert "Pot 17" in html(screen), "what one player is told changes nothing"
    show(screen, pages["result-3"])
    show(screen, question)
    assert "Pot 17" not in html(screen), "another match"


@pytest.mark.parametrize("page", ["question-bet", "question-hand-over", "board"])
def test_whose_turn_it_is(page: str) -> None:
    screen = SecondScreen()
    show(screen, SAMPLES["board-message"])
    show(screen, SAMPLES[page])
    assert re.search("Waiting for [A-Z]", html(screen)) and "board-drawing" in html(screen)


@pytest.mark.parametrize("page", ["home", "home-set-up", "settings", "box"])
def test_nobody_plays_while_the_box_is_at_home(page: str) -> None:
    screen = SecondScreen()
    show(screen, SAMPLES[page])
    assert str(IDLE) in html(screen)


def test_who_joins_at_home_is_shown_and_gone_with_the_network() -> None:
    screen, here = SecondScreen(), [GuestsStatus(ADDRESS, guests(1))]
    screen.joining = lambda: here[-1]
    first = show(screen, SAMPLES["home"])
    assert "Ann" in html(screen) and ADDRESS.code in html(screen) and screen.scene() is first
    here.append(GuestsStatus(ADDRESS, guests(2)))
    assert "Bartholomew" in html(screen) and screen.scene().number == first.number + 1
    here.append(GuestsStatus(None))
    assert str(IDLE) in html(screen)


def test_seats_are_ticked_off_as_phones_take_them() -> None:
    screen, page = SecondScreen(), SAMPLES["phones-2"]
    assert isinstance(page, PhonesPage)
    show(screen, page)
    first = screen.scene()
    taken = tuple(replace(seat, state="here") for seat in page.status.seats)
    show(screen, page, drawn=replace(page))
    assert screen.scene() is first, "the same status is no news"
    show(screen, page, drawn=replace(page, status=replace(page.status, seats=taken)))
    assert html(screen).count('class="here"') == 2


def test_of_a_class_nobody_is_picked_out() -> None:
    screen = SecondScreen()
    for name in ("classroom-countdown-30", "classroom-message-30"):
        view = SAMPLES[name]
        assert isinstance(view, Countdown | GameMessage)
        show(screen, view)
        shown = html(screen)
        assert not any(player.name in shown for player in view.players) and more_text(30) not in shown
    show(screen, Judging(tuple(Player(seat, "") for seat in range(1, 31))))
    assert throwing_text(0, 30) in html(screen)


def test_a_round_of_a_class_shows_everybodys_throw() -> None:
    screen, reveal = SecondScreen(), SAMPLES["classroom-reveal-30"]
    assert isinstance(reveal, Reveal)
    show(screen, reveal)
    shown = html(screen)
    assert re.findall(r"<b>(\d+)</b>", shown) == [str(seat.seat) for seat in reveal.seats]
    assert shown.count('class="missing"') == sum(seat.last_throw is None for seat in reveal.seats) == 2


def test_many_winners_of_a_class_are_counted() -> None:
    screen, result = SecondScreen(), SAMPLES["classroom-podium-ties"]
    assert isinstance(result, MatchResult)
    winners = tuple(range(1, 12))
    many = replace(result, result=replace(result.result, winners=winners, scores=dict.fromkeys(range(1, 31), -1)))
    show(screen, many)
    shown = html(screen)
    assert winners_text(11, -1) in shown and "−1 points" in shown and "more-facts" not in shown


def test_a_class_joins_by_the_television() -> None:
    screen, page = SecondScreen(), SAMPLES["phones-class"]
    assert isinstance(page, PhonesPage)
    show(screen, page)
    shown = html(screen)
    assert count_phones(page.status.seats) in shown and 'class="here"' not in shown


def test_what_each_seat_is_told_is_no_answer() -> None:
    prompt = Prompt("hand", dict.fromkeys((1, 2), Choices((SEEN_REPLY,))))
    page = GroupQuestion(players(2), prompt).first_page()
    public = public_view(replace(page, own_page=None, answers={1: SEEN_REPLY}))
    assert isinstance(public, Choosing) and public.waiting == (2,) and answer_states(public) == {}


def test_the_standings_of_a_tournament_are_shown_with_its_page() -> None:
    screen = SecondScreen()
    show(screen, SAMPLES["tournament-standings"])
    shown = html(screen)
    assert "Round 3" in shown and "<td>Bartholomew</td>" in shown


def test_a_page_that_only_moves_wakes_nobody() -> None:
    screen, woken = SecondScreen(), list[int]()
    reveal = mixed_reveal(2)
    with screen.viewers.watch(lambda: woken.append(1)):
        for frame in range(60):
            screen.show(reveal, reveal.at_time(frame / 60), 0)
    assert len(woken) == 1


def test_pictures_are_those_of_the_newest_scenes() -> None:
    screen = SecondScreen()
    reveal = show(screen, mixed_reveal(2))
    pictures = [screen.picture(reveal.number, name) for name in ("seat-1", "seat-2")]
    assert all(data is not None and data.startswith(b"\xff\xd8") for data in pictures) and pictures[0] != pictures[1]
    assert screen.picture(reveal.number, "seat-9") is None and screen.picture(reveal.number + 1, "seat-1") is None
    for number in range(KEPT_SCENES):
        assert screen.picture(reveal.number, "seat-1") == pictures[0]
        show(screen, Judging(players(2)), 2000 + number)
    assert screen.picture(reveal.number, "seat-1") is None


def test_slow_motion_runs_by_the_touchscreens_course() -> None:
    screen, view = SecondScreen(), sample_slow_motion(mixed_reveal(2), 0.0)
    course = slow_motion_course(view)
    shown_ms, real_ms = zip(*course, strict=True)
    for seconds in np.linspace(0.0, view.animation_s, 200):
        at_ms = float(np.interp(seconds * 1e3, shown_ms, real_ms))
        assert at_ms == pytest.approx(view.moment_after(float(seconds)), abs=0.01)
    for seat in view.seats:
        assert seat.after_first_ms is not None
        moment = view.moment_after(passed_at(course, seat.after_first_ms) / 1e3)
        assert moment == pytest.approx(seat.after_first_ms, abs=0.01), "its mark comes when the hand shows"
    scene = show(screen, view)
    frames = re.findall(r'<img src="([^"]+)" alt="" data-at="([\d.]+)">', html(screen))
    times = [float(at_ms) for path, at_ms in frames if "/frame-1-" in path]
    assert times == sorted(times) and times[0] == scene.shown_at_ms
    assert screen.picture(scene.number, frames[-1][0].rpartition("/")[2]) is not None


def test_a_mark_of_a_reveal_comes_when_time_has_reached_it() -> None:
    course = photo_finish_course([(1, 0.0, ""), (2, 75.0, "")], 150.0)
    assert passed_at(course, 0.0) == 0.0 and passed_at(course, 1e9) == course[-1][0]
    assert passed_at(course, 75.0) == pytest.approx(course[-1][0] * 75.0 / (150.0 * 1.15 + 1))


def test_showdown_parts_are_sent_when_they_are_shown() -> None:
    ann, ben = (replace(player, score=score) for player, score in zip(players(2), (77, 23), strict=True))
    cards = (
        ShowdownCard(ann, Throw.ROCK, Throw.ROCK, False, 14, "Ann was honest."),
        ShowdownCard(ben, Throw.PAPER, Throw.SCISSORS, True, 0, "Ben bluffed."),
    )
    view = Showdown(cards, "The claims.", "Rock beats scissors.", "Ann wins the pot.", 14, 0)
    screen = SecondScreen()

    def text_at(seconds: float) -> str:
        show(screen, view, drawn=view.at_time(seconds))
        return re.sub(r"<[^>]*>", " ", html(screen))

    first = text_at(0.0)
    assert all(hidden not in first for hidden in ("77", "23", "14", "honest", "bluffed", "wins", "Scissors"))
    second = text_at(OPENING_S + TURN_S)
    assert second.count("Rock") == 2 and "Scissors" not in second
    third = text_at(OPENING_S + CARD_S + TURN_S)
    assert "Scissors" in third and "77" not in third
    last = text_at(view.animation_s)
    assert "Ann wins the pot." in last and "+14" in last and "77" in last


def test_the_round_that_decided_a_match_is_shown_again() -> None:
    screen, view = SecondScreen(), SAMPLES["result-decided-3"]
    assert isinstance(view, MatchResult) and view.deciding is not None
    scene, shown = show(screen, view), html(screen)
    frames = re.findall(r'<img src="([^"]+)" alt="" data-at="([\d.]+)">', shown)
    assert {path.split("-")[1] for path, _ in frames} == {"1", "2", "3"}
    assert min(float(at_ms) for _, at_ms in frames) == scene.shown_at_ms
    assert all(screen.picture(scene.number, path.rpartition("/")[2]) for path, _ in frames[-1:])
    assert view.proof_code not in shown and 'class="place-1"' in shown


def test_two_players_have_no_podium_and_nobody_is_left_off_it() -> None:
    screen = SecondScreen()
    show(screen, SAMPLES["result-2"])
    assert 'class="podium"' not in html(screen)
    show(screen, SAMPLES["result-8"])
    assert 'class="podium"' in html(screen) and all(player.name in html(screen) for player in players(8))


def test_winners_with_other_points_each_have_their_own_on_the_podium() -> None:
    screen = SecondScreen()
    people = tuple(replace(player, score=score) for player, score in zip(players(4), (50, 0, 55, 0), strict=True))
    scores = {player.seat: player.score or 0 for player in people}
    show(screen, MatchResult(people, Result((1, 3), scores), "Ann and Cem have won."))
    ends = re.findall(r"<span>([^<]*)</span></p>", html(screen))
    winners, losers = (people[0], people[2]), (people[1], people[3])
    assert ends == [*(f"{player.name} · {player.score}" for player in winners), *(p.name for p in losers), "0 points"]


@pytest.mark.parametrize("name", ["message-2", "group-sealed-8", "result-2", "result-8"])
def test_the_best_guessers_are_shown_between_rounds_and_at_the_end(name: str) -> None:
    screen, best = SecondScreen(), [guessers(5)]
    screen.guessers = lambda: best[-1]
    scene, shown = show(screen, SAMPLES[name]), html(screen)
    listed = re.findall(r'class="name" translate="no">([^<]+)</span><span>(\d+ of \d+)', shown)
    assert listed == [(guest.guest.name, f"{guest.right} of 12") for guest in guessers(MAX_GUESSERS)]
    best.append(())
    assert screen.scene() is scene, "what an audience sends changes no scene"
    show(screen, Judging(players(2)))
    show(screen, SAMPLES[name])
    assert 'class="guessers"' not in html(screen)


def test_no_guessers_are_shown_while_a_round_is_thrown_or_revealed() -> None:
    screen = SecondScreen()
    screen.guessers = lambda: guessers(3)
    for name in ("countdown-2", "judging-3", "reveal-won-2", "showdown-won-3", "home"):
        show(screen, SAMPLES[name])
        assert 'class="guessers"' not in html(screen), name


def test_no_more_screens_than_can_be_served() -> None:
    screen, opened = SecondScreen(), []
    for _ in range(MAX_SCREENS):
        opened.append(screen.viewers.watch(lambda: None))
        opened[-1].__enter__()
    assert len(screen.viewers) == MAX_SCREENS
    with pytest.raises(TooManyViewersError), screen.viewers.watch(lambda: None):
        pass
    opened[0].__exit__(None, None, None)
    with screen.viewers.watch(lambda: None):
        assert len(screen.viewers) == MAX_SCREENS


# What is sealed: whole matches are played at the touchscreen.


@dataclass
class Touchscreen:
    """A display whose people answer each question at random, one seat after the other on a page of its own. ``changed``
    is the number of a question, a seat and another answer of it. ``log`` has what everybody knows and what second
    screens are sent, in order."""

    seed: int
    changed: tuple[int, Seat, Value] | None = None
    on_page: Callable[[], None] = lambda: None
    screen: SecondScreen = field(default_factory=lambda: SecondScreen(lambda: 0))
    log: list[tuple[str, str]] = field(default_factory=list)
    questions: list[tuple[Prompt, dict[Seat, Value]]] = field(default_factory=list)
    match: Match | None = None
    _known: int = 0

    def show(self, view: View) -> None:
        self._note(view)

    def ask(self, view: InteractiveView) -> Answer:
        page = view.first_page()
        if not isinstance(view, GroupQuestion):
            self._note(page)
            return None
        assert isinstance(page, GroupQuestionPage)
        if len(self.questions) == MAX_QUESTIONS:
            raise WindowClosedError("enough")
        number = len(self.questions)
        answers = dict(random_answers(view.prompt, random.Random(f"{self.seed}/{number}")))
        if self.changed is not None and self.changed[0] == number:
            answers[self.changed[1]] = self.changed[2]
        self.questions.append((view.prompt, answers))
        self.log.append(("asked", f"{view.prompt.kind} {sorted(view.prompt.seats)}"))
        self._note(page)
        for seat in view.prompt.seats:
            self._note(page.open_seat(seat))
            after = page.with_answer(seat, answers[seat])
            if isinstance(after, Reply):
                return after.value
            page = replace(after, own_page=None)
            self._note(page)
        raise AssertionError("the last answer ends it")

    def _note(self, page: View) -> None:
        if self.match is not None:
            events = self.match.ongoing.view.events
            new = [event for event in events[self._known :] if event.only is None]
            self.log += [("told", json.dumps(event.as_json(), default=str)) for event in new]
            self._known = len(events)
        self.screen.show(page, page, 0)
        self.log.append(("sent", html(self.screen)))
        self.on_page()


def play(game: Game, folder: Path, touchscreen: Touchscreen) -> Touchscreen:
    """Play a match on the touchscreen, or its first questions."""
    names = tuple(["Ada", "Ben", "Cy", "Dot"][: game.setup.seats])
    config = MatchConfig(game, names, HouseRules(), 7, "simulated")
    folder.mkdir()
    with Journal(folder / "one.journal") as journal:
        number = journal.start_match(config.start_event(), config.names)
        match = Match(
            journal,
            number,
            RoundSource(ScreenAnswers(touchscreen)),
            MatchOutput(touchscreen, SimulatedClock(), lambda line: None, Pace(0.0, 0.0)),
        )
        touchscreen.match = match
        with suppress(WindowClosedError):
            match.play()
    return touchscreen


def others(prompt: Prompt, answers: dict[Seat, Value]) -> list[tuple[Seat, Value]]:
    """Return other answers to a question that nobody else may see."""
    if not (prompt.is_private):
        return []
    found = []
    for seat, allowed in prompt.seats.items():
        assert isinstance(allowed, Choices | IntRange)
        values = allowed.values if isinstance(allowed, Choices) else (allowed.start, allowed.stop)
        found += [(seat, value) for value in values if value != answers[seat]][:1]
    return found


GAMES_WITH_SECRETS = [
    pytest.param(GAMES["redeux"].set_up(2, {"risk": "always"}), id="Redeux with a Risk Round"),
    pytest.param(GAMES["future"].set_up(4), id="Future RPS"),
]


@pytest.mark.parametrize("game", GAMES_WITH_SECRETS)
def test_what_is_sent_depends_on_nothing_that_is_sealed(game: Game, tmp_path: Path) -> None:
    compared = told = 0
    for seed in (3, 4, 5):
        one = play(game, tmp_path / f"{seed}", Touchscreen(seed))
        changes = [
            (number, seat, value)
            for number, (prompt, answers) in enumerate(one.questions)
            for seat, value in others(prompt, answers)
        ]
        for change in random.Random(seed).sample(changes, min(8, len(changes))):
            compared += 1
            other = play(game, tmp_path / f"{seed}-{compared}", Touchscreen(seed, change))
            pairs = enumerate(zip(one.log, other.log, strict=False))
            first = next((index for index, (mine, its) in pairs if mine != its), None)
            if first is not None:
                assert "sent" not in (one.log[first][0], other.log[first][0]), "what everybody knows differs first"
                told += any(kind == "sent" for kind, _ in one.log[first:])
    assert compared > 15 and told > 5, "the comparison finds what is told"


def test_all_that_is_streamed_is_one_of_those(tmp_path: Path) -> None:
    people = Touchscreen(5)
    received: list[str] = []
    with ReviewServer(tmp_path / "none.journal", lan=True, port=0, pads=PadTable(), tv=people.screen) as server:
        base = f"http://127.0.0.1:{server.port}"

        def read_stream() -> None:
            with httpx.Client(base_url=base, timeout=LIMIT_S) as browser:
                login = browser.post("/tv", data={"code": server.tv_code or ""}, headers={"Origin": base})
                assert login.status_code == 303
                with browser.stream("GET", "/watch", headers={"Accept": "text/event-stream"}) as stream:
                    kind = ""
                    for line in stream.iter_lines():
                        kind = line[7:] if line.startswith("event: ") else kind if line else ""
                        if line.startswith("data: ") and not kind:
                            parts = json.loads(line[6:])
                            assert set(parts) == {"scene"}
                            received.append(parts["scene"])

        reader = Thread(target=read_stream)
        reader.start()

        def wait_for_scene() -> None:
            newest = html(people.screen)
            wait_until(lambda: received and received[-1] == newest)

        idle = html(people.screen)
        wait_for_scene()  # before anybody plays, or it depends on the threads whether this one is sent
        people.on_page = wait_for_scene
        play(GAMES["redeux"].set_up(2, {"risk": "always"}), tmp_path / "match", people)
    reader.join(LIMIT_S)
    assert not reader.is_alive(), "the stream ends with the server"
    sent = [scene for kind, scene in people.log if kind == "sent"]
    assert set(received) == {idle, *sent}


def test_the_address_is_there_while_the_network_is_on(tmp_path: Path) -> None:
    with LanSwitch(tmp_path / "none.journal", port=0) as network:
        assert network.second_screen_address() is None, "off until somebody switches it on"
        assert network.switch_on() is None
        address, join = network.second_screen_address(), network.join_address()
        assert address is not None and join is not None and address.code != join.code
        if local_addresses():
            assert address.url == f"{address.address}/{address.code.replace('-', '')}"
            assert address.address.endswith("/tv")
        network.switch_off()
        assert network.second_screen_address() is None
