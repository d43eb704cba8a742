"""The steps, in the order in which a new person would come by them. Each stands on the ones before, and says what must hold after it."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.user_profile.settings import HostSettings, write_settings
from tests.walk.checks import (
    Check,
    all_of,
    fills_the_screen,
    has_the_theme,
    in_front,
    installed,
    is_welcomed,
    latest,
    noted,
    server_has_died,
    server_lives,
    shows_something_else,
    tabs,
    text_scale,
    zoomed,
)
from tests.walk.hands import PAGE_S, Walk
from tests.walk.program import places_of
from tests.walk.recorded import Recorded

_ROOT = Path(__file__).resolve().parents[2]
_INSTALL = (sys.executable, "-m", "lime_desktop", "install", "--accept-unsigned")
_RIGHT, _WHEEL_DOWN = 3, 5
"""X knows a notch of the wheel as a button."""
_SAMPLES = ("notes", "draft-desk", "table-lens", "folder-desk", "hello-lime")
_TABLE_LENS_ON_RAIL = 3
_LARGE = 1.5
_START_S = 60.0
_TITLE = "Ferry to Hven"
_FIRST = "The ferry leaves at 08:15 from pier 4. **Anna pays.**"
_WHILE_KILLED = f"{_FIRST} One more line and more."
_AFTER_KILLED = f"{_WHILE_KILLED} Still here."
_AFTER_F6 = f"{_AFTER_KILLED} And back."


@dataclass(frozen=True, slots=True)
class Step:
    """What is done, in a sentence, how, and what must hold then."""

    sentence: str
    take: Callable[[Walk], object]
    check: Check = shows_something_else
    is_passing: bool = False
    """Whether what is to be seen goes by: its picture is taken almost at once."""


def prepare(home: Path, language: str, theme: str) -> None:
    """Bring the samples and the choices that a walk begins with into a new home."""
    environment = places_of(home)
    for sample in _SAMPLES:
        subprocess.run(
            (*_INSTALL, str(_ROOT / "sample_apps" / sample), "--yes", "--grant-suggested"),
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    mode = "dark" if theme == "dark" else "light"
    settings = Recorded(home).settings_file
    settings.parent.mkdir(parents=True, exist_ok=True)
    write_settings(settings, HostSettings(locale=language, theme_mode=mode))


def _clear_and_search(walk: Walk) -> None:
    walk.keys("ctrl+a", "BackSpace")
    walk.settle(PAGE_S)
    walk.keys("ctrl+k")


def _write_a_note(walk: Walk) -> None:
    walk.keys("ctrl+n")
    walk.type(_TITLE)
    walk.keys("Return")
    walk.type(_FIRST)


def _type_on(walk: Walk, before: str, after: str) -> None:
    """At the end of the note, wherever the caret was."""
    walk.keys("ctrl+End")
    walk.type(after.removeprefix(before))


def _kill_while_typing(walk: Walk) -> None:
    _type_on(walk, _FIRST, f"{_FIRST} One more line")
    walk.kill_server()
    # Nobody who types waits for a crash to be over.
    walk.screen.type(" and more.")


def _leave_page_and_come_back(walk: Walk) -> None:
    walk.keys("ctrl+1")
    walk.settle(PAGE_S)
    walk.keys("F6", "F6")
    _type_on(walk, _AFTER_KILLED, _AFTER_F6)


def _start(walk: Walk) -> None:
    """Start it, and wait for what comes after the window: on a busy machine that is long."""
    walk.program.start()
    walk.settle(_START_S)


def _killed_in_notes(walk: Walk) -> None:
    walk.keys("ctrl+1")
    walk.settle(PAGE_S)
    walk.program.kill()
    _start(walk)


def _with_large_text(walk: Walk) -> None:
    walk.program.end()
    recorded = walk.recorded
    large = recorded.settings.model_copy(update={"text_scale": _LARGE})
    write_settings(recorded.settings_file, large)
    _start(walk)


def _scroll(walk: Walk) -> None:
    for _ in range(8):
        walk.click(0.5, 0.6, _WHEEL_DOWN)


def _opened(app_id: str) -> Check:
    """An app came to the front by the person's doing."""
    return all_of(in_front(app_id), latest(app_id), shows_something_else)


def _settings(section: str, words: str) -> Step:
    """A page of the settings, by the word that is the same in every language."""
    return Step(f"Settings: {section}", lambda walk: walk.go_to(words))


