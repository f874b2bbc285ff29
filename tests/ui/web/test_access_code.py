"""The login: codes, ten thousand guesses, sessions."""

import re
from pathlib import Path

import pytest
from web_guard import FakeClock

from throwlock.review import server
from ui.web.auth import access_code, middleware
from ui.web.auth.access_code import AccessCodeLogin, TooManyAttemptsError, WrongCodeError, format_code, generate_code


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def login(clock: FakeClock) -> AccessCodeLogin:
    return AccessCodeLogin(clock)


def refused(login: AccessCodeLogin, address: str = "192.168.1.66", guess: str = "FFFFFFFF") -> float:
    """Guess wrong and return the seconds to wait, 0 if the guess was checked."""
    try:
        login.log_in(address, guess)
    except TooManyAttemptsError as wait:
        return wait.seconds
    except WrongCodeError:
        return 0.0
    raise AssertionError("a wrong code was let in")


def test_codes_are_long_and_unambiguous() -> None:
    codes = {generate_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 8 for code in codes)
    assert {sign for code in codes for sign in code} == set(access_code.CODE_ALPHABET)
    assert not set(access_code.CODE_ALPHABET) & set("0O1IL2Z5S8BUV")
    assert len(access_code.CODE_ALPHABET) ** access_code.CODE_LENGTH > 10**10


@pytest.mark.parametrize("typed", [str, str.lower, format_code, lambda code: f"  {format_code(code).lower()} "])
def test_any_spelling_of_the_code_logs_in(login: AccessCodeLogin, typed: object) -> None:
    assert callable(typed)
    assert login.session(login.log_in("192.168.1.7", typed(login.code))) is not None


@pytest.mark.parametrize("guess", ["", "-", "FFFFFFF", "ＣＤＦＧＨＪＫＭ", "\ud800", "C" * 10_000, "\0"])
def test_other_codes_are_wrong(login: AccessCodeLogin, guess: str) -> None:
    with pytest.raises(WrongCodeError):
        login.log_in("192.168.1.7", guess)


def test_partial_and_longer_codes_are_wrong(login: AccessCodeLogin) -> None:
    for guess in (login.code[:-1], login.code + "C", login.code[::-1] + login.code):
        with pytest.raises(WrongCodeError):
            login.log_in(f"192.168.1.{len(guess)}", guess)


def test_waits_grow_per_address(login: AccessCodeLogin, clock: FakeClock) -> None:
    waits = []
    for _ in range(16):
        while wait := refused(login):
            waits.append(wait)
            clock.now += wait
    assert waits[:5] == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert waits[-1] == access_code.MAX_WAIT_S


def test_the_right_code_is_not_checked_during_the_wait(login: AccessCodeLogin, clock: FakeClock) -> None:
    for _ in range(access_code.FREE_ATTEMPTS + 1):
        if wait := refused(login):
            break
    with pytest.raises(TooManyAttemptsError):
        login.log_in("192.168.1.66", login.code)
    assert login.log_in("192.168.1.7", login.code), "others need not wait for it"
    clock.now += wait
    assert login.log_in("192.168.1.66", login.code)
    assert refused(login) == 0, "whoever knew it starts anew"


def test_unchecked_guesses_do_not_extend_the_wait(login: AccessCodeLogin) -> None:
    for _ in range(access_code.FREE_ATTEMPTS):
        assert refused(login) == 0
    assert [refused(login) for _ in range(50)] == [1.0] * 50


def test_guesses_are_forgotten_after_an_hour(login: AccessCodeLogin, clock: FakeClock) -> None:
    for _ in range(access_code.FREE_ATTEMPTS):
        refused(login)
    clock.now += access_code.FORGET_ADDRESS_S + 1
    assert [refused(login) for _ in range(access_code.FREE_ATTEMPTS)] == [0.0] * access_code.FREE_ATTEMPTS
    assert refused(login) == 1.0


def spent(addresses: int) -> float:
    """Return the seconds that 10,000 guesses take, waiting as required, from a number of addresses."""
    clock = FakeClock()
    login, began, codes = AccessCodeLogin(clock), clock.now, set()
    for guess in range(10_000):
        codes.add(login.code)
        while wait := refused(login, f"from {guess % addresses}", f"{guess:08}"):
            clock.now += wait
    assert login.rotations == 10_000 / access_code.ROTATE_AFTER_ATTEMPTS == len(codes)
    return clock.now - began


@pytest.mark.parametrize("addresses", [1, 10_000])
def test_ten_thousand_guesses_are_hopeless(addresses: int) -> None:
    assert spent(addresses) > 2 * 86_400


def test_ten_thousand_guesses_without_waiting_are_mostly_unchecked(login: AccessCodeLogin) -> None:
    looked_at = sum(refused(login) == 0 for _ in range(10_000))
    assert looked_at == access_code.FREE_ATTEMPTS
    looked_at = sum(refused(login, f"from {guess}") == 0 for guess in range(10_000))
    assert looked_at == access_code.SHARED_FREE_ATTEMPTS - access_code.FREE_ATTEMPTS


