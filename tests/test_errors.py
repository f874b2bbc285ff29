"""Errors that people can see carry a message of the catalogues: its id, its fields, and a text in every language."""

import ast
import pickle
from pathlib import Path
from string import Formatter

import pytest

from errors import ThrowlockError
from messages import ENGLISH, LazyText, N, join, ngettext_lazy
from tools.i18n.messages import collect_messages
from ui.i18n.language import LANGUAGES, load_translations

ROOT = Path(__file__).parents[1]
PACKAGES = ("rules", "vision", "device", "ui", "throwlock")
ENGLISH_FOLDERS = ("throwlock/cli/", "throwlock/engine/", "throwlock/hub/", "ui/web/")
"""The command line, the engine's protocol, a hall's hub and all web pages are in English."""
DEVELOPER_ERRORS = {
    "the clip is not playing: start it first",
    "the simulated camera has no frame yet: wait for its first exposure",
    "the simulated camera is not running: start it first",
    "the game stopped without a result",
    "nothing was answered",
    "nothing was asked",
    "people paused",
    "the window was closed",
}
"""Errors that only a caller's mistake can show, or that end the program without a message."""
COMMAND_LINE_ERRORS = {
    "Parquet needs DuckDB: pipx install 'throwlock[parquet]'",
    'f"{file} can\'t be written ({error.strerror or error})"',
    'f"{file} can\'t be written ({str(error).splitlines()[0]})"',
    'f"{self._program} can\'t be run ({error.strerror})"',
    "f'{PROGRAM} failed with status {process.returncode}'",
    "f'{PROGRAM} has no voice for {language}'",
    "f'{PROGRAM} has said nothing ({error})'",
    "f'{PROGRAM} took longer than {RENDER_TIMEOUT_S:.0f} s'",
    "the camera does not see the screen: point it there and measure again",
    "the camera saw no flash of the screen: point it there and measure again",
}
"""Errors of a Parquet export, of the voice and of a measured cue, which ``throwlock doctor`` and the log tell."""
PASSED_ON = {
    "alerts[0]",
    "SandboxStatus.NO_LIBRARY",  # ``sandbox_error`` has the messages
    "SandboxStatus.REFUSED",
    "path",  # of a MediaError: ``REASONS`` has the messages
    "reason",
    "view.problem",
    "text",
    "error.text",
    "NO_SUCH_PLAYER",
    "NO_PICTURES",
    "PauseChoice.GO_ON",
    "PauseChoice.UNDO",
    "PauseChoice(str(choice))",
    "_zone_count_text(len(zones), seats)",
    "_zone_count_text(len(zones), self.seats)",
    # for the review pages, which are in English
    "without_folders(str(error), opener.path)",
    "f'{without_folders(capitalise(str(error)))}.'",
    "AT_THE_BOX",
    "capitalise(join([error.text, '.'], ''))",
    "join([str(path), error.text], ', ')",
    "refusal",
    "_tls_failure(error, host)",
    "another version",  # of sqlite3's DatabaseError, not the hub's
}
"""Messages that are made elsewhere, and choices that no message shows."""


