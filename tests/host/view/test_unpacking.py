"""Archives that an app holds are strangers' (ours): nothing leaves the new folder, and nothing half-written stays."""

import stat
import zipfile
from pathlib import Path

import pytest

from lime_desktop.host.view import unpacking
from lime_desktop.host.view.unpacking import unpack
from lime_desktop.protocol.errors import HostActionFailed


def archive(tmp_path: Path, *entries: tuple[str | zipfile.ZipInfo, str]) -> Path:
    path = tmp_path / "held.zip"
    with zipfile.ZipFile(path, "w") as made:
        for name, text in entries:
            made.writestr(name, text)
    return path


def held_in(folder: Path) -> dict[str, str]:
    return {
        each.relative_to(folder).as_posix(): each.read_text()
        for each in folder.rglob("*")
        if each.is_file()
    }


def test_names_that_lead_elsewhere_stay_inside(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    names = ["../../up.md", "/etc/passwd", "C:\\x\\y.md", "a/../b.md", "con.md"]
    place = tmp_path / "place"
    place.mkdir()
    made = archive(tmp_path, *((name, name) for name in names), (link, "/etc/hostname"))
    folder = unpack(made, place, "../Notes")
    assert folder.parent == place
    assert set(held_in(folder)) == {
        "up.md",
        "etc/passwd",
        "C_/x/y.md",
        "a/b.md",
        "_con.md",
        "link",
    }
    assert not (folder / "link").is_symlink()
    assert [each.name for each in place.iterdir()] == [folder.name]


def test_what_cannot_be_finished_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    no_archive = tmp_path / "text.zip"
    no_archive.write_text("no archive")
    with pytest.raises(HostActionFailed):
        unpack(no_archive, place, "a")
    with pytest.raises(FileExistsError):
        unpack(archive(tmp_path, ("a.md", "1"), ("./a.md", "2")), place, "a")
    monkeypatch.setattr(unpacking, "MOST_BYTES", 3)
    with pytest.raises(HostActionFailed):
        unpack(archive(tmp_path, ("a.md", "12"), ("b.md", "34")), place, "a")
    monkeypatch.setattr(unpacking, "MOST_FILES", 1)
    with pytest.raises(HostActionFailed):
        unpack(archive(tmp_path, ("a.md", "1"), ("b.md", "2")), place, "a")
    assert list(place.iterdir()) == []
