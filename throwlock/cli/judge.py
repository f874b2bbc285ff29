"""``throwlock judge`` and ``throwlock recognise``: the lock on a recording, and what still pictures show."""

import json
from pathlib import Path
from typing import Any

import click

from device.camera.clip import read_clip
from throwlock.cli.options import UsageError
from throwlock.match.judgement_json import trouble_json
from throwlock.match.verdict_text import accused, troubled
from vision.evidence import evidence_of
from vision.hands.stills import PictureError, Recogniser, read_picture
from vision.lock.judge import Judge, Judgement
from vision.lock.verdict import AFTER_NS, BEFORE_NS
from vision.zones import Zone, check_apart

AROUND_NS = 1_500_000_000
"""How much of a recording is read before and after a cue that is given, beyond what the lock looks at."""


@click.command()
@click.argument("clip", type=click.Path(path_type=Path))
@click.option(
    "--zone",
    "zones",
    multiple=True,
    metavar="X,Y,W,H",
    help="A seat's zone in fractions of the frame; repeat it, one per seat. Default: one seat, the whole frame.",
)
@click.option("--cue", type=float, metavar="SECONDS", help="When to shoot; without it, the first hand is the cue.")
@click.option("--window", default=150, show_default=True, type=click.IntRange(50, 2000), help="ms from first to lock.")
@click.option(
    "--evidence", type=click.Path(path_type=Path), metavar="DIR", help="Write the pictures and time line here."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def judge(
    clip: Path, zones: tuple[str, ...], cue: float | None, window: int, evidence: Path | None, as_json: bool
) -> None:
    """The lock on a recording: what every seat threw, when, and the verdict."""
    places = [Zone.read(zone) for zone in zones] or [Zone(0, 0, 1, 1)]
    check_apart(places)
    if cue is not None and not 0 <= cue < 1e6:
        raise UsageError(f"--cue {cue:g}: give the seconds from the beginning of the clip, 0 or more")
    cue_ns = None if cue is None else round(cue * 1e9)
    if cue_ns is None:
        frames = read_clip(clip)
    else:
        reach_ns = BEFORE_NS + 2 * window * 1_000_000 + AFTER_NS + AROUND_NS
        frames = read_clip(clip, max(0, cue_ns - reach_ns), cue_ns + reach_ns)
        if frames[-1].exposed_ns < cue_ns:
            raise UsageError(f"{clip} ends at {frames[-1].exposed_ns / 1e9:.2f} s, before the cue at {cue:g} s")
    for place in places:
        place.box(frames[0].size)
    with Judge(len(places)) as judged:
        judgement = judged(frames, places, cue_ns, window * 1_000_000)
    if evidence is not None:
        _write_evidence(evidence, judgement, frames)
    click.echo(json.dumps(judgement_json(judgement)) if as_json else in_lines(judgement))


def _seconds(when_ns: int) -> float:
    return round(when_ns / 1e9, 4)


def judgement_json(judgement: Judgement) -> dict[str, Any]:
    """A judgement as ``judge --json`` prints it; times in seconds of the recording."""
    return {
        "cue_s": _seconds(judgement.cue_ns),
        "first_s": None if judgement.first_ns is None else _seconds(judgement.first_ns),
        "lock_s": _seconds(judgement.lock_ns),
        "lock_frame_s": _seconds(judgement.lock_frame.exposed_ns),
        "trouble": trouble_json(judgement),
        "seats": [
            {
                "seat": seat.seat,
                "throw": seat.throw,
                "at_lock": seat.at_lock,
                "then": seat.then,
                "shown_s": _seconds(seat.shown.when_ns) if seat.shown else None,
                "plus_minus_s": _seconds(seat.shown.plus_minus_ns) if seat.shown else None,
                "verdict": str(seat.verdict),
                "inferences": seat.inferences,
            }
            for seat in judgement.seats
        ],
    }


def in_lines(judgement: Judgement) -> str:
    """A judgement for people."""
    lines = [f"cue {judgement.cue_ns / 1e9:.3f} s, lock {judgement.lock_ns / 1e9:.3f} s"]
    for seat in judgement.seats:
        shown = "not shown"
        if seat.shown:
            after, sure = judgement.after_first_ms(seat.shown.when_ns), seat.shown.plus_minus_ns / 1e6
            shown = f"shown {seat.shown.when_ns / 1e9:.3f} s ({after:+.0f} ms after the first, ± {sure:.0f})"
        lines.append(f"seat {seat.seat}: {seat.throw or 'no throw'}, {seat.verdict}, {shown}")
    names = {seat.seat: f"Seat {seat.seat}" for seat in judgement.seats}
    if judgement.trouble is not None:
        return "\n".join([*lines, f"The round can't be judged. {troubled(judgement, names)}"])
    lines += [accused(seat, judgement, names) for seat in judgement.fouls]
    return "\n".join(lines)


def _write_evidence(folder: Path, judgement: Judgement, frames: Any) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, _, data in evidence_of(judgement, frames):
            (folder / name).write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"{folder} can't be written ({error.strerror}): name another folder with --evidence"
        ) from error


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--model", type=click.Choice(["full", "lite"]), default="full", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def recognise(files: tuple[Path, ...], model: Any, as_json: bool) -> None:
    """What each still picture shows. A file that is no picture is said, and the others are read all the same."""
    broken: list[str] = []
    with Recogniser(model) as recogniser:
        for file in files:
            try:
                hands = recogniser.recognise(read_picture(file))
            except PictureError as fault:
                broken.append(str(fault))
                continue
            if as_json:
                found = [
                    {"throw": hand.throw, "confidence": round(hand.confidence, 3), "box": list(hand.box)}
                    for hand in hands
                ]
                click.echo(json.dumps({"file": str(file), "hands": found}))
            else:
                shown = ", ".join(f"{hand.throw or 'no throw'} ({hand.confidence:.0%})" for hand in hands)
                click.echo(f"{file}: {shown or 'no hand found'}")
    if broken:
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        raise UsageError(broken[0] + more)
