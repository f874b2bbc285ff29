"""Python imports this when it starts. QEMU's emulation of a processor has no filters of system calls: a stand-in for
libseccomp accepts them all. Everything is given as long as a slow processor needs."""

import ctypes
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from changed_modules import ChangedModules

PATIENCE_S = 1800.0
LIMITS = {
    "device.media.decoder": ("ANSWER_LIMIT_S",),
    "device.sound.voice": ("RENDER_TIMEOUT_S",),
    "device.system.sandbox": ("SANDBOX_TIMEOUT_S",),
    "vision.hands.model_process": ("LOAD_LIMIT_S", "RELOAD_LIMIT_S", "DETECTION_LIMIT_S"),
}


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


def be_patient(module: ModuleType) -> None:
    """Raise a module's limits."""
    for name in LIMITS[module.__name__]:
        setattr(module, name, PATIENCE_S)


ctypes.CDLL = Library  # type: ignore[misc]
sys.meta_path.insert(0, ChangedModules(dict.fromkeys(LIMITS, be_patient)))
