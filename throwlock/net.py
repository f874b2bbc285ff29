"""What every connection to another machine needs: pauses between attempts, and TLS with a hall's own authority."""

import ssl

from errors import ThrowlockError
from messages import N


class AuthorityError(ThrowlockError, ValueError):
    """The certificate of an authority can't be used. The message says why."""


class Backoff:
    """The pause before the next attempt, which doubles with each attempt that fails.

    backoff = Backoff(0.5, 30.0)
    while not connect():
        time.sleep(backoff.pause_s)
        backoff.lengthen()
    backoff.reset()
    """

    def __init__(self, shortest_s: float, longest_s: float) -> None:
        self._shortest_s, self._longest_s = shortest_s, longest_s
        self.pause_s = shortest_s
        """The pause that is due, in s."""

    def lengthen(self) -> None:
        """Double the pause, up to the longest."""
        self.pause_s = min(2 * self.pause_s, self._longest_s)

    def reset(self) -> None:
        """Begin with the shortest pause again: an attempt has succeeded."""
        self.pause_s = self._shortest_s


def tls_context(authority: str) -> ssl.SSLContext:
    """Return what checks that a server has a certificate of ``authority`` (PEM), and for its name. Raises
    AuthorityError."""
    try:
        return ssl.create_default_context(cadata=authority)
    except ssl.SSLError as error:
        raise AuthorityError(N("the certificate of the hall’s authority can’t be read")) from error
