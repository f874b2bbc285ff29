"""The bench of the second screen: its table of lags."""

from tools.bench.second_screen import HEAD, Change, table
from tools.docs.generated_sections import markdown_table


def test_lags_are_listed_by_what_changes_and_in_all() -> None:
    changes = [Change("word 1", 100.0, 90.0), Change("word 2", 700.0, 704.0), Change("reveal", 900.0, 921.0)]
    assert table(changes) == markdown_table(
        HEAD, [("a scene: reveal", 1, 21, 21), ("a word of the count", 2, -3, -10), ("all", 3, 4, 21)]
    )
