"""The lock for cards: when a card is committed, what breaks that, every foul, and what is asked for again."""

from collections.abc import Sequence

import numpy as np
import pytest
from scripted_cards import (
    BACK,
    CARDS,
    CUE,
    FUTURE_BACK,
    MS,
    PAPER,
    ROCK,
    SCISSORS,
    ZONES,
    Doing,
    There,
    frames_of,
    judged,
    number_in,
    told,
    turns,
    watched,
)

from device.camera.frames import Pixels
from rules.markers import Kind, of_kind
from rules.throws import Throw
from throwlock.simulation.card_players import SHOWN
from tools.trials.cards import FOULS, HONEST, trial
from vision.cards import observations
from vision.cards.card_tracker import Broken, Note, SeatWatch
from vision.cards.lock import CardCause, CardJudge
from vision.cards.observations import Family, Lie, Look, is_dazzled
from vision.cards.reader import Card
from vision.lock.verdict import Verdict
from vision.lock.void_reasons import TroubleKind


def instead(before: Doing, *changes: tuple[int, int, Sequence[There]]) -> Doing:
    """As ``before``, but with something else in the zone from one time to another."""

    def doing(after_ms: int) -> Sequence[There]:
        return next((there for since, until, there in changes if since <= after_ms < until), before(after_ms))

    return doing


def watch_of(monkeypatch: pytest.MonkeyPatch, doing: Doing) -> SeatWatch:
    frames = frames_of(doing, lambda after_ms: ())
    told(monkeypatch, frames)
    return watched(frames)[0]


def test_a_card_that_lies_still_with_the_hand_away_is_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watch_of(monkeypatch, turns(ROCK))
    assert watch.down is not None and watch.broken is None and watch.note is None
    assert 500 <= (watch.down.since_ns - CUE) / MS + 4_000 <= 800


@pytest.mark.parametrize(
    ("there", "note"),
    [
        ((), Note.NONE),
        ((There(ROCK),), Note.FACE_UP),
        ((There(BACK), There(BACK, x=70)), Note.TWO),
        ((There(FUTURE_BACK),), Note.WRONG_DECK),
    ],
)
def test_what_is_lacking_is_noted_and_is_no_commitment(
    monkeypatch: pytest.MonkeyPatch, there: Sequence[There], note: Note
) -> None:
    watch = watch_of(monkeypatch, lambda after_ms: there)
    assert watch.down is None and watch.note is note


def test_a_card_that_is_still_pushed_about_is_not_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watch_of(monkeypatch, lambda after_ms: (There(BACK, x=after_ms / 60),))
    assert watch.down is None and watch.note is Note.MOVING


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ((-2_500, -2_000, (There(BACK, x=12),)), Broken.MOVED),
        ((-2_500, -2_000, (There(BACK, turn=15),)), Broken.MOVED),
        ((-2_500, -1_500, ()), Broken.HIDDEN),
        ((-2_500, -2_000, (There(BACK), There(BACK, x=70))), Broken.TWO),
        ((-2_500, -2_000, (There(ROCK),)), Broken.TURNED),
        ((-2_500, -2_300, (There(BACK, x=8),)), Broken.MOVED),
        ((-2_500, -2_250, ()), None),
        ((-2_500, -2_000, (There(BACK, x=1.0, turn=1.5),)), None),
    ],
)
def test_what_happens_to_a_committed_card(
    monkeypatch: pytest.MonkeyPatch, change: tuple[int, int, Sequence[There]], broken: Broken | None
) -> None:
    watch = watch_of(monkeypatch, instead(turns(ROCK), change))
    assert watch.down is not None and watch.broken is broken


def test_a_card_that_was_moved_in_turning_it_over_was_turned_over(monkeypatch: pytest.MonkeyPatch) -> None:
    turned = instead(turns(ROCK), (-2_500, -2_300, (There(BACK, x=8),)), (-2_300, -1_000, (There(ROCK),)))
    assert watch_of(monkeypatch, turned).broken is Broken.TURNED
    lifted = instead(turns(ROCK), (-2_500, -2_300, (There(BACK, x=8),)), (-1_700, -1_000, (There(ROCK),)))
    assert watch_of(monkeypatch, lifted).broken is Broken.MOVED


