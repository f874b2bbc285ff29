"""The door to the pages from the network: the code on the box's screen, how often it may be guessed at, and the
sessions of those who knew it. Nothing is read or written here, and the clock is given."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from errors import ThrowlockError

SIGNS = "CDFGHJKMNPQRTWXY34679"
"""What a code is made of: nothing that looks like something else (0 and O, 1 and I, 2 and Z, 5 and S, 8 and B, U and
V), and no vowels, so that no word comes of it."""
LENGTH = 8
"""Signs of a code: 21 ** 8 are 38 thousand million codes, so that 10,000 guesses hit one with a chance of 1 in 3.8
million even if nothing held them up."""
FREE = 3
"""Wrong guesses from one address before it has to wait: then 1 s, 2 s, 4 s and so on, to ``LONGEST_S``."""
LONGEST_S = 300.0
ALL_FREE, ALL_EVERY_S = 20, 20.0
"""Wrong guesses from all addresses together: so many at once, and one more every so many seconds."""
RENEWED_AFTER = 20
"""Wrong guesses at a code before another takes its place."""
FORGOTTEN_S = 3600.0
"""An address without a wrong guess for so long starts anew."""
ADDRESSES = 500
"""Addresses remembered at most; whoever comes by more of them meets the limit for all."""
IDLE_S = 30 * 60.0
LASTS_S = 12 * 3600.0
"""A session ends when nothing was asked for in the first, and at the latest after the second."""
SESSIONS = 100
"""Sessions at most: one more ends the one that was idle for longest."""


class WrongCodeError(ThrowlockError):
    """That is not the code."""


class TooManyAttemptsError(ThrowlockError):
    """Too many wrong guesses: none is looked at for so many more seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{seconds:.0f} s")
        self.seconds = seconds


def fresh_code() -> str:
    """A code nobody can foresee."""
    return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))


def spaced(code: str) -> str:
    """A code as it is shown, in two halves: "CDFG-HJKM"."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


@dataclass
class _Guesser:
    """Wrong guesses from one address, and when the last of them was, in s."""

    wrong: int
    last: float

    def wait(self, now: float) -> float:
        """Seconds until the next guess is looked at."""
        if self.wrong < FREE:
            return 0.0
        pause = min(2.0 ** min(self.wrong - FREE, 30), LONGEST_S)
        return max(0.0, self.last + pause - now)


@dataclass
class Session:
    """Somebody who knew the code. ``token`` guards their forms; ``began`` and ``used`` are in s."""

    token: str
    began: float
    used: float

    def lasts(self, now: float) -> bool:
        """Whether it has neither been idle nor gone on for too long."""
        return now - self.used < IDLE_S and now - self.began < LASTS_S


class Door:
    """One code at a time, and the sessions it opened. For one thread, but ``code`` may be read from any.

    ``now`` gives the time in s, never going back; ``renewed`` is called with every code that takes another's place.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, renewed: Callable[[str], object] | None = None
    ) -> None:
        self.code = fresh_code()
        self.renewals = 0
        """How many codes were replaced because of wrong guesses."""
        self._now, self._renewed = now, renewed
        self._wrong = 0
        self._all_free_at = now()
        self._guessers: dict[str, _Guesser] = {}
        self._sessions: dict[bytes, Session] = {}

    def enter(self, address: str, guess: str) -> str:
        """A new session's secret for whoever knows the code, typed in any case, with or without its hyphen.

        ``address`` is where the guess comes from. Raises Wrong; TooSoon, and then the guess was not looked at.
        """
        now = self._now()
        guesser = self._guessers.get(address) or _Guesser(0, now)
        wait = max(guesser.wait(now), self._all_free_at - now - (ALL_FREE - 1) * ALL_EVERY_S)
        if wait > 0:
            raise TooManyAttemptsError(wait)
        typed = "".join(sign for sign in guess.upper() if sign.isalnum())
        if not hmac.compare_digest(typed.encode(errors="replace"), self.code.encode()):
            self._count(address, now)
            raise WrongCodeError
        self._guessers.pop(address, None)
        return self._open(now)

    def _count(self, address: str, now: float) -> None:
        """A wrong guess from ``address``."""
        known = self._guessers.pop(address, None)
        before = known.wrong if known is not None and now - known.last <= FORGOTTEN_S else 0
        self._guessers[address] = _Guesser(before + 1, now)
        if len(self._guessers) > ADDRESSES:
            del self._guessers[next(iter(self._guessers))]  # in the order of their last guesses
        self._all_free_at = max(self._all_free_at, now) + ALL_EVERY_S
        self._wrong += 1
        if self._wrong >= RENEWED_AFTER:
            self.code, self._wrong, self.renewals = fresh_code(), 0, self.renewals + 1
            if self._renewed is not None:
                self._renewed(self.code)

    def _open(self, now: float) -> str:
        self._sessions = {key: one for key, one in self._sessions.items() if one.lasts(now)}
        if len(self._sessions) >= SESSIONS:
            del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].used)]
        secret = secrets.token_urlsafe(32)
        self._sessions[_key(secret)] = Session(secrets.token_urlsafe(32), now, now)
        return secret

    def session(self, secret: str) -> Session | None:
        """The session of whoever has ``secret``, which is no longer idle then; None where there is none (any more)."""
        now, session = self._now(), self._sessions.get(_key(secret))
        if session is None:
            return None
        if not session.lasts(now):
            self.leave(secret)
            return None
        session.used = now
        return session

    def leave(self, secret: str) -> None:
        """End a session."""
        self._sessions.pop(_key(secret), None)


def _key(secret: str) -> bytes:
    """What a session is found by: how long the search takes tells nothing about the secret itself."""
    return hashlib.sha256(secret.encode(errors="replace")).digest()
