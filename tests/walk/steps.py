"""The forty steps, in the order in which a new person would come by them. Each stands on the ones before."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.host.user_profile.settings import HostSettings, read_settings, write_settings
from tests.walk.program import Program, places_of
from tests.walk.screen import Screen

_ROOT = Path(__file__).resolve().parents[2]
_INSTALL = (sys.executable, "-m", "lime_desktop", "install", "--accept-unsigned")
_WHEEL_DOWN = 5
"""X knows a notch of the wheel as a button."""
_PAGE_S = 5.0
"""How long what was asked for may take to come before it is typed into all the same."""
_SAMPLES = ("notes", "draft-desk", "table-lens", "folder-desk", "hello-lime")


@dataclass(frozen=True, slots=True)
class Walk:
    """Who walks: hands on a screen, and the program on it."""

    screen: Screen
    program: Program

    def keys(self, *names: str) -> None:
        """Press keys."""
        self.screen.keys(*names)

    def type(self, text: str) -> None:
        """Type a text, once there is something that takes it."""
        self.settle(_PAGE_S)
        self.screen.type(text)

    def settle(self, within_s: float) -> None:
        """Wait until the screen stands still and the program rests."""
        self.screen.settle(within_s, self.program.used_s)

    def go_to(self, words: str) -> None:
        """Find something in the palette and take the first that is found."""
        self.screen.keys("ctrl+k")
        self.type(words)
        self.settle(_PAGE_S)
        self.screen.keys("Return")

    def settings(self, section: str) -> None:
        """Show a page of the settings, by the word that is the same in every language.

        Signs that no key has are put on one first, and a busy program may hear of that too late.
        """
        self.go_to(section)

    def click(self, across: float, down: float, button: int = 1) -> None:
        """Click at a place given in parts of the screen, so that it is the same on every size."""
        width, height = self.screen.size()
        self.screen.click(int(width * across), int(height * down), button)


@dataclass(frozen=True, slots=True)
class Step:
    """What is done, in a sentence, and how."""

    sentence: str
    take: Callable[[Walk], object]


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
    settings = _settings_file(home)
    settings.parent.mkdir(parents=True, exist_ok=True)
    write_settings(settings, HostSettings(locale=language, theme_mode=mode))


def _settings_file(home: Path) -> Path:
    return Path(places_of(home)["XDG_CONFIG_HOME"]) / "lime-desktop" / "settings.json"


def _write_a_note(walk: Walk) -> None:
    walk.keys("ctrl+n")
    walk.type("Ferry to Hven")
    walk.keys("Return")
    walk.type("The ferry leaves at 08:15 from pier 4. **Anna pays.**")


def _kill_while_typing(walk: Walk) -> None:
    walk.type(" One more line")
    walk.program.kill_server()
    # Nobody who types waits for a crash to be over.
    walk.screen.type(" and more.")


def _again(walk: Walk) -> None:
    walk.program.kill()
    walk.program.start()


def _with_large_text(walk: Walk) -> None:
    walk.program.end()
    settings = _settings_file(walk.program.home)
    write_settings(settings, read_settings(settings).model_copy(update={"text_scale": 1.5}))
    walk.program.start()


STEPS = (
    Step("Start for the first time", lambda walk: walk.program.start()),
    Step("Leave the welcome", lambda walk: walk.keys("Escape")),
    Step("Home", lambda walk: walk.keys("alt+Home")),
    Step("Search and commands", lambda walk: walk.keys("ctrl+k")),
    Step("Type a word there", lambda walk: walk.type("notes")),
    Step("Open Notes", lambda walk: walk.keys("Return")),
    Step("Write a note", _write_a_note),
    Step("Select all and open the context menu", lambda walk: walk.keys("ctrl+a", "Menu")),
    Step("Close the menu", lambda walk: walk.keys("Escape")),
    Step("Find in the page", lambda walk: (walk.keys("ctrl+f"), walk.type("ferry"))),
    Step("Zoom in twice", lambda walk: walk.keys("Escape", "ctrl+plus", "ctrl+plus")),
    Step("Zoom back", lambda walk: walk.keys("ctrl+0")),
    Step("The App Server ends while typing", _kill_while_typing),
    Step("A moment later", lambda walk: walk.screen.move(5, 5)),
    Step("Open Draft Desk", lambda walk: walk.go_to("draft desk")),
    Step("Open Table Lens", lambda walk: walk.go_to("table lens")),
    Step("Open Folder Desk", lambda walk: walk.go_to("folder desk")),
    Step("Open Hello Lime", lambda walk: walk.go_to("hello lime")),
    Step("Close the tab", lambda walk: walk.keys("ctrl+w")),
    Step("Open it again", lambda walk: walk.keys("ctrl+shift+t")),
    Step("The next tab", lambda walk: walk.keys("ctrl+Tab")),
    Step("The shortcuts", lambda walk: walk.keys("F1")),
    Step("From window to page by F6", lambda walk: walk.keys("Escape", "F6")),
    Step("Right click on the rail", lambda walk: walk.click(0.02, 0.2, 3)),
    Step("About Notes", lambda walk: (walk.keys("Escape"), _about(walk, "notes"))),
    Step("Scroll down there", lambda walk: [walk.click(0.5, 0.6, _WHEEL_DOWN) for _ in range(8)]),
    Step("Settings: general", lambda walk: walk.settings("general")),
    Step("Settings: models", lambda walk: walk.settings("models")),
    Step("Settings: providers", lambda walk: walk.settings("providers")),
    Step("Settings: permissions", lambda walk: walk.settings("grants")),
    Step("Settings: privacy", lambda walk: walk.settings("privacy")),
    Step("Settings: storage", lambda walk: walk.settings("storage")),
    Step("Settings: catalogs", lambda walk: walk.settings("sources")),
    Step("Settings: developer", lambda walk: walk.settings("developer")),
    Step("Settings: about", lambda walk: walk.settings("about")),
    Step("Review Setup Tour before it is installed", lambda walk: walk.go_to("setup tour")),
    Step("Back to the apps", lambda walk: walk.keys("alt+Home")),
    Step("Killed and started again", _again),
    Step("Every tab is back", lambda walk: walk.keys("ctrl+Tab")),
    Step("Ended, and started with large text", _with_large_text),
    Step("Home, at the end", lambda walk: walk.keys("alt+Home")),
)


def _about(walk: Walk, app_id: str) -> None:
    # By its id, which is the same in every language: its entry is found first, and the app itself behind it.
    walk.keys("ctrl+k")
    walk.type(app_id)
    walk.settle(_PAGE_S)
    walk.keys("Down", "Return")
