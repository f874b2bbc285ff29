"""What several tests use is in tests/helpers: no test module imports another."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def imported_modules(file: Path) -> Iterator[str]:
    """Yield what a file imports, with the names it takes from a package, also within functions."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_test_module_imports_another() -> None:
    modules = {file.stem for file in TESTS.rglob("test_*.py")}
    found = {
        f"{file.relative_to(TESTS)}: {name}"
        for file in TESTS.rglob("*.py")
        for name in imported_modules(file)
        if name.rpartition(".")[2] in modules or name.rpartition(".")[2] == "conftest"
    }
    assert len(modules) > 100 and found == set()
