"""Runs a command under the system-call filter of a unit, without systemd:

    python tests/helpers/seccomp_exec.py systemd/throwlock.service COMMAND [ARGUMENT ...]

``SystemCallFilter=`` works as in systemd.exec(5): an allow list, from which later lines with ~ remove calls, and to
which later lines without it add calls. A forbidden call fails with EPERM, as in the units."""

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
    """Return the system calls of ``name``: a call, or a group such as @resources with its nested groups."""
    if not name.startswith("@"):
        return {name}
    listing = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    names = [line.strip() for line in listing.stdout.splitlines()[1:]]
    return {call for entry in names if entry and not entry.startswith("#") for call in expand_group(entry)}


def allowed_calls(unit: Path) -> set[str]:
    """Return the names of all system calls that the unit may make."""
    allowed: set[str] = set()
    for line in unit.read_text().splitlines():
        if line.startswith("SystemCallFilter="):
            value = line.partition("=")[2]
            calls = {call for name in value.removeprefix("~").split() for call in expand_group(name)}
            allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed


def apply_filter(calls: set[str]) -> None:
    """Restrict this process and its children to ``calls``, irrevocably."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(SCMP_ACT_ERRNO | errno.EPERM))
    for name in calls:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            seccomp.seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 0)
    ctypes.CDLL(None).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if status := seccomp.seccomp_load(context):
        raise OSError(-status, "the filter can’t be loaded")


if __name__ == "__main__":
    apply_filter(allowed_calls(Path(sys.argv[1])))
    os.execvp(sys.argv[2], sys.argv[2:])
