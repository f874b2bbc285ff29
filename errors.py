"""The base class of every error of ours, and two errors of several packages. Any package may import this module."""

from messages import LazyText, Message, join


class ThrowlockError(Exception):
    """Something that whoever uses the box can act on. ``str(error)`` is one English line that says what is wrong, where
    and how to mend it. Subclasses are also a standard type where one fits, such as ValueError.

    Attributes:
        text: The message for a screen: a LazyText, which is shown in the screen's language.
        id: The message before its fields are filled in, such as "no camera usb:{number}": gettext's message id. It is
            the same in every language.
        fields: The values of the message's fields by name.
    """

    needs_restart = False
    """Whether only a new process can go on."""

    def __init__(self, message: str = "", *, terminal_hint: str = "", screen_hint: LazyText | None = None) -> None:
        """``message`` is made by ``messages.N`` wherever a screen may show it. ``terminal_hint`` follows it in
        ``str(error)`` alone, in English and with its punctuation, such as ``": use --camera simulated"``: a screen has
        no options. ``screen_hint`` follows it in ``text`` alone, after a colon."""
        super().__init__(message + terminal_hint)
        source = message.source if isinstance(message, LazyText) else None
        self.text: str = join([message, screen_hint], ": ") if screen_hint else message
        self.id, self.fields = (source.singular, source.fields) if isinstance(source, Message) else (message, {})


class RefusedError(ThrowlockError, ValueError):
    """A change that a form asks for can't be made. The message, for users, says why."""


class NotFoundError(ThrowlockError, LookupError):
    """There is no such match, round, player or image (any more). The message, for users, says which."""
