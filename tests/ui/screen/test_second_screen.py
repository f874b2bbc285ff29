"""What of the touchscreen is public: a list of pages, and nothing else."""

from dataclasses import fields, replace

import cv2
import pygame
import pytest

from rules.catalogue import GAMES
from rules.engine import Choices, SealedPrompt, ThrowPrompt
from rules.events import Other
from rules.throws import THROW_CHOICES
from tests.helpers.page_rules import LONG, check
from tests.helpers.renamed_players import renamed
from tests.helpers.samples.common import players, table_image
from tests.helpers.samples.guests import guessers, guests
from tests.helpers.samples.phones import ADDRESS as PHONE_ADDRESS
from tests.helpers.samples.second_screen import ADDRESS
from tools.gallery import samples
from ui.i18n.language import LANGUAGES, set_language
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.registry import draw_still, paint
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.classroom import HOLD_CARD_UP, Attendance, RollCall, missing_text, seen_text
from ui.screen.pages.countdown import Countdown, Preparing
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.guests import GuestsPage, GuestsStatus
from ui.screen.pages.lobby import Lobby
from ui.screen.pages.message import GameMessage
from ui.screen.pages.network import NetworkSwitch
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.scoreboard import Fact
from ui.screen.pages.seating import MAX_NAME_LENGTH
from ui.screen.pages.second_screen import MAX_GUESSERS, Choosing, SecondScreenPage, public_view, with_guessers
from ui.screen.pages.standings import Standings, tournament_slide
from ui.screen.pages.tournament import TournamentPage, TournamentView
from ui.screen.views import Page, PreMatchPage, Reply, View

PUBLIC_PAGES = {
    *("attract", "board", "classroom", "countdown", "message", "result", "reveal", "showdown", "slow_motion"),
}
"""The modules of pages whose samples have public ones."""
OTHER_PAGES = {"home", "group_question", "pause", "guests", "phones", "tournament"}
"""The modules of pages of which something else is public."""
SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_is_shown_only_if_it_is_known_to_be_public(name: str) -> None:
    view = SAMPLES[name]
    public = public_view(view)
    if type(view).__module__.rpartition(".")[2] not in PUBLIC_PAGES | OTHER_PAGES:
        at_home = (view.is_idle or isinstance(view, PreMatchPage)) and not isinstance(view, SecondScreenPage)
        assert public == (AttractMode() if at_home else Choosing(public.players, public.asked))
    for field in fields(public):
        assert field.name not in ("can_dispute", "can_undo", "has_slow_motion") or not getattr(public, field.name)
    assert getattr(public, "seconds_left", None) is None and not getattr(public, "proof_code", "")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("guests-3", "guests"),
        ("guests-off", "idle"),
        ("phones-4", "seats"),
        ("phones-off", "choosing"),
        ("phones-no-network", "choosing"),
        ("phones-class", "seats"),
    ],
)
def test_the_lobby_is_shown_where_phones_can_join(name: str, expected: str) -> None:
    page, public = SAMPLES[name], public_view(SAMPLES[name])
    if isinstance(public, Lobby):
        assert isinstance(page, GuestsPage | PhonesPage)
        shown = page.status.guests if isinstance(page, GuestsPage) else page.status.seats
        assert public.address == page.status.address and shown == (public.guests or public.seats)
    kinds = {Choosing: "choosing", AttractMode: "idle"}
    found = kinds.get(type(public)) or ("seats" if isinstance(public, Lobby) and public.seats else "guests")
    assert found == expected


def test_the_box_at_home_shows_where_phones_join_and_who_is_here() -> None:
    here = GuestsStatus(PHONE_ADDRESS, guests(2))
    for page in ("home", "settings"):
        assert public_view(SAMPLES[page], joining=here) == Lobby(PHONE_ADDRESS, guests(2))
    assert public_view(SAMPLES["home"], joining=replace(here, address=None)) == AttractMode()
    assert isinstance(public_view(SAMPLES["message-2"], joining=here), GameMessage)


@pytest.mark.parametrize(
    "name", [name for name in SAMPLES if isinstance(SAMPLES[name], TournamentView | TournamentPage)]
)
def test_every_page_of_a_tournament_shows_its_standings(name: str) -> None:
    page = SAMPLES[name]
    assert isinstance(page, TournamentView | TournamentPage)
    public = public_view(page)
    assert public == Standings(page.summary)
    canvas = draw_still(pygame.Surface((1920, 1080), 0, 32), public, interactive=False)
    slide = tournament_slide(page.summary)
    texts = {text.text for text in canvas.texts}
    assert {name for table in slide.tables for _, name, _ in table.rows} <= texts and canvas.targets == []
    assert {player.name for player in slide.best} <= texts
    shown = {match.players for part in slide.rounds for match in part.fixtures}
    assert shown <= texts
    assert ("Next" in texts) == any(match.is_next for part in slide.rounds for match in part.fixtures)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["", "W" * 16, LONG], ids=["names", "wide letters", "long words"])
def test_everything_fits_on_a_television_at_the_box(language: str, name: str) -> None:
    set_language(language)
    for page_name, page in SAMPLES.items():
        public = public_view(renamed(page, name) if name else page).page_to_draw
        if isinstance(public, AttractMode):
            continue
        canvas = draw_still(pygame.Surface((1920, 1080), 0, 32), public, interactive=False)
        for part in canvas.moving_parts:
            part.paint(canvas, public)
        try:
            check(canvas, whole=not name)
        except AssertionError as error:
            pytest.fail(f"{page_name}: {error}")


