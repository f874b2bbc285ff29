"""Write the table of columns of docs/data.md: ``python -m tools.docs.data --docs docs/data.md``; without a page it
prints it."""

import argparse
from collections.abc import Mapping

from throwlock.review.parquet import COLUMNS
from tools.docs.generated_sections import add_docs_option, markdown_table, publish


def sections() -> Mapping[str, str]:
    """Return the page's sections by name."""
    rows = [(f"`{one.name}`", one.type, one.unit, one.meaning) for one in COLUMNS]
    return {"columns": markdown_table(("column", "type", "unit", "meaning"), rows, text_columns=4)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.docs.data", description=__doc__)
    add_docs_option(parser)
    publish(parser.parse_args().docs, sections())
