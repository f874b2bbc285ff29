"""Check a journal's chain and list its matches, with Python's own library: ``python read_journal.py evening.journal``.

The format is in docs/journal.md; ``throwlock verify`` checks much more."""

import json
import sqlite3
import sys
from hashlib import sha256

journal = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
names = dict(journal.execute("SELECT key, name FROM player"))
(identity,) = journal.execute("SELECT value FROM journal WHERE name = 'id'").fetchone()
previous = sha256(identity.encode()).hexdigest()
query = "SELECT number, match, at, kind, body, previous_hash, hash FROM event ORDER BY number"
for *columns, own_hash in journal.execute(query):
    number, match, at, kind, body, previous_hash = columns
    text = json.dumps(columns, separators=(",", ":"), ensure_ascii=False)
    if previous_hash != previous or own_hash != sha256(text.encode()).hexdigest():
        sys.exit(f"event {number} was changed, or something before it is missing")
    previous = own_hash
    if kind == "match_started":
        started = json.loads(body)
        players = [names.get(key) or f"player {seat}" for seat, key in sorted(started["players"].items())]
        print(f"{at[:16]}  match {match}: {started['game']}, {' against '.join(players)}")
    elif kind == "match_ended":
        print(f"{at[:16]}  match {match} ended")
print("the chain is whole")