def test_the_page_of_the_second_screen_shows_what_it_leads_back_to() -> None:
    def opened_from(page: View) -> View:
        assert isinstance(page, Page)
        return public_view(SecondScreenPage(lambda: ADDRESS, page, ADDRESS))

    assert opened_from(SAMPLES["network-on"]) == AttractMode()
    assert opened_from(SAMPLES["phones-4"]) == public_view(SAMPLES["phones-4"])
    assert public_view(SecondScreenPage(lambda: ADDRESS, Reply("back"), ADDRESS)) == Choosing()


def test_a_roll_call_says_how_many_cards_were_seen() -> None:
    page = SAMPLES["classroom-roll-call-few-30"]
    assert isinstance(page, RollCall)
    page = replace(page, rethrow_reason=None)
    public = public_view(page)
    assert public == Preparing(missing_text(page), heading=seen_text(page))
    nobody = public_view(replace(page, attendance=Attendance()))
    assert isinstance(nobody, Preparing) and nobody.title == HOLD_CARD_UP
    again = public_view(replace(page, rethrow_reason="Again"))
    assert isinstance(again, Preparing) and again.title == "Again"


class NewPage(View):
    """A page that nobody has thought of."""


def test_what_the_box_prepares_is_public() -> None:
    assert public_view(Preparing("Classic")) == Preparing("Classic")


def test_a_new_page_is_not_public() -> None:
    assert public_view(NewPage()) == Choosing()


def test_a_question_says_only_who_has_answered() -> None:
    prompt = SealedPrompt("bet", dict.fromkeys((1, 2), Choices(("rock", "paper"))), about={"hand": {"1": "rock"}})
    told = tuple(replace(one, facts=(Fact("hand", "rock"),), fouls=2) for one in players(2))
    page = GroupQuestion(told, prompt).first_page()
    assert isinstance(page, GroupQuestionPage)
    public = public_view(page.open_seat(1))
    assert isinstance(public, Choosing) and public.asked == {1: False, 2: False} and "rock" not in repr(public)
    after = page.with_answer(1, "rock")
    assert isinstance(after, GroupQuestionPage)
    public = public_view(after)
    assert isinstance(public, Choosing) and public.waiting == (2,) and "rock" not in repr(public)


def test_a_question_has_its_own_round() -> None:
    last = GameMessage(players(2), Other("won", {}), (), (Fact("round", 4), Fact("goal", 100)))
    prompt = ThrowPrompt(dict.fromkeys((1, 2), THROW_CHOICES), about={"round": 5}, text=GAMES["classic"].text)
    public = public_view(GroupQuestion(players(2), prompt).first_page(), last)
    assert isinstance(public, Choosing)
    assert [(fact.name, fact.value) for fact in public.facts] == [("round", 5), ("goal", 100)]


def test_a_message_to_one_player_is_not_public() -> None:
    event = Other("hand", {"seat": 1, "cards": {"rock": 4}}, only=1)
    assert public_view(GameMessage(players(2), event, ("Ada has four rocks.",))) == Choosing()


def test_the_table_is_not_shown_live() -> None:
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT!"), 0, preview=table_image(2))
    public = public_view(count)
    assert isinstance(public, Countdown) and public.preview is None


@pytest.mark.parametrize("size", [*PANEL_SIZES, (1920, 1080)], ids=str)
def test_the_qr_code_is_the_address_with_the_code(size: tuple[int, int]) -> None:
    pixels = render_image(SAMPLES["second-screen-watched"], size)
    scales = (1, 2)  # OpenCV misses some codes at one size
    images = [cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST) for scale in scales]
    assert ADDRESS.url in [cv2.QRCodeDetector().detectAndDecode(image)[0] for image in images]


@pytest.mark.parametrize("name", ["network-on", "phones-second-screen"])
def test_it_is_opened_from_the_network_pages(name: str) -> None:
    page = SAMPLES[name]
    assert isinstance(page, NetworkSwitch | PhonesPage)
    page = replace(page, open_second_screen=lambda back: SecondScreenPage(lambda: ADDRESS, back, ADDRESS))
    surface = pygame.Surface((800, 480), 0, 32)
    opened = [one.press for one in paint(surface, page) if isinstance(one.press, SecondScreenPage)]
    assert len(opened) == 1
    assert [one.press for one in paint(surface, opened[0])] == [page]


@pytest.mark.parametrize("name", ["message-facts-8", "group-sealed-8", "result-2", "result-decided-8"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_best_guessers_have_a_line_of_their_own(name: str, language: str) -> None:
    set_language(language)
    longest = "W" * MAX_NAME_LENGTH
    view = with_guessers(public_view(SAMPLES[name]), renamed(guessers(5), longest))
    canvas = draw_still(pygame.Surface((1920, 1080), 0, 32), view, interactive=False)
    placed = [text for text in canvas.texts if text.text == longest]
    assert len(placed) == MAX_GUESSERS and all(text.complete for text in placed)
    line_top = min(text.box.top for text in placed)
    others = [text for text in canvas.texts if text.box.bottom > line_top]
    assert len(others) == 2 * MAX_GUESSERS + 1 and all(text.complete for text in others), "title, names, scores"
