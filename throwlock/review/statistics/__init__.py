"""Statistics of players, and the awards of an evening; docs/statistics.md defines every figure."""
