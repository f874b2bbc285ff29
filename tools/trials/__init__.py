"""Judge many rendered rounds whose truth is known, with every kind of table, camera and foul; filmed throws of people,
printed cards and boards; and compare runtimes and variants of the hand model.

``python -m tools.trials`` prints how well the lock did; the figures in ``measurements/2026-11/lock-accuracy.md`` come
from here."""

from tools.trials.generate import BEHAVIOUR_RATES, Trial, make_trial
from tools.trials.outcomes import SeatOutcome, judge_trial

__all__ = ["BEHAVIOUR_RATES", "SeatOutcome", "Trial", "judge_trial", "make_trial"]
