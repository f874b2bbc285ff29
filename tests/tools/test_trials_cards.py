"""Rounds with cards: what counts as judged correctly, and who is innocent."""

from dataclasses import replace

import pytest

from rules.record.judgement import Verdict
from throwlock.tables.card_count import CardPile, count_cards
from tools.trials.cards import CardTrial, StartedMatch, run_trial


@pytest.fixture(scope="module")
def honest() -> CardTrial:
    trial = run_trial("honest", 3)
    assert trial.is_correct and min(trial.read_leads_ms) > 0
    return trial


def with_verdict(trial: CardTrial, kind: str, seat: int, verdict: Verdict) -> CardTrial:
    """Return the trial as one of another kind, in which a seat has another verdict."""
    judgement = trial.thrown.judgement
    seats = tuple(replace(one, verdict=verdict) if one.seat == seat else one for one in judgement.seats)
    fouls = tuple(one.seat for one in seats if one.verdict.is_foul)
    return replace(
        trial, kind=kind, thrown=replace(trial.thrown, judgement=replace(judgement, seats=seats), fouls=fouls)
    )


def test_a_trial_s_match_has_cards_played_and_cards_shown() -> None:
    match = StartedMatch(3)
    request = match.request()
    assert request.prompt.kind == "place" and request.throw_number == 2
    count = count_cards(request.steps)
    for pile in (CardPile.PILE, CardPile.HAND):
        assert len(count.cards_in(pile)) == 2
    assert sorted(seat for place, seat in count.places.values() if place is CardPile.HAND) == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [1, 2])
def test_an_honest_round_is_correct_only_if_both_cards_are_read(honest: CardTrial, seat: int) -> None:
    unread = with_verdict(honest, "honest", seat, Verdict.UNREAD)
    assert not unread.is_correct and not unread.wrongly_accused
    late = with_verdict(honest, "honest", seat, Verdict.LATE)
    assert not late.is_correct and late.wrongly_accused == 1


def test_a_half_covered_card_is_unread_and_nobody_s_foul(honest: CardTrial) -> None:
    assert with_verdict(honest, "half-covered", 2, Verdict.UNREAD).is_correct
    unseen = with_verdict(honest, "half-covered", 2, Verdict.UNSEEN)
    assert not unseen.is_correct and unseen.wrongly_accused == 1


def test_a_foul_is_the_last_player_s(honest: CardTrial) -> None:
    late = with_verdict(honest, "late", 2, Verdict.LATE)
    assert late.is_correct and not late.wrongly_accused
    both = with_verdict(late, "late", 1, Verdict.LATE)
    assert not both.is_correct and both.wrongly_accused == 1
