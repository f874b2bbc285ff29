"""Imports on an emulated Raspberry Pi what the box needs, each in a process of its own, since one may die of an
instruction that the processor lacks: the packages that pyproject.toml names, and every module of the project. Prints a
line for each that can't be imported."""

import importlib
import os
import pkgutil
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
PROJECT = ("rules", "vision", "device", "ui", "throwlock")
NOT_IMPORTED = re.compile(r"throwlock\.(hub|cli\.hub)\b|.*\.__main__")
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


def import_project() -> None:
    """Import every module of the project."""
    for name in PROJECT:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not NOT_IMPORTED.match(module.name):
                importlib.import_module(module.name)


def try_in_child(what: str, attempt: Callable[[], object]) -> bool:
    """Return whether ``attempt`` succeeds in a child process; print a line if it does not."""
    child = os.fork()
    if child == 0:
        try:
            attempt()
        except BaseException as error:  # whatever a package raises when it is imported
            print(f"{what}: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        print(f"{what}: signal {-status}", flush=True)
    return status == 0


if __name__ == "__main__":
    results = [try_in_child(name, partial(importlib.import_module, name)) for name in packages()]
    results.append(try_in_child("the project", import_project))
    print(f"{len(results) - 1} packages")
    sys.exit(not all(results))
