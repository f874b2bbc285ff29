"""Tournaments: formats, brackets, pairings and tables as a pure function of what happened (``project``)."""
