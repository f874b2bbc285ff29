"""A bot for every game: throws what beats one of the others' throws so far, and answers anything else at random.

throwlock arena "python bot.py" first --game classic --games 100
"""

import json
import random
import sys

BEATEN_BY = {"rock": "paper", "paper": "scissors", "scissors": "rock"}
throws: list[str] = []
mine: list[int] = []

for line in sys.stdin:
    message = json.loads(line)
    if "new" in message:  # a game begins: forget the last one
        mine = message["your_seats"]
        throws.clear()
    elif "answers" in message:  # what the others answered, as far as this bot may see it
        others = [value for seat, value in message["answers"].items() if int(seat) not in mine]
        throws += [value for value in others if value in BEATEN_BY]
    elif "ask" in message:
        answers = {}
        seats = {} if message.get("optional") else message["seats"]  # left out: nobody leaves, or stops the game
        for seat, allowed in seats.items():
            is_list = isinstance(allowed, list)  # or whole numbers: from, to, step
            choices = allowed if is_list else range(allowed["from"], allowed["to"] + 1, allowed["step"])
            best = BEATEN_BY[random.choice(throws)] if throws else None
            answers[seat] = best if best in choices else random.choice(choices)
        print(json.dumps({"answers": answers}), flush=True)
