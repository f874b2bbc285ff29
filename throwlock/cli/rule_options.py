"""The house rules as options of a command, with the limits of HouseRules."""

from collections.abc import Callable
from typing import Any

import click

from rules.engine import IntRange
from throwlock.cli.options import AddOption
from throwlock.house_rules import HouseRules
from throwlock.settings.model import allowed_values


def rule_option(rule: str, flag: str, **attributes: Any) -> AddOption:
    """Add ``flag``, the value of the house rule ``rule``, to a command. Without a default it is as in the settings."""
    field = HouseRules.model_fields[rule]
    limits = allowed_values(field)
    assert limits is not None, f"{rule} has no limits"
    kind = click.IntRange(limits.start, limits.stop) if isinstance(limits, IntRange) else click.Choice(limits.values)
    if "default" not in attributes:
        attributes["help"] += f"  [default: from the settings, else {field.default}]"
    return click.option(flag, rule, type=kind, **attributes)


def house_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each house rule to a command, with its description as help."""
    for rule, field in reversed(HouseRules.model_fields.items()):
        flag = "--" + rule.removesuffix("_ms").removeprefix("on_").replace("_", "-")
        command = rule_option(rule, flag, help=field.description)(command)
    return command
