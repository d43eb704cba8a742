"""The menu of a page: what a person expects at the pointer, and nothing that leads past the host.

The engine's own has "view source", "save page" and "open in a new window"; none of them is here. A link is copied, or
opened as an app's links are: by the host's question.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWebEngineCore import QWebEngineContextMenuRequest, QWebEnginePage
from PySide6.QtWidgets import QMenu, QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.surfaces.surface import PageCommands
from lime_desktop.shell.widgets.parts import no_mnemonic

_LINKS = frozenset({"http", "https", "mailto"})
_WEB = frozenset({"http", "https"})
_MOST_SHOWN = 30
_MOST_LOOKED_UP = 200

_Web = QWebEnginePage.WebAction
_Can = QWebEngineContextMenuRequest.EditFlag
_EDITS = (
    ("undo", _Web.Undo, _Can.CanUndo, QKeySequence.StandardKey.Undo),
    ("redo", _Web.Redo, _Can.CanRedo, QKeySequence.StandardKey.Redo),
    ("cut", _Web.Cut, _Can.CanCut, QKeySequence.StandardKey.Cut),
    ("copy", _Web.Copy, _Can.CanCopy, QKeySequence.StandardKey.Copy),
    ("paste", _Web.Paste, _Can.CanPaste, QKeySequence.StandardKey.Paste),
    ("paste.plain", _Web.PasteAndMatchStyle, _Can.CanPaste, None),
    ("all", _Web.SelectAll, _Can.CanSelectAll, QKeySequence.StandardKey.SelectAll),
)
_GROUP_ENDS = frozenset({"redo", "paste.plain"})


@dataclass(frozen=True, slots=True)
class MenuLinks:
    """What the menu can have done beside what the page does itself."""

    commands: PageCommands
    can_go: Callable[[int], bool]
    look_up: Callable[[str], object]
    open_link: Callable[[str], object]
    inspect: Callable[[], object] | None
    """Only for whoever works on apps."""


def make_menu(
    parent: QWidget,
    texts: Texts,
    page: QWebEnginePage,
    asked: QWebEngineContextMenuRequest,
    links: MenuLinks,
) -> QMenu:
    """A menu for the place that was pressed."""
    menu = QMenu(parent)
    menu.setAccessibleName(texts("menu.page"))
    selected = " ".join(asked.selectedText().split())
    if asked.isContentEditable():
        _add_edits(menu, texts, page, asked)
    elif selected:
        _add_edit(menu, texts, page, asked, "copy")
    if selected:
        shown = plain_line(selected, _MOST_SHOWN)
        words = selected[:_MOST_LOOKED_UP]
        menu.addSeparator()
        _add(menu, texts("menu.lookup", words=shown), lambda: links.look_up(words))
    _add_link(menu, texts, asked.linkUrl(), links)
    if asked.mediaType() is QWebEngineContextMenuRequest.MediaType.MediaTypeImage:
        _add(menu, texts("menu.copy.image"), lambda: page.triggerAction(_Web.CopyImageToClipboard))
    if menu.isEmpty():
        _add_page(menu, texts, page, asked, links)
    if links.inspect is not None:
        menu.addSeparator()
        _add(menu, texts("menu.inspect"), links.inspect, QKeySequence("F12"))
    return menu


def _add_edits(
    menu: QMenu, texts: Texts, page: QWebEnginePage, asked: QWebEngineContextMenuRequest
) -> None:
    for key, *_ in _EDITS:
        _add_edit(menu, texts, page, asked, key)
        if key in _GROUP_ENDS:
            menu.addSeparator()


def _add_edit(
    menu: QMenu,
    texts: Texts,
    page: QWebEnginePage,
    asked: QWebEngineContextMenuRequest,
    wanted: str,
) -> None:
    key, act, flag, keys = next(each for each in _EDITS if each[0] == wanted)
    shown = QKeySequence(keys) if keys is not None else None
    added = _add(menu, texts(f"menu.{key}"), lambda: page.triggerAction(act), shown)
    added.setEnabled(flag in asked.editFlags())


def _add_link(menu: QMenu, texts: Texts, url: QUrl, links: MenuLinks) -> None:
    if url.scheme() not in _LINKS:
        return  # the app's own places mean nothing outside of it
    address = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
    menu.addSeparator()
    if url.scheme() in _WEB:
        _add(menu, texts("menu.open.link"), lambda: links.open_link(address))
    _add(menu, texts("menu.copy.link"), lambda: QGuiApplication.clipboard().setText(address))


def _add_page(
    menu: QMenu,
    texts: Texts,
    page: QWebEnginePage,
    asked: QWebEngineContextMenuRequest,
    links: MenuLinks,
) -> None:
    commands = links.commands
    for by, key, keys in ((-1, "back", "Alt+Left"), (1, "forward", "Alt+Right")):
        go = _add(menu, texts(f"command.{key}"), _going(commands, by), QKeySequence(keys))
        go.setEnabled(links.can_go(by))
    _add(menu, texts("command.reload"), commands.reload, QKeySequence("Ctrl+R"))
    menu.addSeparator()
    _add(menu, texts("command.find"), commands.find, QKeySequence("Ctrl+F"))
    _add(menu, texts("command.print"), commands.print_page, QKeySequence("Ctrl+P"))
    menu.addSeparator()
    _add_edit(menu, texts, page, asked, "all")


def _going(commands: PageCommands, by: int) -> Callable[[], None]:
    return lambda: commands.go(by)


def _add(
    menu: QMenu, words: str, act: Callable[[], object], keys: QKeySequence | None = None
) -> QAction:
    shown = no_mnemonic(words)
    if keys is not None and not keys.isEmpty():
        # In the words, not as a shortcut of the action: those keys are the page's and the window's already.
        shown = f"{shown}\t{keys.toString(QKeySequence.SequenceFormat.NativeText)}"
    added = menu.addAction(shown)

    def press(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
        act()

    added.triggered.connect(press)
    return added
