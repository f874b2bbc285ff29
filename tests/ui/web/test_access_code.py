"""The login: codes, ten thousand guesses, sessions."""

import re
from pathlib import Path

import pytest

from tests.helpers.web_guard import FakeClock
from throwlock.web import serving
from ui.web import access_code, middleware
from ui.web.access_code import (
    AccessCodeLogin,
    TooManyAttemptsError,
    TooManySessionsError,
    WrongCodeError,
    format_code,
    generate_code,
)


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
    assert login.use_session(login.log_in("192.168.1.7", typed(login.code)))


@pytest.mark.parametrize("guess", ["", "-", "FFFFFFF", "ＣＤＦＧＨＪＫＭ", "\ud800", "C" * 10_000, "\0"])
def test_other_codes_are_wrong(login: AccessCodeLogin, guess: str) -> None:
    with pytest.raises(WrongCodeError):
        login.log_in("192.168.1.7", guess)


def test_partial_and_longer_codes_are_wrong(login: AccessCodeLogin) -> None:
    for guess in (login.code[:-1], login.code + "C", login.code[::-1] + login.code):
        with pytest.raises(WrongCodeError):
            login.log_in(f"192.168.1.{len(guess)}", guess)


def test_each_address_has_a_few_guesses_a_minute_and_an_hour(login: AccessCodeLogin, clock: FakeClock) -> None:
    checked_s = []
    for _ in range(15):
        while wait := refused(login):
            clock.now += wait
        checked_s.append(clock.now - 1000)
    assert checked_s[:7] == [0, 0, 0, 0, 0, 60, 60]
    assert checked_s[11:14] == [120, 3600, 3600]


def test_the_right_code_is_not_checked_during_the_wait(login: AccessCodeLogin, clock: FakeClock) -> None:
    while not (wait := refused(login)):
        pass
    with pytest.raises(TooManyAttemptsError):
        login.log_in("192.168.1.66", login.code)
    assert login.log_in("192.168.1.7", login.code), "others need not wait for it"
    clock.now += wait
    assert login.log_in("192.168.1.66", login.code)


def test_whoever_knew_the_code_starts_anew(login: AccessCodeLogin) -> None:
    assert [refused(login) for _ in range(4)] == [0, 0, 0, 0]
    assert login.log_in("192.168.1.66", login.code)
    assert [refused(login) for _ in range(6)] == [0, 0, 0, 0, 0, 60]


def test_unchecked_guesses_do_not_extend_the_wait(login: AccessCodeLogin) -> None:
    for _ in range(5):
        assert refused(login) == 0
    assert [refused(login) for _ in range(50)] == [60] * 50


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
    assert sum(refused(login) == 0 for _ in range(10_000)) == 5
    assert sum(refused(login, f"from {guess}") == 0 for guess in range(10_000)) == 15


def test_the_code_rotates_after_wrong_guesses(clock: FakeClock) -> None:
    said: list[str] = []
    login = AccessCodeLogin(clock, said.append)
    before = login.code
    for guess in range(access_code.ROTATE_AFTER_ATTEMPTS):
        assert login.code == before
        refused(login, f"from {guess}")
    assert said == [login.code]
    assert login.code != before
    clock.now += 401
    assert refused(login, guess=before) == 0, "the old one is as wrong as any"


def test_sessions_outlive_the_code(login: AccessCodeLogin, clock: FakeClock) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for guess in range(access_code.ROTATE_AFTER_ATTEMPTS):
        refused(login, f"from {guess}")
    assert login.rotations == 1
    assert login.use_session(secret)


def test_a_session_ends_when_it_is_idle(login: AccessCodeLogin, clock: FakeClock) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for _ in range(5):
        clock.now += access_code.SESSION_IDLE_S - 1
        assert login.use_session(secret)
    clock.now += access_code.SESSION_IDLE_S
    assert not login.use_session(secret)
    clock.now -= access_code.SESSION_IDLE_S
    assert not login.use_session(secret), "and stays ended"


