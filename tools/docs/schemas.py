"""Write the JSON Schemas that the documents refer to: ``python -m tools.docs.schemas``."""

import json
from pathlib import Path

from throwlock.engine import messages
from throwlock.hall import protocol
from throwlock.journal import events
from throwlock.review import match_schema

SCHEMAS = {"engine": messages.schema, "export": match_schema.schema, "hall": protocol.schema, "journal": events.schema}
"""What returns each schema, by the name of its file."""


def schema_file(name: str) -> Path:
    """Return the file of a schema."""
    return Path(__file__).parents[2] / "docs" / f"{name}.schema.json"


def schema_text(name: str) -> str:
    """Return what a schema's file must hold."""
    return json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in SCHEMAS:
        schema_file(name).write_text(schema_text(name))
