"""Logins: with the access code shown on the box, which wrong guesses change, or with a stored code or password; rate
limits on guesses, and sessions. No I/O. All times are a monotonic clock's: the time of day of a box jumps when it finds
out, and a jump neither ends a session nor makes anybody wait."""

import hmac
import math
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from errors import ThrowlockError

CODE_ALPHABET = "CDFGHJKMNPQRTWXY34679"
"""Characters of a code: none that look alike (0 and O, 1 and I, 2 and Z, 5 and S, 8 and B, U and V), and no vowels, so
that a code is never a word."""
CODE_LENGTH = 8
"""21 ** 8 = 38 billion codes: 10,000 guesses find one with a chance of 1 in 3.8 million, even without rate limits."""


@dataclass(frozen=True)
class RateLimit:
    """How many of something, such as wrong guesses, are let through in any time of this length."""

    count: int
    window_s: int


ADDRESS_LIMITS = (RateLimit(5, 60), RateLimit(12, 3600))
"""Wrong guesses from one address."""
SHARED_LIMIT = RateLimit(20, 400)
"""Wrong guesses from all addresses together. It also bounds the addresses remembered: 180 an hour."""
ROTATE_AFTER_ATTEMPTS = 20
"""Wrong guesses at a code before it is replaced."""
SESSION_IDLE_S = 30 * 60.0
SESSION_LIFETIME_S = 12 * 3600.0
"""A session ends after 30 minutes without a request, and after 12 hours in any case."""
MAX_SESSIONS = 100
"""Whoever comes when there are as many waits until one has ended: nobody can end another's."""


class WrongCodeError(ThrowlockError):
    """The code is wrong."""


class WaitError(ThrowlockError):
    """Whoever is outside has to wait for ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"{self.seconds} s")


class TooManyAttemptsError(WaitError):
    """Too many wrong guesses: the next is checked only then."""


class TooManySessionsError(WaitError):
    """The code is right, but as many as can be are in: if they do nothing, the first of them ends then."""


def generate_code() -> str:
    """Return a random code."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def format_code(code: str) -> str:
    """Return a code as it is shown, in two halves: "CDFG-HJKM"."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


@dataclass
class RecentTimes:
    """The times of what is limited, such as the wrong guesses from one address, or from all, in s, the newest first.
    ``limits`` say how many are let through, and the longest of their windows how long they are remembered."""

    limits: tuple[RateLimit, ...]
    times_s: deque[float] = field(default_factory=deque)

    def free_at_s(self, now_s: float) -> float:
        """Return when the next one is let through; ``now_s`` or earlier if that is at once."""
        full = [limit for limit in self.limits if len(self.times_s) >= limit.count]
        return max((self.times_s[limit.count - 1] + limit.window_s for limit in full), default=now_s)

    def add(self, now_s: float) -> None:
        """Note one."""
        self.times_s.appendleft(now_s)
        self.forget(now_s)

    def forget(self, now_s: float) -> None:
        """Forget those that count no longer."""
        while self.times_s and self.times_s[-1] + max((limit.window_s for limit in self.limits), default=0) <= now_s:
            self.times_s.pop()


@dataclass
class LoginSession:
    """The times of a login: its start and its last request, in s; and what it was opened with."""

    started_s: float
    last_used_s: float
    secret: str

    def ends_s(self) -> float:
        """Return when it ends if nobody uses it."""
        return min(self.last_used_s + SESSION_IDLE_S, self.started_s + SESSION_LIFETIME_S)


class Login:
    """Sessions that are opened with a secret, and limits of wrong guesses. For one thread. ``now`` returns a monotonic
    time in s. Both are kept in memory: a restart ends every session, and forgets the guesses."""

    def __init__(self, now: Callable[[], float] = time.monotonic, max_sessions: int = MAX_SESSIONS) -> None:
        self._now, self._max_sessions = now, max_sessions
        self._all_guesses = RecentTimes((SHARED_LIMIT,))
        self._guesses: dict[str, RecentTimes] = {}
        self._sessions: dict[str, LoginSession] = {}

    def log_in(self, address: str, guess: str, old_session: str = "") -> str:
        """Check a code or password, and return a new session's secret.

        ``address`` is where the guess comes from; its ``old_session``, if it has one, ends.

        Raises:
            WrongCodeError: The code is wrong.
            TooManyAttemptsError: The guess was not checked: too many wrong ones came before.
            TooManySessionsError: The code is right, but nobody else can be let in now.
        """
        now = self._now()
        guesses = self._guesses.get(address, RecentTimes(ADDRESS_LIMITS))
        free_at_s = max(guesses.free_at_s(now), self._all_guesses.free_at_s(now))
        if free_at_s > now:
            raise TooManyAttemptsError(free_at_s - now)
        if not self._is_right(guess):
            self._note_wrong_guess(address, guesses, now)
            self._count_wrong_guess()
            raise WrongCodeError
        self._guesses.pop(address, None)
        return self._start_session(now, old_session)

    def _note_wrong_guess(self, address: str, guesses: RecentTimes, now: float) -> None:
        for counted in (self._all_guesses, guesses):
            counted.add(now)
        for known in self._guesses.values():
            known.forget(now)
        self._guesses = {known: counted for known, counted in self._guesses.items() if counted.times_s}
        self._guesses[address] = guesses

    def _is_right(self, guess: str) -> bool:
        raise NotImplementedError

    def _count_wrong_guess(self) -> None:
        """Note a wrong guess."""

    def _session_secret(self) -> str:
        """Return what sessions are opened with: once it is another, those from before have ended."""
        return ""

    # Starlette keeps a session in a signed cookie, valid until it expires: what ends one before is remembered here.

    def _start_session(self, now: float, old_session: str) -> str:
        self.log_out(old_session)
        self._sessions = {secret: session for secret, session in self._sessions.items() if self._is_valid(session)}
        if len(self._sessions) >= self._max_sessions:
            raise TooManySessionsError(min(session.ends_s() for session in self._sessions.values()) - now)
        secret = secrets.token_urlsafe(32)
        self._sessions[secret] = LoginSession(now, now, self._session_secret())
        return secret

    def _is_valid(self, session: LoginSession) -> bool:
        return self._now() < session.ends_s() and session.secret == self._session_secret()

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
