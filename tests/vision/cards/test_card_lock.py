"""The lock for cards: when a card is committed, what breaches that, every foul, and unreadable cards."""

from collections.abc import Sequence

import numpy as np
import pytest

from device.camera.frames import Frame, Pixels
from rules.markers import MarkerKind, PrintedMarker, markers_of_kind
from rules.record.judgement import Verdict
from rules.throws import Throw
from tests.helpers.scripted_cards import (
    BACK,
    CARDS,
    CUE,
    FUTURE_BACK,
    MS,
    PAPER,
    ROCK,
    SCISSORS,
    ZONES,
    CardScript,
    PlacedCard,
    card_frames,
    frame_number,
    judge_cards,
    patch_reader,
    track_cards,
    turns_over,
)
from tests.helpers.slow_params import slow
from throwlock.simulation.card_players import CARD_SCENARIOS
from tools.trials.cards import EXPECTED_BY_FOUL, HONEST_KINDS, run_trial
from vision.cards import observations
from vision.cards.card_tracker import OBSERVATION_INTERVAL_NS, CardTracker, CommitBreach, CommitObstacle
from vision.cards.lock import CardCause, CardJudge
from vision.cards.observations import CardFamily, CardPose, ObservedFrame, has_glare
from vision.cards.reader import Card
from vision.lock.reasons import VoidKind, VoidReason


def with_changes(base: CardScript, *changes: tuple[int, int, Sequence[PlacedCard]]) -> CardScript:
    """Return the script ``base`` with other cards in the zone from one time to another (ms after the cue)."""

    def script(after_ms: int) -> Sequence[PlacedCard]:
        return next((cards for since, until, cards in changes if since <= after_ms < until), base(after_ms))

    return script


def tracker_of(monkeypatch: pytest.MonkeyPatch, script: CardScript) -> CardTracker:
    frames = card_frames(script, lambda after_ms: ())
    patch_reader(monkeypatch, frames)
    return track_cards(frames)[0]


def test_a_card_that_lies_still_with_the_hand_away_is_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = tracker_of(monkeypatch, turns_over(ROCK))
    assert tracker.committed is not None and tracker.breach is None and tracker.obstacle is None
    assert 500 <= (tracker.committed.since_ns - CUE) / MS + 4_000 <= 800


@pytest.mark.parametrize(
    ("cards", "obstacle"),
    [
        ((), CommitObstacle.NO_CARD),
        ((PlacedCard(ROCK),), CommitObstacle.FACE_UP),
        ((PlacedCard(BACK), PlacedCard(BACK, x_mm=70)), CommitObstacle.TWO),
        ((PlacedCard(FUTURE_BACK),), CommitObstacle.WRONG_DECK),
    ],
)
def test_obstacles_prevent_a_commitment(
    monkeypatch: pytest.MonkeyPatch, cards: Sequence[PlacedCard], obstacle: CommitObstacle
) -> None:
    tracker = tracker_of(monkeypatch, lambda after_ms: cards)
    assert tracker.committed is None and tracker.obstacle is obstacle


def test_a_moving_card_is_not_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = tracker_of(monkeypatch, lambda after_ms: (PlacedCard(BACK, x_mm=after_ms / 60),))
    assert tracker.committed is None and tracker.obstacle is CommitObstacle.MOVING


@pytest.mark.parametrize(
    ("change", "breach"),
    [
        ((-2_500, -2_000, (PlacedCard(BACK, x_mm=12),)), CommitBreach.MOVED),
        ((-2_500, -2_000, (PlacedCard(BACK, turn_deg=15),)), CommitBreach.MOVED),
        ((-2_500, -1_500, ()), CommitBreach.HIDDEN),
        ((-2_500, -2_000, (PlacedCard(BACK), PlacedCard(BACK, x_mm=70))), CommitBreach.TWO),
        ((-2_500, -2_000, (PlacedCard(ROCK),)), CommitBreach.TURNED),
        ((-2_500, -2_300, (PlacedCard(BACK, x_mm=8),)), CommitBreach.MOVED),
        ((-2_500, -2_250, ()), None),
        ((-2_500, -2_000, (PlacedCard(BACK, x_mm=1.0, turn_deg=1.5),)), None),
    ],
)
def test_breaches_of_a_commitment(
    monkeypatch: pytest.MonkeyPatch, change: tuple[int, int, Sequence[PlacedCard]], breach: CommitBreach | None
) -> None:
    tracker = tracker_of(monkeypatch, with_changes(turns_over(ROCK), change))
    assert tracker.committed is not None and tracker.breach is breach


