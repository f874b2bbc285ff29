"""Login with the access code shown on the box: rate limits on guesses, code rotation, and sessions. No I/O; the clock
is injected."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from errors import ThrowlockError

CODE_ALPHABET = "CDFGHJKMNPQRTWXY34679"
"""Characters of a code: none that look alike (0 and O, 1 and I, 2 and Z, 5 and S, 8 and B, U and V), and no vowels, so
that a code is never a word."""
CODE_LENGTH = 8
"""21 ** 8 = 38 billion codes: 10,000 guesses find one with a chance of 1 in 3.8 million, even without rate limits."""
FREE_ATTEMPTS = 3
"""Wrong guesses from one address before it has to wait: then 1 s, 2 s, 4 s and so on, up to ``MAX_WAIT_S``."""
MAX_WAIT_S = 300.0
SHARED_FREE_ATTEMPTS, SHARED_ATTEMPT_INTERVAL_S = 20, 20.0
"""Wrong guesses from all addresses together: a burst of 20, then one more every 20 s."""
ROTATE_AFTER_ATTEMPTS = 20
"""Wrong guesses at a code before it is replaced."""
FORGET_ADDRESS_S = 3600.0
"""An address without a wrong guess for this long starts from zero."""
MAX_ADDRESSES = 500
"""Addresses remembered; an attacker with more of them meets the shared limit."""
SESSION_IDLE_S = 30 * 60.0
SESSION_LIFETIME_S = 12 * 3600.0
"""A session ends after 30 minutes without a request, and after 12 hours in any case."""
MAX_SESSIONS = 100
"""With one more session, the one idle for longest ends."""


class WrongCodeError(ThrowlockError):
    """The code is wrong."""


class TooManyAttemptsError(ThrowlockError):
    """Too many wrong guesses: the next is checked only after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{seconds:.0f} s")
        self.seconds = seconds


def generate_code() -> str:
    """Return a random code."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def format_code(code: str) -> str:
    """Return a code as it is shown, in two halves: "CDFG-HJKM"."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


@dataclass
class _FailedAttempts:
    """Wrong guesses from one address and the time of the last one, in s."""

    count: int
    last_s: float

    def wait_s(self, now_s: float) -> float:
        """Return the seconds until the next guess is checked."""
        if self.count < FREE_ATTEMPTS:
            return 0.0
        pause = min(2.0 ** min(self.count - FREE_ATTEMPTS, 30), MAX_WAIT_S)
        return max(0.0, self.last_s + pause - now_s)


@dataclass
class LoginSession:
    """A login. ``token`` protects its forms against CSRF."""

    token: str
    started_s: float
    last_used_s: float

    def is_valid(self, now_s: float) -> bool:
        """Return whether the session has neither been idle nor lasted too long."""
        return now_s - self.last_used_s < SESSION_IDLE_S and now_s - self.started_s < SESSION_LIFETIME_S


class AccessCodeLogin:
    """One code at a time, and the sessions opened with it. For one thread, except that any may read ``code``.

    ``now`` returns a monotonic time in s; ``on_rotation`` is called with every new code that replaces another.
    """

    def __init__(
        self, now: Callable[[], float] = time.monotonic, on_rotation: Callable[[str], object] | None = None
    ) -> None:
        self.code = generate_code()
        self.rotations = 0
        """Codes replaced because of wrong guesses."""
        self._now, self._on_rotation = now, on_rotation
        self._wrong_guesses = 0
        self._shared_free_at_s = now()
        self._failed_attempts: dict[str, _FailedAttempts] = {}
        self._sessions: dict[bytes, LoginSession] = {}

    def log_in(self, address: str, guess: str) -> str:
        """Check a code, in upper or lower case, with or without its hyphen, and return a new session's secret.

        ``address`` is where the guess comes from.

        Raises:
            WrongCodeError: The code is wrong.
            TooManyAttemptsError: The guess was not checked: too many wrong ones came before.
        """
        now = self._now()
        attempts = self._failed_attempts.get(address) or _FailedAttempts(0, now)
        wait = max(
            attempts.wait_s(now), self._shared_free_at_s - now - (SHARED_FREE_ATTEMPTS - 1) * SHARED_ATTEMPT_INTERVAL_S
        )
        if wait > 0:
            raise TooManyAttemptsError(wait)
        typed = "".join(letter for letter in guess.upper() if letter.isalnum())
        if not hmac.compare_digest(typed.encode(errors="replace"), self.code.encode()):
            self._count_failure(address, now)
            raise WrongCodeError
        self._failed_attempts.pop(address, None)
        return self._start_session(now)

    def _count_failure(self, address: str, now: float) -> None:
        """Record a wrong guess from ``address``."""
        known = self._failed_attempts.pop(address, None)
        before = known.count if known is not None and now - known.last_s <= FORGET_ADDRESS_S else 0
        self._failed_attempts[address] = _FailedAttempts(before + 1, now)
        if len(self._failed_attempts) > MAX_ADDRESSES:
            del self._failed_attempts[next(iter(self._failed_attempts))]  # the one with the oldest last guess
        self._shared_free_at_s = max(self._shared_free_at_s, now) + SHARED_ATTEMPT_INTERVAL_S
        self._wrong_guesses += 1
        if self._wrong_guesses >= ROTATE_AFTER_ATTEMPTS:
            self.code, self._wrong_guesses, self.rotations = generate_code(), 0, self.rotations + 1
            if self._on_rotation is not None:
                self._on_rotation(self.code)

    def _start_session(self, now: float) -> str:
        self._sessions = {key: one for key, one in self._sessions.items() if one.is_valid(now)}
        if len(self._sessions) >= MAX_SESSIONS:
            del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].last_used_s)]
        secret = secrets.token_urlsafe(32)
        self._sessions[_hash_secret(secret)] = LoginSession(secrets.token_urlsafe(32), now, now)
        return secret

    def session(self, secret: str) -> LoginSession | None:
        """Return the session with this secret and mark it as used; None when there is none or it has expired."""
        now, session = self._now(), self._sessions.get(_hash_secret(secret))
        if session is None:
            return None
        if not session.is_valid(now):
            self.log_out(secret)
            return None
        session.last_used_s = now
        return session

    def log_out(self, secret: str) -> None:
        """End a session."""
        self._sessions.pop(_hash_secret(secret), None)


def _hash_secret(secret: str) -> bytes:
    """Hash a secret for the lookup, so that its timing reveals nothing about the secret."""
    return hashlib.sha256(secret.encode(errors="replace")).digest()