def test_a_lamp_that_shines_into_a_card_is_no_hand() -> None:
    lie = Lie(80, 90, 0, 1.0)
    shining, skin = np.full((180, 320, 3), 252, np.uint8), np.full((180, 320, 3), (250, 205, 180), np.uint8)
    assert is_dazzled(shining, lie) and not is_dazzled(skin, lie)


def test_a_card_to_be_changed_is_waited_for_until_the_old_one_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = frames_of(instead(turns(ROCK), (-2_000, -1_800, ())), lambda after_ms: ())
    told(monkeypatch, frames)
    (watch, _) = watched(frames, CUE - 2_500 * MS)
    watch.begin_anew(changed=True)
    seen = []
    for frame in frames[::4]:
        if CUE - 2_500 * MS < frame.exposed_ns < CUE - 500 * MS:
            watch.look(Look(frame))
            seen.append(((frame.exposed_ns - CUE) / MS, watch.down is not None))
    assert not any(down for when, down in seen if when < -1_400) and seen[-1][1]


def test_an_honest_round(monkeypatch: pytest.MonkeyPatch) -> None:
    judgement = judged(monkeypatch, turns(ROCK, 100), turns(PAPER, 350))
    one, two = judgement.seats
    assert (one.verdict, one.at_lock, one.card) == (Verdict.ON_TIME, Throw.ROCK, ROCK.marker)
    assert (two.verdict, two.at_lock, two.card) == (Verdict.ON_TIME, Throw.PAPER, PAPER.marker)
    assert one.shown is not None and two.shown is not None
    for shown, at_ms in ((one.shown, 100), (two.shown, 350)):
        assert 0 <= (shown.when_ns - CUE) / MS - at_ms <= 34 and shown.plus_minus_ns == pytest.approx(9.6 * MS, abs=1e5)
    assert judgement.first_ns == one.shown.when_ns and judgement.lock_ns == one.shown.when_ns + 1_000 * MS
    assert judgement.trouble is None and not judgement.fouls
    for seat, zone in zip(judgement.seats, ZONES, strict=True):
        assert zone.x <= seat.crop.x and seat.crop.x + seat.crop.w <= zone.x + zone.w
        assert seat.crop.w == seat.crop.h < zone.w


def test_a_card_that_people_said_is_down_is_read_though_the_camera_never_saw_its_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judgement = judged(monkeypatch, turns(ROCK), instead(turns(PAPER), (-9_000, 0, ())))
    assert [seat.verdict for seat in judgement.seats] == [Verdict.ON_TIME] * 2


def test_every_foul_that_can_be_shown_is_tried() -> None:
    assert set(FOULS) == set(SHOWN) and not set(FOULS) & set(HONEST)


BESIDE = (There(BACK), There(CARDS[5], x=80))
FORGED = of_kind(Kind.FUTURE)[3]


@pytest.mark.parametrize(
    ("doing", "verdict", "cause"),
    [
        (turns(PAPER, 1_400), Verdict.LATE, None),
        (turns(PAPER, 9_000), Verdict.LATE, CardCause.NOT_TURNED),
        (turns(PAPER, -1_500), Verdict.EARLY, None),
        (turns(PAPER, -900), Verdict.ON_TIME, None),
        (turns(PAPER, 900, takes_ms=1_700), Verdict.LIFTED, CardCause.TOOK_LONG),
        (instead(turns(PAPER), (-2_500, -2_000, (There(BACK, x=9),))), Verdict.LIFTED, CardCause.MOVED),
        (instead(turns(PAPER), (-2_500, -1_800, ())), Verdict.LIFTED, CardCause.HIDDEN),
        (instead(turns(PAPER), (-2_500, 400, BESIDE)), Verdict.TWO_CARDS, None),
        (instead(turns(PAPER), (300, 9_000, (There(PAPER), There(SCISSORS, x=80)))), Verdict.TWO_CARDS, None),
        (instead(turns(PAPER), (300, 9_000, (There(PAPER), There(PAPER, x=80)))), Verdict.COPY, None),
        (instead(turns(PAPER), (700, 9_000, (There(SCISSORS),))), Verdict.CHANGED, None),
        (instead(turns(PAPER), (1_300, 9_000, (There(SCISSORS),))), Verdict.CHANGED, None),
        (turns(FORGED), Verdict.WRONG_DECK, None),
        (turns(of_kind(Kind.CLASS)[0]), Verdict.WRONG_DECK, None),
        (instead(turns(PAPER), (700, 9_000, ())), Verdict.UNSEEN, CardCause.NO_CARD),
    ],
)
def test_fouls(monkeypatch: pytest.MonkeyPatch, doing: Doing, verdict: Verdict, cause: CardCause | None) -> None:
    judgement = judged(monkeypatch, turns(ROCK, 100), doing)
    one, two = judgement.seats
    assert (two.verdict, two.cause) == (verdict, cause)
    assert judgement.trouble is None and one.verdict in (Verdict.ON_TIME, Verdict.LATE)
    assert one.verdict is Verdict.ON_TIME or verdict is Verdict.ON_TIME


