"""Files for others: each is there as a whole, or what was there before stays."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Give the path to write the content of ``path`` to, beside it. Afterwards it takes the place of ``path``; if
    anything is raised, it is deleted. A device or a pipe is written to itself.

    Raises OSError, which names ``path``: most of a full disk's come without a name.
    """
    target = path.resolve()
    part = target if target.exists() and not target.is_file() else target.with_name(target.name + ".part")
    try:
        try:
            yield part
            if part != target:
                part.replace(target)
        except BaseException:
            if part != target:
                part.unlink(missing_ok=True)
            raise
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror or os.strerror(error.errno), str(path)) from error
