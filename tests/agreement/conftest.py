"""The option that writes the agreement tests' expected texts anew."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write what every surface says now to tests/agreement")
