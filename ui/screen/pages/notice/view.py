"""A fault or an event people must know of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Notice:
    """A fault or an event people must know of: what happened and how to mend it. Answered with one of ``choices``."""

    title: str
    text: str
    choices: tuple[str, ...] = ("go on",)
