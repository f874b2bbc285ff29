"""The house rules as options of a command, with the limits of HouseRules."""

from collections.abc import Callable
from typing import Any

import click

from rules.engine import IntRange
from throwlock.cli.options import AddOption
from throwlock.house_rules import HouseRules
from throwlock.settings.model import allowed_values


def rule_option(rule: str, flag: str, **attributes: Any) -> AddOption:
    """Add ``flag``, the value of the house rule ``rule``, to a command."""
    limits = allowed_values(HouseRules.model_fields[rule])
    assert limits is not None, f"{rule} has no limits"
    kind = click.IntRange(limits.start, limits.stop) if isinstance(limits, IntRange) else click.Choice(limits.values)
    return click.option(flag, rule, type=kind, **attributes)


def house_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each house rule to a command, with its description as help."""
    for rule, field in reversed(HouseRules.model_fields.items()):
        flag = "--" + rule.removesuffix("_ms").removeprefix("on_").replace("_", "-")
        help_text = f"{field.description}  [default: from the settings, else {field.default}]"
        command = rule_option(rule, flag, help=help_text)(command)
    return command