def test_a_card_moved_while_it_is_turned_over_counts_as_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    turned = with_changes(
        turns_over(ROCK), (-2_500, -2_300, (PlacedCard(BACK, x_mm=8),)), (-2_300, -1_000, (PlacedCard(ROCK),))
    )
    tracker = tracker_of(monkeypatch, turned)
    assert tracker.breach is CommitBreach.TURNED and tracker.proof_frame is not None
    assert tracker.breach_ns == tracker.proof_frame.exposed_ns
    assert 0 <= (tracker.breach_ns - CUE) / MS + 2_300 <= OBSERVATION_INTERVAL_NS / MS + 34, "when the face was seen"
    lifted = with_changes(
        turns_over(ROCK), (-2_500, -2_300, (PlacedCard(BACK, x_mm=8),)), (-1_700, -1_000, (PlacedCard(ROCK),))
    )
    assert tracker_of(monkeypatch, lifted).breach is CommitBreach.MOVED


def test_a_reflection_on_a_card_is_not_a_hand() -> None:
    pose = CardPose(80, 90, 0, 1.0)
    shining, skin = np.full((180, 320, 3), 252, np.uint8), np.full((180, 320, 3), (250, 205, 180), np.uint8)
    assert has_glare(shining, pose) and not has_glare(skin, pose)


def test_a_changing_card_counts_after_the_old_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = card_frames(with_changes(turns_over(ROCK), (-2_000, -1_800, ())), lambda after_ms: ())
    patch_reader(monkeypatch, frames)
    (tracker, _) = track_cards(frames, CUE - 2_500 * MS)
    tracker.restart(must_change=True)
    seen = []
    for frame in frames[::4]:
        if CUE - 2_500 * MS < frame.exposed_ns < CUE - 500 * MS:
            tracker.observe(ObservedFrame(frame))
            seen.append(((frame.exposed_ns - CUE) / MS, tracker.committed is not None))
    assert not any(down for when, down in seen if when < -1_400) and seen[-1][1]


def test_an_honest_round(monkeypatch: pytest.MonkeyPatch) -> None:
    judgement = judge_cards(monkeypatch, turns_over(ROCK, 100), turns_over(PAPER, 350))
    one, two = judgement.seats
    assert (one.verdict, one.at_lock, one.card_marker) == (Verdict.ON_TIME, Throw.ROCK, ROCK.marker)
    assert (two.verdict, two.at_lock, two.card_marker) == (Verdict.ON_TIME, Throw.PAPER, PAPER.marker)
    assert one.shown is not None and two.shown is not None
    for shown, at_ms in ((one.shown, 100), (two.shown, 350)):
        assert 0 <= (shown.time_ns - CUE) / MS - at_ms <= 34 and shown.sigma_ns == pytest.approx(9.6 * MS, abs=1e5)
    assert judgement.first_ns == one.shown.time_ns and judgement.lock_ns == one.shown.time_ns + 1_000 * MS
    assert judgement.void_reason is None and not judgement.fouls
    for seat, zone in zip(judgement.seats, ZONES, strict=True):
        assert zone.x <= seat.crop.x and seat.crop.x + seat.crop.w <= zone.x + zone.w
        assert seat.crop.w == seat.crop.h < zone.w


def test_a_card_whose_back_was_never_seen_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judgement = judge_cards(monkeypatch, turns_over(ROCK), with_changes(turns_over(PAPER), (-9_000, 0, ())))
    assert [seat.verdict for seat in judgement.seats] == [Verdict.ON_TIME] * 2


