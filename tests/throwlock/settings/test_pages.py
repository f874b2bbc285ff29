"""The settings' pages have room for the descriptions of all settings."""

import pytest

from tests.helpers.panels import Panel, draw_on, each_panel, is_too_small
from throwlock.settings.model import Settings
from throwlock.settings.pages import settings_on_screen
from ui.i18n.language import LANGUAGES, set_language
from ui.screen.pages.settings import SettingsPage, SettingsView


@each_panel
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_can_be_read(language: str, panel: Panel) -> None:
    set_language(language)
    shown = settings_on_screen(Settings())
    pages = [
        SettingsPage(SettingsView(shown, section, "Saved in ~/.config/throwlock/throwlock.toml"), {}, list_page=number)
        for section in {setting.section for setting in shown}
        for number in range(len(shown))
    ]
    bad = {text.text for page in pages for text in draw_on(page, panel).texts if is_too_small(text, panel)}
    assert not bad
