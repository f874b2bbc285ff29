"""Values of a parametrised test that only ``make slow-test`` tries."""

import pytest


def slow(*values: object) -> list[object]:
    """Return parameters that are marked slow; a tuple is one set of several arguments."""
    return [pytest.param(*(value if type(value) is tuple else (value,)), marks=pytest.mark.slow) for value in values]
