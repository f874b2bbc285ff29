"""What people choose when a match has ended or can't be played."""

from enum import StrEnum


class NextStep(StrEnum):
    """A choice at the end of a match, or when it can't be played. The values are the answers of the pages."""

    HOME = "home"
    RETRY = "try again"
    WITHOUT_CAMERA = "play without the camera"
    NEW_JOURNAL = "begin a new journal"
