"""What people who look at past rounds put beside them."""

from enum import StrEnum

MAX_NOTE_LENGTH = 500
"""Characters of a note on a round or match."""


class ReviewMark(StrEnum):
    """A mark that people put on a round."""

    TO_REVIEW = "to review"
    REVIEWED = "reviewed"
