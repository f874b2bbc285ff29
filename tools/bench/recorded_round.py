"""Render the round that ``throwlock doctor --bench`` judges: ``python -m tools.bench.recorded_round``. It is the first
round of ``tools.bench.verdict`` with eight seats, as a video of less than 1 MB, and what the video doesn't hold."""

import argparse
from pathlib import Path
from typing import cast

import cv2

from device.camera.frames import BgrFrame
from throwlock.bench.recorded_round import CLIP_PATH, TRUTH_PATH, RecordedRound, RoundTruth
from tools.bench.verdict import render_round

SEED, FPS, SEATS = 0, 60, 8


def write_round(recorded: RecordedRound, clip: Path, truth: Path) -> None:
    """Write a round's frames to ``clip`` and the rest to ``truth``. Raises OSError if the video can't be written."""
    first = recorded.frames[0]
    writer = cv2.VideoWriter(str(clip), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), FPS, first.size)
    if not writer.isOpened():
        raise OSError(f"{clip} can't be written")
    for frame in recorded.frames:
        writer.write(cast(BgrFrame, frame).bgr)
    writer.release()
    zones = tuple((zone.x, zone.y, zone.w, zone.h) for zone in recorded.zones)
    cue_ns = recorded.cue_ns - first.exposed_ns
    facts = RoundTruth(cue_ns=cue_ns, exposure_ns=first.exposure_ns, zones=zones, throws=recorded.throws)
    truth.write_text(facts.model_dump_json(indent=1) + "\n")


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m tools.bench.recorded_round", description=__doc__).parse_args()
    write_round(render_round(SEED, FPS, SEATS), CLIP_PATH, TRUTH_PATH)
    print(f"{CLIP_PATH.name}: {CLIP_PATH.stat().st_size:,} bytes")