@pytest.mark.parametrize(
    ("readable", "paper", "verdicts"),
    [
        ((BACK, ROCK), True, (Verdict.ON_TIME, Verdict.UNREAD)),
        ((ROCK,), True, (Verdict.ON_TIME, Verdict.UNREAD)),
        ((BACK, ROCK), False, (Verdict.ON_TIME, Verdict.UNSEEN)),
        ((), True, (Verdict.UNSEEN, Verdict.UNSEEN)),
    ],
    ids=["glare on a card", "cards without backs", "no card", "nothing is read"],
)
def test_a_card_that_only_people_saw_is_no_foul(
    monkeypatch: pytest.MonkeyPatch,
    readable: Sequence[PrintedMarker],
    paper: bool,
    verdicts: tuple[Verdict, Verdict],
) -> None:
    """The second seat's card is never read; people confirmed it. Its paper is known by the first one's card."""
    frames = card_frames(turns_over(ROCK), lambda after_ms: (PlacedCard(BACK),) if paper else ())
    by_number = {frame.number: frame for frame in frames}

    def read(image: Pixels) -> list[Card]:
        cards = by_number[frame_number(image)].cards
        return [card for card in cards if card.printed in readable and card.centre[0] < 160]

    monkeypatch.setattr(observations, "read_cards", read)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - 1_300 * MS]
    judgement = CardJudge(CardFamily.DECK)(late, track_cards(frames), CUE, 1_000 * MS)
    assert tuple(seat.verdict for seat in judgement.seats) == verdicts


def test_every_scripted_foul_has_a_trial() -> None:
    assert set(EXPECTED_BY_FOUL) == set(CARD_SCENARIOS) and not set(EXPECTED_BY_FOUL) & set(HONEST_KINDS)


LIFTED = with_changes(turns_over(ROCK, at_ms=-300), (-2_500, -2_000, (PlacedCard(BACK, x_mm=12),)))
TWO_CARDS = (PlacedCard(BACK), PlacedCard(CARDS[5], x_mm=80))
FORGED = markers_of_kind(MarkerKind.FUTURE)[3]


@pytest.mark.parametrize(
    ("script", "verdict", "cause"),
    [
        (turns_over(PAPER, 1_400), Verdict.LATE, None),
        (turns_over(PAPER, 9_000), Verdict.LATE, CardCause.NOT_TURNED),
        (turns_over(PAPER, -1_500), Verdict.EARLY, None),
        (turns_over(PAPER, -900), Verdict.ON_TIME, None),
        (turns_over(PAPER, 900, takes_ms=1_700), Verdict.LIFTED, CardCause.TOOK_LONG),
        (
            with_changes(turns_over(PAPER), (-2_500, -2_000, (PlacedCard(BACK, x_mm=9),))),
            Verdict.LIFTED,
            CardCause.MOVED,
        ),
        (with_changes(turns_over(PAPER), (-2_500, -1_800, ())), Verdict.LIFTED, CardCause.HIDDEN),
        (with_changes(turns_over(PAPER), (-2_500, 400, TWO_CARDS)), Verdict.TWO_CARDS, None),
        (
            with_changes(turns_over(PAPER), (300, 9_000, (PlacedCard(PAPER), PlacedCard(SCISSORS, x_mm=80)))),
            Verdict.TWO_CARDS,
            None,
        ),
        (
            with_changes(turns_over(PAPER), (300, 9_000, (PlacedCard(PAPER), PlacedCard(PAPER, x_mm=80)))),
            Verdict.COPY,
            None,
        ),
        (with_changes(turns_over(PAPER), (700, 9_000, (PlacedCard(SCISSORS),))), Verdict.CHANGED, None),
        (with_changes(turns_over(PAPER), (1_300, 9_000, (PlacedCard(SCISSORS),))), Verdict.CHANGED, None),
        (turns_over(FORGED), Verdict.WRONG_DECK, None),
        (turns_over(markers_of_kind(MarkerKind.CLASS)[0]), Verdict.WRONG_DECK, None),
        (with_changes(turns_over(PAPER), (700, 9_000, ())), Verdict.UNSEEN, CardCause.NO_CARD),
    ],
)
def test_fouls(monkeypatch: pytest.MonkeyPatch, script: CardScript, verdict: Verdict, cause: CardCause | None) -> None:
    judgement = judge_cards(monkeypatch, turns_over(ROCK, 100), script)
    one, two = judgement.seats
    assert (two.verdict, two.cause) == (verdict, cause)
    assert judgement.void_reason is None and one.verdict in (Verdict.ON_TIME, Verdict.LATE)
    assert one.verdict is Verdict.ON_TIME or verdict is Verdict.ON_TIME


