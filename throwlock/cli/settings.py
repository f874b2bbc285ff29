"""``throwlock settings``: every setting with its value and purpose, and where the settings are stored."""

import click

from throwlock.settings.model import (
    SettingDescription,
    Settings,
    default_settings_path,
    describe_settings,
    format_value,
    read_settings,
)

SEATS_NOTE = "Set all seats or none: one [[seat]] for each, in seat order."
TABLE_HEAD = "| setting | description | values | default |\n| --- | --- | --- | --- |"


@click.command()
@click.option("--markdown", is_flag=True, help="Print the table of docs/settings.md.")
@click.option("--toml", is_flag=True, help="Print a template of the settings file, with every setting commented out.")
def settings(markdown: bool, toml: bool) -> None:
    """Print every setting: its value, its purpose, and where the settings are stored."""
    if markdown or toml:
        click.echo(settings_table() if markdown else settings_template())
        return
    path = default_settings_path()
    values = read_settings(path)
    click.echo(f"{path}{'' if path.exists() else ' (no such file: every setting has its default)'}")
    for setting in describe_settings():
        click.echo(setting_line(setting, values))


def setting_line(setting: SettingDescription, values: Settings) -> str:
    """Format one setting for the terminal."""
    source = "set in the file" if setting.is_set(values) else "default"
    value = format_value(setting.value(values))
    return f"{setting.key} = {value}  ({source}; {setting.allowed_text()})\n    {setting.about}"


def settings_table() -> str:
    """Return the Markdown table of docs/settings.md."""
    rows = (
        f"| `{setting.key}` | {setting.about} | {setting.allowed_text()} | {format_value(setting.default)} |"
        for setting in describe_settings()
    )
    return "\n".join((TABLE_HEAD, *rows))


def settings_template() -> str:
    """Return a settings file with every setting commented out and described."""
    lines = ["# Settings of this box. Remove the # of a line to set it; throwlock settings prints the current values."]
    section = ""
    for setting in describe_settings():
        if not setting.section:
            continue
        if setting.section != section:
            section = setting.section
            lines += ["", f"[{section}]"]
        lines += [
            f"# {setting.about} ({setting.allowed_text()})",
            f"# {setting.name} = {format_value(setting.default)}",
        ]
    for number, seat in enumerate(Settings().seat, 1):
        pins = seat.model_dump(by_alias=True)
        lines += [
            "",
            f"# The pins of seat {number}." if number > 1 else f"# {SEATS_NOTE} The pins of seat 1.",
            "# [[seat]]",
        ]
        lines += [f"# {name} = {pin}" for name, pin in pins.items() if pin is not None]
    return "\n".join(lines)
