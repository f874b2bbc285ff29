"""The box's settings: reading, printing, changing by touch, writing back."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Choices, IntRange
from tests.helpers.page_rules import drawn
from tests.helpers.scripted_display import ScriptedDisplay
from throwlock.cli.main import throwlock
from throwlock.cli.settings import settings_table
from throwlock.house_rules import HouseRules
from throwlock.launch_options import LaunchOptions
from throwlock.settings.model import (
    CameraSettings,
    Settings,
    SettingsError,
    describe_settings,
    read_settings,
    save_settings,
)
from throwlock.settings.pages import (
    KEEP_ROTATION,
    KEEP_TIME_S,
    UNDO_ROTATION,
    change_settings,
    choose_language,
    load_at_start,
    settings_on_screen,
)
from ui.i18n import language
from ui.screen.core import screen
from ui.screen.drawing import theme
from ui.screen.drawing.canvas import Canvas
from ui.screen.pages import settings as settings_page
from ui.screen.pages.notice import Notice
from ui.screen.pages.settings import LanguageChoice, SettingsAnswer, SettingsPage, SettingsView, next_number
from ui.screen.views import Reply

DOCS = Path(__file__).parents[3] / "docs" / "settings.md"
SETTINGS_FILE = """# the club's box
[rules]  # our rules
window_ms = 200   # we are slow
# beat_ms = 700

