"""The host's dialog for files in its own look: every button of it can be seen, in the window's language (ours)."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QLocale, QSize, Qt, QTranslator
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QFileSystemModel,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from lime_desktop.shell.dialogs.choosers import choose_save_path
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.widgets.qt_texts import QtTexts, Source, make_catalog
from tests.shell.hands import active_stage
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop, "dark")


_BORDER = 3


def drawn_size(button: QToolButton) -> QSize:
    """How much stands out from a button's ground, its border left out."""
    picture = button.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    ground = picture.pixelColor(_BORDER, _BORDER).lightness()
    seen = [
        (x, y)
        for x in range(_BORDER, picture.width() - _BORDER)
        for y in range(_BORDER, picture.height() - _BORDER)
        if abs(picture.pixelColor(x, y).lightness() - ground) > 60
    ]
    if not seen:
        return QSize(0, 0)
    across, down = {x for x, _ in seen}, {y for _, y in seen}
    return QSize(max(across) - min(across), max(down) - min(down))


def test_the_buttons_of_the_file_dialog_are_seen_in_the_dark(
    stage: Stage, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    """A bug: they were dots, and one of them was black on black."""
    choosing = loop.create_task(
        choose_save_path(stage.window, stage.services.look.texts, "Notes", "a.txt")
    )
    qtbot.waitUntil(lambda: bool(stage.window.findChildren(QFileDialog)))
    [dialog] = stage.window.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible)
    buttons = [each for each in dialog.findChildren(QToolButton) if each.isVisible()]
    always = {"toParentButton", "newFolderButton", "listModeButton", "detailModeButton"}
    assert always <= {each.objectName() for each in buttons}
    for each in buttons:
        if each.objectName() in always:
            assert max(drawn_size(each).width(), drawn_size(each).height()) >= 7, each.objectName()
    dialog.reject()
    qtbot.waitUntil(choosing.done)


def test_qts_own_words_are_in_the_windows_language(stage: Stage) -> None:
    field = stage.window.findChildren(HomePage)[0].findChildren(QLineEdit)[0]
    words: dict[str, set[str]] = {}
    for locale in ("en", "zh-CN", "en"):
        stage.services.settings.change(locale=locale)
        menu = field.createStandardContextMenu()
        assert isinstance(menu, QMenu)
        words[locale] = {each.text().partition("\t")[0] for each in menu.actions()}
        menu.deleteLater()
    assert {"&Undo", "&Copy", "&Paste", "Select All"} <= words["en"]
    assert {"撤销(&U)", "复制(&C)", "粘贴(&P)"} <= words["zh-CN"]


_LATIN = re.compile(r"[A-Za-z]{2,}")
_NO_WORDS = re.compile(r"&\w|\([*&]\w?\)|\d+ KiB|a\.txt|sub")


def visible_words(dialog: QFileDialog, folder: Path) -> list[str]:
    """Everything that the dialog says itself: labels, buttons, tips, heads of columns, kinds of files."""
    said = [each.text() for each in dialog.findChildren(QLabel)]
    for each in dialog.findChildren(QAbstractButton):
        said += [each.text(), each.toolTip(), each.accessibleName()]
    kinds = dialog.findChildren(QComboBox, "fileTypeCombo")
    said += [each.itemText(0) for each in kinds]
    said += [each.text() for each in dialog.findChildren(QAction)]
    model = dialog.findChild(QFileSystemModel)
    assert model is not None
    across = Qt.Orientation.Horizontal
    said.append(model.myComputer())
    said += [model.headerData(column, across) for column in range(model.columnCount())]
    kind = model.index(str(folder / "sub")).siblingAtColumn(_KIND).data()
    return [each for each in (*said, kind) if each]


_KIND = 2


@pytest.mark.parametrize("mode", [QFileDialog.FileMode.AnyFile, QFileDialog.FileMode.Directory])
def test_a_file_dialog_speaks_the_windows_language_and_follows_it(
    stage: Stage, qtbot: QtBot, tmp_path: Path, mode: QFileDialog.FileMode
) -> None:
    """A bug: in a Chinese window folders were of the kind "Folder", and some fields had English names."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").write_text("a")
    said: dict[str, list[str]] = {}
    for locale in ("en", "zh-CN", "en"):
        stage.services.settings.change(locale=locale)
        dialog = QFileDialog(stage.window, "", str(tmp_path))
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(mode)
        dialog.setViewMode(QFileDialog.ViewMode.Detail)
        dialog.show()
        kinds = {"en": "Folder", "zh-CN": "文件夹"}
        qtbot.waitUntil(lambda: visible_words(dialog, tmp_path)[-1] == kinds[locale])  # noqa: B023
        said[f"{locale} again" if locale in said else locale] = visible_words(dialog, tmp_path)
        dialog.deleteLater()
    strange = [each for each in said["zh-CN"] if _LATIN.search(_NO_WORDS.sub("", each))]
    assert strange == []
    # A catalog is called that: folders have a word of their own.
    assert [each for each in said["zh-CN"] if "目录" in each] == []
    assert {"位置：", "类型：", "上级文件夹", "大小", "名称", "修改日期", "取消"} <= set(
        said["zh-CN"]
    )
    assert {"Location:", "Kind:", "Enclosing Folder", "Size", "Cancel"} <= set(said["en"])
    assert said["en again"] == said["en"]
    assert not [each for each in said["en"] if not each.isascii()]


def test_without_qts_own_catalogues_only_their_words_stay_english(
    stage: Stage, qtbot: QtBot, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Ours: a bundle may lack them. It is said once, and nothing else suffers."""
    stage.services.settings.change(locale="zh-CN")
    assert QLocale().language() is QLocale.Language.Chinese
    for installed in stage.window.findChildren(QtTexts):
        installed.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert QLocale().language() is not QLocale.Language.Chinese
    bare = QtTexts(stage.services.look.texts, stage.window, str(tmp_path))
    stage.services.settings.change(locale="en")
    stage.services.settings.change(locale="zh-CN")
    told = [each.getMessage() for each in caplog.records if each.name == QtTexts.__module__]
    assert len(told) == 2
    assert "qtbase_zh_CN.qm" in told[0]
    field = QLineEdit()
    qtbot.addWidget(field)
    menu = field.createStandardContextMenu()
    assert isinstance(menu, QMenu)
    shown = {each.text().partition("\t")[0] for each in menu.actions()}
    menu.deleteLater()
    assert {"撤销(&U)", "&Copy"} <= shown
    assert bare.parent() is stage.window


def test_the_catalogue_that_we_make_is_read_as_qts_own_are() -> None:
    """Ours: words of one context are not those of another, and what is not there is not said."""
    made = make_catalog(
        {Source("A", "Size"): "大小", Source("B", "Size"): "尺寸", Source("A", ""): "空"}
    )
    translator = QTranslator()
    assert translator.load(made)
    assert translator.translate("A", "Size") == "大小"
    assert translator.translate("A", "Size", "in bytes") == "大小"
    assert translator.translate("B", "Size") == "尺寸"
    assert not translator.translate("C", "Size")
    assert not translator.translate("A", "Sizes")