STEPS = (
    Step(
        "Start for the first time",
        _start,
        all_of(fills_the_screen, has_the_theme, is_welcomed(wanted=False), installed(*_SAMPLES)),
    ),
    Step(
        "Leave the welcome for Home",
        lambda walk: walk.keys("Escape"),
        all_of(is_welcomed(wanted=True), shows_something_else),
    ),
    Step("Search at Home for a table", lambda walk: walk.type("table")),
    Step("Clear that; search and commands", _clear_and_search),
    Step("Type a word there", lambda walk: walk.type("notes")),
    Step("Open Notes", lambda walk: walk.keys("Return"), _opened("notes")),
    Step("Write a note", _write_a_note, noted(_TITLE, _FIRST)),
    Step(
        "Select all and open the context menu",
        lambda walk: walk.keys("ctrl+a", "Menu"),
    ),
    Step(
        "Close the menu: the note is as it was",
        lambda walk: walk.keys("Escape"),
        all_of(shows_something_else, noted(_TITLE, _FIRST)),
    ),
    Step("Find in the page", lambda walk: (walk.keys("ctrl+f"), walk.type("ferry"))),
    Step(
        "Close Find and zoom in twice",
        lambda walk: walk.keys("Escape", "ctrl+plus", "ctrl+plus"),
        all_of(zoomed(125, "notes"), shows_something_else),
    ),
    Step(
        "Zoom back",
        lambda walk: walk.keys("ctrl+0"),
        all_of(zoomed(None, "notes"), shows_something_else),
    ),
    Step(
        "The App Server is killed while typing: every letter stands in the page",
        _kill_while_typing,
        all_of(server_has_died, shows_something_else),
        is_passing=True,
    ),
    Step(
        "Type on: a new App Server keeps all of it",
        lambda walk: _type_on(walk, _WHILE_KILLED, _AFTER_KILLED),
        all_of(server_lives, noted(_TITLE, _AFTER_KILLED)),
    ),
    Step("Open Draft Desk", lambda walk: walk.go_to("draft desk"), _opened("draft-desk")),
    Step("Open Table Lens", lambda walk: walk.go_to("table lens"), _opened("table-lens")),
    Step("Open Folder Desk", lambda walk: walk.go_to("folder desk"), _opened("folder-desk")),
    Step(
        "Open Hello Lime",
        lambda walk: walk.go_to("hello lime"),
        all_of(_opened("hello-lime"), tabs(*_SAMPLES)),
    ),
    Step(
        "Close its tab",
        lambda walk: walk.keys("ctrl+w"),
        all_of(tabs(*_SAMPLES[:-1]), shows_something_else),
    ),
    Step(
        "Open it again",
        lambda walk: walk.keys("ctrl+shift+t"),
        all_of(tabs(*_SAMPLES), _opened("hello-lime")),
    ),
    Step("The next tab is the first", lambda walk: walk.keys("ctrl+Tab"), _opened("notes")),
    Step("The shortcuts", lambda walk: walk.keys("F1")),
    Step(
        "Close them; from the page to the rail by F6, and down to Draft Desk",
        lambda walk: walk.keys("Escape", "F6", "Down"),
    ),
    Step("Open it from there by Enter", lambda walk: walk.keys("Return"), _opened("draft-desk")),
    Step(
        "Back in Notes, out of the page and into it by F6, type on",
        _leave_page_and_come_back,
        all_of(in_front("notes"), noted(_TITLE, _AFTER_F6)),
    ),
    Step(
        "Right click on Table Lens in the rail",
        lambda walk: walk.click_rail(_TABLE_LENS_ON_RAIL, _RIGHT),
        all_of(in_front("notes"), shows_something_else),
    ),
    Step("Open it from that menu", lambda walk: walk.keys("Down", "Return"), _opened("table-lens")),
    # By its id, which is the same in every language: its entry is found first, and the app itself behind it.
    Step("View details of Notes", lambda walk: walk.go_to("notes", further=1)),
    _settings("general", "general"),
    _settings("models", "models"),
    _settings("providers", "providers"),
    _settings("permissions", "grants"),
    Step("Scroll down there", _scroll),
    _settings("privacy", "privacy"),
    _settings("storage", "storage"),
    _settings("catalogs", "sources"),
    _settings("developer", "developer"),
    _settings("about", "about"),
    Step(
        "Review Setup Tour before it is installed",
        lambda walk: walk.go_to("setup tour"),
        all_of(shows_something_else, installed(*_SAMPLES)),
    ),
    Step(
        "Leave it for Home: it is not installed",
        lambda walk: walk.keys("alt+Home"),
        all_of(shows_something_else, installed(*_SAMPLES)),
    ),
    Step(
        "Killed with Notes in front, and started again",
        _killed_in_notes,
        all_of(fills_the_screen, tabs(*_SAMPLES), _opened("notes"), noted(_TITLE, _AFTER_F6)),
    ),
    Step(
        "Every tab is back: the next one",
        lambda walk: walk.keys("ctrl+Tab"),
        all_of(tabs(*_SAMPLES), _opened("draft-desk")),
    ),
    Step(
        "Ended, and started with large text",
        _with_large_text,
        all_of(fills_the_screen, text_scale(_LARGE), _opened("draft-desk")),
    ),
    Step(
        "Home, at the end",
        lambda walk: walk.keys("alt+Home"),
        all_of(tabs(*_SAMPLES), shows_something_else),
    ),
)
