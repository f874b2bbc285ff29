"""Many matches in a row leave no open file or thread, and memory does not grow with them."""

from pathlib import Path

import pytest

from rules.catalogue import GAMES
from throwlock.journal.journal import JournalReader
from throwlock.review.verify import verify
from tools.soak import MATCH_CYCLE, ResourceUsage, play_matches
from ui.i18n import language


def test_resources_do_not_grow_with_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(tmp_path / "throwlock.toml"))
    assert {name for name, _, _ in MATCH_CYCLE} == GAMES.keys()
    usages: list[ResourceUsage] = []
    rounds = len(MATCH_CYCLE)
    play_matches(tmp_path, 4 * rounds, rounds, usages.append)
    language.set_language("en")
    warm, last = usages[1], usages[-1]
    assert [usage.matches for usage in usages] == [rounds * n for n in range(1, 5)]
    assert last.files == warm.files and last.threads == warm.threads
    assert last.objects - warm.objects < 200 * (last.matches - warm.matches), "less than an event of one match"
    with JournalReader(tmp_path / "soak.journal") as journal:
        assert len(journal.matches()) == last.matches and journal.unfinished_match() is None
        assert verify(journal).problems == ()
