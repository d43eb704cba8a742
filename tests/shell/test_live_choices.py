"""What the person chose holds at once, for whoever was given the texts, the theme or the settings before."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import read_settings
from tests.shell.services import make_services


def test_whoever_holds_the_texts_says_the_words_of_the_language_of_now(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Ours: widgets are given the texts once, and live longer than the person's choice of language."""
    services = make_services(tmp_path)
    texts, said = services.look.texts, list[str]()
    texts.changed.connect(lambda: said.append(texts("action.cancel")))
    before = texts("action.cancel")
    with qtbot.waitSignal(services.look.appearance.changed):
        services.settings.change(locale="zh-CN")
    assert (texts.locale, said) == ("zh-CN", [texts("action.cancel")])
    assert said != [before]


def test_another_choice_leaves_the_texts_alone_and_is_seen_at_once(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """Ours: to say every word anew takes long, and most choices change none."""
    services = make_services(tmp_path)
    ground = services.look.appearance.theme.tokens["--lime-bg"]
    with qtbot.assertNotEmitted(services.look.texts.changed):
        services.settings.change(theme_mode="dark")
    assert services.look.appearance.theme.tokens["--lime-bg"] != ground


def test_a_choice_that_is_still_being_made_is_on_disk_when_the_program_ends(tmp_path: Path) -> None:
    """Ours: a wheel that is turned writes once, and what it came to is not lost."""
    services = make_services(tmp_path)
    file = services.folders.settings_file
    services.settings.defer(page_zoom={"notes": 110})
    assert (services.settings.current.page_zoom, file.exists()) == ({"notes": 110}, False)
    services.settings.flush()
    assert read_settings(file).page_zoom == {"notes": 110}


def test_a_choice_that_cannot_be_kept_holds_and_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    """Ours: nothing of the window may hang on a disk that takes no more."""
    (tmp_path / "data").write_text("no folder", encoding="utf-8")
    services = make_services(tmp_path / "data")
    reasons: list[str] = []
    services.settings.written.connect(reasons.append)
    services.settings.change(theme_mode="dark")
    qtbot.waitUntil(lambda: len(reasons) == 1)
    assert reasons != [""]
    assert services.settings.current.theme_mode == "dark"
