"""Why a hand is unclear or unseen at the lock."""

import numpy as np
import pytest

from device.simulated.table.animation import Stance
from rules.record.judgement import Verdict
from tests.helpers.scripted_hands import CUE, MS, SIZE, ZONE, hand_landmarks, view_of
from vision.lock.reasons import HandCause, explain_verdict
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

LOCK = CUE + 150 * MS
PAPER, HALF = Stance(paper=1), Stance(half_open=1)


def cut_zone(outside: int) -> Zone:
    """The zone of seat 1, less its right side, so that so many landmarks of a paper besides the wrist are outside."""
    columns = np.sort(hand_landmarks(PAPER)[0][1:, 0])
    edge = (columns[-outside - 1] + columns[-outside]) / 2 / SIZE[0]
    return Zone(ZONE.x, ZONE.y, float(edge) - ZONE.x, ZONE.h)


def looked_at(view: ZoneView, *times_ms: int) -> ZoneView:
    """The view after a look at these times, in ms after the lock."""
    for time_ms in times_ms:
        view.exact(view.nearest_frame(LOCK + time_ms * MS))
    return view


def gone_after(end_ms: int, zone: Zone = ZONE) -> ZoneView:
    """A paper that is there until ``end_ms`` after the lock."""
    return looked_at(view_of(lambda at: PAPER if at <= LOCK + end_ms * MS else None, zone), -700, end_ms - 5, 0, 300)


def test_a_hand_that_never_came() -> None:
    assert explain_verdict(Verdict.UNSEEN, looked_at(view_of(lambda _: None), -700, 0, 300), LOCK) is HandCause.AWAY


@pytest.mark.parametrize(("end_ms", "cause"), [(-600, HandCause.GONE), (-200, None)])
def test_a_hand_is_gone_if_it_was_not_seen_for_long(end_ms: int, cause: HandCause | None) -> None:
    assert explain_verdict(Verdict.UNSEEN, gone_after(end_ms), LOCK) is cause


def test_a_hand_that_came_after_the_lock_was_not_there() -> None:
    view = looked_at(view_of(lambda at: PAPER if at > LOCK + 100 * MS else None), -700, 0, 300)
    assert explain_verdict(Verdict.UNSEEN, view, LOCK) is HandCause.GONE


@pytest.mark.parametrize(("outside", "cause"), [(3, HandCause.CUT_OFF), (2, None)])
def test_hand_partly_outside_its_zone(outside: int, cause: HandCause | None) -> None:
    zone = cut_zone(outside)
    assert explain_verdict(Verdict.UNSEEN, gone_after(-200, zone), LOCK) is cause
    assert explain_verdict(Verdict.UNCLEAR, looked_at(view_of(lambda _: PAPER, zone), 0), LOCK) is cause


def test_a_half_open_hand() -> None:
    assert explain_verdict(Verdict.UNCLEAR, looked_at(view_of(lambda _: HALF), 0), LOCK) is HandCause.HALF_OPEN
    assert explain_verdict(Verdict.UNCLEAR, looked_at(view_of(lambda _: PAPER), 0), LOCK) is None


@pytest.mark.parametrize(("time_ms", "cause"), [(-110, HandCause.HALF_OPEN), (-140, None), (140, None)])
def test_only_frames_near_the_lock_show_what_the_hand_did_there(time_ms: int, cause: HandCause | None) -> None:
    assert explain_verdict(Verdict.UNCLEAR, looked_at(view_of(lambda _: HALF), time_ms), LOCK) is cause


def test_other_verdicts_need_no_cause() -> None:
    view = looked_at(view_of(lambda _: None), 0)
    assert [explain_verdict(one, view, LOCK) for one in Verdict if one not in (Verdict.UNSEEN, Verdict.UNCLEAR)] == (
        [None] * (len(Verdict) - 2)
    )
