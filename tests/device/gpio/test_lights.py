"""The lights' rhythms, the lights on mock pins, their twin, and the table of pins."""

from itertools import combinations, pairwise

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from device.gpio.buttons import ButtonError
from device.gpio.gpio import GpioLights
from device.gpio.light_patterns import BLINK, MS, RHYTHMS, Showing
from device.gpio.lights import Sign
from device.gpio.pins import HEADER, LAST, RESERVED, SHARED, USUAL, SeatPins, check, place
from device.simulated.lights import SimulatedLights
from device.system.clock import JumpingClock
from device.system.periodic import Again, HandBeat

SECOND = 1_000 * MS


def changes(showing: Showing, from_ns: int, until_ns: int) -> list[tuple[int, bool]]:
    """When a light goes on and off, as its own times to look say."""
    found = [(from_ns, showing.lit(from_ns))]
    now: int | None = from_ns
    while (now := showing.changes_ns(now)) is not None and now < until_ns:
        if showing.lit(now) != found[-1][1]:
            found.append((now, showing.lit(now)))
    return found


@pytest.mark.parametrize("sign", Sign)
def test_no_sign_flashes_more_than_three_times_in_any_second(sign: Sign) -> None:
    rises = [when for when, lit in changes(Showing(sign, 0), 0, 60 * SECOND) if lit]
    assert all(later - first > SECOND for first, later in zip(rises, rises[3:], strict=False))


def test_every_sign_has_a_rhythm_of_its_own() -> None:
    def rhythm(sign: Sign) -> tuple[float, float, bool]:
        """What people tell rhythms by: changes a second, the share of light, and whether all flashes are alike."""
        found = changes(Showing(sign, 0), 0, 60 * SECOND)
        lit = {end - start for (start, on), (end, _) in pairwise(found) if on}
        share = sum(end - start for (start, on), (end, _) in pairwise([*found, (60 * SECOND, False)]) if on)
        return len(found) / 60, share / (60 * SECOND), len(lit) <= 1

    told = {sign: rhythm(sign) for sign in Sign}
    for one, other in combinations(Sign, 2):
        quicker, share, even = zip(told[one], told[other], strict=True)
        assert max(quicker) > 1.5 * min(quicker) or abs(share[0] - share[1]) > 0.3 or even[0] != even[1]
    assert told[Sign.IN][1] == 1 and told[Sign.OFF][1] == 0


@given(st.sampled_from(Sign), st.integers(0, 10**13), st.integers(0, 10 * SECOND))
def test_a_light_changes_only_when_it_says_so(sign: Sign, since: int, after: int) -> None:
    showing = Showing(sign, since)
    now = since + after
    then = showing.changes_ns(now)
    if then is None:
        assert showing.lit(now) == showing.lit(now + 10 * SECOND) == (sign is Sign.IN)
    else:
        assert then > now and showing.lit(then - 1) == showing.lit(now) and showing.lit(then) != showing.lit(now)


@given(st.sampled_from(Sign), st.integers(0, 10 * SECOND))
def test_a_blink_is_seen_over_every_sign(sign: Sign, after: int) -> None:
    """A flash of full length with darkness on both sides, whenever it comes."""
    showing = Showing(sign, 0).told(None, after)
    states = [showing.lit(after + ms * MS) for ms in range(sum(BLINK))]
    assert states == [False] * BLINK[0] + [True] * BLINK[1] + [False] * BLINK[2]
    over = after + sum(BLINK) * MS
    assert showing.lit(over) == Showing(sign, 0).lit(over), "the sign goes on in its own time"


def test_the_same_sign_again_goes_on() -> None:
    showing = Showing().told(Sign.WAITING, 5)
    assert showing.told(Sign.WAITING, 99) is showing
    assert showing.told(Sign.IN, 99) == Showing(Sign.IN, 99)


# -------- on the pins


