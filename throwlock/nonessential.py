"""What a match can do without: clips, voice, pictures."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from errors import ThrowlockError

logger = logging.getLogger(__name__)


@contextmanager
def nonessential(failure: str) -> Iterator[None]:
    """Log any error of the context instead of raising it, as ``failure``: the match is worth more than what the context
    does for it. Never put a display's question in it: its answers may be errors, such as that people have left."""
    try:
        yield
    except (ThrowlockError, OSError) as error:
        logger.warning("%s: %s", failure, error)
    except Exception:
        logger.exception("%s", failure)
