"""What of the touchscreen is public: a list of pages, and nothing else."""

from dataclasses import fields, replace

import pytest

from rules.engine import Choices, GameEvent, Prompt
from tools.gallery import samples
from ui.screen.pages.common.samples import players, table_image
from ui.screen.pages.countdown.view import Countdown
from ui.screen.pages.group_question.view import GroupQuestion, GroupQuestionPage
from ui.screen.pages.message.view import GameMessage
from ui.screen.pages.scoreboard.view import Fact
from ui.screen.pages.second_screen.view import Choosing, public_view
from ui.screen.pages.views import View

PUBLIC_FOLDERS = {
    *("attract", "board", "classroom", "countdown", "message", "result", "reveal", "showdown", "slow_motion"),
}
"""The folders of pages whose samples have public ones."""
SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_is_shown_only_if_it_is_known_to_be_public(name: str) -> None:
    view = SAMPLES[name]
    public = public_view(view)
    folder = type(view).__module__.split(".")[-2]
    if folder not in {*PUBLIC_FOLDERS, "home", "group_question", "pause"}:
        assert public == Choosing()
    for field in fields(public):
        assert field.name not in ("can_dispute", "can_undo", "has_slow_motion") or not getattr(public, field.name)
    assert getattr(public, "seconds_left", None) is None and not getattr(public, "proof_code", "")


class NewPage(View):
    """A page that nobody has thought of."""


def test_a_new_page_is_not_public() -> None:
    assert public_view(NewPage()) == Choosing()


def test_a_question_says_only_who_has_answered() -> None:
    prompt = Prompt(
        "bet", dict.fromkeys((1, 2), Choices(("rock", "paper"))), sealed=True, about={"hand": {"1": "rock"}}
    )
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
    event = GameEvent("hand", {"seat": 1, "cards": {"rock": 4}}, only=1)
    assert public_view(GameMessage(players(2), event, ("Ada has four rocks.",))) == Choosing()


def test_the_table_is_not_shown_live() -> None:
    count = Countdown(players(2), "Round 1", ("ROCK", "SHOOT!"), 0, preview=table_image(2))
    public = public_view(count)
    assert isinstance(public, Countdown) and public.preview is None
