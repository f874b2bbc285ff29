"""The door to the pages: codes, ten thousand guesses at them, and how sessions end."""

import re
from pathlib import Path

import pytest
from web_guard import Clock

from throwlock.review import server
from ui.web.auth import access_code as doors
from ui.web.auth import middleware
from ui.web.auth.access_code import AccessCodeLogin, TooManyAttemptsError, WrongCodeError, format_code, generate_code


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> AccessCodeLogin:
    return AccessCodeLogin(clock)


def refused(door: AccessCodeLogin, address: str = "192.168.1.66", guess: str = "FFFFFFFF") -> float:
    """Guess wrong. Returns the seconds to wait if the guess was not looked at, else 0."""
    try:
        door.log_in(address, guess)
    except TooManyAttemptsError as wait:
        return wait.seconds
    except WrongCodeError:
        return 0.0
    raise AssertionError("a wrong code was let in")


def test_codes_are_long_and_unambiguous() -> None:
    codes = {generate_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 8 for code in codes)
    assert {sign for code in codes for sign in code} == set(doors.CODE_ALPHABET)
    assert not set(doors.CODE_ALPHABET) & set("0O1IL2Z5S8BUV")
    assert len(doors.CODE_ALPHABET) ** doors.CODE_LENGTH > 10**10


@pytest.mark.parametrize("typed", [str, str.lower, format_code, lambda code: f"  {format_code(code).lower()} "])
def test_any_spelling_of_the_code_logs_in(door: AccessCodeLogin, typed: object) -> None:
    assert callable(typed)
    assert door.session(door.log_in("192.168.1.7", typed(door.code))) is not None


@pytest.mark.parametrize("guess", ["", "-", "FFFFFFF", "ＣＤＦＧＨＪＫＭ", "\ud800", "C" * 10_000, "\0"])
def test_other_codes_are_wrong(door: AccessCodeLogin, guess: str) -> None:
    with pytest.raises(WrongCodeError):
        door.log_in("192.168.1.7", guess)


def test_partial_and_longer_codes_are_wrong(door: AccessCodeLogin) -> None:
    for guess in (door.code[:-1], door.code + "C", door.code[::-1] + door.code):
        with pytest.raises(WrongCodeError):
            door.log_in(f"192.168.1.{len(guess)}", guess)


def test_waits_grow_per_address(door: AccessCodeLogin, clock: Clock) -> None:
    waits = []
    for _ in range(16):
        while wait := refused(door):
            waits.append(wait)
            clock.now += wait
    assert waits[:5] == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert waits[-1] == doors.MAX_WAIT_S


def test_the_right_code_is_not_checked_during_the_wait(door: AccessCodeLogin, clock: Clock) -> None:
    for _ in range(doors.FREE_ATTEMPTS + 1):
        if wait := refused(door):
            break
    with pytest.raises(TooManyAttemptsError):
        door.log_in("192.168.1.66", door.code)
    assert door.log_in("192.168.1.7", door.code), "others need not wait for it"
    clock.now += wait
    assert door.log_in("192.168.1.66", door.code)
    assert refused(door) == 0, "whoever knew it starts anew"


def test_unchecked_guesses_do_not_extend_the_wait(door: AccessCodeLogin) -> None:
    for _ in range(doors.FREE_ATTEMPTS):
        assert refused(door) == 0
    assert [refused(door) for _ in range(50)] == [1.0] * 50


def test_guesses_are_forgotten_after_an_hour(door: AccessCodeLogin, clock: Clock) -> None:
    for _ in range(doors.FREE_ATTEMPTS):
        refused(door)
    clock.now += doors.FORGET_ADDRESS_S + 1
    assert [refused(door) for _ in range(doors.FREE_ATTEMPTS)] == [0.0] * doors.FREE_ATTEMPTS
    assert refused(door) == 1.0


def spent(addresses: int) -> float:
    """Seconds that 10,000 guesses take somebody who waits as long as is asked for, at one address or many by turns."""
    clock = Clock()
    door, began, codes = AccessCodeLogin(clock), clock.now, set()
    for guess in range(10_000):
        codes.add(door.code)
        while wait := refused(door, f"from {guess % addresses}", f"{guess:08}"):
            clock.now += wait
    assert door.rotations == 10_000 / doors.ROTATE_AFTER_ATTEMPTS == len(codes)
    return clock.now - began


@pytest.mark.parametrize("addresses", [1, 10_000])
def test_ten_thousand_guesses_are_hopeless(addresses: int) -> None:
    assert spent(addresses) > 2 * 86_400


def test_ten_thousand_guesses_without_waiting_are_mostly_unchecked(door: AccessCodeLogin) -> None:
    looked_at = sum(refused(door) == 0 for _ in range(10_000))
    assert looked_at == doors.FREE_ATTEMPTS
    looked_at = sum(refused(door, f"from {guess}") == 0 for guess in range(10_000))
    assert looked_at == doors.SHARED_FREE_ATTEMPTS - doors.FREE_ATTEMPTS


def test_remembered_addresses_are_limited(door: AccessCodeLogin, clock: Clock) -> None:
    for guess in range(2 * doors.MAX_ADDRESSES):
        clock.now += doors.SHARED_ATTEMPT_INTERVAL_S
        refused(door, f"from {guess}")
    assert len(door._failed_attempts) == doors.MAX_ADDRESSES


