"""Read throws as other projects do, on the same rounds with the same hand model: a single frame at a fixed delay after
the cue, the last label within two seconds of it, or the most common one.

All three use one series of labels, ten per second. Each gets the best conditions: the label is read in the seat's own
zone, and the hand is held until the two seconds are over."""

from collections import Counter
from collections.abc import Sequence

from device.camera.frames import Frame
from rules.throws import Throw
from vision.hands.augmentation import HandTracker
from vision.lock.zone_view import ZoneView
from vision.zones import Zone

LABEL_INTERVAL_MS, LABEL_DURATION_MS = 100, 2000
"""Frames are labelled from the cue on, at this interval, for this long."""
SINGLE_LOOK_DELAY_MS = 500
"""The delay of the single frame: late enough for the slowest honest hand to be open and still."""
LETTER_BY_THROW = {Throw.ROCK: "r", Throw.PAPER: "p", Throw.SCISSORS: "s", None: "-"}
"""The letters of a series of labels; "-" is no hand, or one that shows no throw."""
THROW_BY_LETTER = {letter: throw for throw, letter in LETTER_BY_THROW.items()}


def label_frames(frames: Sequence[Frame], zone: Zone, detector: HandTracker, cue_ns: int) -> str:
    """Return what the zone shows in every frame labelled, as letters (see ``LETTER_BY_THROW``)."""
    view = ZoneView(frames, zone, detector)
    readings = (
        view(view.nearest_frame(cue_ns + ms * 1_000_000)) for ms in range(0, LABEL_DURATION_MS + 1, LABEL_INTERVAL_MS)
    )
    return "".join(LETTER_BY_THROW[seen.reading.throw if seen else None] for seen in readings)


def single_label(labels: str) -> Throw | None:
    """Return the throw ``SINGLE_LOOK_DELAY_MS`` after the cue."""
    return THROW_BY_LETTER[labels[SINGLE_LOOK_DELAY_MS // LABEL_INTERVAL_MS]]


def last_label(labels: str) -> Throw | None:
    """Return the last throw seen."""
    return THROW_BY_LETTER[labels.replace("-", "")[-1:] or "-"]


def most_common_label(labels: str) -> Throw | None:
    """Return the throw seen most often; if two are equally common, the one seen later."""
    counts = Counter(labels.replace("-", ""))
    return THROW_BY_LETTER[max(counts, key=lambda letter: (counts[letter], labels.rindex(letter)), default="-")]


OTHER_METHODS = {
    f"single frame {SINGLE_LOOK_DELAY_MS} ms after the cue": single_label,
    f"last label within {LABEL_DURATION_MS // 1000} s": last_label,
    f"most common label within {LABEL_DURATION_MS // 1000} s": most_common_label,
}
"""The methods by name: each returns the throw of a series of labels."""
