"""The door to the pages: codes, ten thousand guesses at them, and how sessions end."""

import re
from pathlib import Path

import pytest
from web_guard import Clock

from throwlock.review import connections
from ui.web.auth import access_code as doors
from ui.web.auth import middleware
from ui.web.auth.access_code import Door, TooManyAttemptsError, WrongCodeError, fresh_code, spaced


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> Door:
    return Door(clock)


def refused(door: Door, address: str = "192.168.1.66", guess: str = "FFFFFFFF") -> float:
    """Guess wrong. Returns the seconds to wait if the guess was not looked at, else 0."""
    try:
        door.enter(address, guess)
    except TooManyAttemptsError as wait:
        return wait.seconds
    except WrongCodeError:
        return 0.0
    raise AssertionError("a wrong code was let in")


def test_codes_are_long_and_of_signs_nobody_takes_for_another() -> None:
    codes = {fresh_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 8 for code in codes)
    assert {sign for code in codes for sign in code} == set(doors.SIGNS)
    assert not set(doors.SIGNS) & set("0O1IL2Z5S8BUV")
    assert len(doors.SIGNS) ** doors.LENGTH > 10**10


@pytest.mark.parametrize("typed", [str, str.lower, spaced, lambda code: f"  {spaced(code).lower()} "])
def test_the_code_opens_however_it_is_typed(door: Door, typed: object) -> None:
    assert callable(typed)
    assert door.session(door.enter("192.168.1.7", typed(door.code))) is not None


@pytest.mark.parametrize("guess", ["", "-", "FFFFFFF", "ＣＤＦＧＨＪＫＭ", "\ud800", "C" * 10_000, "\0"])
def test_nothing_else_opens(door: Door, guess: str) -> None:
    with pytest.raises(WrongCodeError):
        door.enter("192.168.1.7", guess)


def test_a_part_of_the_code_or_more_than_it_does_not_open(door: Door) -> None:
    for guess in (door.code[:-1], door.code + "C", door.code[::-1] + door.code):
        with pytest.raises(WrongCodeError):
            door.enter(f"192.168.1.{len(guess)}", guess)


def test_an_address_waits_longer_and_longer(door: Door, clock: Clock) -> None:
    waits = []
    for _ in range(16):
        while wait := refused(door):
            waits.append(wait)
            clock.now += wait
    assert waits[:5] == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert waits[-1] == doors.LONGEST_S


def test_the_right_code_is_not_looked_at_either_before_the_wait_is_over(door: Door, clock: Clock) -> None:
    for _ in range(doors.FREE + 1):
        if wait := refused(door):
            break
    with pytest.raises(TooManyAttemptsError):
        door.enter("192.168.1.66", door.code)
    assert door.enter("192.168.1.7", door.code), "others need not wait for it"
    clock.now += wait
    assert door.enter("192.168.1.66", door.code)
    assert refused(door) == 0, "whoever knew it starts anew"


def test_what_is_not_looked_at_does_not_make_the_wait_longer(door: Door) -> None:
    for _ in range(doors.FREE):
        assert refused(door) == 0
    assert [refused(door) for _ in range(50)] == [1.0] * 50


def test_an_hour_without_a_guess_is_forgotten(door: Door, clock: Clock) -> None:
    for _ in range(doors.FREE):
        refused(door)
    clock.now += doors.FORGOTTEN_S + 1
    assert [refused(door) for _ in range(doors.FREE)] == [0.0] * doors.FREE
    assert refused(door) == 1.0


def spent(addresses: int) -> float:
    """Seconds that 10,000 guesses take somebody who waits as long as is asked for, at one address or many by turns."""
    clock = Clock()
    door, began, codes = Door(clock), clock.now, set()
    for guess in range(10_000):
        codes.add(door.code)
        while wait := refused(door, f"from {guess % addresses}", f"{guess:08}"):
            clock.now += wait
    assert door.renewals == 10_000 / doors.RENEWED_AFTER == len(codes)
    return clock.now - began


@pytest.mark.parametrize("addresses", [1, 10_000])
def test_ten_thousand_guesses_are_hopeless(addresses: int) -> None:
    assert spent(addresses) > 2 * 86_400


def test_ten_thousand_guesses_without_waiting_are_looked_at_a_few_times(door: Door) -> None:
    looked_at = sum(refused(door) == 0 for _ in range(10_000))
    assert looked_at == doors.FREE
    looked_at = sum(refused(door, f"from {guess}") == 0 for guess in range(10_000))
    assert looked_at == doors.ALL_FREE - doors.FREE


