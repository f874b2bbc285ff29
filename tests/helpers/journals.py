"""Folders and journals as the tests look at them."""

from pathlib import Path

from throwlock.journal.journal import JournalReader
from throwlock.journal.verify import verify


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything in ``folder``: each name with its bytes, None for what is no file."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in sorted(folder.rglob("*"))
    }


def names_in(folder: Path) -> list[str]:
    """The names in ``folder``, in order."""
    return sorted(path.name for path in folder.iterdir())


def chain_faults(path: Path) -> list[str]:
    """What is wrong with the chain and the evidence; these tests' matches are of no game that could be replayed."""
    with JournalReader(path) as journal:
        return [fault for fault in verify(journal).faults if not fault.startswith("match ")]
