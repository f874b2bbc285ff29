"""Memory that is free goes back to the system."""

import platform
import subprocess
import sys

import pytest

PROGRAM = """
from pathlib import Path
from device.system.memory import release_memory

def used_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

kept, freed = [], []
for _ in range(1000):
    freed.append(bytearray(100_000))
    kept.append(bytearray(1000))  # between the others, so that the end of the heap is never free
before = used_mb()
del freed[:]
between = used_mb()
release_memory()
print(before - between, between - used_mb())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps free memory and can give it back")
def test_free_parts_of_the_heap_are_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    kept_by_glibc, given_back = map(float, done.stdout.split())
    assert kept_by_glibc < 20 and given_back > 80
