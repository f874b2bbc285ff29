"""A bot for every game: throws what beats the others' most frequent throw, and answers anything else at random.

throwlock arena "python bot.py" first --game classic --games 100
"""

import json
import random
import sys
from collections import Counter

BEATEN_BY = {"rock": "paper", "paper": "scissors", "scissors": "rock"}
throws: Counter[str] = Counter()
mine: list[int] = []

for line in sys.stdin:
    message = json.loads(line)
    if "new" in message:  # a game begins: forget the last one
        mine = message["your_seats"]
        throws.clear()
    elif "answers" in message:  # what the others answered, as far as this bot may see it
        throws.update(
            value for seat, value in message["answers"].items() if int(seat) not in mine and value in BEATEN_BY
        )
    elif "ask" in message:
        answers = {}
        for seat, allowed in message["seats"].items():
            is_list = isinstance(allowed, list)  # or whole numbers: from, to, step
            choices = allowed if is_list else range(allowed["from"], allowed["to"] + 1, allowed["step"])
            best = BEATEN_BY[throws.most_common(1)[0][0]] if throws else None
            answers[seat] = best if best in choices else random.choice(choices)
        print(json.dumps({"answers": answers}), flush=True)
