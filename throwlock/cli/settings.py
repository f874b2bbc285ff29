"""``throwlock settings``: where the settings are kept, and every one of them with what it is for."""

import click

from throwlock.settings.model import Described, Settings, all_described, read, set_in, usual_place, written

SEATS = "All seats or none: a [[seat]] in the order of the seats for each."
HEAD = "| setting | what it is for | can be | if not set |\n| --- | --- | --- | --- |"


@click.command()
@click.option("--markdown", is_flag=True, help="Only what there is to set, as the table of docs/settings.md.")
@click.option("--toml", is_flag=True, help="A file to begin with, which has every setting and changes none.")
def settings(markdown: bool, toml: bool) -> None:
    """Every setting: what it is for, what it is now, and where it is kept."""
    if markdown or toml:
        click.echo(table() if markdown else blank())
        return
    path = usual_place()
    now, given = read(path), set_in(path)
    click.echo(f"{path}{'' if path.exists() else ' (not there yet: all is as usual)'}")
    for one in all_described():
        click.echo(line(one, now, one.key in given))


def line(one: Described, now: Settings, given: bool) -> str:
    """One setting for people who read a terminal."""
    kept = "set in the file" if given else "as usual"
    return f"{one.key} = {written(one.value(now))}  ({kept}; {one.may_be()})\n    {one.about}"


def table() -> str:
    """Every setting in Markdown, as docs/settings.md has it."""
    rows = (f"| `{one.key}` | {one.about} | {one.may_be()} | {written(one.default)} |" for one in all_described())
    return "\n".join((HEAD, *rows))


def blank() -> str:
    """A file of settings in which all is as usual, every line with what it is for."""
    lines = ["# What is set for this box. Take the # off a line to set it; throwlock settings says what holds."]
    part = ""
    for one in all_described():
        if not one.part:
            continue
        if one.part != part:
            part = one.part
            lines += ["", f"[{part}]"]
        lines += [f"# {one.about} ({one.may_be()})", f"# {one.name} = {written(one.default)}"]
    for number, seat in enumerate(Settings().seat, 1):
        pins = seat.model_dump(by_alias=True)
        lines += ["", f"# The pins of seat {number}." if number > 1 else f"# {SEATS} The pins of seat 1.", "# [[seat]]"]
        lines += [f"# {name} = {pin}" for name, pin in pins.items() if pin is not None]
    return "\n".join(lines)
