"""The settings page: changes take effect at once and are saved in the file."""

from collections.abc import Collection
from pathlib import Path

from messages import N
from throwlock.settings.model import Settings, SettingsError, describe_settings, read_settings, save_settings
from ui.i18n import language
from ui.screen.core.display import Display
from ui.screen.drawing import theme
from ui.screen.pages.notice.view import Notice
from ui.screen.pages.settings import view as settings_view

TITLE = N("Settings")
BROKEN_FILE = N("{error}. Until then the defaults apply.")


def apply_settings(settings: Settings) -> None:
    """Apply the language and the hand that pages are laid out for."""
    language.set_language(settings.screen.language)
    theme.set_handedness(settings.screen.handed)


def load_at_start(display: Display, path: Path) -> Settings:
    """Read and apply the settings; a broken file is reported on the screen and the defaults are used. Raises
    WindowClosedError."""
    try:
        settings = read_settings(path)
    except SettingsError as error:
        display.ask(Notice(TITLE, N(BROKEN_FILE, error=error.text), ("go on",)))
        return Settings()
    apply_settings(settings)
    return settings


def settings_on_screen(settings: Settings, overridden: Collection[str] = ()) -> tuple[settings_view.Setting, ...]:
    """Return the settings that are on the screen, with their values; the others are only in the file."""
    return tuple(
        settings_view.Setting(one.section, one.name, one.about, one.value(settings), one.allowed, one.key in overridden)
        for one in describe_settings()
        if one.allowed is not None
    )


def change_settings(display: Display, path: Path, settings: Settings, overridden: Collection[str] = ()) -> Settings:
    """Let the players change settings, and return the new ones. ``overridden`` are the keys of settings that the
    command line overrides. Raises WindowClosedError."""
    shown = settings_on_screen(settings, overridden)
    first_section = shown[0].section
    section: str | None = first_section
    saved_in: str = N("Saved in {path}", path=_shorten_path(path))
    message, failed = saved_in, False
    while section is not None:
        answer = display.ask(settings_view.SettingsView(shown, section, message, failed))
        if not isinstance(answer, settings_view.SettingsAnswer):
            return settings
        section = answer.section
        if not answer.values:
            continue
        try:
            settings = save_settings(path, answer.values)
        except SettingsError as error:
            message, failed = error.text, True
            section = section or first_section  # the page shows that it was not saved
        else:
            message, failed = saved_in, False
            apply_settings(settings)
            shown = settings_on_screen(settings, overridden)
    return settings


def choose_language(display: Display, path: Path, settings: Settings) -> Settings:
    """Let the players choose the language, apply and save it, and return the new settings. Raises WindowClosedError."""
    code = str(display.ask(settings_view.LanguageChoice(language.LANGUAGES, language.current_language())))
    language.set_language(code)
    try:
        return save_settings(path, {"screen.language": code})
    except SettingsError as error:
        display.ask(Notice(TITLE, error.text, ("go on",)))
        return settings


def _shorten_path(path: Path) -> str:
    """Return a path with ``~`` for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
