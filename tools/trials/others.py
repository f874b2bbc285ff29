"""The ways other projects read a throw, on the same rounds, with the same hand model in the same zone: one look at a
fixed delay after the cue, the last label within two seconds of it, or the commonest one.

All three are taken from one series of looks, ten a second. They differ in nothing else, so each is as good as it can
be: a label comes with the zone it belongs to, and hands are held until the two seconds are over."""

from collections import Counter
from collections.abc import Sequence

from device.camera.frames import Frame
from rules.throws import Throw
from vision.hands.augmented_looks import Finder
from vision.lock.zone_view import Sight
from vision.zones import Zone

EVERY_MS, UNTIL_MS = 100, 2000
"""Looks are taken from the cue on, this far apart, until then."""
DELAY_MS = 500
"""The delay of the single look: late enough that the slowest honest hand is open and still."""
LETTERS = {Throw.ROCK: "r", Throw.PAPER: "p", Throw.SCISSORS: "s", None: "-"}
"""How a look is written down; "-" is no hand, or one that is none of the three."""
THROWS = {letter: throw for throw, letter in LETTERS.items()}


def labels(frames: Sequence[Frame], zone: Zone, finder: Finder, cue_ns: int) -> str:
    """What the zone shows at every look, one of LETTERS each."""
    sight = Sight(frames, zone, finder)
    looks = (sight(sight.nearest(cue_ns + ms * 1_000_000)) for ms in range(0, UNTIL_MS + 1, EVERY_MS))
    return "".join(LETTERS[seen.reading.throw if seen else None] for seen in looks)


def one_look(found: str, delay_ms: int = DELAY_MS) -> Throw | None:
    """What the look ``delay_ms`` after the cue shows."""
    return THROWS[found[delay_ms // EVERY_MS]]


def last_label(found: str) -> Throw | None:
    """The last throw seen."""
    return THROWS[found.replace("-", "")[-1:] or "-"]


def commonest_label(found: str) -> Throw | None:
    """The throw seen most often; of two seen as often, the later one."""
    counts = Counter(found.replace("-", ""))
    return THROWS[max(counts, key=lambda letter: (counts[letter], found.rindex(letter)), default="-")]


WAYS = {
    f"one look {DELAY_MS} ms after the cue": one_look,
    f"the last label within {UNTIL_MS // 1000} s": last_label,
    f"the commonest label within {UNTIL_MS // 1000} s": commonest_label,
}
"""Each way by what it is called."""
