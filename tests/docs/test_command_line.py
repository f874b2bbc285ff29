"""The command line as documented: its page names every command, the help explains every option, and no document names
one that does not exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from throwlock.cli.main import throwlock

ROOT = Path(__file__).parents[2]
OTHER_PROGRAMS = ("dependencies", "box-test", "machine-test", "pi-test", "hall-hub")
"""Pages that name options of pip, docker and the project's own tests."""


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Yield every command, those within commands too, with its name."""
    context = click.Context(throwlock)
    for name in throwlock.list_commands(context):
        command = throwlock.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {within}", command.commands[within]) for within in command.commands)
        else:
            yield name, command


def test_the_page_names_every_command() -> None:
    page = (ROOT / "docs/command-line.md").read_text()
    names = {name.split()[0] for name, _ in every_command()}
    assert [name for name in names if f"`{name}`" not in page and f"throwlock {name}" not in page] == []


def test_every_option_is_explained_with_its_default() -> None:
    """In the help, of which the site makes its page of all commands and options."""
    for name, command in every_command():
        for option in (parameter for parameter in command.params if isinstance(parameter, click.Option)):
            what = f"throwlock {name} {option.opts[0]}"
            assert option.help, what
            has_default = option.default is not None and option.to_info_dict()["default"] not in (None, False, "")
            shown = option.show_default or "[default:" in option.help
            assert shown or option.is_flag or not has_default, f"{what}: its default is not shown"


def test_options_that_the_documents_name_exist() -> None:
    known = {"--help", "--version", "--verbose"}
    for _, command in every_command():
        for option in command.params:
            known |= {*option.opts, *option.secondary_opts}
    known |= set(re.findall(r"--[a-z-]+", (ROOT / "systemd/install").read_text()))
    unknown = []
    for page in (page for page in ROOT.glob("docs/*.md") if page.stem not in OTHER_PROGRAMS):
        for code in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)):
            if code.startswith(("throwlock ", "--")):
                unknown += [f"{page.name}: {name}" for name in re.findall(r"--[a-z][a-z-]*", code) if name not in known]
    assert unknown == []
