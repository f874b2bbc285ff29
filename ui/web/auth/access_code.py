"""Logins: with the access code shown on the box, which wrong guesses change, or with a stored code or password; rate
limits on guesses, and sessions. No I/O."""

import hmac
import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from limits import RateLimitItemPerHour, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from errors import ThrowlockError

CODE_ALPHABET = "CDFGHJKMNPQRTWXY34679"
"""Characters of a code: none that look alike (0 and O, 1 and I, 2 and Z, 5 and S, 8 and B, U and V), and no vowels, so
that a code is never a word."""
CODE_LENGTH = 8
"""21 ** 8 = 38 billion codes: 10,000 guesses find one with a chance of 1 in 3.8 million, even without rate limits."""
ADDRESS_LIMITS = (RateLimitItemPerMinute(5), RateLimitItemPerHour(12))
"""Wrong guesses from one address."""
SHARED_LIMIT = RateLimitItemPerSecond(20, 400)
"""Wrong guesses from all addresses together. It also bounds the addresses remembered: 180 an hour."""
ROTATE_AFTER_ATTEMPTS = 20
"""Wrong guesses at a code before it is replaced."""
SESSION_IDLE_S = 30 * 60.0
SESSION_LIFETIME_S = 12 * 3600.0
"""A session ends after 30 minutes without a request, and after 12 hours in any case."""
MAX_SESSIONS = 100
"""With one more session, the one idle for longest ends."""


class WrongCodeError(ThrowlockError):
    """The code is wrong."""


class TooManyAttemptsError(ThrowlockError):
    """Too many wrong guesses: the next is checked only after ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


def generate_code() -> str:
    """Return a random code."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def format_code(code: str) -> str:
    """Return a code as it is shown, in two halves: "CDFG-HJKM"."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


@dataclass
class LoginSession:
    """The times of a login: its start and its last request, in s; and what it was opened with."""

    started_s: float
    last_used_s: float
    secret: str


class Login:
    """Sessions that are opened with a secret, and limits of wrong guesses. For one thread.

    ``now`` returns a monotonic time in s, for the sessions; ``limits`` takes the time of day from ``time.time``.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, max_sessions: int = MAX_SESSIONS) -> None:
        self._now, self._max_sessions = now, max_sessions
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._sessions: dict[str, LoginSession] = {}

    def log_in(self, address: str, guess: str) -> str:
        """Check a code or password, and return a new session's secret.

        ``address`` is where the guess comes from.

        Raises:
            WrongCodeError: The code is wrong.
            TooManyAttemptsError: The guess was not checked: too many wrong ones came before.
        """
        limits = [(SHARED_LIMIT, ""), *((limit, address) for limit in ADDRESS_LIMITS)]
        exceeded = [counter for counter in limits if not self._limiter.test(*counter)]
        if exceeded:
            free_at_s = max(self._limiter.get_window_stats(*counter).reset_time for counter in exceeded)
            raise TooManyAttemptsError(max(0, math.floor(free_at_s - time.time())) + 1)
        if not self._is_right(guess):
            for counter in limits:
                self._limiter.hit(*counter)
            self._count_wrong_guess()
            raise WrongCodeError
        for limit in ADDRESS_LIMITS:
            self._limiter.clear(limit, address)
        return self._start_session()

    def _is_right(self, guess: str) -> bool:
        raise NotImplementedError

    def _count_wrong_guess(self) -> None:
        """Note a wrong guess."""

    def _session_secret(self) -> str:
        """Return what sessions are opened with: once it is another, those from before have ended."""
        return ""

    # Starlette keeps a session in a signed cookie, valid until it expires: what ends one before is remembered here.

    def _start_session(self) -> str:
        secret, now = secrets.token_urlsafe(32), self._now()
        if len(self._sessions) >= self._max_sessions:
            self.log_out(min(self._sessions, key=lambda session: self._sessions[session].last_used_s))
        self._sessions[secret] = LoginSession(now, now, self._session_secret())
        return secret

    def _is_valid(self, session: LoginSession) -> bool:
        now = self._now()
        is_recent = now - session.last_used_s < SESSION_IDLE_S and now - session.started_s < SESSION_LIFETIME_S
        return is_recent and session.secret == self._session_secret()

    def use_session(self, secret: str) -> bool:
        """Return whether there is a session with this secret that has not expired, and mark it as used."""
        session = self._sessions.get(secret)
        if session is None or not self._is_valid(session):
            self.log_out(secret)
            return False
        session.last_used_s = self._now()
        return True

    def log_out(self, secret: str) -> None:
        """End a session."""
        self._sessions.pop(secret, None)


class AccessCodeLogin(Login):
    """One random code at a time, typed in upper or lower case, with or without its hyphen. Any thread may read
    ``code``. ``on_rotation`` is called with every new code that replaces another; its sessions go on."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, on_rotation: Callable[[str], object] | None = None
    ) -> None:
        super().__init__(now)
        self.code = generate_code()
        self.rotations = 0
        """Codes replaced because of wrong guesses."""
        self._on_rotation = on_rotation
        self._wrong_guesses = 0

    def _is_right(self, guess: str) -> bool:
        return is_code(guess, self.code)

    def _count_wrong_guess(self) -> None:
        self._wrong_guesses += 1
        if self._wrong_guesses >= ROTATE_AFTER_ATTEMPTS:
            self.code, self._wrong_guesses, self.rotations = generate_code(), 0, self.rotations + 1
            if self._on_rotation is not None:
                self._on_rotation(self.code)


class StoredLogin(Login):
    """A code or password that is kept elsewhere: ``secret`` returns it, or its hash, and ``matches`` compares a guess
    with that. A new secret ends all sessions."""

    def __init__(
        self,
        secret: Callable[[], str],
        matches: Callable[[str, str], bool],
        now: Callable[[], float] = time.monotonic,
        max_sessions: int = MAX_SESSIONS,
    ) -> None:
        super().__init__(now, max_sessions)
        self._secret, self._matches = secret, matches

    def _is_right(self, guess: str) -> bool:
        secret = self._secret()
        return bool(secret) and self._matches(guess, secret)

    def _session_secret(self) -> str:
        return self._secret()


def is_code(guess: str, code: str) -> bool:
    """Return whether what was typed is this code."""
    typed = "".join(letter for letter in guess.upper() if letter.isalnum())
    return hmac.compare_digest(typed.encode(errors="replace"), code.encode())
