"""The settings page: changes take effect at once and are saved in the file."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from messages import N
from throwlock.settings.model import Settings, SettingsError, describe_settings, read_settings, save_settings
from ui.i18n import language
from ui.screen.core import screen
from ui.screen.core.display import Display
from ui.screen.drawing import theme
from ui.screen.pages import settings as settings_page
from ui.screen.pages.notice import Notice

TITLE = N("Settings")
KEEP_THIS = N("Keep this?")
ROTATED = N("The screen is rotated. Without an answer it turns back.")
ROTATION = "screen.rotation"
KEEP_TIME_S = 15.0
"""The time to confirm a rotation, after which the screen turns back: nobody may be able to read it."""
KEEP_ROTATION, UNDO_ROTATION = "keep it", "turn it back"
FurtherPages = Mapping[str, Callable[[Settings], Settings]]
NO_FURTHER_PAGES: FurtherPages = MappingProxyType({})
BROKEN_FILE = N("{error}. Until then the defaults apply.")


def apply_settings(settings: Settings) -> None:
    """Apply what concerns the screen."""
    language.set_language(settings.screen.language)
    theme.set_handedness(settings.screen.handed)
    theme.set_reduced_motion(settings.screen.motion == "reduced")
    theme.set_high_contrast(settings.screen.contrast == "high")
    theme.set_large_text(settings.screen.text == "large")
    screen.set_rotation(settings.screen.rotation)
    screen.set_dark_after(settings.screen.dark_after_min)
    screen.set_second_screen(settings.screen.second == "auto")


def load_at_start(display: Display, path: Path) -> Settings:
    """Read and apply the settings; a broken file is reported on the screen and the defaults are used. Raises
    WindowClosedError."""
    try:
        settings = read_settings(path)
    except SettingsError as error:
        display.ask(Notice(TITLE, N(BROKEN_FILE, error=error.text), ("go on",), is_idle=True))
        return Settings()
    apply_settings(settings)
    return settings


def settings_on_screen(settings: Settings, overridden: Collection[str] = ()) -> tuple[settings_page.Setting, ...]:
    """Return the settings that are on the screen, with their values; the others are only in the file."""
    return tuple(
        settings_page.Setting(
            item.section, item.name, item.about, item.value(settings), item.allowed, item.key in overridden
        )
        for item in describe_settings()
        if item.allowed is not None
    )


def change_settings(
    display: Display,
    path: Path,
    settings: Settings,
    overridden: Collection[str] = (),
    further_pages: FurtherPages = NO_FURTHER_PAGES,
    section: str | None = None,
) -> Settings:
    """Let the players change settings, and return the new ones.

    ``overridden`` are the keys of settings that the command line overrides; the page begins with ``section``, by
    default the first. ``further_pages`` are opened from the page, and return the settings as they left them. Raises
    WindowClosedError.
    """
    shown = settings_on_screen(settings, overridden)
    first_section = shown[0].section
    section = section or first_section
    saved_in: str = N("Saved in {path}", path=_shorten_path(path))
    message, failed = saved_in, False
    while section is not None:
        if section in further_pages:
            settings, section = further_pages[section](settings), first_section
        answer = display.ask(settings_page.SettingsView(shown, section, message, failed, tuple(further_pages)))
        if not isinstance(answer, settings_page.SettingsAnswer):
            return settings
        section = answer.section
        values = dict(answer.values)
        if values.get(ROTATION, settings.screen.rotation) != settings.screen.rotation and not _try_rotation(
            display, int(str(values[ROTATION])), settings.screen.rotation
        ):
            del values[ROTATION]
        if not values:
            continue
        try:
            settings = save_settings(path, values)
        except SettingsError as error:
            apply_settings(settings)
            message, failed = error.text, True
            section = section or first_section  # the page shows that it was not saved
        else:
            message, failed = saved_in, False
            apply_settings(settings)
            shown = settings_on_screen(settings, overridden)
    return settings


def _try_rotation(display: Display, degrees: int, degrees_before: int) -> bool:
    """Rotate the screen and ask whether to keep that; otherwise rotate it back. Raises WindowClosedError."""
    screen.set_rotation(degrees)
    notice = Notice(KEEP_THIS, ROTATED, (KEEP_ROTATION, UNDO_ROTATION), seconds_left=KEEP_TIME_S)
    if display.ask(notice) == KEEP_ROTATION:
        return True
    screen.set_rotation(degrees_before)
    return False


def choose_language(display: Display, path: Path, settings: Settings) -> Settings:
    """Let the players choose the language, apply and save it, and return the new settings. Raises WindowClosedError."""
    code = str(display.ask(settings_page.LanguageChoice(language.LANGUAGES, language.current_language())))
    language.set_language(code)
    try:
        return save_settings(path, {"screen.language": code})
    except SettingsError as error:
        display.ask(Notice(TITLE, error.text, ("go on",)))
        return settings


def _shorten_path(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