def test_a_lifted_card_does_not_decide_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    judgement = judge_cards(monkeypatch, LIFTED, turns_over(PAPER, at_ms=900))
    one, two = judgement.seats
    assert (one.verdict, two.verdict) == (Verdict.LIFTED, Verdict.ON_TIME) and judgement.void_reason is None
    assert two.shown is not None and judgement.first_ns == two.shown.time_ns
    assert judgement.lock_frame.exposed_ns == judgement.lock_ns == two.shown.time_ns + 1_000 * MS


def shows(*cards: tuple[int, PrintedMarker | None]) -> CardScript:
    """Return the script of a player who turns a card over and shows further ones (None: none), each from a time in ms
    after the cue on."""
    (at_ms, first), *others = cards
    assert first is not None
    ends = [since for since, _ in others[1:]]
    changes = [
        (since, until, (PlacedCard(card),) if card else ())
        for (since, card), until in zip(others, [*ends, 9_000], strict=True)
    ]
    return with_changes(turns_over(first, at_ms), *changes)


@pytest.mark.parametrize(
    ("script", "at_lock", "changed_to"),
    [
        (shows((200, PAPER), (700, SCISSORS)), Throw.SCISSORS, Throw.SCISSORS),
        (shows((200, PAPER), (700, SCISSORS), (1_300, PAPER)), Throw.SCISSORS, Throw.SCISSORS),
        (shows((200, PAPER), (1_000, None), (1_250, PAPER), (1_400, SCISSORS)), None, Throw.SCISSORS),
        (shows((200, PAPER), (1_300, SCISSORS)), Throw.PAPER, Throw.SCISSORS),
        (shows((200, PAPER), (1_590, SCISSORS)), Throw.PAPER, Throw.SCISSORS),
    ],
    ids=["before the lock", "and back", "hidden at the lock", "after the lock", "in the last frame"],
)
def test_a_changed_card_is_reported_with_the_card_it_became(
    monkeypatch: pytest.MonkeyPatch, script: CardScript, at_lock: Throw | None, changed_to: Throw
) -> None:
    judgement = judge_cards(monkeypatch, turns_over(ROCK, 100), script)
    assert (judgement.lock_ns - CUE) // MS == 1_100
    two = judgement.seats[1]
    assert two.verdict is Verdict.CHANGED
    assert (two.throw, two.at_lock, two.changed_to) == (Throw.PAPER, at_lock, changed_to)


def test_a_card_covered_at_the_lock_is_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames = card_frames(turns_over(ROCK, 100), turns_over(PAPER, 150))
    patch_reader(monkeypatch, frames)
    by_number = {frame.number: frame for frame in frames}

    def half_covered(image: Pixels) -> list[Card]:
        frame = by_number[frame_number(image)]
        covers = 800 <= (frame.exposed_ns - CUE) // MS < 1_300
        return [card for card in frame.cards if card.centre[0] < 160 or not covers]

    monkeypatch.setattr(observations, "read_cards", half_covered)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - 1_300 * MS]
    judgement = CardJudge(CardFamily.DECK)(late, track_cards(frames), CUE, 1_000 * MS)
    two = judgement.seats[1]
    assert (two.verdict, two.at_lock) == (Verdict.UNREAD, None) and not judgement.fouls


