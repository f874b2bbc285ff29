"""An outcome of a trial from which tests make others."""

from tools.trials.outcomes import SeatOutcome

HONEST = SeatOutcome(
    seed=1, case="", seats=2, wide=1280, fps=60.0, exposure_ms=8.0, readout_ms=5.0, drop=0.0, cloth="felt",
    lock_ms=170.0, seat=1, side="left", skin=0.5, left=False, size=1.0, kind="honest", throw="paper", shown_ms=20.0,
    then=None, lateness_ms=None, verdict="on time", found="paper", found_at_lock="paper", found_ms=22.0,
    plus_minus_ms=4.0, found_lock_ms=172.0, trouble=None, calls=25, labels="rrppppppppppppppppppp",
)  # fmt: skip
"""A seat whose honest throw was judged correctly."""