class Lamps:
    """Lights on mock pins in jumped time."""

    def __init__(self, pin_class: type[MockPin] = MockPin, pins: tuple[SeatPins, ...] = USUAL[:2]) -> None:
        self.clock = JumpingClock(10**12)
        self.factory = MockFactory(pin_class=pin_class)
        self.told: list[str] = []
        self.beats: list[HandBeat] = []
        self.lights = GpioLights(self.factory, pins, self.clock, self.told.append, beat=self._beat)

    def _beat(self, again: Again, name: str) -> HandBeat:
        self.beats.append(HandBeat(again, name))
        return self.beats[-1]

    def seen(self, pin: int, seconds: float) -> list[tuple[int, bool]]:
        """What the light on a pin does in the next seconds: ms from now, and whether it is on from then."""
        start, found = self.clock.now_ns(), []
        while self.clock.now_ns() < start + seconds * SECOND:
            state = bool(self.factory.pin(f"GPIO{pin}").state)
            if not found or found[-1][1] != state:
                found.append(((self.clock.now_ns() - start) // MS, state))
            due = self.beats[0].due_s
            if due is None:
                break
            self.clock.wait_until(self.clock.now_ns() + round(due * 1e9))
            self.beats[0].go()
        return found


@pytest.mark.parametrize("pin_class", [MockPin, MockPWMPin])
def test_a_sign_on_the_pins(pin_class: type[MockPin]) -> None:
    lamps = Lamps(pin_class)
    one, other = (pins.light or 0 for pins in USUAL[:2])
    assert lamps.seen(one, 1) == [(0, False)]
    lamps.lights.show(1, Sign.FOUL)
    lamps.lights.show(2, Sign.IN)
    on, off, *_, rest = RHYTHMS[Sign.FOUL]
    cycle = sum(RHYTHMS[Sign.FOUL])
    flashes = [(0, True), (on, False), (on + off, True), (2 * on + off, False), (2 * (on + off), True)]
    assert lamps.seen(one, cycle / 1e3) == [*flashes, (cycle - rest, False)]
    assert lamps.factory.pin(f"GPIO{other}").state
    lamps.lights.show(1, Sign.OFF)
    assert lamps.seen(one, 5) == [(0, False)]
    assert lamps.beats[0].due_s is None, "nothing is done while no light changes"


def test_a_blink_on_the_pins() -> None:
    lamps = Lamps()
    lamps.lights.show(1, Sign.IN)
    lamps.lights.blink(1)
    assert lamps.seen(USUAL[0].light or 0, 1) == [(0, False), (60, True), (170, False), (230, True)]


def test_lights_go_out_and_their_pins_are_free() -> None:
    lamps = Lamps()
    lamps.lights.show(1, Sign.IN)
    lamps.lights.stop()
    lamps.lights.stop()
    lamps.lights.show(1, Sign.IN)
    assert not lamps.factory.pin(f"GPIO{USUAL[0].light}").state
    gpiozero.LED(USUAL[0].light, pin_factory=lamps.factory).close()


def test_a_seat_without_a_light_and_a_seat_that_is_not_there() -> None:
    lamps = Lamps(pins=(SeatPins(17, 27), SeatPins(23, 24, 25)))
    for seat in (1, 2, 3):
        lamps.lights.show(seat, Sign.IN)
        lamps.lights.blink(seat)
    assert lamps.seen(25, 1)[-1][1] and lamps.told == []


def test_a_light_that_fails_is_told_once_and_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = Lamps()
    pin = lamps.factory.pin(f"GPIO{USUAL[0].light}")

    def broken(value: float) -> None:
        raise OSError("no such line")

    monkeypatch.setattr(pin, "_set_state", broken)
    for sign in (Sign.IN, Sign.OFF, Sign.WINNER):
        lamps.lights.show(1, sign)
        lamps.lights.show(2, sign)
    assert lamps.told == ["seat 1's light can't be switched any more (no such line): it is left alone"]
    assert lamps.factory.pin(f"GPIO{USUAL[1].light}").state


def test_a_light_whose_pin_is_taken_is_told() -> None:
    factory, told = MockFactory(), []
    taken = gpiozero.LED(22, pin_factory=factory)
    lights = GpioLights(factory, USUAL[:1], JumpingClock(), told.append, beat=HandBeat)
    lights.show(1, Sign.IN)
    (line,) = told
    assert line.startswith("seat 1's light on GPIO 22 (pin 15 of the header) can't be used (")
    taken.close()


@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from([*Sign, None]), st.integers(1, 3 * SECOND)), max_size=12))
def test_the_twin_shows_what_the_pins_show(orders: list[tuple[int, Sign | None, int]]) -> None:
    lamps = Lamps(pins=USUAL[:3])
    twin = SimulatedLights(3, lamps.clock)
    for seat, sign, wait_ns in orders:
        for lights in (lamps.lights, twin):
            lights.blink(seat) if sign is None else lights.show(seat, sign)
        until = lamps.clock.now_ns() + wait_ns
        while (
            lamps.beats[0].due_s is not None
            and (due := lamps.clock.now_ns() + round(lamps.beats[0].due_s * 1e9)) <= until
        ):
            lamps.clock.wait_until(due)
            lamps.beats[0].go()
        lamps.clock.wait_until(until)
        lamps.beats[0].go()
        for number, pins in enumerate(USUAL[:3], start=1):
            assert bool(lamps.factory.pin(f"GPIO{pins.light}").state) == twin.lit(number, lamps.clock.now_ns())


