"""People change the box's settings on its screen: what is touched holds at once, and is kept in the file."""

from collections.abc import Collection
from pathlib import Path

from throwlock.settings.model import Described, Settings, SettingsError, all_described, keep, read
from ui.i18n import error_messages, language
from ui.i18n.language import N
from ui.screen.core.display import Display
from ui.screen.drawing import theme
from ui.screen.pages.settings import view as settings_view
from ui.screen.pages.views import Notice

TITLE = N("Settings")
BROKEN = N("{fault}. Until then all is as usual.")


def apply(settings: Settings) -> None:
    """Speak the language and lay pages out for the hand that are set."""
    language.use(settings.screen.language)
    theme.use_hand(settings.screen.handed)


def at_start(display: Display, path: Path) -> Settings:
    """The settings for an evening, applied. What is wrong with their file is said on the screen, and then all is as
    usual. Raises WindowClosedError."""
    try:
        settings = read(path)
    except SettingsError as fault:
        display.ask(Notice(TITLE, N(BROKEN, fault=error_messages.told(str(fault))), ("go on",)))
        return Settings()
    apply(settings)
    return settings


def on_page() -> list[Described]:
    """The settings that have a place on the screen; any other stands in the file alone."""
    return [one for one in all_described() if one.allowed is not None]


def change(display: Display, path: Path, now: Settings, given: Collection[str] = ()) -> Settings:
    """Let people change settings until they are done. ``given`` are those, by part and name, that the box was started
    with otherwise. Returns what holds then. Raises WindowClosedError."""
    part: str | None = on_page()[0].part
    kept: str = N("Kept in {path}", path=_short(path))
    told, wrong = kept, False
    while part is not None:
        shown = tuple(
            settings_view.Setting(one.part, one.name, one.about, one.value(now), one.allowed, one.key in given)
            for one in on_page()
            if one.allowed is not None
        )
        answer = display.ask(settings_view.Settings(shown, part, told, wrong))
        if not isinstance(answer, settings_view.Changed):
            return now
        part = answer.part
        if not answer.values:
            continue
        try:
            now = keep(path, answer.values)
        except SettingsError as fault:
            told, wrong = error_messages.told(str(fault)), True
            part = part or on_page()[0].part  # people see that it is not kept
        else:
            told, wrong = kept, False
            apply(now)
    return now


def choose_language(display: Display, path: Path, now: Settings) -> Settings:
    """Let people choose the language, which is spoken at once and kept. Returns what is set then. Raises
    WindowClosedError."""
    code = str(display.ask(settings_view.Languages(language.LANGUAGES, language.spoken())))
    language.use(code)
    try:
        return keep(path, {"screen.language": code})
    except SettingsError as fault:
        display.ask(Notice(TITLE, error_messages.told(str(fault)), ("go on",)))
        return now


def _short(path: Path) -> str:
    """A path as people write it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
