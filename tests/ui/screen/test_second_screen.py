"""What of the touchscreen is public: a list of pages, and nothing else."""

from dataclasses import fields, replace

import cv2
import pygame
import pytest

from rules.engine import Choices, SealedPrompt
from rules.events import Other
from tests.helpers.samples.common import players, table_image
from tests.helpers.samples.second_screen import ADDRESS
from tools.gallery import samples
from ui.screen.core.png_display import PANEL_SIZES, render_image
from ui.screen.core.registry import paint
from ui.screen.pages.attract import AttractMode
from ui.screen.pages.countdown import Countdown
from ui.screen.pages.group_question import GroupQuestion, GroupQuestionPage
from ui.screen.pages.message import GameMessage
from ui.screen.pages.network import NetworkSwitch
from ui.screen.pages.phones import PhonesPage
from ui.screen.pages.scoreboard import Fact
from ui.screen.pages.second_screen import Choosing, SecondScreenPage, public_view
from ui.screen.views import View

PUBLIC_PAGES = {
    *("attract", "board", "classroom", "countdown", "message", "result", "reveal", "showdown", "slow_motion"),
}
"""The modules of pages whose samples have public ones."""
SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_is_shown_only_if_it_is_known_to_be_public(name: str) -> None:
    view = SAMPLES[name]
    public = public_view(view)
    if type(view).__module__.rpartition(".")[2] not in {*PUBLIC_PAGES, "home", "group_question", "pause"}:
        at_home = view.is_idle and not isinstance(view, SecondScreenPage)
        assert public == (AttractMode() if at_home else Choosing(public.players, public.asked))
    for field in fields(public):
        assert field.name not in ("can_dispute", "can_undo", "has_slow_motion") or not getattr(public, field.name)
    assert getattr(public, "seconds_left", None) is None and not getattr(public, "proof_code", "")


class NewPage(View):
    """A page that nobody has thought of."""


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
