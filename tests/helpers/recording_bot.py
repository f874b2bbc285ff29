"""A bot that writes every byte it is sent into a file, and answers at random: ``recording_bot.py FILE SEED``."""

import json
import random
import sys
from pathlib import Path

with Path(sys.argv[1]).open("ab") as record:
    rng = random.Random(sys.argv[2])
    for line in sys.stdin.buffer:
        record.write(line)
        record.flush()
        message = json.loads(line)
        if "ask" in message:
            answers = {}
            for seat, allowed in message["seats"].items():
                is_list = isinstance(allowed, list)
                choices = allowed if is_list else range(allowed["from"], allowed["to"] + 1, allowed["step"])
                answers[seat] = rng.choice(choices)
            print(json.dumps({"answers": answers}), flush=True)