def test_remembered_addresses_are_limited(login: AccessCodeLogin, clock: FakeClock) -> None:
    for guess in range(2 * access_code.MAX_ADDRESSES):
        clock.now += access_code.SHARED_ATTEMPT_INTERVAL_S
        refused(login, f"from {guess}")
    assert len(login._failed_attempts) == access_code.MAX_ADDRESSES


def test_the_code_rotates_after_wrong_guesses(clock: FakeClock) -> None:
    said: list[str] = []
    login = AccessCodeLogin(clock, said.append)
    before = login.code
    for guess in range(access_code.ROTATE_AFTER_ATTEMPTS):
        assert login.code == before
        refused(login, f"from {guess}")
    assert said == [login.code]
    assert login.code != before
    clock.now += 60
    assert refused(login, guess=before) == 0, "the old one is as wrong as any"


def test_sessions_outlive_the_code(login: AccessCodeLogin, clock: FakeClock) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for guess in range(access_code.ROTATE_AFTER_ATTEMPTS):
        refused(login, f"from {guess}")
    assert login.rotations == 1
    assert login.session(secret) is not None


def test_a_session_ends_when_it_is_idle(login: AccessCodeLogin, clock: FakeClock) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for _ in range(5):
        clock.now += access_code.SESSION_IDLE_S - 1
        assert login.session(secret) is not None
    clock.now += access_code.SESSION_IDLE_S
    assert login.session(secret) is None
    clock.now -= access_code.SESSION_IDLE_S
    assert login.session(secret) is None, "and stays ended"


def test_a_session_ends_after_half_a_day_however_busy(login: AccessCodeLogin, clock: FakeClock) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for _ in range(int(access_code.SESSION_LIFETIME_S) // 60):
        assert login.session(secret) is not None
        clock.now += 60
    assert login.session(secret) is None


def test_logout_ends_one_session_only(login: AccessCodeLogin) -> None:
    one, two = (login.log_in("192.168.1.7", login.code) for _ in range(2))
    login.log_out(one)
    login.log_out("never begun")
    assert login.session(one) is None
    assert login.session(two) is not None


def test_sessions_differ_and_so_do_their_tokens(login: AccessCodeLogin) -> None:
    secrets = [login.log_in("192.168.1.7", login.code) for _ in range(20)]
    tokens = {session.token for secret in secrets if (session := login.session(secret))}
    assert len(tokens | set(secrets)) == 40
    assert all(len(secret) >= 43 for secret in secrets), "256 bits"


@pytest.mark.parametrize("forged", ["", "0" * 43, "\ud800", "é", "a" * 100_000])
def test_forged_sessions_do_not_exist(login: AccessCodeLogin, forged: str) -> None:
    login.log_in("192.168.1.7", login.code)
    assert login.session(forged) is None


def test_one_session_too_many_ends_the_longest_idle(login: AccessCodeLogin, clock: FakeClock) -> None:
    secrets = []
    for _ in range(access_code.MAX_SESSIONS):
        clock.now += 1
        secrets.append(login.log_in("192.168.1.7", login.code))
    clock.now += 1
    assert login.session(secrets[0]) is not None, "so that the second is the idlest"
    secrets.append(login.log_in("192.168.1.7", login.code))
    assert [number for number, secret in enumerate(secrets) if login.session(secret) is None] == [1]


def test_the_limits_are_documented() -> None:
    interval_s = access_code.SHARED_ATTEMPT_INTERVAL_S
    codes = len(access_code.CODE_ALPHABET) ** access_code.CODE_LENGTH
    rows = {
        f"characters of a code, out of {len(access_code.CODE_ALPHABET)}": f"{access_code.CODE_LENGTH}",
        "codes there are": f"{codes:,}",
        "wrong codes from one address before it waits": f"{access_code.FREE_ATTEMPTS}",
        "its wait then, doubled with each further one": f"1 s to {access_code.MAX_WAIT_S:.0f} s",
        f"wrong codes from all addresses at once, then one in {interval_s:.0f} s": str(
            access_code.SHARED_FREE_ATTEMPTS
        ),
        "wrong codes before the code is replaced": f"{access_code.ROTATE_AFTER_ATTEMPTS}",
        "10,000 wrong codes take one address": f"{spent(1) // 86_400:.0f} days",
        "10,000 wrong codes take 10,000 addresses": f"{spent(10_000) // 3600:.0f} hours",
        "the chance that one of them is right": f"1 in {codes // 10_000:,}",
        "a session ends, idle": f"{access_code.SESSION_IDLE_S / 60:.0f} minutes",
        "a session ends, at the latest": f"{access_code.SESSION_LIFETIME_S / 3600:.0f} hours",
        "sessions at once": f"{access_code.MAX_SESSIONS}",
        "a form": f"{middleware.MAX_FORM_BYTES:,} bytes in {middleware.FORM_TIMEOUT_S:.0f} s",
        "an address with its query": f"{middleware.MAX_URL_BYTES:,} bytes",
        "connections at once, and from one address": f"{server.MAX_CONNECTIONS}, {server.MAX_CONNECTIONS_PER_ADDRESS}",
    }
    text = (Path(__file__).parents[3] / "docs" / "review-pages.md").read_text()
    table = text.partition("| what | limit |\n| --- | --- |\n")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)) == rows
