"""Runs a command under the system-call filter of one of our units, without systemd:

    python tests/helpers/seccomp_exec.py systemd/throwlock.service COMMAND [ARGUMENT ...]

``SystemCallFilter=`` is read as systemd.exec(5) has it: an allow list, later lines with ~ take calls away, later ones
without add them again. What is not allowed fails with EPERM, as the units ask for.
"""

import ctypes
import errno
import os
import subprocess
import sys
from pathlib import Path

SCMP_ACT_ALLOW = 0x7FFF0000
SCMP_ACT_ERRNO = 0x00050000
PR_SET_NO_NEW_PRIVS = 38


def expand_group(name: str) -> set[str]:
    """The system calls of ``name``: one call, or a group such as @resources with the groups in it."""
    if not name.startswith("@"):
        return {name}
    listing = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    names = [line.strip() for line in listing.stdout.splitlines()[1:]]
    return {call for entry in names if entry and not entry.startswith("#") for call in expand_group(entry)}


def allowed_calls(unit: Path) -> set[str]:
    """The names of all system calls that the unit may make."""
    allowed: set[str] = set()
    for line in unit.read_text().splitlines():
        if line.startswith("SystemCallFilter="):
            value = line.partition("=")[2]
            calls = {call for name in value.removeprefix("~").split() for call in expand_group(name)}
            allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed


def apply_filter(calls: set[str]) -> None:
    """Allow this process and its children only ``calls``, for good."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(SCMP_ACT_ERRNO | errno.EPERM))
    for name in calls:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            seccomp.seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 0)
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if status := seccomp.seccomp_load(context):
        raise OSError(-status, "the filter can't be loaded")


if __name__ == "__main__":
    apply_filter(allowed_calls(Path(sys.argv[1])))
    os.execvp(sys.argv[2], sys.argv[2:])