# -------- the table of pins


def test_the_usual_pins() -> None:
    check(USUAL)
    used = [pin for pins in USUAL for _, pin in pins.named()]
    assert len(used) == len(set(used)) == 24
    assert not {0, 1, 2, 3} & set(used), "ID and I2C stay free"
    assert not {pin for pins in USUAL[:4] for _, pin in pins.named()} & SHARED.keys()
    assert {SHARED[pin] for _, pin in USUAL[4].named()} == {"I2S sound"}
    assert all(pins.light is not None and pins.light > 8 for pins in USUAL), "the board pulls GPIO 0 to 8 up"


def test_the_header_as_gpiozero_has_it() -> None:
    board = MockFactory(revision="c04170").board_info.headers["J8"]
    theirs = {pin.name: pin.number for pin in board.pins.values() if pin.name.startswith("GPIO")}
    assert theirs == {f"GPIO{gpio}": number for gpio, number in HEADER.items()}
    assert place(17) == "GPIO 17 (pin 11 of the header)"


@pytest.mark.parametrize(
    ("pins", "line"),
    [
        ([SeatPins(17, 27, 17)], "seat 1's light can't be on GPIO 17: seat 1's raise is there; "),
        ([USUAL[0], SeatPins(4, 22)], "seat 2's confirm can't be on GPIO 22: seat 1's light is there; "),
        ([SeatPins(17, 1)], "seat 1's confirm can't be on GPIO 1: that is ID_SC, which the board keeps for itself; "),
        ([SeatPins(28, 17)], "seat 1's raise can't be on GPIO 28: the header has GPIO 0 to 27; "),
        ([SeatPins(17, -1)], "seat 1's confirm can't be on GPIO -1: the header has GPIO 0 to 27; "),
    ],
)
def test_pins_that_clash(pins: list[SeatPins], line: str) -> None:
    with pytest.raises(ButtonError) as fault:
        check(pins)
    said = str(fault.value)
    assert said.startswith(line) and "give it another in its [[seat]], of those free for instance " in said
    offered = {int(pin) for pin in said.rpartition("instance ")[2].split(", ")}
    assert offered and not offered & {pin for one in pins for _, pin in one.named()} and not offered & SHARED.keys()


seats = st.lists(st.builds(SeatPins, *([st.integers(-1, 30)] * 3)), max_size=8)


@given(seats)
def test_a_table_is_right_or_told_wrong(pins: list[SeatPins]) -> None:
    used = [pin for one in pins for _, pin in one.named()]
    right = len(used) == len(set(used)) and all(0 <= pin <= LAST and pin not in RESERVED for pin in used)
    try:
        check(pins)
    except ButtonError as fault:
        assert not right and "\n" not in str(fault)
    else:
        assert right
