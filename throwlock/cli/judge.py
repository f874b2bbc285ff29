"""``throwlock judge`` and ``throwlock recognise``: judge a recorded round, and recognise throws in still images."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from device.camera.clip import ClipError, Recording, read_clip
from rules.record.judgement import Verdict
from rules.throws import WINDOW_MS, Throw
from throwlock.cli.options import EXIT_USER_ERROR, UsageError, one_line, print_error, print_step, zone_option
from throwlock.cli.rule_options import rule_option
from throwlock.tables.record import record_judgement, record_void_reason
from ui.text.rounds import void_text
from ui.text.verdicts import foul_sentence
from vision.evidence import render_evidence
from vision.hands.limits import has_colours
from vision.hands.stills import RecognisedHand, Recogniser, read_image
from vision.image_header import ImageError
from vision.lock.judge import Judge
from vision.lock.judgement import MIN_FRAMES, Judgement
from vision.lock.verdict import OPENING_COMPLETION_NS, SEARCH_AFTER_LOCK_NS, SEARCH_BEFORE_CUE_NS
from vision.zones import Zone, ZoneError, check_no_overlap

CUE_MARGIN_NS = 500_000_000
"""Time read before and after ``--cue`` in addition to what the judge searches."""
COLOUR_CHECK_SIZE = 64, 64
"""Width and height of the images that are looked at for colours."""
CLIP_HINTS = {
    "too long": ", or say when the throw is with --cue",
    "cut": ", or say when the throw is with --cue, if the cut is more than 2 s away from it",
    "no times": ", or say with --recorded-fps how many a second it took",
    "speed": ", or say with --recorded-fps how many a second were taken",
    "ends": ": give a --cue that it reaches",
}
"""What this command offers besides for a recording that can't be read, by the reason."""