def test_every_card_is_checked_against_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def check(place: int, card: object) -> tuple[Verdict, CardCause | None] | None:
        asked.append((place, card))
        return (Verdict.PLAYED, CardCause.PILE) if place else None

    judgement = judge_cards(monkeypatch, turns_over(ROCK), turns_over(PAPER), judge=CardJudge(CardFamily.DECK, check))
    assert asked == [(0, ROCK), (1, PAPER)]
    assert (judgement.seats[1].verdict, judgement.seats[1].cause) == (Verdict.PLAYED, CardCause.PILE)


def test_one_card_in_two_zones_voids_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    judgement = judge_cards(monkeypatch, turns_over(ROCK), turns_over(ROCK))
    assert judgement.void_reason == VoidReason(VoidKind.COPIES, marker=ROCK.marker)
    apart = CardJudge(CardFamily.DECK, groups={0: 0, 1: 1})
    assert judge_cards(monkeypatch, turns_over(ROCK), turns_over(ROCK), judge=apart).void_reason is None


def test_a_covered_camera_voids_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [with_changes(turns_over(card), (-2_500, -1_700, ())) for card in (ROCK, PAPER)]
    judgement = judge_cards(monkeypatch, *both)
    assert judgement.void_reason is not None and judgement.void_reason.kind is VoidKind.COVERED


def test_a_blank_card_is_read_and_is_no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = markers_of_kind(MarkerKind.FUTURE)[-1]
    faces = [with_changes(turns_over(card), (-4_000, -100, (PlacedCard(FUTURE_BACK),))) for card in (blank, FORGED)]
    frames = card_frames(*faces)
    patch_reader(monkeypatch, frames)
    late = [frame for frame in frames if frame.exposed_ns >= CUE - 1_300 * MS]
    judgement = CardJudge(CardFamily.FUTURE)(late, track_cards(frames, family=CardFamily.FUTURE), CUE)
    one = judgement.seats[0]
    assert (one.verdict, one.at_lock, one.card_marker) == (Verdict.ON_TIME, None, blank.marker)
    assert len(ZONES) == 2


FAST_KIND = "not-theirs"


@pytest.mark.parametrize(
    "kind",
    [FAST_KIND, *slow(*(kind for kind in (*HONEST_KINDS, *EXPECTED_BY_FOUL) if kind != FAST_KIND))],
)
def test_rendered_rounds_are_judged_right(kind: str) -> None:
    one = run_trial(kind, 3)
    assert one.is_correct and not one.wrongly_accused and not one.misread_cards


@pytest.mark.parametrize(
    ("scripts", "until_ms"),
    [
        ((turns_over(ROCK), turns_over(PAPER, at_ms=400)), 100 + 1_000 + 500),
        ((turns_over(ROCK, at_ms=-300), turns_over(PAPER, at_ms=-100)), -300 + 1_000 + 500),
        ((turns_over(ROCK), lambda after_ms: (PlacedCard(BACK),)), 2 * 1_000 + 600),
        ((LIFTED, turns_over(PAPER, at_ms=900)), 900 + 1_000 + 500),
    ],
    ids=["all turned over", "before the cue", "one not turned over", "one lifted"],
)
def test_a_round_ends_once_every_card_was_kept(
    monkeypatch: pytest.MonkeyPatch, scripts: Sequence[CardScript], until_ms: int
) -> None:
    """Half a second after the lock; else all frames are waited for in which a card could be late."""
    frames = card_frames(*scripts)
    patch_reader(monkeypatch, frames)
    asked_ms = []

    def frames_until(until_ns: int) -> Sequence[Frame]:
        asked_ms.append((until_ns - CUE) // MS)
        return [frame for frame in frames if CUE - 1_300 * MS <= frame.exposed_ns <= until_ns]

    judgement = CardJudge(CardFamily.DECK).judge_live(frames_until, track_cards(frames), CUE)
    assert asked_ms == sorted(asked_ms) and asked_ms[-1] == pytest.approx(until_ms, abs=1000 / 30)
    recorded = CardJudge(CardFamily.DECK)(frames[-150:], track_cards(frames), CUE)
    assert [seat.verdict for seat in judgement.seats] == [seat.verdict for seat in recorded.seats]