[screen]
language = "de"
"""


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    theme.set_handedness("right")
    theme.set_large_text(False)
    screen.set_rotation(0)
    screen.set_dark_after(0)


def test_missing_settings_have_defaults(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    assert read_settings(path) == Settings()
    path.write_text(SETTINGS_FILE)
    settings = read_settings(path)
    assert (settings.rules.window_ms, settings.rules.beat_ms) == (200, HouseRules().beat_ms)
    assert settings.screen.language == "de"


def test_a_change_preserves_the_rest_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(SETTINGS_FILE)
    settings = save_settings(path, {"rules.window_ms": 250, "rules.on_foul": "stand", "sound.volume": 30})
    expected = SETTINGS_FILE.replace("window_ms = 200", "window_ms = 250")
    text = path.read_text()
    kept = [line for line in expected.splitlines() if line]
    assert [line for line in text.splitlines() if line in kept] == kept, text
    assert (settings.rules.window_ms, settings.rules.on_foul, settings.sound.volume) == (250, "stand", 30)
    assert read_settings(path) == settings
    assert [one.name for one in tmp_path.iterdir()] == ["throwlock.toml"], "nothing half written is left"


def test_the_first_change_creates_file_and_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "throwlock.toml"
    assert save_settings(path, {"screen.language": "fr"}).screen.language == "fr"
    assert read_settings(path).screen.language == "fr"


BROKEN: Mapping[str, str] = {
    "no TOML": "[rules\nwindow_ms = 3",
    "no such setting": "[rules]\nwindow = 100\n",
    "no such part": "[hose]\n",
    "too small": "[rules]\nwindow_ms = 1\n",
    "no number": '[rules]\nwindow_ms = "long"\n',
    "no table": "rules = 3\n",
    "a table twice": "[rules.a]\nb = 1\n[sound]\n[rules.c]\n[rules.a]\nb = 1\n",
    "a number of 23 digits": "[rules]\nwindow_ms = 12345678901234567890123\n",
    "a number of 5,000 digits": f"[rules]\nwindow_ms = {'1' * 5_000}\n",
    "a list that is not closed": "[rules]\nwindow_ms = [\n",
    "deep lists": f"rules = {'[' * 10_000}{']' * 10_000}\n",
    "too large a file": "# a comment\n" * 6_000,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_reported_and_not_overwritten(tmp_path: Path, name: str) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(BROKEN[name])
    for use in (lambda: read_settings(path), lambda: save_settings(path, {"screen.language": "de"})):
        with pytest.raises(SettingsError, match=r"throwlock\.toml") as fault:
            use()
        assert "correct" in str(fault.value) and "\n" not in str(fault.value).strip()
        assert r"\x00" not in str(fault.value)
    assert path.read_text() == BROKEN[name]
    run = CliRunner().invoke(throwlock, ["settings"], env={"THROWLOCK_SETTINGS": str(path)})
    assert isinstance(run.exception, SettingsError)
    display = ScriptedDisplay("go on", SettingsAnswer({"screen.language": "de"}, None), SettingsAnswer({}, None))
    assert load_at_start(display, path) == Settings()
    assert isinstance(display.seen[0], Notice) and "throwlock.toml" in display.seen[0].text
    assert change_settings(display, path, Settings()) == Settings()
    assert display.seen[2].has_error and "throwlock.toml" in display.seen[2].note
    assert path.read_text() == BROKEN[name]


def test_invalid_values_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(SETTINGS_FILE)
    with pytest.raises(SettingsError, match=r"rules\.beat_ms"):
        save_settings(path, {"rules.beat_ms": 5})
    assert path.read_text() == SETTINGS_FILE


def test_every_setting_is_on_the_screen_or_file_only() -> None:
    shown = {one.key for one in settings_on_screen(Settings())}
    only = {one.key for one in describe_settings() if one.key not in shown}
    camera = {f"camera.{name}" for name in CameraSettings.model_fields}
    named = {
        "seat",
        "screen.first_start",
        "cards.card_window_ms",
        "journal.evidence_mb",
        "journal.keep_damaged_days",
        "network.names",
        "hall.on",
        "hall.pictures",
    } | camera
    assert only == named, "a new setting that a touch can’t change is named here"
    for one in settings_on_screen(Settings()):
        assert one.key in settings_page.SETTING_NAMES and one.section in settings_page.SECTION_NAMES
        assert one.description and one.description[0].islower() and not one.description.endswith(".")


def test_every_setting_is_printed_and_documented(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(SETTINGS_FILE)
    printed = CliRunner().invoke(throwlock, ["settings"], env={"THROWLOCK_SETTINGS": str(path)}).output
    assert str(path) in printed.splitlines()[0]
    for one in describe_settings():
        assert f"{one.key} = " in printed and one.about in printed
    assert 'screen.language = "de"  (set in the file' in printed
    assert "rules.beat_ms = 600  (default" in printed
    markdown = CliRunner().invoke(throwlock, ["settings", "--markdown"]).output.strip()
    assert markdown == settings_table() and markdown in DOCS.read_text(), (
        "throwlock settings --markdown makes the table"
    )


def test_large_text_is_set_by_touch(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    display = ScriptedDisplay(SettingsAnswer({"screen.text": "large"}, None))
    assert change_settings(display, path, Settings()).screen.text == "large"
    assert theme.text_scales() == theme.LARGE_TEXT_SCALES
    display = ScriptedDisplay(SettingsAnswer({"screen.text": "usual"}, None))
    change_settings(display, path, read_settings(path))
    assert theme.text_scales() == (1.0,)


def test_the_command_line_overrides_the_file() -> None:
    there = Settings(rules=HouseRules(window_ms=300, beat_ms=700))
    wanted = LaunchOptions(Path("x.journal"), "simulated", settings=there, rule_overrides={"window_ms": 100})
    assert (wanted.house_rules.window_ms, wanted.house_rules.beat_ms) == (100, 700)


def test_a_touch_applies_at_once(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text(SETTINGS_FILE)

    def german(view: SettingsView) -> SettingsAnswer:
        assert view.section == "screen" and [one.name for one in view.visible_settings][:2] == ["language", "handed"]
        return SettingsAnswer({"screen.handed": "left"}, "rules")

    def house(view: SettingsView) -> SettingsAnswer:
        assert language.current_language() == "de" and theme.handedness() == "left", "it holds at once"
        assert [one.key for one in view.visible_settings if one.is_overridden] == ["rules.beat_ms"]
        return SettingsAnswer({"rules.forfeit_after": 3}, None)

    now = change_settings(ScriptedDisplay(german, house), path, read_settings(path), ["rules.beat_ms"])
    assert now.rules.forfeit_after == 3 and now == read_settings(path)
    assert "# we are slow" in path.read_text()


def rotate(degrees: int) -> Any:
    """Touch a rotation on the settings page."""
    return lambda view: SettingsAnswer({"screen.rotation": degrees, "screen.dark_after_min": 30}, "screen")


def leave(view: SettingsView) -> SettingsAnswer:
    return SettingsAnswer({}, None)


def test_a_rotation_is_tried_before_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"

    def keep(view: Notice) -> str:
        assert screen.current_rotation() == 270 and not path.exists(), "it holds at once, and a restart undoes it"
        assert view.seconds_left == KEEP_TIME_S and view.choices == (KEEP_ROTATION, UNDO_ROTATION)
        return KEEP_ROTATION

    now = change_settings(ScriptedDisplay(rotate(270), keep, leave), path, Settings())
    assert now.screen.rotation == read_settings(path).screen.rotation == screen.current_rotation() == 270
    assert now.screen.dark_after_min == 30 and screen.dark_after_ns() == 30 * 60 * 10**9
    unchanged = change_settings(ScriptedDisplay(rotate(270), leave), path, now)
    assert unchanged == now, "nothing to ask"


@pytest.mark.parametrize("answer", [None, UNDO_ROTATION], ids=["time ran out", "turned back"])
def test_a_rotation_that_is_not_kept_goes_back(tmp_path: Path, answer: str | None) -> None:
    path = tmp_path / "throwlock.toml"
    path.write_text("[screen]\nrotation = 180\n")
    before = read_settings(path)
    load_at_start(ScriptedDisplay(), path)

    def wait(view: Notice) -> str | None:
        assert screen.current_rotation() == 90
        return answer

    now = change_settings(ScriptedDisplay(rotate(90), wait, leave), path, before)
    assert now.screen.rotation == read_settings(path).screen.rotation == screen.current_rotation() == 180
    assert now.screen.dark_after_min == 30, "the other change is kept"


def test_a_rotation_that_cannot_be_saved_goes_back(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"
    path.mkdir()

    def told(view: SettingsView) -> SettingsAnswer:
        assert view.has_error and screen.current_rotation() == 0
        return leave(view)

    change_settings(ScriptedDisplay(rotate(90), KEEP_ROTATION, told), path, Settings())


def test_languages_are_listed_by_their_own_names(tmp_path: Path) -> None:
    path = tmp_path / "throwlock.toml"

    def by_name(view: LanguageChoice) -> str:
        return next(code for code, name in view.names.items() if name == "Français")

    assert choose_language(ScriptedDisplay(by_name), path, Settings()).screen.language == "fr"
    assert language.current_language() == "fr" and read_settings(path).screen.language == "fr"


def _page() -> SettingsPage:
    page = _view().first_page()
    assert isinstance(page, SettingsPage)
    return page


def _view(part: str = "rules") -> SettingsView:
    return SettingsView(settings_on_screen(Settings()), part)


def _leaves(part: str, size: tuple[int, int]) -> Iterator[Canvas]:
    """Draw the pages of a section."""
    page, leaf = _view(part).first_page(), 0
    while True:
        canvas = drawn(page, size)
        yield canvas
        leaf += 1
        page = page.with_list_page(leaf)
        if page not in [target.press for target in canvas.targets]:
            return


def test_numbers_are_saved_on_leaving_the_section() -> None:
    beat = next(one for one in _view("rules").visible_settings if one.key == "rules.beat_ms")
    page = _page().with_number(beat, 650)
    assert page.changed == {"rules.beat_ms": 650}
    assert dict(page.answer_for("sound").values) == {"rules.beat_ms": 650}
    assert dict(page.answer_for("rules", "rules.on_foul", "stand").values) == {
        "rules.beat_ms": 650,
        "rules.on_foul": "stand",
    }


@given(st.integers(-40, 400), st.integers(1, 30), st.integers(0, 40), st.integers(-500, 1500))
def test_steps_align_and_stay_in_range(start: int, step: int, count: int, value: int) -> None:
    span = IntRange(start, start + count * step, step)
    for by in (-1, 1):
        after = next_number(span, max(span.start, min(span.stop, value)), by)
        assert span.start <= after <= span.stop
        assert after in (span.start, span.stop) or after % step == 0


@pytest.mark.parametrize("size", ((800, 480), (720, 1280), (1280, 720)), ids=str)
def test_every_setting_is_readable(size: tuple[int, int]) -> None:
    for canvas in (canvas for part in _view().sections for canvas in _leaves(part, size)):
        assert all(text.complete for text in canvas.texts), [text.text for text in canvas.texts if not text.complete]


def test_every_value_can_be_reached_on_the_page() -> None:
    """Every choice has a button, and every number one for less and one for more."""
    view = _view()
    for part in view.sections:
        presses = [target.press for canvas in _leaves(part, (800, 480)) for target in canvas.targets]
        for one in _view(part).visible_settings:
            if isinstance(one.allowed, Choices):
                for value in one.allowed.values:
                    assert Reply(SettingsAnswer({one.key: value}, part)) in presses
            else:
                changed = [press.changed for press in presses if isinstance(press, SettingsPage)]
                assert any(one.key in values for values in changed)
        assert {press.value.section for press in presses if isinstance(press, Reply)} == {*view.sections, None}