@click.command()
@click.argument("clip", type=click.Path(path_type=Path))
@zone_option("Zone of a seat in fractions of the frame. Repeat it for each seat.  [default: one seat, the whole frame]")
@click.option("--cue", type=float, metavar="SECONDS", help="Time of the cue in the clip.  [default: the first hand]")
@click.option(
    "--recorded-fps",
    type=float,
    metavar="FPS",
    help="Frames a second at which the clip was recorded, if it is in slow motion.  [default: as the clip says]",
)
@rule_option(
    "window_ms", "--window", default=WINDOW_MS, show_default=True, metavar="MS",
    help="Time from the first hand to the lock.",
)  # fmt: skip
@click.option(
    "--evidence", type=click.Path(path_type=Path), metavar="DIR", help="Write the images and the timeline here."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def judge(
    clip: Path,
    zones: tuple[str, ...],
    cue: float | None,
    recorded_fps: float | None,
    window_ms: int,
    evidence: Path | None,
    as_json: bool,
) -> None:
    """Judge a recorded round: what each seat threw, when, and the verdict."""
    seat_zones = [Zone.parse(zone) for zone in zones] or [Zone(0, 0, 1, 1)]
    check_no_overlap(seat_zones)
    if cue is not None and not 0 <= cue < 1e6:
        raise UsageError(f"--cue {cue:g}: give the seconds from the beginning of the clip, 0 or more")
    if recorded_fps is not None and not 1 <= recorded_fps <= 100_000:
        raise UsageError(f"--recorded-fps {recorded_fps:g}: give the frames a second of the camera, from 1 to 100000")
    window_ns = window_ms * 1_000_000
    print_step(f"Reading {clip}")
    try:
        recording = _read_round(clip, cue, window_ns, recorded_fps)
    except ClipError as error:
        raise UsageError(f"{error}{CLIP_HINTS.get(error.reason, '')}") from error
    frames = recording.frames
    cue_ns = None if cue is None else recording.timeline.recorded_ns(round(cue * 1e9))
    if cue_ns is not None and frames[-1].exposed_ns < cue_ns:
        end_s = recording.timeline.shown_ns(frames[-1].exposed_ns) / 1e9
        raise UsageError(f"{clip} ends at {end_s:.2f} s, before the cue at {cue:g} s")
    if len(frames) < MIN_FRAMES:
        raise UsageError(
            f"{clip} has too few pictures there to judge a throw by ({len(frames)}): give it the whole throw"
        )
    try:
        for zone in seat_zones:
            zone.box(frames[0].size)
    except ZoneError as error:
        raise UsageError(f"{clip}: {error}; give a larger --zone, or a recording of larger pictures") from error
    if not any(has_colours(frame.pixels(None, COLOUR_CHECK_SIZE)) for frame in frames[:: max(1, len(frames) // 8)]):
        raise UsageError(f"{clip} has no colours, and hands are recognised by theirs: film in colour")
    print_step(f"Judging {len(frames)} images")
    with Judge(len(seat_zones)) as judge_round:
        judgement = judge_round(frames, seat_zones, cue_ns, window_ns)
    _check_end(clip, judgement, recording)
    if evidence is not None:
        _write_evidence(evidence, judgement, frames)
    if as_json:
        click.echo(json.dumps(judgement_json(judgement, recording)))
    else:
        click.echo(judgement_text(judgement, seat_zones, recording))


def _check_end(clip: Path, judgement: Judgement, recording: Recording) -> None:
    """Raise UsageError if a recording ends too early: a hand that it does not show may have been in time, and a fist
    may have been about to open."""
    fists_ns = [seat.shown.time_ns for seat in judgement.seats if seat.shown and seat.throw is Throw.ROCK]
    last_ns, end_ns = max([judgement.lock_ns, *fists_ns]), recording.frames[-1].exposed_ns
    if end_ns < last_ns + OPENING_COMPLETION_NS:
        last = "the lock is" if last_ns == judgement.lock_ns else "the last fist rests"
        end_s, last_s = (recording.timeline.shown_ns(time_ns) / 1e9 for time_ns in (end_ns, last_ns))
        raise UsageError(f"{clip} ends at {end_s:.2f} s, too early to judge by: {last} at {last_s:.2f} s")


def _read_round(clip: Path, cue: float | None, window_ns: int, recorded_fps: float | None) -> Recording:
    """Read a recording, around the cue if it is known. Raises ClipError."""
    if cue is None:
        return read_clip(clip, recorded_fps=recorded_fps)
    before_ns = SEARCH_BEFORE_CUE_NS + CUE_MARGIN_NS
    after_ns = 2 * window_ns + SEARCH_AFTER_LOCK_NS + CUE_MARGIN_NS
    return read_clip(clip, -before_ns, after_ns, round(cue * 1e9), recorded_fps=recorded_fps)


def judgement_json(judgement: Judgement, recording: Recording) -> dict[str, Any]:
    """Return a judgement as JSON; times are in seconds from the start of the clip, as players show them. Times between
    hands, and their uncertainty, are at the recorded speed."""

    def seconds(when_ns: int) -> float:
        return round(recording.timeline.shown_ns(when_ns) / 1e9, 4)

    return {
        "recorded_fps": round(recording.recorded_fps, 3),
        "speed_source": recording.speed_source,
        "cue_s": seconds(judgement.cue_ns),
        "first_shown_s": None if judgement.first_ns is None else seconds(judgement.first_ns),
        "lock_s": seconds(judgement.lock_ns),
        "lock_frame_s": seconds(judgement.lock_frame.exposed_ns),
        "void_reason": reason.model_dump(mode="json") if (reason := record_void_reason(judgement)) else None,
        "seats": [
            {
                "seat": seat.seat,
                "throw": seat.throw,
                "at_lock": seat.at_lock,
                "after_lock": seat.changed_to,
                "shown_s": seconds(seat.shown.time_ns) if seat.shown else None,
                "after_first_s": round(judgement.ms_after_first(seat.shown.time_ns) / 1e3, 4) if seat.shown else None,
                "uncertainty_s": round(seat.shown.sigma_ns / 1e9, 4) if seat.shown else None,
                "verdict": str(seat.verdict),
                "inferences": seat.inferences,
            }
            for seat in judgement.seats
        ],
    }


def judgement_text(judgement: Judgement, zones: Sequence[Zone], recording: Recording) -> str:
    """Format a judgement as text; ``zones`` are the seats'. Times are those at which a player shows the recording."""

    def seconds(when_ns: int) -> str:
        return f"{recording.timeline.shown_ns(when_ns) / 1e9:.3f} s"

    lines = [] if recording.speed_note is None else [str(recording.speed_note)]
    lines.append(f"cue {seconds(judgement.cue_ns)}, lock {seconds(judgement.lock_ns)}")
    for seat in judgement.seats:
        shown = "not shown"
        if seat.shown:
            after, sure = judgement.ms_after_first(seat.shown.time_ns), seat.shown.sigma_ns / 1e6
            first = "cue" if judgement.first_ns is None else "first"
            shown = f"shown {seconds(seat.shown.time_ns)} ({after:+.0f} ms after the {first}, ± {sure:.0f})"
        lines.append(f"seat {seat.seat}: {seat.throw or 'no throw'}, {seat.verdict}, {shown}")
    names = {seat.seat: f"Seat {seat.seat}" for seat in judgement.seats}
    record = record_judgement(judgement, {seat.seat: zone for seat, zone in zip(judgement.seats, zones, strict=True)})
    if judgement.void_reason is not None:
        return "\n".join([*lines, f"The round can't be judged. {void_text(record, names)}"])
    notable = [seat for seat in judgement.seats if seat.verdict is not Verdict.ON_TIME]
    lines += [foul_sentence(record, seat.seat, names) for seat in notable]
    return "\n".join(lines)


def _write_evidence(folder: Path, judgement: Judgement, frames: Any) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, _, data in render_evidence(judgement, frames):
            (folder / name).write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"{folder} can't be written ({error.strerror}): name another folder with --evidence"
        ) from error


def _describe_hand(hand: RecognisedHand) -> str:
    if hand.is_cut_off:
        return "a hand cut off"
    if hand.is_too_small:
        return f"a hand of {max(hand.box.w, hand.box.h)} pixels, too small to read"
    return f"{hand.throw or 'no throw'} ({hand.confidence:.0%})"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--model",
    type=click.Choice(["full", "lite"]),
    default="full",
    show_default=True,
    help="Hand model: full finds more fists, lite is faster.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def recognise(files: tuple[Path, ...], model: Any, as_json: bool) -> None:
    """Recognise the throws in still images. A file that can't be read does not stop the others."""
    readable = True
    print_step("Loading the hand model")
    with Recogniser(model) as recogniser:
        for file in files:
            try:
                hands = recogniser.recognise(read_image(file))
            except ImageError as error:
                print_error(str(error))
                readable = False
                continue
            if as_json:
                entries = [
                    {
                        "throw": hand.throw,
                        "confidence": round(hand.confidence, 3),
                        "box": list(hand.box),
                        "cut_off": hand.is_cut_off,
                        "too_small": hand.is_too_small,
                    }
                    for hand in hands
                ]
                click.echo(json.dumps({"file": str(file), "hands": entries}))
            else:
                shown = ", ".join(map(_describe_hand, hands))
                click.echo(f"{one_line(str(file))}: {shown or 'no hand found'}")
    if not readable:
        sys.exit(EXIT_USER_ERROR)
