"""Imports on an emulated Raspberry Pi what the box needs: the packages that pyproject.toml names, and every module of
the project. Prints each name before it is imported, since an instruction that the processor lacks ends the process, and
at the end what can't be imported."""

import importlib
import pkgutil
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
PROJECT = ("rules", "vision", "device", "ui", "throwlock")
NOT_IMPORTED = re.compile(r"throwlock\.(hub|cli\.hub)\b|.*\.__main__$")
"""A hall's hub, which is no box, and what runs when it is imported."""


def packages() -> Iterator[str]:
    """Yield the module of each package that the project depends on."""
    dependencies = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["dependencies"]
    named = {normalise(re.split(r"[<>=!~ ]", dependency)[0]) for dependency in dependencies}
    for module, distributions in sorted(packages_distributions().items()):
        if module.isidentifier() and not module.startswith("_") and named & {normalise(one) for one in distributions}:
            yield module


def normalise(name: str) -> str:
    """Return a distribution's name as PEP 503 has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def modules() -> Iterator[str]:
    """Yield the name of every module of the project."""
    for name in PROJECT:
        for module in pkgutil.walk_packages([str(REPOSITORY / name)], f"{name}.", onerror=lambda name: None):
            if not NOT_IMPORTED.match(module.name):
                yield module.name


def main() -> int:
    """Import everything; return the exit status."""
    failures = []
    for name in [*packages(), *modules()]:
        print(name, flush=True)
        try:
            importlib.import_module(name)
        except Exception as error:  # whatever a package raises when it is imported
            failures.append(f"{name}: {type(error).__name__}: {error}")
    print(*failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
