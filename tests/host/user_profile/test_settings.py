"""A person's choices survive, and a broken file loses nothing silently (ours)."""

from pathlib import Path

from lime_desktop.host.user_profile.settings import HostSettings, read_settings, write_settings


def test_choices_are_read_back(tmp_path: Path) -> None:
    chosen = HostSettings(locale="zh-CN", theme_mode="dark", text_scale=1.3, package_paths=("/a",))
    write_settings(tmp_path / "deep" / "settings.json", chosen)
    assert read_settings(tmp_path / "deep" / "settings.json") == chosen


def test_no_file_means_no_choices(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "settings.json") == HostSettings()


def test_an_unreadable_file_is_kept_aside(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{ not json")
    assert read_settings(file) == HostSettings()
    assert (tmp_path / "settings.unreadable").read_text() == "{ not json"
