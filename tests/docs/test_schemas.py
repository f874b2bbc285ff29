"""Tests of the JSON Schemas in the documents."""

import jsonschema
import pytest

from tools.docs.schemas import SCHEMAS, schema_file, schema_text


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_current(name: str) -> None:
    assert schema_file(name).read_text() == schema_text(name), "python -m tools.docs.schemas"
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name]())
