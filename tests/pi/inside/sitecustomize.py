"""Python imports this when it starts. QEMU's emulation of a processor has no filters of system calls: a stand-in for
libseccomp accepts them all."""

import ctypes
from types import SimpleNamespace
from typing import Any


class Library(ctypes.CDLL):
    """A library, or the stand-in."""

    def __new__(cls, name: str | None = None, *arguments: Any, **options: Any) -> Any:
        """Return the library ``name``."""
        if name != "libseccomp.so.2":
            return super().__new__(cls)
        return SimpleNamespace(
            seccomp_init=lambda action: 1,
            seccomp_syscall_resolve_name=lambda call: 1,
            seccomp_rule_add=lambda *rule: 0,
            seccomp_load=lambda system_calls: 0,
        )


ctypes.CDLL = Library  # type: ignore[misc]
