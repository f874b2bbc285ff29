"""Where the answers of a match come from."""

import pytest

from rules.catalogue import find_game
from rules.engine import Prompt, Value
from throwlock.tables.source import AnswerSource, PlayedRound, RoundRequest, RoundSource


class ThrowsByCamera:
    """A table of hands: the camera reads throws and nothing else."""

    judges_throws = True

    def plays(self, prompt: Prompt) -> bool:
        return prompt.kind == "throw"

    def play(self, request: RoundRequest) -> PlayedRound:
        raise NotImplementedError

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("name", "options", "asks"),
    [
        ("classic", {}, False),
        ("tr", {}, False),
        ("redeux", {"risk": "never"}, False),
        ("redeux", {}, True),
        ("battle", {}, True),
        ("board", {}, True),
        ("future", {}, True),
    ],
)
def test_phones_are_asked_for_only_where_they_answer(name: str, options: dict[str, Value], asks: bool) -> None:
    rules = find_game(name)
    game = rules.set_up(rules.min_players, options)
    assert RoundSource(AnswerSource(), (ThrowsByCamera(),)).asks_people(game) == asks
    assert RoundSource(AnswerSource()).asks_people(game), "without a camera even throws are entered"
