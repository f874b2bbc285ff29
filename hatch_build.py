"""Compiles the screen's catalogues for wheels and editable installations. By hand: ``python hatch_build.py FILE…``."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface[Any]):
    """Hatchling's hook: see ``tool.hatch.build.targets.wheel.hooks.custom`` in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue; the wheel holds the compiled ones too, although git ignores them."""
        for source in Path(self.root, "ui/i18n/languages").glob("*.po"):
            compile_catalogue(source)
        build_data["artifacts"].append("ui/i18n/languages/*.mo")


def compile_catalogue(source: Path) -> None:
    """Compile a ``.po`` file to the ``.mo`` file next to it. (``pybabel compile`` takes "{percent}% of" for a %o.)"""
    with source.open("rb") as po_file:
        catalogue = read_po(po_file, locale=source.stem)
    catalogue.creation_date = datetime(1970, 1, 1, tzinfo=UTC)  # not now: the same source is the same wheel
    with source.with_suffix(".mo").open("wb") as mo_file:
        write_mo(mo_file, catalogue)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compile_catalogue(Path(name))
