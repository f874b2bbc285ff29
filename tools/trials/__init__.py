"""``python -m tools.trials``: the lock on many rendered rounds whose truth is known, with every kind of table, camera
and foul; prints what it made of them. The figures in ``docs/lock.md`` come from here."""

from tools.trials.judging import Outcome, outcomes
from tools.trials.making import KINDS, Trial, trial

__all__ = ["KINDS", "Outcome", "Trial", "outcomes", "trial"]
