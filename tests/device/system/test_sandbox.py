"""The sandbox of the hand model: no socket can be opened in it, by whatever way."""

import ast
import ctypes
import errno
import platform
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from device.system.sandbox import FILE_CALLS, NETWORK_CALLS, UNKNOWN_CALL, SandboxStatus, run_sandboxed
from vision.hands.model import ModelError, add_image_metadata
from vision.hands.model_process import ModelProcess

ROOT = Path(__file__).parents[3]
CALL_NUMBERS = {"x86_64": {"socket": 41, "io_uring_setup": 425}, "aarch64": {"socket": 198, "io_uring_setup": 425}}
X32_SOCKET = 0x40000000 + 41

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has system-call filters")


def run_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> "subprocess.CompletedProcess[bytes]":
    (tmp_path / "sandboxed_program.py").write_text(program)
    monkeypatch.syspath_prepend(tmp_path)
    return run_sandboxed("sandboxed_program")


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK"])
def test_no_socket_of_any_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str) -> None:
    program = f"import socket\ntry: socket.socket(socket.{family})\nexcept OSError as error: print(error.errno)"
    done = run_program(tmp_path, monkeypatch, program)
    assert int(done.stdout) == errno.EACCES, done.stderr


@pytest.mark.parametrize("call", ["socket", "io_uring_setup"])
def test_no_socket_by_a_system_call_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    number = CALL_NUMBERS[platform.machine()][call]
    program = (
        f"import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nc.syscall({number}, 2, 1, 0)\nprint(ctypes.get_errno())"
    )
    assert int(run_program(tmp_path, monkeypatch, program).stdout) == errno.EACCES


def test_children_and_threads_are_in_the_sandbox_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import subprocess, threading\n"
        "def read(): subprocess.run(['grep', '^Seccomp:', '/proc/thread-self/status', '/proc/self/status'])\n"
        "def check(): print(open('/proc/thread-self/status').read(), flush=True)\n"
        "read(); thread = threading.Thread(target=check); thread.start(); thread.join()\n"
    )
    printed = run_program(tmp_path, monkeypatch, program).stdout.decode()
    assert printed.count("Seccomp:\t2") == 3, printed


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 has a second call table")
def test_another_call_table_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run_program(tmp_path, monkeypatch, f"import ctypes\nctypes.CDLL(None).syscall({X32_SOCKET}, 2, 1, 0)")
    assert done.returncode == -signal.SIGSYS


def test_the_module_gets_its_arguments_and_input() -> None:
    done = run_sandboxed("json.tool", "--compact", data=b'{ "a": 1 }')
    assert (done.returncode, done.stdout) == (0, b'{"a":1}\n')


def test_without_libseccomp_the_module_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "libseccomp.so.2").write_bytes(b"no library")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    done = run_sandboxed("json.tool", data=b"{}")
    assert (done.returncode, done.stdout) == (SandboxStatus.NO_LIBRARY, b"")
    for call in (lambda: ModelProcess().load(Path("any"), 1, 0.3), lambda: add_image_metadata(b"", "network")):
        with pytest.raises(ModelError, match="install libseccomp2"):
            call()


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not on this machine")
def test_where_the_kernel_refuses_the_module_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an emulator does: a library whose seccomp_load fails stands in for it."""
    source, library = tmp_path / "seccomp.c", tmp_path / "libseccomp.so.2"
    source.write_text(
        "int seccomp_syscall_resolve_name(const char *name) { return 1; }\n"
        "void *seccomp_init(int action) { return 0; }\n"
        "int seccomp_rule_add(void *filter, int action, int call, int count) { return 0; }\n"
        "int seccomp_load(void *filter) { return -22; }\n"
    )
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    assert run_sandboxed("json.tool", data=b"{}").returncode == SandboxStatus.REFUSED
    for call in (lambda: ModelProcess().load(Path("any"), 1, 0.3), lambda: add_image_metadata(b"", "network")):
        with pytest.raises(ModelError, match="the kernel accepts no filter"):
            call()


@pytest.mark.parametrize(("processor", "socket_call"), [(0xC000003E, 41), (0xC00000B7, 198)], ids=["x86-64", "aarch64"])
def test_every_call_is_known_for_the_processor(processor: int, socket_call: int) -> None:
    """The processors are seccomp.h's SCMP_ARCH_…; a call that one does not have has a negative number."""
    resolve = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name_arch
    numbers = {name: resolve(ctypes.c_uint32(processor), name.encode()) for name in NETWORK_CALLS}
    assert numbers["socket"] == socket_call and min(numbers.values()) > 0, numbers
    numbers = {name: resolve(ctypes.c_uint32(processor), name.encode()) for name in FILE_CALLS}
    assert UNKNOWN_CALL not in numbers.values() and numbers["openat"] > 0 and numbers["unlinkat"] > 0, numbers


@pytest.mark.parametrize(
    "attempt",
    [
        "open(journal)", "open(journal, 'a')", "os.unlink(journal)", "os.rename(journal, journal + '.old')",
        "os.truncate(journal, 0)", "os.link(journal, journal + '.2')", "os.chmod(journal, 0)",
        "os.mkdir(journal + '.d')", "os.execv('/bin/true', ['true'])", "os.kill(os.getppid(), 0)", "os.listdir('.')",
    ],
)  # fmt: skip
def test_a_module_that_gave_up_files_reaches_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attempt: str
) -> None:
    (tmp_path / "evening.journal").write_text("a match")
    program = (
        f"import os\nfrom device.system.sandbox import forbid_files\njournal = {str(tmp_path / 'evening.journal')!r}\n"
        f"forbid_files()\ntry: {attempt}\nexcept OSError as error: print(error.errno)"
    )
    assert run_program(tmp_path, monkeypatch, program).stdout.split() == [str(errno.EACCES).encode()]
    assert (tmp_path / "evening.journal").read_text() == "a match"


def test_recordings_are_decoded_only_in_the_sandbox() -> None:
    """Whatever else opens one with PyAV writes it."""
    reading = re.compile(r'VideoCapture\(str|av\.open\((?!.*"w")')
    opening = {
        str(file.relative_to(ROOT))
        for package in ("rules", "vision", "device", "ui", "throwlock", "tools")
        for file in (ROOT / package).rglob("*.py")
        if reading.search(file.read_text())
    }
    assert opening == {"device/media/worker.py"}


def test_mediapipe_is_imported_only_in_the_sandbox() -> None:
    """Whatever imports it is run by ``device.system.sandbox``."""
    confined = {"vision/hands/model_worker.py", "vision/hands/metadata.py"}
    importing = set()
    for package in ("rules", "vision", "device", "ui", "throwlock", "tools"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                if any(name.split(".")[0] == "mediapipe" for name in names):
                    importing.add(str(file.relative_to(ROOT)))
    assert importing == confined
