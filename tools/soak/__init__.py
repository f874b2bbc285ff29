"""A thousand matches in a row: what they use (``python -m tools.soak``), and what is left of them after kills, clock
jumps and errors of the disk (``python -m tools.soak.faults``)."""
