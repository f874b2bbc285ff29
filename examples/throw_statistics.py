"""Who throws what, and how quickly: ``python throw_statistics.py evening.journal``.

It needs the extra ``parquet`` (DuckDB).

docs/data.md describes every column. Cells between ``# %%`` are those of a notebook in editors that know them."""

# %% All throws of the journal as one table
import subprocess
import sys

import duckdb

subprocess.run(
    ["throwlock", "export", "--format", "parquet", "--journal", sys.argv[1], "--out", "throws.parquet"], check=True
)
throws = duckdb.read_parquet("throws.parquet").filter("counts AND throw IS NOT NULL")

# %% Each player's throws
print(throws.aggregate("player, throw, count(*) AS times", "player, throw").order("player, times DESC, throw"))

# %% How long after the first hand each player's hand shows, in ms
print(throws.aggregate("player, count(*) AS rounds, median(after_first_ms) AS median_ms").order("median_ms"))

# %% What follows a rock
print(
    duckdb.sql("""
        SELECT next, count(*) AS times
        FROM (SELECT throw, lead(throw) OVER (PARTITION BY match, seat ORDER BY round) AS next FROM throws)
        WHERE throw = 'rock' AND next IS NOT NULL GROUP BY next ORDER BY times DESC, next
    """)
)
