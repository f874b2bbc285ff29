"""Samples of slow motion: before the first hand, between two hands, and at the end of a late throw."""

from dataclasses import replace

from tests.helpers.samples.reveal import decided_reveal, mixed_reveal
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.slow_motion import SLOWDOWN_FACTOR, SlowMotion, slow_motion_of
from ui.screen.views import View

FRAME_TIMES_MS = tuple(1000 / 60 * number for number in range(-60, 60))


def sample_slow_motion(reveal: Reveal, seconds: float) -> SlowMotion:
    """Return the round of a reveal in slow motion, ``seconds`` after its beginning."""
    view = slow_motion_of(reveal, FRAME_TIMES_MS, lambda seat, frame: reveal.pictures[seat].at_lock)
    assert view is not None  # some hand showed
    return view.at_time(seconds)


def samples() -> dict[str, View]:
    """Return the samples by name."""
    late = mixed_reveal(2)
    return {
        "slow-motion-begins-2": sample_slow_motion(decided_reveal(2), 0.0),
        "slow-motion-between-2": sample_slow_motion(decided_reveal(2), 0.2 * SLOWDOWN_FACTOR + 0.6),
        "slow-motion-late-2": sample_slow_motion(late, 1e3),
        "slow-motion-take-home-2": replace(sample_slow_motion(late, 1e3), can_take_home=True),
        "slow-motion-3": sample_slow_motion(mixed_reveal(3), 1e3),
        "slow-motion-8": sample_slow_motion(mixed_reveal(8), 1e3),
    }
