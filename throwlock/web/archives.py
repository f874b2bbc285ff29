"""The archive that a request of the review pages reads."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from starlette.requests import Request

from throwlock.review.archive import JournalArchive

OpenArchive = Callable[[], AbstractContextManager[JournalArchive]]
"""Opens the archive, in the thread that answers a request."""


@contextmanager
def open_archive(request: Request) -> Iterator[JournalArchive]:
    """Open the archive as it is now. Raises NotFoundError before the first match, JournalError."""
    opener: OpenArchive = request.app.state.open_archive
    with opener() as archive:
        yield archive
