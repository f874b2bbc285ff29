"""Judge a video of two people throwing, one on the left and one on the right: ``python judge_video.py throw.mp4``.

``throwlock judge --json`` is stable; Throwlock's Python modules are not."""

import json
import subprocess
import sys

LEFT, RIGHT = "0,0,0.5,1", "0.5,0,0.5,1"  # x, y, width and height, in fractions of the picture
command = ["throwlock", "judge", sys.argv[1], "--zone", LEFT, "--zone", RIGHT, "--json"]
done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
if done.returncode:
    sys.exit(done.returncode)  # the command has said why

judgement = json.loads(done.stdout)
if judgement["void_reason"]:
    print("This round can't be judged.")
for seat, side in zip(judgement["seats"], ("left", "right"), strict=True):
    timed = seat["after_first_s"] is not None
    time = f", {seat['after_first_s'] * 1000:.0f} ms after the first hand" if timed else ""
    print(f"{side}: {seat['throw'] or 'no throw'}, {seat['verdict']}{time}")
