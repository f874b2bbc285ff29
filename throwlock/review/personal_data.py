"""Every place where a box keeps something, what of it is personal, and forgetting a player in all of them.

docs/privacy.md has the same places. A test fails when the box writes a file that is of none of them."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path

from errors import ThrowlockError
from messages import LazyText, N, shorten
from throwlock.journal.kept_frames import delete_clips
from throwlock.journal.quarantined import delete_quarantined
from throwlock.table_setup.class_names import NAMES_FILE, ClassLists
from throwlock.table_setup.name_lists import NameListError, read_names
from ui.text.names import normalise_name

MAX_LISTED_FILES = 10
"""Files next to the journal that are listed after a deletion."""


class Forgetting(StrEnum):
    """What forgetting a player does with a place."""

    PLAYER = "the player is deleted"
    ALL = "all of it is deleted"
    BY_HAND = "left to people"
    NOTHING = "nothing personal"


class Folder(StrEnum):
    """Where a place is."""

    JOURNAL = "next to the journal"
    SETTINGS = "settings"
    CACHE = "cache"


@dataclass(frozen=True)
class Place:
    """Files of one kind, by the pattern of their paths in a folder; FILE is the journal's name."""

    folder: Folder
    pattern: str
    forgetting: Forgetting


PLACES = (
    Place(Folder.JOURNAL, "FILE", Forgetting.PLAYER),
    Place(Folder.JOURNAL, "FILE-wal", Forgetting.PLAYER),
    Place(Folder.JOURNAL, "FILE-shm", Forgetting.PLAYER),
    Place(Folder.JOURNAL, "FILE-journal", Forgetting.PLAYER),
    Place(Folder.JOURNAL, "FILE.new*", Forgetting.PLAYER),  # before it has its name
    Place(Folder.JOURNAL, "FILE.tail", Forgetting.NOTHING),
    Place(Folder.JOURNAL, "FILE.lock", Forgetting.NOTHING),
    Place(Folder.JOURNAL, "FILE.frames/*", Forgetting.PLAYER),
    Place(Folder.JOURNAL, "FILE.clips/*", Forgetting.ALL),
    Place(Folder.JOURNAL, "FILE.broken-*", Forgetting.ALL),
    Place(Folder.JOURNAL, "classes.json*", Forgetting.PLAYER),
    Place(Folder.JOURNAL, "class.txt", Forgetting.BY_HAND),
    Place(Folder.JOURNAL, "filmed-throws/*", Forgetting.BY_HAND),
    Place(Folder.SETTINGS, "throwlock.toml*", Forgetting.NOTHING),
    Place(Folder.SETTINGS, "zones.toml*", Forgetting.NOTHING),
    Place(Folder.SETTINGS, "hall.toml*", Forgetting.NOTHING),
    Place(Folder.CACHE, "review-*.sqlite*", Forgetting.NOTHING),  # an index, without names
    Place(Folder.CACHE, "spoken-counts/*", Forgetting.NOTHING),
    Place(Folder.CACHE, "hand-model-*", Forgetting.NOTHING),
    Place(Folder.CACHE, "matplotlib/*", Forgetting.NOTHING),
    Place(Folder.CACHE, "numba/*", Forgetting.NOTHING),
    Place(Folder.CACHE, "mesa/*", Forgetting.NOTHING),
)


def find_place(folder: Folder, path: str, journal: str) -> Place | None:
    """Return the place that a file is of: ``path`` is in ``folder``, ``journal`` the journal's name. None: of none."""
    for place in PLACES:
        if place.folder is folder and fnmatchcase(path, place.pattern.replace("FILE", escape(journal))):
            return place
    return None


def forget_elsewhere(journal: Path, name: str) -> list[LazyText]:
    """Delete a player who is called ``name``, or whatever may show them, in every place beside the journal itself.
    Return a sentence on each place that is out of reach."""
    remaining: list[LazyText] = []

    def attempt(what: LazyText, delete: Callable[[], object]) -> None:
        try:
            delete()
        except (OSError, ThrowlockError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            remaining.append(N("{what} can’t be deleted: {why}.", what=what, why=why))

    attempt(N("Clips that were made"), lambda: delete_clips(journal))
    attempt(N("Damaged journals that were put aside"), lambda: delete_quarantined(journal))
    attempt(N("The name in the lists of classes"), lambda: ClassLists(journal).forget(name))
    remaining += _left_to_people(journal.resolve(), name)
    return remaining


def _left_to_people(journal: Path, name: str) -> Iterator[LazyText]:
    """Yield a sentence on what only people can look through and delete."""
    others = []
    for entry in sorted(os.scandir(journal.parent), key=lambda entry: entry.name):
        path = f"{entry.name}/" if entry.is_dir() else entry.name
        place = find_place(Folder.JOURNAL, path, journal.name)
        if place is None:
            others += [path] if not path.startswith(".") else []
        elif entry.name == NAMES_FILE and _has_name(Path(entry), name):
            yield N("{path} has the name: take it out by hand.", path=entry.name)
        elif place.forgetting is Forgetting.BY_HAND and entry.is_dir():
            yield N(
                "Throws that were filmed, in {path}, have no names: delete them if they show this player.", path=path
            )
    if others:
        listed = ", ".join(shorten(path) for path in others[:MAX_LISTED_FILES])
        more = "" if len(others) <= MAX_LISTED_FILES else f", … ({len(others)})"
        yield N("Nobody has looked into these files next to the journal: {files}.", files=listed + more)


def _has_name(path: Path, name: str) -> bool:
    """Return whether a list of names has ``name``, or can't be read."""
    try:
        return normalise_name(name) in map(normalise_name, read_names(path).names)
    except NameListError:
        return True
