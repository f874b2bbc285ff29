"""Runs a Python module in a process that can't use the network: ``python -m device.system.sandbox MODULE …``. mediapipe
looks up a server of its publisher and connects to it while it recognises hands (google-ai-edge/mediapipe
issue 6291), and has no setting against that. It therefore runs only here; so does whatever decodes files from elsewhere
(``device.media.worker``), which then forbids itself files too.

The kernel refuses the calls below to this process, its threads and its children, for as long as they run; no privilege
is needed. libseccomp builds the filter: it knows every processor's call numbers, and lets the kernel end whoever uses
another call table (x32, 32-bit). This stops a library that phones home; it is no prison for code that attacks the
system."""

import ctypes
import errno
import os
import runpy
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from enum import IntEnum
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from errors import ThrowlockError

NETWORK_CALLS = (
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"),
    *("sendto", "sendmsg", "sendmmsg", "recvfrom", "recvmsg", "recvmmsg"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),  # opens sockets by itself
    *("ptrace", "process_vm_writev", "pidfd_getfd"),  # would use another process's sockets
)
"""The system calls that are refused to every module."""
FILE_CALLS = (
    *("open", "openat", "openat2", "creat", "open_by_handle_at", "execve", "execveat", "memfd_create"),
    *("unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
    *("mkdir", "mkdirat", "mknod", "mknodat", "truncate", "chmod", "fchmodat", "chown", "lchown", "fchownat"),
    *("mount", "kill", "tkill", "pidfd_open", "pidfd_send_signal"),
)
"""The system calls that are refused to a module that needs no file any more: the journal's among them. ``tgkill``
stays, with which a process aborts itself."""
SANDBOX_TIMEOUT_S = 120.0
"""Time for ``run_sandboxed``: enough to import mediapipe from a slow memory card."""
UNKNOWN_CALL = -1
"""What libseccomp gives for a call that it doesn't know. One that this processor lacks, such as ``open`` on aarch64,
has another negative number."""
_ALLOW = 0x7FFF0000  # SCMP_ACT_ALLOW of seccomp.h
_FAIL = 0x00050000 | errno.EACCES  # SCMP_ACT_ERRNO


class SandboxStatus(IntEnum):
    """Exit status of a process that could not forbid itself the network, and therefore has not run the module."""

    NO_LIBRARY = os.EX_UNAVAILABLE
    """libseccomp is missing, or too old to know the calls."""
    REFUSED = os.EX_CONFIG
    """The kernel has no system-call filters, or accepts none here."""


class SandboxError(ThrowlockError):
    """The network can't be forbidden: ``status`` says for which reason."""

    def __init__(self, status: SandboxStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


def forbid_network() -> None:
    """Forbid this process and its children the network, for good. It must not have started a thread yet. Only Linux can
    do that.

    Raises:
        SandboxError: libseccomp is missing or too old, or the kernel accepts no system-call filter.
    """
    _forbid(NETWORK_CALLS)


def forbid_files() -> None:
    """Forbid this thread, and those that it starts, to open, change or delete any file, for good. Files that are open
    stay so. Raises SandboxError, as ``forbid_network`` does."""
    _forbid(FILE_CALLS)


def _forbid(names: Sequence[str]) -> None:
    try:
        seccomp = ctypes.CDLL("libseccomp.so.2")
    except OSError as error:
        raise SandboxError(SandboxStatus.NO_LIBRARY, str(error)) from error
    seccomp.seccomp_init.restype = ctypes.c_void_p
    calls = [seccomp.seccomp_syscall_resolve_name(name.encode()) for name in names]
    if UNKNOWN_CALL in calls:
        raise SandboxError(SandboxStatus.NO_LIBRARY, f"libseccomp does not know all calls: {calls}")
    filter_ = ctypes.c_void_p(seccomp.seccomp_init(_ALLOW))
    results = [seccomp.seccomp_rule_add(filter_, _FAIL, call, 0) for call in calls if call >= 0]
    results.append(seccomp.seccomp_load(filter_))
    if any(results):
        raise SandboxError(SandboxStatus.REFUSED, f"the kernel accepts no filter of system calls: {results}")


def sandbox_command(module: str, *args: str) -> list[str]:
    """Return the command that runs ``module`` without the network. Its environment is ``environment()``."""
    return [sys.executable, "-P", "-m", __name__, module, *args]


def environment() -> dict[str, str]:
    """Return this process's environment, in which Python finds the same modules as here."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def run_sandboxed(module: str, *args: str, data: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run ``module`` without the network, with ``data`` as its standard input, and return what it printed.

    Raises:
        subprocess.TimeoutExpired: It took longer than ``SANDBOX_TIMEOUT_S`` and was ended.
    """
    command = sandbox_command(module, *args)
    return subprocess.run(
        command, input=data, capture_output=True, env=environment(), timeout=SANDBOX_TIMEOUT_S, check=False
    )


def start_sandboxed(
    module: str, *arguments: int, pass_fds: Sequence[int] = (), start_new_session: bool = False
) -> "tuple[subprocess.Popen[bytes], Connection, Connection]":
    """Start ``module`` without the network. It takes two file descriptors, of the pipes that requests come from and
    responses go to, then ``arguments``; it inherits ``pass_fds`` too. Return the process, and this end of the two
    pipes. Raises OSError."""
    with ExitStack() as on_error, ExitStack() as at_end:
        requests_in, requests = Pipe(duplex=False)
        at_end.callback(requests_in.close)
        on_error.callback(requests.close)
        responses, responses_out = Pipe(duplex=False)
        at_end.callback(responses_out.close)
        on_error.callback(responses.close)
        fds = (requests_in.fileno(), responses_out.fileno())
        process = subprocess.Popen(
            sandbox_command(module, *map(str, (*fds, *arguments))),
            pass_fds=(*fds, *pass_fds),
            env=environment() | {"OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # libraries log there from C++, at every log level
            start_new_session=start_new_session,
        )
        on_error.pop_all()
    return process, requests, responses


def main() -> None:
    """Forbid this process the network, then run the module that the arguments name."""
    if sys.platform == "linux":
        try:
            forbid_network()
        except SandboxError as error:
            print(f"the network can't be forbidden: {error}", file=sys.stderr)
            sys.exit(error.status)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
