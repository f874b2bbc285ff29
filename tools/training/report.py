"""``python -m tools.training.report``: makes the tables of docs/recognition.md again, between their marks: by set
and throw, hands that are no throw, how far a confidence can be believed, and skin, light and view."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from rules.throws import Throw
from tools.docs.generated_sections import put
from tools.training.examples import RENDERED, STRESS, THROWS, Example, rendered, table_shots
from tools.training.rendered import Shot
from tools.training.sightings import Sightings
from tools.training.training import TRAINING_LOOKS, Material, Vector, arguments, checked, gather, left_out
from vision.hands.classifier import Weights, likelier_none, still_weights, throws_of
from vision.hands.model import ModelError
from vision.hands.shapes import SURE
from vision.hands.stills import NO_THROW

DOCS = Path("docs/recognition.md")
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Confidences between these are told together."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What is read of an example: ``throw`` (None: no throw, or no hand ``found``), and the chance of that."""

    example: Example
    found: bool
    throw: Throw | None
    confidence: float

    @property
    def outcome(self) -> str:
        """Right, wrong, or undecided: what is no throw is right when it is refused."""
        if self.throw is None and self.example.throw is not None:
            return "undecided"
        return "right" if self.throw == self.example.throw else "wrong"


def answer(example: Example, classes: Vector | None, no_throw: float = NO_THROW) -> Answer:
    """The reading from the chances (classes,) of an example, as of a still; None where no hand was found."""
    if classes is None:
        return Answer(example, False, None, 1.0)
    known = throws_of(likelier_none(classes, no_throw))
    best = max(Throw, key=known.__getitem__)
    throw = best if known[best] > SURE else None
    return Answer(example, True, throw, known[throw])


def answers(examples: Iterable[Example], network: Weights) -> list[Answer]:
    """The readings of a network that may have been trained on the examples."""
    return [answer(one, network.chances(one.measures) if one.hands else None) for one in examples]


def answers_left_out(examples: Iterable[Example], logits: Mapping[Example, Vector], network: Weights) -> list[Answer]:
    """The readings by networks that saw neither the set nor the person."""
    return [answer(one, network.heated(logits[one]) if one in logits else None) for one in examples]