@pytest.fixture(scope="module")
def sources() -> dict[str, ast.Module]:
    """The parsed files of all packages, and of the errors they share, by path."""
    paths = [ROOT / "errors.py", *(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in paths}


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def error_classes(sources: dict[str, ast.Module]) -> set[str]:
    """Return the names of all subclasses of ThrowlockError."""
    bases = {
        node.name: {name_of(base) for base in node.bases}
        for tree in sources.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"ThrowlockError"}
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return found


@pytest.fixture(scope="module")
def messages(sources: dict[str, ast.Module]) -> list[tuple[str, ast.expr]]:
    """The message of every error made in the sources, with its place; both branches of a conditional one."""
    classes = error_classes(sources)
    found: list[tuple[str, ast.expr]] = []
    for file, tree in sources.items():
        if file.startswith(ENGLISH_FOLDERS):
            continue
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and name_of(call.func) in classes and call.args:
                message = call.args[0]
                branches = (message.body, message.orelse) if isinstance(message, ast.IfExp) else (message,)
                found += [
                    (f"{file}:{call.lineno}", named) for branch in branches for named in with_literals(branch, tree)
                ]
    return found


def with_literals(message: ast.expr, tree: ast.Module) -> list[ast.expr]:
    """Return a message with each literal that its template's name stands for in that file: FILE_ERROR = N("…")."""
    if not (isinstance(message, ast.Call) and name_of(message.func) == "N" and isinstance(message.args[0], ast.Name)):
        return [message]
    named = [
        assignment.value.args[0]
        for assignment in ast.walk(tree)
        if isinstance(assignment, ast.Assign)
        and name_of(assignment.targets[0]) == message.args[0].id
        and isinstance(assignment.value, ast.Call)
        and name_of(assignment.value.func) == "N"
    ]
    return [ast.Call(message.func, [literal, *message.args[1:]], message.keywords) for literal in named] or [message]


def test_every_error_is_translated_or_listed(
    sources: dict[str, ast.Module], messages: list[tuple[str, ast.expr]]
) -> None:
    template = collect_messages()
    assert {"CameraError", "EventLostError", "UsageError", "ZoneError"} <= error_classes(sources)
    others = {}
    for place, message in messages:
        if isinstance(message, ast.Call) and name_of(message.func) in ("N", "ngettext_lazy"):
            (literal, *_) = message.args
            assert isinstance(literal, ast.Constant) and template.get(str(literal.value)), place
        else:
            others[message.value if isinstance(message, ast.Constant) else ast.unparse(message)] = place
    assert set(others) == DEVELOPER_ERRORS | COMMAND_LINE_ERRORS | PASSED_ON, others
    assert len(messages) > 150


def test_every_error_is_rendered_in_every_language_with_all_its_fields(messages: list[tuple[str, ast.expr]]) -> None:
    for _, message in messages:
        if not (isinstance(message, ast.Call) and name_of(message.func) == "N"):
            continue
        literal = message.args[0]
        assert isinstance(literal, ast.Constant)
        english = str(literal.value)
        fields = {name: 7 if spec else f"<{name}>" for _, name, spec, _ in Formatter().parse(english) if name}
        given = {keyword.arg for keyword in message.keywords}
        assert None in given or given == set(fields), f"{english} has the fields {given}"
        for code in LANGUAGES:
            rendered = N(english, **fields).render(load_translations(code))
            assert all(str(value) in rendered for value in fields.values()), rendered
            assert (rendered == english.format(**fields)) == (code == "en" or english == "{path} {problem}"), rendered


def test_errors_have_a_terminal_line_and_a_screen_text() -> None:
    error = ThrowlockError(
        N("no camera usb:{number}", number=3),
        terminal_hint=": plug one in, try another number, or use --camera simulated",
        screen_hint=N("plug one in"),
    )
    assert str(error) == "no camera usb:3: plug one in, try another number, or use --camera simulated"
    assert (error.id, error.fields) == ("no camera usb:{number}", {"number": 3})
    assert isinstance(error.text, LazyText) and error.text == "no camera usb:3: plug one in"
    assert error.text.render(load_translations("de")) == "Keine Kamera usb:3: steckt eine ein"
    assert type(error.args[0]) is str


def test_an_error_survives_pickling() -> None:
    error = ThrowlockError(N("no camera usb:{number}", number=3), terminal_hint=": use --camera simulated")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.id, again.fields, again.text) == (str(error), error.id, error.fields, error.text)
    assert again.text.render(load_translations("fr")) == "pas de caméra usb:3"


def test_a_text_in_another_message_is_translated_with_it() -> None:
    hands = ngettext_lazy("{count} hand was", "{count} hands were", 2)
    error = ThrowlockError(
        N("{hands} found for {seats} seats: hold out one hand each, and keep all others away", hands=hands, seats=3)
    )
    assert str(error) == "2 hands were found for 3 seats: hold out one hand each, and keep all others away"
    assert error.text.render(load_translations("de")).startswith("2 Hände für 3 Plätze")  # type: ignore[attr-defined]


@pytest.mark.parametrize("message", ["the moon is in the way", "", join(["a", "b"])])
def test_a_message_without_a_template_is_its_own_id(message: str) -> None:
    error = ThrowlockError(message)
    assert (error.id, error.fields, error.text, str(error)) == (message, {}, message, message)
    assert N("{why}", why=error.text).render(ENGLISH) == message
