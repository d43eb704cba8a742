"""Files given to an expert along with a message: dropped, pasted, chosen, taken away, refused (ours).

A real window, App Server and model server on loopback; what the model was sent and what was recorded is checked.
"""

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QToolButton

from lime_desktop.protocol.capability_calls.files import LIST_FILES
from lime_desktop.shell.surfaces.chat.attachments import AttachmentChips
from lime_desktop.shell.surfaces.chat.composer import Composer
from lime_desktop.shell.surfaces.chat.transcript import Transcript
from tests.app_server.for_apps import ask
from tests.app_server.model_server import ModelServer, text
from tests.shell.dropping import drop_files
from tests.shell.test_chat_keys import Talk
from tests.shell.test_chat_keys import talk as talk  # noqa: PLC0414 - the same fixture

pytestmark = pytest.mark.system

CTRL = Qt.KeyboardModifier.ControlModifier


def ferry(folder: Path, name: str = "ferry.md") -> Path:
    file = folder / name
    file.write_text("The ferry leaves at 08:15.", encoding="utf-8")
    return file


def chips(talk: Talk) -> AttachmentChips:
    [found] = talk.chat.findChildren(AttachmentChips)
    return found


def names(talk: Talk) -> list[str]:
    return [each.name for each in chips(talk).files]


def held(talk: Talk) -> list[str]:
    """What the App Server has opened to the app's experts."""
    listed = talk.finish(ask(talk.stage.server.call, "every-kind", LIST_FILES))
    return [each.name for each in listed.root]


def said_aloud(talk: Talk) -> str:
    """Everything in the window that can be read."""
    labels = talk.stage.window.findChildren(QLabel)
    return "\n".join(each.text() for each in labels if each.isVisible())


@pytest.mark.parametrize("kind", [Composer, Transcript])
def test_a_dropped_file_goes_along_and_is_read_by_the_model(
    talk: Talk, tmp_path: Path, kind: type[Composer | Transcript]
) -> None:
    """Wherever in the conversation it is dropped: over the field's own widget, or over what was said."""
    with ModelServer([text("At 08:15."), text("Still at 08:15.")]) as provider:
        talk.add_provider(provider.url)
        target = talk.field.viewport() if kind is Composer else talk.chat
        drop_files(target, [ferry(tmp_path)])
        talk.wait(lambda: names(talk) == ["ferry.md"])
        assert talk.field.toPlainText() == ""
        assert chips(talk).isVisible()
        talk.type("When?")
        talk.press(Qt.Key.Key_Return)
        talk.wait_said("When?", "At 08:15.")
        assert names(talk) == []
        assert not chips(talk).isVisible()
        talk.wait_to_see("With ferry.md")
        assert "The ferry leaves at 08:15." in str(provider.asked[0].messages)
        [asked] = talk.recorded("turn.submitted")
        [attachment] = cast("list[dict[str, object]]", asked.payload["attachments"])
        assert attachment["metadata"] == {"name": "ferry.md"}
        assert str(tmp_path) not in str(asked.payload)
        # Asked again, it goes along again.
        talk.wait_over()
        talk.click("Retry")
        talk.wait(lambda: len(provider.asked) == 2)
        assert "The ferry leaves at 08:15." in str(provider.asked[1].messages)
        talk.wait_over()


def test_a_chip_is_taken_away_by_mouse_and_by_key_and_its_file_closed(
    talk: Talk, tmp_path: Path
) -> None:
    files = [ferry(tmp_path, f"{name}.md") for name in ("one", "two", "three")]
    drop_files(talk.chat, files)
    talk.wait(lambda: names(talk) == ["one.md", "two.md", "three.md"])
    assert sorted(held(talk)) == ["one.md", "three.md", "two.md"]
    talk.click("Remove two.md")
    assert names(talk) == ["one.md", "three.md"]
    # With the keyboard: back from the field to the chips, then Delete and Space.
    talk.take_keyboard()
    for _ in range(6):
        focused = QApplication.focusWidget()
        if isinstance(focused, QToolButton) and focused.accessibleName() == "Remove three.md":
            break
        talk.press(Qt.Key.Key_Backtab)
    talk.press(Qt.Key.Key_Delete)
    assert names(talk) == ["one.md"]
    talk.press(Qt.Key.Key_Space)
    assert names(talk) == []
    talk.wait(lambda: held(talk) == [])
    assert QApplication.focusWidget() is talk.field


def test_a_pasted_file_and_a_pasted_picture_go_along(talk: Talk, tmp_path: Path) -> None:
    clipboard = QGuiApplication.clipboard()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(ferry(tmp_path)))])
    clipboard.setMimeData(data)
    talk.take_keyboard()
    talk.press(Qt.Key.Key_V, CTRL)
    talk.wait(lambda: names(talk) == ["ferry.md"])
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    picture.fill(QColor("green"))
    clipboard.setImage(picture)
    talk.take_keyboard()
    talk.press(Qt.Key.Key_V, CTRL)
    talk.wait(lambda: names(talk) == ["ferry.md", "Pasted picture"])
    assert chips(talk).files[1].is_picture
    [kept] = (tmp_path / "pasted").iterdir()
    assert QImage(str(kept)).pixelColor(3, 3) == QColor("green")
    assert (tmp_path / "pasted").stat().st_mode & 0o077 == 0
    assert kept.stat().st_mode & 0o077 == 0
    # Words stay words.
    clipboard.setText("plain words")
    talk.take_keyboard()
    talk.press(Qt.Key.Key_V, CTRL)
    assert talk.field.toPlainText() == "plain words"


def test_files_are_chosen_by_the_button(talk: Talk, tmp_path: Path) -> None:
    file = ferry(tmp_path)
    talk.click("Attach files")
    talk.wait(lambda: bool(talk.chat.findChildren(QFileDialog)))
    [dialog] = talk.chat.findChildren(QFileDialog)
    name = dialog.findChild(QLineEdit, "fileNameEdit")
    assert name is not None
    name.setText(str(file))
    dialog.done(QFileDialog.DialogCode.Accepted)
    talk.wait(lambda: names(talk) == ["ferry.md"])


def test_what_cannot_be_read_is_refused_in_words_and_opens_nothing(
    talk: Talk, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "program.bin").write_bytes(b"\x00\x01")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-nothing")
    (tmp_path / "large.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5_000_001))
    told = {
        "folder": "folder is a folder",
        "program.bin": "program.bin can't be read here",
        "empty.txt": "empty.txt contains no text",
        "broken.pdf": "broken.pdf can't be read",
        "large.png": "large.png is too large. Pictures",
        "gone.txt": "gone.txt is no longer there",
    }
    for name, words in told.items():
        drop_files(talk.chat, [tmp_path / name])
        talk.wait(lambda words=words: words in said_aloud(talk))
    assert names(talk) == []
    assert held(talk) == []
    many = [ferry(tmp_path, f"{number}.md") for number in range(11)]
    drop_files(talk.chat, many)
    talk.wait(lambda: "10.md was not attached" in said_aloud(talk))
    assert len(names(talk)) == 10


def test_what_could_not_be_sent_comes_back_with_its_files(talk: Talk, tmp_path: Path) -> None:
    """No model is set up: nothing is lost."""
    drop_files(talk.chat, [ferry(tmp_path)])
    talk.wait(lambda: names(talk) == ["ferry.md"])
    talk.type("When?")
    talk.press(Qt.Key.Key_Return)
    talk.wait(lambda: talk.field.toPlainText() == "When?")
    assert names(talk) == ["ferry.md"]
