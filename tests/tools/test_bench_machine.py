"""The sentence about the machine that a benchmark ran on."""

import os

import pytest

from tools.bench.machine import machine_line


def test_the_load_is_that_of_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.34, 7.0, 9.0))
    assert machine_line() == "Measured on 4 cores with a load average of 0.3 at the start."
