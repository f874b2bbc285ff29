"""Names that identify one thing."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "vision", "device", "ui", "throwlock")


def test_public_class_names_are_unique() -> None:
    modules = defaultdict(list)
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(str(path.relative_to(ROOT)))
    assert len(modules) > 500, "the packages' classes were read"
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}
