"""The base class of every error of ours. Any package may import this module; it imports nothing."""


class ThrowlockError(Exception):
    """Something that whoever uses the box can act on. The message is one line that says what is wrong, where, and how
    to mend it. Subclasses are also a standard type where one fits, such as ValueError."""

    needs_restart = False
    """Whether only a new process can go on."""
