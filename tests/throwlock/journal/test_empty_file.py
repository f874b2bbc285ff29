"""A journal's file of 0 bytes, as a damaged file system leaves it: reported, put aside, and never taken for new."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.home_people import CLASSIC, People, make_session
from tests.helpers.journal_events import NAMES, STARTED, answer_event
from tests.helpers.journals import contents, names_in
from throwlock.cli.main import run_command
from throwlock.journal.file import JournalDamagedError, sibling
from throwlock.journal.journal import Journal, JournalReader
from throwlock.journal.maintenance import JournalMaintenance
from throwlock.journal.recovery import replace_damaged_journal
from throwlock.journal.tail_marker import TAIL_SUFFIX
from throwlock.launch_options import LaunchOptions
from throwlock.match_runner import NextStep
from throwlock.table_setup.player_names import known_names
from ui.i18n import language
from ui.screen.pages.home import GameMenu
from ui.screen.pages.notice import Notice

SIMULATED = ["play", "classic", "--option", "best_of=1", "--camera", "simulated", "--headless", "--journal"]


@pytest.fixture(params=[(), (TAIL_SUFFIX,), ("-wal",), ("-wal", "-shm", TAIL_SUFFIX)])
def empty(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The file, alone or with some of the files of a box that was killed."""
    path = tmp_path / "box" / "session.journal"
    path.parent.mkdir()
    with Journal(path) as journal:
        journal.append(journal.start_match(STARTED, NAMES), answer_event())
        left = {suffix: sibling(path, suffix).read_bytes() for suffix in request.param}
    path.write_bytes(b"")
    for suffix, data in left.items():
        sibling(path, suffix).write_bytes(data)
    return path


@pytest.mark.parametrize("use", [Journal, JournalReader, lambda path: JournalMaintenance(path).clear_log()])
def test_nobody_takes_it_for_new(empty: Path, use: Callable[[Path], object]) -> None:
    before = contents(empty.parent)
    with pytest.raises(JournalDamagedError, match=r"session\.journal is empty: whatever was in it is lost"):
        use(empty)
    assert contents(empty.parent) == before and known_names(empty) == ()
    with pytest.raises(JournalDamagedError):
        LaunchOptions(empty, "none").is_new_journal()


@pytest.mark.parametrize("command", [SIMULATED, ["verify"], ["record"], ["export", "1", "--journal"]])
def test_the_terminal_says_so(empty: Path, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    before = contents(empty.parent)
    assert run_command([*command, str(empty)]) == 2
    text = "is empty: whatever was in it is lost. Delete it, or name another journal"
    assert capsys.readouterr() == ("", f"throwlock: {empty} {text}\n")
    assert contents(empty.parent) == before


def test_it_is_put_aside_with_all_its_files(empty: Path) -> None:
    before = contents(empty.parent)
    assert replace_damaged_journal(empty).name == "session.journal.broken-1"
    left = contents(empty.parent)
    assert {name.replace(empty.name, f"{empty.name}.broken-1"): data for name, data in before.items()}.items() <= (
        left.items()
    )
    with Journal(empty) as journal:
        assert journal.events() == [] and journal.start_match(STARTED, NAMES) == 1


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "is empty: whatever was in it is lost. You can start a new journal; this one is kept"),
        ("de", "ist leer: was darin war, ist verloren. Ihr könnt ein neues Protokoll beginnen; dieses bleibt"),
        ("fr", "est vide : ce qu’il contenait est perdu. Vous pouvez"),
    ],
)
def test_the_touchscreen_says_so_and_a_new_journal_is_a_touch_away(
    empty: Path, monkeypatch: pytest.MonkeyPatch, code: str, sentence: str
) -> None:
    monkeypatch.setenv("THROWLOCK_SETTINGS", str(empty.parent.parent / "throwlock.toml"))
    (empty.parent.parent / "throwlock.toml").write_text(f'[screen]\nlanguage = "{code}"\n')

    def run_one(options: LaunchOptions, *_: object) -> object:
        with Journal(options.journal) as journal:
            journal.start_match(STARTED, NAMES)
        return "home"

    people = People({GameMenu: [CLASSIC], Notice: [NextStep.NEW_JOURNAL]})
    assert len(make_session(people, empty.parent, run_one)) == 2
    text = language.t(people.of(Notice)[0].text)
    assert sentence in text and "--journal" not in text
    language.set_language("en")
    with JournalReader(empty) as reader:
        assert reader.matches() == [1]


def test_without_a_file_a_journal_is_created(tmp_path: Path) -> None:
    assert run_command([*SIMULATED, str(tmp_path / "new.journal")]) == 0
    assert names_in(tmp_path) == ["new.journal", "new.journal.frames"]
