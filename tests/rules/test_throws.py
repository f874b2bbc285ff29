"""Throws and outcomes as words."""

import pytest

from rules.throws import Outcome


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_read_back_from_its_word(outcome: Outcome) -> None:
    assert Outcome.from_result(outcome.result) is outcome


@pytest.mark.parametrize("word", ["won", "", None, 1])
def test_other_values_are_no_outcome(word: object) -> None:
    assert Outcome.from_result(word) is None
