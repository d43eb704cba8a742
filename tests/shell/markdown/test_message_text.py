"""Markdown as a person sees it: forms, links, nothing that runs or loads, and work that grows with the message only (ours)."""

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextFormat, QTextTable
from pytestqt.qtbot import QtBot

from lime_desktop.shell.markdown.message_text import MessageText

ANSWER = """## What I found

The ferry leaves at **08:15**, and *Anna pays* ~~not~~ with `card` [source](https://example.com/a).

| Step | Who | When |
|:-----|:---:|-----:|
| Book | Anna | Monday |
| Pack | Ben | Thursday |

> Bring a **rain** coat.

3. Keep it short
4. Say `please`
   - twice

```python
def greet():
    return 1
```

Done, see https://example.com/b."""


@pytest.fixture
def message(qtbot: QtBot) -> MessageText:
    made = MessageText("Answer")
    qtbot.addWidget(made)
    made.resize(500, 100)
    made.show()
    return made


def blocks(message: MessageText) -> list[QTextBlock]:
    found: list[QTextBlock] = []
    block = message.document().begin()
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def letters(message: MessageText, words: str) -> QTextCharFormat:
    """How these words are written."""
    found = message.document().find(words)
    if not found.isNull():
        return found.charFormat()
    raise AssertionError(words)


def tables(message: MessageText) -> list[QTextTable]:
    return [
        each
        for each in message.document().rootFrame().childFrames()
        if isinstance(each, QTextTable)
    ]


def test_every_form_is_drawn_as_what_it_is(message: MessageText) -> None:
    message.show_words(ANSWER)
    text = message.document().toPlainText()
    assert not set("*|~#`") & set(text)
    assert letters(message, "08:15").fontWeight() > 500
    assert letters(message, "Anna pays").fontItalic()
    assert letters(message, "not").fontStrikeOut()
    assert letters(message, "card").fontFixedPitch()
    assert letters(message, "return 1").fontFixedPitch()
    heading = next(each for each in blocks(message) if each.text() == "What I found")
    assert heading.blockFormat().headingLevel() == 2
    quote = next(each for each in blocks(message) if "rain" in each.text())
    assert quote.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel) == 1
    item = next(each for each in blocks(message) if each.text() == "Keep it short")
    assert item.textList().itemText(item) == "3."
    nested = next(each for each in blocks(message) if each.text() == "twice")
    assert nested.textList().format().indent() == 2


def test_a_table_has_borders_a_head_and_aligned_columns(message: MessageText) -> None:
    message.show_words(ANSWER)
    [table] = tables(message)
    assert (table.rows(), table.columns()) == (3, 3)
    assert table.format().border() > 0
    assert table.format().borderCollapse()
    sides = [
        table.cellAt(1, at).firstCursorPosition().blockFormat().alignment()
        & Qt.AlignmentFlag.AlignHorizontal_Mask
        for at in range(3)
    ]
    assert sides == [
        Qt.AlignmentFlag.AlignLeft,
        Qt.AlignmentFlag.AlignHCenter,
        Qt.AlignmentFlag.AlignRight,
    ]
    assert table.cellAt(2, 1).firstCursorPosition().block().text() == "Ben"


def test_links_lead_nowhere_but_to_the_hosts_question(message: MessageText) -> None:
    message.show_words(ANSWER)
    assert letters(message, "source").anchorHref() == "https://example.com/a"
    assert letters(message, "https://example.com/b").anchorHref() == "https://example.com/b"
    heard: list[str] = []
    message.link_wanted.connect(heard.append)
    message.anchorClicked.emit("https://example.com/a")
    assert heard == ["https://example.com/a"]
    message.show_words(
        "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](../x) [d](data:text/html,x)"
    )
    assert not any(letters(message, name).isAnchor() for name in "abcd")


def test_markup_of_pages_is_words_and_pictures_are_not_fetched(message: MessageText) -> None:
    message.show_words(
        "<b>bold</b> <script>alert(1)</script>\n\n<div>x</div>\n\n![a cat](https://example.com/cat.png)"
    )
    text = message.document().toPlainText()
    assert "<script>alert(1)</script>" in text
    assert "<div>x</div>" in text
    assert "a cat" in text
    assert "\ufffc" not in text
    assert message.loadResource(2, "https://example.com/cat.png") is None


def test_what_somebody_typed_is_shown_as_typed(message: MessageText) -> None:
    message.show_plain("2*3*4\n# no heading")
    assert message.document().toPlainText() == "2*3*4\n# no heading"


def test_a_message_that_grows_ends_as_if_it_had_come_whole(
    message: MessageText, qtbot: QtBot
) -> None:
    for end in range(0, len(ANSWER), 7):
        message.show_words(ANSWER[:end], is_whole=False)
    message.show_words(ANSWER)
    whole = MessageText("Answer")
    qtbot.addWidget(whole)
    whole.resize(500, 100)
    whole.show()
    whole.show_words(ANSWER)
    assert message.document().toPlainText() == whole.document().toPlainText()
    assert message.document().toHtml() == whole.document().toHtml()
    assert message.height() == whole.height()


def test_a_selection_stays_while_the_message_grows(message: MessageText) -> None:
    message.show_words("First words.\n\nSecond", is_whole=False)
    cursor = message.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(5, cursor.MoveMode.KeepAnchor)
    message.setTextCursor(cursor)
    message.show_words("First words.\n\nSecond paragraph.\n\nThird", is_whole=False)
    assert message.textCursor().selectedText() == "First"


def read_while_growing(qtbot: QtBot, words: int, *, a_paragraph: int) -> tuple[int, int]:
    """How long an answer is, and how much was read while it came in pieces of three words."""
    text = "".join(
        f"word{at % 97}" + ("\n\n" if at % a_paragraph == a_paragraph - 1 else " ")
        for at in range(words)
    )
    message = MessageText("Answer")
    qtbot.addWidget(message)
    message.resize(500, 100)
    ends = itertools.accumulate(len(piece) for piece in text.split(" "))
    for end in itertools.islice(ends, 0, None, 3):
        message.show_words(text[:end], is_whole=False)
    message.show_words(text)
    return len(text), message.characters_read


@pytest.mark.parametrize("a_paragraph", [40, 100_000], ids=("paragraphs", "one paragraph"))
def test_work_grows_with_the_message_and_not_with_its_square(
    qtbot: QtBot, a_paragraph: int
) -> None:
    """In paragraphs or in one: four times the words are four times the work."""
    short, read_short = read_while_growing(qtbot, 300, a_paragraph=a_paragraph)
    long, read_long = read_while_growing(qtbot, 1_200, a_paragraph=a_paragraph)
    assert read_long / long < 2 * read_short / short
    assert read_long < 40 * long