def looks_left_out(logits: Mapping[Example, Vector], network: Weights) -> list[Answer]:
    """The same of pictures, each look read by itself."""
    seen = ((one, look) for one, some in logits.items() if one.source != RENDERED for look in some)
    return [answer(one, network.heated(look[None])) for one, look in seen]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown, its first column to the left, the others to the right."""
    marks = [":--", *("--:" for _ in head[1:])]
    lines = [head, marks, *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def share(some: Sequence[Answer], outcome: str) -> str:
    """How many of them came out so, in per cent."""
    return f"{sum(one.outcome == outcome for one in some) / len(some):.1%}" if some else "–"


def by_set(found: Sequence[Answer]) -> str:
    """Right, wrong and undecided by set and throw, all sets together, and the stress sets."""

    def row(name: str, some: Sequence[Answer]) -> list[object]:
        cells = []
        for throw in THROWS:
            these = [one for one in some if one.example.throw == throw]
            counts = [sum(one.outcome == out for one in these) for out in ("right", "wrong", "undecided")]
            cells.append(" / ".join(map(str, counts)))
        return [name, len(some), *cells, share(some, "right"), share(some, "wrong"), share(some, "undecided")]

    throws = [one for one in found if one.example.throw is not None]
    sets = sorted({one.example.source for one in throws})
    core = [one for one in throws if one.example.source not in STRESS]
    rows = [row(name, [one for one in throws if one.example.source == name]) for name in sets if name not in STRESS]
    rows.append(row("**all of these**", core))
    for name in (name for name in sets if name in STRESS):
        rows.append(row(f"{name} (stress)", [one for one in throws if one.example.source == name]))
    return table(["set", "pictures", "rock", "paper", "scissors", "right", "wrong", "undecided"], rows)


def no_throws(left: Sequence[Answer], final: Sequence[Answer]) -> str:
    """How many pictures that show no throw are refused, left out and with the weights as they are."""

    def refused(some: Sequence[Answer], name: str) -> tuple[int, str]:
        these = [one for one in some if _folder(one) == name]
        return len(these), share(these, "right")

    names = sorted({_folder(one) for one in left if one.example.throw is None})
    rows = [[name, refused(left, name)[0], refused(left, name)[1], refused(final, name)[1]] for name in names]
    return table(["folder", "pictures", "refused, set left out", "refused, final weights"], rows)


def _folder(one: Answer) -> str:
    return f"{one.example.source}/{one.example.shape}"


def calibration(found: Sequence[Answer]) -> str:
    """How often a confidence came true, and the expected calibration error."""
    seen = [one for one in found if one.found and one.example.source not in STRESS]
    rows, error = [], 0.0
    for low, high in pairwise(BINS):
        some = [one for one in seen if low < one.confidence <= high]
        if some:
            said = float(np.mean([one.confidence for one in some]))
            true = float(np.mean([one.throw == one.example.throw for one in some]))
            error += abs(said - true) * len(some) / len(seen)
            rows.append([f"{low:.2f}–{high:.2f}", len(some), f"{said:.3f}", f"{true:.3f}"])
    told = table(["confidence", "hands", "mean confidence", "came true"], rows)
    return f"{told}\n\nExpected calibration error: {error:.3f}, over {len(seen)} hands."


def by_shape(found: Sequence[Answer]) -> str:
    """Rendered hands that are no throw: how many of each shape are refused, by view."""
    return _by(found, lambda one: one.shape, "refused", [one.shape for one in _examples(found)])


def by_view(found: Sequence[Answer]) -> str:
    """Rendered throws: how many are found and read right, by throw and view."""
    return _by(found, lambda one: str(one.throw), "right", THROWS)


def _examples(found: Sequence[Answer]) -> list[Example]:
    return [one.example for one in found]


def _by(found: Sequence[Answer], group: Callable[[Example], str], what: str, order: Iterable[str]) -> str:
    """Shares of right answers by group and view; where throws are undecided rather than wrong, the wrong stand too."""
    views = list(dict.fromkeys(_shot(one).view for one in found))

    def cell(some: Sequence[Answer]) -> str:
        wrong = sum(one.outcome == "wrong" for one in some)
        return f"{share(some, 'right')} of {len(some)}" + (f", {wrong} wrong" if wrong and what == "right" else "")

    rows = []
    for name in dict.fromkeys(order):
        these = [one for one in found if group(one.example) == name]
        rows.append([name, *(cell([one for one in these if _shot(one).view == view]) for view in views), cell(these)])
    rows.append(["**all**", *(cell([one for one in found if _shot(one).view == view]) for view in views), cell(found)])
    return table(["", *(f"{view}: {what}" for view in views), f"all: {what}"], rows)


def _shot(one: Answer) -> Shot:
    if one.example.shot is None:
        raise ValueError("only rendered hands have a view")
    return one.example.shot


def by_skin(found: Sequence[Answer]) -> str:
    """Rendered throws, palm up or down: found, right and wrong, by skin and light."""
    flat = [one for one in found if _shot(one).view.startswith("palm")]
    lights = list(dict.fromkeys(_shot(one).light for one in flat))

    def cell(some: Sequence[Answer]) -> str:
        seen = sum(one.found for one in some) / len(some)
        return f"{seen:.0%} / {share(some, 'right')} / {sum(one.outcome == 'wrong' for one in some)}"

    def row(name: str, some: Sequence[Answer]) -> list[str]:
        return [name, *(cell([one for one in some if _shot(one).light == light]) for light in lights), cell(some)]

    skins = sorted({_shot(one).skin for one in flat})
    rows = [
        row(f"skin {number} of {len(skins)}", [one for one in flat if _shot(one).skin == skin])
        for number, skin in enumerate(skins, 1)
    ]
    for name, left in (("left hands", True), ("right hands", False)):
        rows.append(row(name, [one for one in flat if _shot(one).left is left]))
    return table(["found / right / wrong", *(f"{light} light" for light in lights), "all"], rows)


def parts(material: Material, network: Weights, drawn: Sequence[Example]) -> Iterator[tuple[str, str]]:
    """Every table with the name of its marks."""
    logits = left_out(material)
    left = answers_left_out(material.pictures, logits, network)
    final = answers(material.pictures, network)
    shown = answers(drawn, network)
    throws = [one for one in shown if one.example.throw is not None]
    yield "left out", by_set(left)
    yield "final", by_set(final)
    yield "no throws", no_throws(left, final)
    yield "calibration, all looks", calibration(left)
    yield "calibration, one look", calibration(looks_left_out(logits, network))
    yield "shapes", by_shape([one for one in shown if one.example.throw is None])
    yield "views", by_view(throws)
    yield "skin and light", by_skin(throws)


def written(text: str, parts: Iterable[tuple[str, str]]) -> str:
    """The text with what stands between each part's marks replaced. Raises SectionError where a mark is missing."""
    for name, new in parts:
        text = put(text, f"<!-- {name} -->", f"<!-- end of {name} -->", f"\n{new}\n")
    return text


def main() -> None:
    """Makes the tables again."""
    parser = arguments("report", __doc__)
    parser.add_argument("--docs", type=Path, default=DOCS, help="the page whose tables are made again")
    given = checked(parser)
    try:
        material = gather(given.pictures, given.kept, given.per)
        few = Sightings(given.kept, TRAINING_LOOKS)
        drawn = list(rendered(table_shots(), few))
        few.close()
    except ModelError as fault:
        sys.exit(str(fault))
    given.docs.write_text(written(given.docs.read_text(), parts(material, still_weights(), drawn)))


if __name__ == "__main__":
    main()
