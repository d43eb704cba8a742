"""Pictures of apps are drawn in a process with a budget, and once (ours; a bug demands it: 2.4 kB of SVG held the window)."""

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QIcon
from pytestqt.qtbot import QtBot

from lime_desktop.host.appearance.picture_cache import PIXEL_BYTES, DrawnPictures, picture_key
from lime_desktop.shell.pictures.icons import Pictures
from lime_desktop.shell.widgets.parts import icon_label
from tests.hostile_pictures import GOOD_SVG, endless_gif, huge_png, nested_uses

DRAWING_MS = 60_000
"""A child has to be started and to use up its budget, on a machine that is busy with other things."""


def shown_colour(icon: QIcon) -> str:
    return QColor(icon.pixmap(16, 16).toImage().pixelColor(8, 3)).name()


def drawn(qtbot: QtBot, kept: DrawnPictures, *pictures: bytes) -> list[object]:
    """What comes of pictures that are asked for together."""
    shown = Pictures(kept)
    for picture in pictures:
        shown.icon(picture, "Tile", "#00ff00", "#000000")
    keys = [picture_key(each) for each in pictures]
    qtbot.waitUntil(lambda: all(kept.find(key) for key in keys), timeout=DRAWING_MS)
    found = [kept.find(key) for key in keys]
    return [len(each) if isinstance(each, bytes) else each for each in found]


def test_an_icon_is_a_letter_until_its_picture_is_drawn(qtbot: QtBot, tmp_path: Path) -> None:
    kept = DrawnPictures(tmp_path)
    pictures = Pictures(kept)
    icon = pictures.icon(GOOD_SVG, "Tile", "#00ff00", "#000000")
    label = icon_label(icon, 32)
    qtbot.addWidget(label)
    assert shown_colour(icon) == "#00ff00"
    with qtbot.waitSignal(pictures.drawn, timeout=DRAWING_MS):
        pass
    assert shown_colour(icon) == "#ff0000"
    assert label.grab().toImage().pixelColor(16, 6).name() == "#ff0000"


def test_a_picture_that_takes_for_ever_costs_itself_and_no_other(
    qtbot: QtBot, tmp_path: Path
) -> None:
    bomb = nested_uses()
    assert len(bomb) < 4_000
    found = drawn(qtbot, DrawnPictures(tmp_path), bomb, GOOD_SVG)
    assert found == ["too_costly", PIXEL_BYTES]


def test_bitmaps_are_bounded_before_they_are_unpacked(qtbot: QtBot, tmp_path: Path) -> None:
    found = drawn(
        qtbot, DrawnPictures(tmp_path), huge_png(), endless_gif(), b"<svg", b"\x1f\x8bno", GOOD_SVG
    )
    assert found == ["not_a_picture", PIXEL_BYTES, "not_a_picture", "not_a_picture", PIXEL_BYTES]


def test_a_later_start_draws_nothing_twice(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(qtbot, DrawnPictures(tmp_path), GOOD_SVG, b"<svg")
    monkeypatch.setattr("subprocess.Popen", None)
    later = Pictures(DrawnPictures(tmp_path))
    assert shown_colour(later.icon(GOOD_SVG, "Tile", "#00ff00", "#000000")) == "#ff0000"
    assert shown_colour(later.icon(b"<svg", "Tile", "#00ff00", "#000000")) == "#00ff00"
    assert later.why_undrawn(b"<svg") == "not_a_picture"


def test_a_picture_that_was_given_up_can_be_tried_again(qtbot: QtBot, tmp_path: Path) -> None:
    kept = DrawnPictures(tmp_path)
    kept.keep(picture_key(GOOD_SVG), "too_costly")
    pictures = Pictures(kept)
    assert pictures.why_undrawn(GOOD_SVG) == "too_costly"
    with qtbot.waitSignal(pictures.drawn, timeout=DRAWING_MS):
        pictures.try_again(GOOD_SVG)
    assert pictures.why_undrawn(GOOD_SVG) is None


def test_where_no_wall_is_the_pictures_are_drawn_all_the_same(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process and its limits hold everywhere; bubblewrap is one wall more."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawn(qtbot, DrawnPictures(tmp_path / "kept"), GOOD_SVG) == [PIXEL_BYTES]


def test_a_folder_that_takes_nothing_does_not_cost_the_icons(qtbot: QtBot, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    assert drawn(qtbot, DrawnPictures(blocked / "pictures"), GOOD_SVG) == [PIXEL_BYTES]


@pytest.mark.parametrize("damage", [b"", b"P", b"\x78\x9c\x03", b"x" * 400_000])
def test_a_damaged_picture_is_drawn_again(tmp_path: Path, damage: bytes) -> None:
    kept = DrawnPictures(tmp_path)
    key = picture_key(GOOD_SVG)
    (tmp_path / key).write_bytes(damage)
    assert kept.find(key) is None


def kept_of(folder: Path, count: int, **bounds: int) -> list[int]:
    """Which of so many pictures, kept one after the other, are still there."""
    kept = DrawnPictures(folder, **bounds)
    keys = [picture_key(b"%d" % number) for number in range(count)]
    for number, key in enumerate(keys):
        kept.keep(key, os.urandom(PIXEL_BYTES))
        # Files of one moment have no order.
        os.utime(folder / key, ns=(number, number))
    kept.keep(picture_key(b"the last"), "not_a_picture")
    return [number for number, key in enumerate(keys) if kept.find(key) is not None]


def test_the_oldest_pictures_are_let_go_beyond_a_number_and_a_size(tmp_path: Path) -> None:
    assert kept_of(tmp_path / "few", 6, most=4, prune_every=1) == [3, 4, 5]
    assert kept_of(tmp_path / "small", 6, most_bytes=3 * PIXEL_BYTES, prune_every=1) == [4, 5]
    assert kept_of(tmp_path / "plenty", 6, prune_every=1) == [0, 1, 2, 3, 4, 5]


def test_a_start_that_keeps_a_picture_lets_go_of_what_earlier_ones_left(tmp_path: Path) -> None:
    assert kept_of(tmp_path, 6) == [0, 1, 2, 3, 4, 5]
    DrawnPictures(tmp_path, most=3).keep(picture_key(b"a later one"), "too_costly")
    assert len([*tmp_path.iterdir()]) == 3
