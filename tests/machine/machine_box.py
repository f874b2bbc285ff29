"""The installed box on a machine: pictures of its screen, its seats' buttons and lights, wired as in hardware.md."""

import re
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from machine import SLOWDOWN, Machine, MachineScreen
from typing_extensions import override

REPOSITORY = Path(__file__).parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests/box")]

from box import Box, Page  # noqa: E402
from container import ContainerError  # noqa: E402

from device.gpio.lights import BLINK_PATTERNS_MS, LightSignal  # noqa: E402

QUESTION = "GroupQuestionPage"
REVEAL = "Reveal", "GameMessage"
RAISES = {1: 1, 2: 3}
"""How often a seat presses raise before confirm: rock for seat 1, scissors for seat 2."""
RAISES_OF_EIGHT = {1: 2, **dict.fromkeys(range(2, 9), 1)}
"""Paper for seat 1, rock for all others."""
SLOW_SETTLE_S = 3.0
"""On a machine that is slow."""
BETWEEN_PRESSES_S = 0.3
REACTION_S = 2.0
"""Within this time a touch has done something, or is tried again."""
WATCH_S = 6.0
PHASE_STEP_MS = 25
MAX_DIFFERENT = 0.002
"""Of the pixels of a picture: a light may have moved on between what was drawn and what was seen."""
PINS = re.compile(r"^\| (\d) \| GPIO (\d+), pin \d+ \| GPIO (\d+), pin \d+ \| GPIO (\d+), pin \d+ \|", re.M)


def wired_pins() -> dict[int, tuple[int, int, int]]:
    """Return raise, confirm and light of each seat, as people wire them by the table of hardware.md."""
    rows = PINS.findall((REPOSITORY / "hardware.md").read_text())
    return {int(seat): (int(raises), int(confirm), int(light)) for seat, raises, confirm, light in rows}


def signal_of(samples: Sequence[tuple[float, bool]]) -> LightSignal:
    """Return the signal that a light has shown, from when it was seen on or off: the one whose rhythm fits best."""
    patterns: Mapping[LightSignal, Sequence[int]] = {
        LightSignal.OFF: (0, 1000), LightSignal.ANSWERED: (1000, 0), **BLINK_PATTERNS_MS,
    }  # fmt: skip
    when_ms = np.array([when for when, _ in samples]) * 1000
    seen = np.array([on for _, on in samples])

    def fit(pattern: Sequence[int]) -> float:
        ends, cycle = np.cumsum(pattern), sum(pattern)
        phases = range(0, cycle, PHASE_STEP_MS)
        return max(
            float(np.mean((np.searchsorted(ends, (when_ms + phase) % cycle, "right") % 2 == 0) == seen))
            for phase in phases
        )

    return max(patterns, key=lambda signal: fit(patterns[signal]))


class MachineBox(Box):
    """The installed box on ``machine``. Players throw with their buttons, each seat's raise as often as ``raises``
    says."""

    def __init__(self, machine: Machine, pictures: Path) -> None:
        self.machine, self.machine_screen = machine, MachineScreen(machine)
        super().__init__(machine, self.machine_screen, SLOWDOWN)
        self.pins, self.raises = wired_pins(), RAISES
        self._pictures = pictures

    @override
    def act(self, page: Page) -> None:
        seats = re.search(r"ChosenGame\(.*seats=(\d+)", str(page.targets))
        if page.name == QUESTION:
            self.throw_together()
        elif seats and int(seats[1]) != len(self.raises):
            self._touch("More players" if int(seats[1]) < len(self.raises) else "Fewer players")
        else:
            super().act(page)

    @override
    def _touch(self, part: str) -> None:
        """Touch it, and wait for what that does: a second touch would hit whatever is there on the next page."""
        self.settle()
        page = self.page()
        target = page.find(part)
        if target:
            self.screen.tap(target.x, target.y)
            with suppress(ContainerError):  # a touch that came too soon doesn't count
                self.wait_until(lambda: self.page() != page, f"the page after {part!r} was touched", REACTION_S)

    @override
    def settle(self) -> None:
        time.sleep(SLOW_SETTLE_S)

    def throw_together(self) -> None:
        """Throw for every seat, and wait until the throws are shown: a button pressed later would do something else."""
        for seat in self.raises:
            self.throw(seat)
        self.wait_for_page(*REVEAL)

    def throw(self, seat: int) -> None:
        """Press a seat's raise button as often as ``raises`` says, and confirm."""
        line, confirm, _ = self.pins[seat]
        for pressed in [line] * self.raises[seat] + [confirm]:
            self.machine.press_button(pressed)
            time.sleep(BETWEEN_PRESSES_S)

    def lights(self) -> dict[int, LightSignal]:
        """Watch all seats' lights for some seconds, and return the signals they show."""
        samples = self.machine.watch_lines([light for *_, light in self.pins.values()], WATCH_S)
        return {
            seat: signal_of([(when, values[index] == "1") for when, values in samples])
            for index, seat in enumerate(self.pins)
        }

    def wait_for_lights(self, *signals: LightSignal) -> None:
        """Wait until the first seats' lights show these signals, and all others' are off. Raises ContainerError."""
        expected = {seat: signals[seat - 1] if seat <= len(signals) else LightSignal.OFF for seat in self.pins}
        seen = dict[int, LightSignal]()

        def are_shown() -> bool:
            seen.update(self.lights())
            return seen == expected

        try:
            self.wait_until(are_shown, f"the lights show {', '.join(signals)}", WATCH_S)
        except ContainerError as error:
            raise ContainerError(f"{error}, not {', '.join(seen.values())}") from None

    def check_picture(self, name: str, screen: MachineScreen | None = None) -> None:
        """Wait until the screen shows what the box has drawn, and keep the picture. Raises ContainerError."""
        screen, seen = screen or self.machine_screen, list[np.ndarray]()

        def is_same() -> bool:
            drawn = screen.drawn()
            seen.append(screen.picture())
            if drawn is None or drawn.shape != seen[-1].shape:
                return False
            different = np.abs(drawn.astype(int) - seen[-1]).max(axis=2) > 16
            return bool(different.mean() <= MAX_DIFFERENT)

        try:
            self.wait_until(is_same, f"the screen shows the page as it was drawn ({name})", 6)
        finally:
            cv2.imwrite(str(self._pictures / f"{name}.png"), seen[-1][:, :, ::-1])
