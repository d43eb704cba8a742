"""Every command of the window, with its keys. Where each leads is the window's to know; a page's are the page's own."""

from collections.abc import Callable, Iterator
from functools import partial

from lime_desktop.shell.surfaces.surface import PageCommands
from lime_desktop.shell.widgets.shortcuts import Shortcut
from lime_desktop.shell.window.keyboard import WindowKeyboard
from lime_desktop.shell.window.navigation import Commands
from lime_desktop.shell.window.tabs import TabCommands

_MOST_NUMBERED = 8
"""Tabs that have a number of their own; nine is the last one, however many there are."""
_WIDER = 60
"""Pixels that a panel grows by at once."""


def list_shortcuts(window: Commands, tabs: TabCommands, keyboard: WindowKeyboard) -> list[Shortcut]:
    """In the order in which they are listed."""
    return [*_of_window(window, keyboard), *_of_tabs(tabs), *_of_page(tabs)]


def _of_window(window: Commands, keyboard: WindowKeyboard) -> Iterator[Shortcut]:
    yield Shortcut("palette", "Ctrl+K", "search", window.show_palette)
    yield Shortcut("home", "Alt+Home", "apps", window.show_home)
    yield Shortcut("settings", "Ctrl+,", "settings", window.show_settings)
    yield Shortcut("run", "Ctrl+J", "activity", window.toggle_drawer)
    yield Shortcut("approvals", "Ctrl+Shift+A", "shield", window.show_questions)
    yield Shortcut("rail", "F6", "apps", keyboard.switch)
    yield Shortcut("shortcuts", "F1", "command", window.show_shortcuts, also=("Ctrl+/",))
    yield Shortcut("welcome", "", "sparkle", window.show_welcome)
    yield Shortcut("quit", "Ctrl+Q", "stop", window.ask_to_leave)


def _of_tabs(tabs: TabCommands) -> Iterator[Shortcut]:
    space = tabs.workspace

    def has_tabs() -> bool:
        return bool(space.surfaces)

    def of_tabs(key: str, keys: str, sign: str, run: Callable[[], object], *also: str) -> Shortcut:
        return Shortcut(key, keys, sign, run, has_tabs, group="tabs", also=also)

    yield of_tabs("next", "Ctrl+Tab", "chevron-right", partial(tabs.step, 1), "Ctrl+PgDown")
    yield of_tabs("previous", "Ctrl+Shift+Tab", "chevron-left", partial(tabs.step, -1), "Ctrl+PgUp")
    for number in range(1, _MOST_NUMBERED + 2):
        at = number - 1 if number <= _MOST_NUMBERED else -1
        yield Shortcut(
            "tab",
            f"Ctrl+{number}",
            "page",
            partial(tabs.show, at),
            has_tabs,
            group="tabs",
            in_palette=False,
        )
    yield of_tabs("close", "Ctrl+W", "close", tabs.close)
    yield Shortcut("reopen", "Ctrl+Shift+T", "history", tabs.reopen, tabs.can_reopen, group="tabs")
    yield of_tabs("split", "Ctrl+\\", "split", space.split)
    yield of_tabs("half", "Ctrl+Shift+\\", "split", space.other_half)
    for key, by in (("panel-wider", _WIDER), ("panel-narrower", -_WIDER)):
        widen = partial(space.widen_panel, by)
        yield Shortcut(key, "", "panel", widen, lambda: bool(space.panel_parts), group="tabs")


def _of_page(tabs: TabCommands) -> Iterator[Shortcut]:
    def of_page(
        key: str,
        keys: str,
        sign: str,
        act: Callable[[PageCommands], object],
        *also: str,
        yields: bool = False,
    ) -> Shortcut:
        def run() -> None:
            if (page := tabs.page) is not None:
                act(page)

        def has_page() -> bool:
            return tabs.page is not None

        return Shortcut(key, keys, sign, run, has_page, group="page", also=also, yields=yields)

    yield of_page("back", "Alt+Left", "chevron-left", lambda page: page.go(-1))
    yield of_page("forward", "Alt+Right", "chevron-right", lambda page: page.go(1))
    yield of_page("reload", "Ctrl+R", "reload", lambda page: page.reload(), "F5")
    yield of_page("find", "Ctrl+F", "search", lambda page: page.find(), yields=True)
    yield of_page("find.next", "F3", "search", lambda page: page.find_again(1), "Ctrl+G")
    yield of_page(
        "find.previous",
        "Shift+F3",
        "search",
        lambda page: page.find_again(-1),
        "Ctrl+Shift+G",
    )
    yield of_page("zoom.in", "Ctrl++", "plus", lambda page: page.zoom_by(1), "Ctrl+=")
    yield of_page("zoom.out", "Ctrl+-", "minus", lambda page: page.zoom_by(-1))
    yield of_page("zoom.reset", "Ctrl+0", "search", lambda page: page.zoom_by(0))
    yield of_page("print", "Ctrl+P", "print", lambda page: page.print_page(), yields=True)
    yield Shortcut(
        "inspector",
        "F12",
        "code",
        tabs.toggle_inspector,
        tabs.has_inspector,
        tabs.say_no_inspector,
        group="page",
    )
