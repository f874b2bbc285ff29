"""``throwlock settings``: where the settings are kept, and every one of them with what it is for."""

import click

from referee.settings import Described, Settings, all_described, read, set_in, usual_place, written

HEAD = "| setting | what it is for | can be | if not set |\n| --- | --- | --- | --- |"


@click.command()
@click.option("--markdown", is_flag=True, help="Only what there is to set, as the table of docs/settings.md.")
def settings(markdown: bool) -> None:
    """Every setting: what it is for, what it is now, and where it is kept."""
    if markdown:
        click.echo(table())
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