def test_what_is_covered_at_the_lock_is_asked_for_again_and_not_taken_from_other_frames(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames = frames_of(turns(ROCK, 100), turns(PAPER, 150))
    told(monkeypatch, frames)
    by_number = {frame.number: frame for frame in frames}

    def half_covered(picture: Pixels) -> list[Card]:
        frame = by_number[number_in(picture)]
        covers = 800 <= (frame.exposed_ns - CUE) // MS < 1_300
        return [card for card in frame.cards if card.centre[0] < 160 or not covers]

    monkeypatch.setattr(observations, "read_cards", half_covered)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - 1_300 * MS]
    judgement = CardJudge(Family.DECK)(late, watched(frames), CUE, 1_000 * MS)
    two = judgement.seats[1]
    assert (two.verdict, two.at_lock) == (Verdict.UNREAD, None) and not judgement.fouls


def test_the_count_is_asked_about_every_card(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def check(place: int, card: object) -> tuple[Verdict, CardCause | None] | None:
        asked.append((place, card))
        return (Verdict.PLAYED, CardCause.PILE) if place else None

    judgement = judged(monkeypatch, turns(ROCK), turns(PAPER), judge=CardJudge(Family.DECK, check))
    assert asked == [(0, ROCK), (1, PAPER)]
    assert (judgement.seats[1].verdict, judgement.seats[1].cause) == (Verdict.PLAYED, CardCause.PILE)


def test_the_same_card_in_two_zones_is_nobodys_foul_but_at_tables_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    judgement = judged(monkeypatch, turns(ROCK), turns(ROCK))
    assert judgement.trouble is not None and judgement.trouble.kind is TroubleKind.COPIES
    apart = CardJudge(Family.DECK, groups={0: 0, 1: 1})
    assert judged(monkeypatch, turns(ROCK), turns(ROCK), judge=apart).trouble is None


def test_a_camera_that_is_covered_is_nobodys_foul(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [instead(turns(card), (-2_500, -1_700, ())) for card in (ROCK, PAPER)]
    judgement = judged(monkeypatch, *both)
    assert judgement.trouble is not None and judgement.trouble.kind is TroubleKind.COVERED


def test_a_blank_card_is_read_and_no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = of_kind(Kind.FUTURE)[-1]
    faces = [instead(turns(card), (-4_000, -100, (There(FUTURE_BACK),))) for card in (blank, FORGED)]
    frames = frames_of(*faces)
    told(monkeypatch, frames)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - 1_300 * MS]
    judgement = CardJudge(Family.FUTURE)(late, watched(frames, family=Family.FUTURE), CUE)
    one = judgement.seats[0]
    assert (one.verdict, one.at_lock, one.card) == (Verdict.ON_TIME, None, blank.marker)
    assert len(ZONES) == 2


@pytest.mark.parametrize("kind", ["honest", "swapped", "half-covered"])
def test_a_rendered_round_is_judged_as_what_it_was(kind: str) -> None:
    one = trial(kind, 3)
    assert one.found and not one.accused and not one.wrong
