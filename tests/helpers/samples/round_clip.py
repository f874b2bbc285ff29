"""Samples of a clip: between two hands, and the end of a late throw, and of rounds with every verdict."""

from tests.helpers.samples.reveal import close_reveal, decided_reveal, mixed_reveal
from tests.helpers.samples.slow_motion import FRAME_TIMES_MS
from ui.screen.pages.reveal import Reveal
from ui.screen.pages.round_clip import RoundClip


def sample_clip(reveal: Reveal, seconds: float) -> RoundClip:
    """Return the clip of a reveal's round, ``seconds`` after its beginning."""
    clip = RoundClip(
        reveal.seats,
        reveal.players,
        reveal.window_ms,
        FRAME_TIMES_MS,
        lambda seat, frame: reveal.pictures[seat].at_lock,
        title="RPS Redeux",
        sentence=reveal.sentence,
    )
    return clip.at_time(seconds)


def samples() -> dict[str, RoundClip]:
    """Return the samples by name."""
    return {
        "clip-between-2": sample_clip(decided_reveal(2), 1.4),
        "clip-late-2": sample_clip(mixed_reveal(2), 1e3),
        "clip-too-close-2": sample_clip(close_reveal(), 1e3),
        "clip-3": sample_clip(mixed_reveal(3), 1e3),
        "clip-8": sample_clip(mixed_reveal(8), 1e3),
    }