def test_addresses_are_remembered_up_to_a_number(door: Door, clock: Clock) -> None:
    for guess in range(2 * doors.ADDRESSES):
        clock.now += doors.ALL_EVERY_S
        refused(door, f"from {guess}")
    assert len(door._guessers) == doors.ADDRESSES


def test_a_guessed_at_code_is_replaced_and_said(clock: Clock) -> None:
    said: list[str] = []
    door = Door(clock, said.append)
    before = door.code
    for guess in range(doors.RENEWED_AFTER):
        assert door.code == before
        refused(door, f"from {guess}")
    assert said == [door.code]
    assert door.code != before
    clock.now += 60
    assert refused(door, guess=before) == 0, "the old one is as wrong as any"


def test_sessions_outlive_the_code(door: Door, clock: Clock) -> None:
    secret = door.enter("192.168.1.7", door.code)
    for guess in range(doors.RENEWED_AFTER):
        refused(door, f"from {guess}")
    assert door.renewals == 1
    assert door.session(secret) is not None


def test_a_session_ends_when_it_is_idle(door: Door, clock: Clock) -> None:
    secret = door.enter("192.168.1.7", door.code)
    for _ in range(5):
        clock.now += doors.IDLE_S - 1
        assert door.session(secret) is not None
    clock.now += doors.IDLE_S
    assert door.session(secret) is None
    clock.now -= doors.IDLE_S
    assert door.session(secret) is None, "and stays ended"


def test_a_session_ends_after_half_a_day_however_busy(door: Door, clock: Clock) -> None:
    secret = door.enter("192.168.1.7", door.code)
    for _ in range(int(doors.LASTS_S) // 60):
        assert door.session(secret) is not None
        clock.now += 60
    assert door.session(secret) is None


def test_leaving_ends_one_session_only(door: Door) -> None:
    one, two = (door.enter("192.168.1.7", door.code) for _ in range(2))
    door.leave(one)
    door.leave("never begun")
    assert door.session(one) is None
    assert door.session(two) is not None


def test_sessions_differ_and_so_do_their_tokens(door: Door) -> None:
    secrets = [door.enter("192.168.1.7", door.code) for _ in range(20)]
    tokens = {session.token for secret in secrets if (session := door.session(secret))}
    assert len(tokens | set(secrets)) == 40
    assert all(len(secret) >= 43 for secret in secrets), "256 bits"


@pytest.mark.parametrize("forged", ["", "0" * 43, "\ud800", "é", "a" * 100_000])
def test_forged_sessions_are_none(door: Door, forged: str) -> None:
    door.enter("192.168.1.7", door.code)
    assert door.session(forged) is None


def test_one_session_too_many_ends_the_one_idle_for_longest(door: Door, clock: Clock) -> None:
    secrets = []
    for _ in range(doors.SESSIONS):
        clock.now += 1
        secrets.append(door.enter("192.168.1.7", door.code))
    clock.now += 1
    assert door.session(secrets[0]) is not None, "so that the second is the idlest"
    secrets.append(door.enter("192.168.1.7", door.code))
    assert [number for number, secret in enumerate(secrets) if door.session(secret) is None] == [1]


def test_the_document_says_these_limits() -> None:
    codes = len(doors.SIGNS) ** doors.LENGTH
    rows = {
        f"signs of a code, out of {len(doors.SIGNS)}": f"{doors.LENGTH}",
        "codes there are": f"{codes:,}",
        "wrong codes from one address before it waits": f"{doors.FREE}",
        "its wait then, doubled with each further one": f"1 s to {doors.LONGEST_S:.0f} s",
        f"wrong codes from all addresses at once, then one in {doors.ALL_EVERY_S:.0f} s": f"{doors.ALL_FREE}",
        "wrong codes before the code is replaced": f"{doors.RENEWED_AFTER}",
        "10,000 wrong codes take one address": f"{spent(1) // 86_400:.0f} days",
        "10,000 wrong codes take 10,000 addresses": f"{spent(10_000) // 3600:.0f} hours",
        "the chance that one of them is right": f"1 in {codes // 10_000:,}",
        "a session ends, idle": f"{doors.IDLE_S / 60:.0f} minutes",
        "a session ends, at the latest": f"{doors.LASTS_S / 3600:.0f} hours",
        "sessions at once": f"{doors.SESSIONS}",
        "a form": f"{middleware.BODY:,} bytes in {middleware.BODY_S:.0f} s",
        "an address with its query": f"{middleware.ADDRESS_LENGTH:,} bytes",
        "connections at once, and from one address": f"{connections.MOST}, {connections.MOST_EACH}",
    }
    text = (Path(__file__).parents[3] / "docs" / "review.md").read_text()
    table = text.partition("| what | limit |\n| --- | --- |\n")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE)) == rows