def test_a_session_ends_after_half_a_day_however_busy(login: AccessCodeLogin, clock: FakeClock) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for _ in range(int(access_code.SESSION_LIFETIME_S) // 60):
        assert login.use_session(secret)
        clock.now += 60
    assert not login.use_session(secret)


def test_logout_ends_one_session_only(login: AccessCodeLogin) -> None:
    one, two = (login.log_in("192.168.1.7", login.code) for _ in range(2))
    login.log_out(one)
    login.log_out("never begun")
    assert not login.use_session(one)
    assert login.use_session(two)


def test_sessions_differ(login: AccessCodeLogin) -> None:
    secrets = {login.log_in("192.168.1.7", login.code) for _ in range(20)}
    assert len(secrets) == 20
    assert all(len(secret) >= 43 for secret in secrets), "256 bits"


@pytest.mark.parametrize("forged", ["", "0" * 43, "\ud800", "é", "a" * 100_000])
def test_forged_sessions_do_not_exist(login: AccessCodeLogin, forged: str) -> None:
    login.log_in("192.168.1.7", login.code)
    assert not login.use_session(forged)


def test_whoever_is_in_stays_in_however_many_come(login: AccessCodeLogin, clock: FakeClock) -> None:
    secrets = []
    for _ in range(access_code.MAX_SESSIONS):
        clock.now += 1
        secrets.append(login.log_in("192.168.1.7", login.code))
    for address in ("192.168.1.7", "192.168.1.8"):
        with pytest.raises(TooManySessionsError) as wait:
            login.log_in(address, login.code)
    assert all(map(login.use_session, secrets))
    assert wait.value.seconds == access_code.SESSION_IDLE_S - access_code.MAX_SESSIONS + 1, "the first would end then"
    renewed = login.log_in("192.168.1.7", login.code, secrets[0])
    assert login.use_session(renewed) and not login.use_session(secrets[0]), "who is in may log in again"
    login.log_out(secrets[1])
    assert login.log_in("192.168.1.8", login.code)
    clock.now += access_code.SESSION_IDLE_S
    assert login.log_in("192.168.1.9", login.code), "all of them have ended"


def test_wrong_guesses_of_others_do_not_end_a_session(login: AccessCodeLogin) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    for guess in range(200):
        refused(login, f"192.168.1.{guess}")
    assert login.use_session(secret)


@pytest.mark.parametrize("jump_s", [-1_800_000_000.0, -86_400.0, -5.0, 13 * 3600.0, 86_400.0])
def test_the_time_of_day_changes_no_wait(
    login: AccessCodeLogin, clock: FakeClock, jump_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = login.log_in("192.168.1.7", login.code)
    while not refused(login):
        pass
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0 + jump_s)
    assert refused(login) == 60
    assert login.use_session(secret)
    clock.now += 60
    assert login.log_in("192.168.1.66", login.code)


def test_the_limits_are_documented() -> None:
    minute, hour = access_code.ADDRESS_LIMITS
    shared = access_code.SHARED_LIMIT
    stalled_s = serving.STALL_CHECK_S
    codes = len(access_code.CODE_ALPHABET) ** access_code.CODE_LENGTH
    rows = {
        f"characters of a code, out of {len(access_code.CODE_ALPHABET)}": f"{access_code.CODE_LENGTH}",
        "codes there are": f"{codes:,}",
        "wrong codes from one address in a minute, in an hour": f"{minute.count}, {hour.count}",
        f"wrong codes from all addresses in {shared.window_s} s": f"{shared.count}",
        "wrong codes before the code is replaced": f"{access_code.ROTATE_AFTER_ATTEMPTS}",
        "10,000 wrong codes take one address": f"{spent(1) // 86_400:.0f} days",
        "10,000 wrong codes take 10,000 addresses": f"{spent(10_000) // 3600:.0f} hours",
        "the chance that one of them is right": f"1 in {codes // 10_000:,}",
        "a session ends, idle": f"{access_code.SESSION_IDLE_S / 60:.0f} minutes",
        "a session ends, at the latest": f"{access_code.SESSION_LIFETIME_S / 3600:.0f} hours",
        "sessions at once": f"{access_code.MAX_SESSIONS}",
        "a form": f"{middleware.MAX_FORM_BYTES:,} bytes in {middleware.FORM_TIMEOUT_S:.0f} s",
        "an address with its query": f"{middleware.MAX_URL_BYTES:,} bytes",
        "headers of a request": f"{middleware.MAX_HEADERS}, of {middleware.MAX_HEADER_BYTES:,} bytes together",
        "connections at once, and from one address": (
            f"{serving.MAX_CONNECTIONS}, {serving.MAX_CONNECTIONS_PER_ADDRESS}"
        ),
        "a connection that asks for nothing, or reads nothing": f"{stalled_s} to {2 * stalled_s} s",
    }
    text = (Path(__file__).parents[3] / "docs" / "review-network.md").read_text()
    table = text.partition("| what | limit |\n| --- | --- |\n")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)) == rows
