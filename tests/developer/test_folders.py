"""Where a package that is worked on keeps its data (ours)."""

from pathlib import Path

import pytest

from lime_desktop.developer.folders import developer_folder
from lime_desktop.developer.options import DeveloperOptions
from lime_desktop.host.user_profile.settings import HostSettings, read_settings, write_settings


@pytest.fixture
def user_settings(tmp_path: Path) -> Path:
    path = tmp_path / "config/settings.json"
    path.parent.mkdir()
    write_settings(path, HostSettings(theme_mode="dark", package_paths=("/elsewhere",)))
    return path


def test_each_package_has_a_folder_of_its_own_beside_the_persons_data(
    tmp_path: Path, user_settings: Path
) -> None:
    places: set[Path] = set()
    for name in ("one/app", "two/app"):
        options = DeveloperOptions(package=tmp_path / name)
        with developer_folder(options, tmp_path / "data", user_settings) as folder:
            places.add(folder.data)
    assert len(places) == 2
    assert all(place.is_relative_to(tmp_path / "data/developer") for place in places)
    assert all(place.is_dir() for place in places)


def test_going_without_the_sandbox_is_agreed_to_by_an_option_and_kept_for_the_package(
    tmp_path: Path, user_settings: Path
) -> None:
    agreeing = DeveloperOptions(package=tmp_path / "app", opens_without_sandbox=True)
    for options in (agreeing, DeveloperOptions(package=tmp_path / "app")):
        with developer_folder(options, tmp_path / "data", user_settings) as folder:
            assert read_settings(folder.settings_file).opens_without_sandbox
    assert not read_settings(user_settings).opens_without_sandbox


def test_it_begins_with_the_persons_choices_and_keeps_its_own(
    tmp_path: Path, user_settings: Path
) -> None:
    options = DeveloperOptions(package=tmp_path / "app")
    with developer_folder(options, tmp_path / "data", user_settings) as folder:
        begun = read_settings(folder.settings_file)
        write_settings(folder.settings_file, begun.model_copy(update={"theme_mode": "light"}))
    with developer_folder(options, tmp_path / "data", user_settings) as folder:
        kept = read_settings(folder.settings_file)
    assert (begun.theme_mode, begun.is_welcomed, begun.package_paths) == ("dark", True, ())
    assert begun.has_developer_tools
    assert kept.theme_mode == "light"
    assert read_settings(user_settings).theme_mode == "dark"


def test_a_fresh_one_knows_nothing_and_leaves_nothing(tmp_path: Path, user_settings: Path) -> None:
    options = DeveloperOptions(package=tmp_path / "app", has_fresh_profile=True)
    with developer_folder(options, tmp_path / "data", user_settings) as folder:
        begun = read_settings(folder.settings_file)
        assert begun.theme_mode == "light"
    assert not folder.data.exists()
    assert not (tmp_path / "data").exists()