def test_the_code_rotates_after_wrong_guesses(clock: Clock) -> None:
    said: list[str] = []
    door = AccessCodeLogin(clock, said.append)
    before = door.code
    for guess in range(doors.ROTATE_AFTER_ATTEMPTS):
        assert door.code == before
        refused(door, f"from {guess}")
    assert said == [door.code]
    assert door.code != before
    clock.now += 60
    assert refused(door, guess=before) == 0, "the old one is as wrong as any"


def test_sessions_outlive_the_code(door: AccessCodeLogin, clock: Clock) -> None:
    secret = door.log_in("192.168.1.7", door.code)
    for guess in range(doors.ROTATE_AFTER_ATTEMPTS):
        refused(door, f"from {guess}")
    assert door.rotations == 1
    assert door.session(secret) is not None


def test_a_session_ends_when_it_is_idle(door: AccessCodeLogin, clock: Clock) -> None:
    secret = door.log_in("192.168.1.7", door.code)
    for _ in range(5):
        clock.now += doors.SESSION_IDLE_S - 1
        assert door.session(secret) is not None
    clock.now += doors.SESSION_IDLE_S
    assert door.session(secret) is None
    clock.now -= doors.SESSION_IDLE_S
    assert door.session(secret) is None, "and stays ended"


def test_a_session_ends_after_half_a_day_however_busy(door: AccessCodeLogin, clock: Clock) -> None:
    secret = door.log_in("192.168.1.7", door.code)
    for _ in range(int(doors.SESSION_LIFETIME_S) // 60):
        assert door.session(secret) is not None
        clock.now += 60
    assert door.session(secret) is None


def test_logout_ends_one_session_only(door: AccessCodeLogin) -> None:
    one, two = (door.log_in("192.168.1.7", door.code) for _ in range(2))
    door.log_out(one)
    door.log_out("never begun")
    assert door.session(one) is None
    assert door.session(two) is not None


def test_sessions_differ_and_so_do_their_tokens(door: AccessCodeLogin) -> None:
    secrets = [door.log_in("192.168.1.7", door.code) for _ in range(20)]
    tokens = {session.token for secret in secrets if (session := door.session(secret))}
    assert len(tokens | set(secrets)) == 40
    assert all(len(secret) >= 43 for secret in secrets), "256 bits"


@pytest.mark.parametrize("forged", ["", "0" * 43, "\ud800", "é", "a" * 100_000])
def test_forged_sessions_do_not_exist(door: AccessCodeLogin, forged: str) -> None:
    door.log_in("192.168.1.7", door.code)
    assert door.session(forged) is None


def test_one_session_too_many_ends_the_longest_idle(door: AccessCodeLogin, clock: Clock) -> None:
    secrets = []
    for _ in range(doors.MAX_SESSIONS):
        clock.now += 1
        secrets.append(door.log_in("192.168.1.7", door.code))
    clock.now += 1
    assert door.session(secrets[0]) is not None, "so that the second is the idlest"
    secrets.append(door.log_in("192.168.1.7", door.code))
    assert [number for number, secret in enumerate(secrets) if door.session(secret) is None] == [1]


def test_the_limits_are_documented() -> None:
    codes = len(doors.CODE_ALPHABET) ** doors.CODE_LENGTH
    rows = {
        f"signs of a code, out of {len(doors.CODE_ALPHABET)}": f"{doors.CODE_LENGTH}",
        "codes there are": f"{codes:,}",
        "wrong codes from one address before it waits": f"{doors.FREE_ATTEMPTS}",
        "its wait then, doubled with each further one": f"1 s to {doors.MAX_WAIT_S:.0f} s",
        f"wrong codes from all addresses at once, then one in {doors.SHARED_ATTEMPT_INTERVAL_S:.0f} s": f"{doors.SHARED_FREE_ATTEMPTS}",
        "wrong codes before the code is replaced": f"{doors.ROTATE_AFTER_ATTEMPTS}",
        "10,000 wrong codes take one address": f"{spent(1) // 86_400:.0f} days",
        "10,000 wrong codes take 10,000 addresses": f"{spent(10_000) // 3600:.0f} hours",
        "the chance that one of them is right": f"1 in {codes // 10_000:,}",
        "a session ends, idle": f"{doors.SESSION_IDLE_S / 60:.0f} minutes",
        "a session ends, at the latest": f"{doors.SESSION_LIFETIME_S / 3600:.0f} hours",
        "sessions at once": f"{doors.MAX_SESSIONS}",
        "a form": f"{middleware.MAX_FORM_BYTES:,} bytes in {middleware.FORM_TIMEOUT_S:.0f} s",
        "an address with its query": f"{middleware.MAX_URL_BYTES:,} bytes",
        "connections at once, and from one address": f"{server.MAX_CONNECTIONS}, {server.MAX_CONNECTIONS_PER_ADDRESS}",
    }
    text = (Path(__file__).parents[3] / "docs" / "review-pages.md").read_text()
    table = text.partition("| what | limit |\n| --- | --- |\n")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)) == rows
