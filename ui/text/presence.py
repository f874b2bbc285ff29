"""Why the box asks whether anybody is there."""

from messages import N

NO_ANSWER = N("Nobody has touched anything for a while.")
NO_HAND = N("No hand was seen, twice in a row.")
