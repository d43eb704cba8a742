"""The first ten minutes, as somebody without a manual has them: from the welcome to the receipt (ours).

The engine plays a script: what an agent says is not what this is about. Everything else is what ships.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtWidgets import QPushButton, QRadioButton
from pytestqt.qtbot import QtBot

from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.system.first_start import ROOT, FirstStart
from tests.system.scripts import Step, saying

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]

NAMES = ROOT / "sample_apps/notes/dist/ui/locales"


@dataclass(frozen=True)
class Story:
    """What one walk writes and asks, in its language."""

    locale: str
    language: str
    app: str
    entry: str
    notes: tuple[tuple[str, str], ...]
    question: str
    answer: str

    def words(self, key: str, **values: str) -> str:
        """A text of the app's page."""
        part, _, name = key.partition(".")
        table = json.loads((NAMES / f"{self.locale}.json").read_text("utf-8"))
        text = cast("str", table[part][name])
        return text.format(**values)


ENGLISH = Story(
    locale="en",
    language="English",
    app="Notes",
    entry="Notebook",
    notes=(("Garden", "Water the lime tree on Mondays."), ("Kitchen", "Buy salt and sugar.")),
    question="When is the lime tree watered?",
    answer="The lime tree is watered on Mondays.",
)
CHINESE = Story(
    locale="zh-CN",
    language="简体中文",
    app="笔记",
    entry="笔记本",
    notes=(("花园", "青柠树每周一浇水。"), ("厨房", "买盐和糖。")),
    question="青柠树何时浇水？",
    answer="青柠树每周一浇水。",
)


def spoken(text: str) -> list[Step]:
    """The beginning of an answer that does not come to its end."""
    return saying(text)[:-2]


class Walk:
    """One person's way through the program."""

    def __init__(self, start: FirstStart, story: Story, scripts: Path) -> None:
        self.start = start
        self.story = story
        self.scripts = scripts

    def plays(self, steps: list[Step]) -> None:
        """What the engine of the next App Server says to the question."""
        self.scripts.write_text(json.dumps({self.story.question: steps}), encoding="utf-8")

    def welcome(self) -> None:
        start = self.start
        start.press(self.story.language)
        start.wait_to_see(start.says("welcome.title", product="Lime Desktop"))
        start.wait_to_see(start.says("models.choose"))
        start.until(lambda: not start.sees(start.says("models.now.unknown")))

    def install(self) -> None:
        start, app = self.start, self.story.app
        start.press(start.says("list.named", name=start.says("welcome.look"), what=app))
        start.wait_to_see(start.says("review.asks"))
        assert start.sees(start.says("review.verdict.verified"))
        assert not start.sees(start.says("review.accept"))
        start.press(start.says("review.install"))

    def launch(self) -> None:
        """Go in once the way is open: the host begins a new app's data by itself, sooner or later."""
        start = self.start
        start.press(start.says("page.open", entry=self.story.entry))
        if start.desk.services.sandbox.must_ask:
            start.press(start.says("sandbox.ask.open"))
        start.page_sees(self.story.words("note.none"))

    def add_notes(self) -> None:
        for title, body in self.story.notes:
            self.start.page_press(self.story.words("list.new"))
            self.start.until(lambda: self.start.page_field(self.story.words("note.title")) == "")
            self.start.page_type(self.story.words("note.title"), title)
            self.start.page_type(self.story.words("note.body"), body)
            self.start.page_sees(self.story.words("saving.saved"))

    def ask(self) -> None:
        self.start.page_press(self.story.words("ask.open"))
        self.start.page_type(self.story.words("ask.question"), self.story.question)
        self.start.page_press(self.story.words("ask.ask"))

    def read_answer(self) -> None:
        start, (title, body) = self.start, self.story.notes[0]
        start.page_sees(self.story.words("ask.check"))
        start.page_sees(self.story.answer)
        start.page_press(f"1. {title}{body}")
        start.until(lambda: start.page_field(self.story.words("note.title")) == title)

    def keep(self) -> None:
        start = self.start
        # The person's own act: pressing it is the yes.
        start.page_press(self.story.words("ask.keepThis"))
        start.page_sees(self.story.words("ask.isKept"))

    def export(self, target: Path) -> None:
        name = self.story.words("ask.exportThat", name=self.story.question)
        self.start.page_press(name)
        self.start.save_dialog_at(target)
        written = target.read_text("utf-8")
        assert written.startswith(f"# {self.story.question}\n\n{self.story.answer}")
        assert self.story.notes[0][0] in written

    def uninstall(self) -> None:
        start, app = self.start, self.story.app
        # As a link or the palette leads there; the way over the list of apps has tests of its own.
        start.window.show_details("notes")
        start.press(start.says("manage.remove"))
        start.press(start.says("uninstall.kind.delete-data"), QRadioButton)
        start.press(start.says("uninstall.do.delete-data"), QPushButton)
        start.wait_to_see(start.says("receipt.title", app=app))
        assert start.sees(start.says("receipt.clean"))
        start.press(start.says("receipt.done"))


Begin = Callable[[Story, list[Step]], Walk]


@pytest.fixture
def begin(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Begin]:
    """Start the program for the first time, with an engine that plays these steps to the story's question."""
    started: list[FirstStart] = []

    def start(story: Story, steps: list[Step]) -> Walk:
        scripts = tmp_path / "scripts.json"
        scripts.write_text(json.dumps({story.question: steps}), encoding="utf-8")
        started.append(FirstStart(tmp_path, scripts, qtbot, loop))
        return Walk(started[-1], story, scripts)

    yield start
    for each in started:
        each.close()


@pytest.mark.parametrize("story", [ENGLISH, CHINESE], ids=lambda story: story.locale)
def test_from_the_welcome_to_the_receipt(begin: Begin, story: Story, tmp_path: Path) -> None:
    walk = begin(story, saying(story.answer))
    walk.welcome()
    walk.install()
    walk.launch()
    walk.add_notes()
    walk.ask()
    walk.read_answer()
    walk.keep()
    walk.export(tmp_path / "answer.md")
    walk.uninstall()


def test_the_app_server_is_killed_in_the_middle_and_nothing_is_lost(
    begin: Begin, tmp_path: Path
) -> None:
    walk = begin(ENGLISH, [*spoken("The lime tree"), {"hold": "for ever"}])
    walk.welcome()
    walk.install()
    walk.launch()
    walk.add_notes()
    walk.ask()
    walk.start.page_sees("The lime tree")
    walk.plays(saying(ENGLISH.answer))
    walk.start.kill_app_server()
    walk.start.page_sees(ENGLISH.words("errors.interrupted"))
    walk.start.page_press(ENGLISH.words("problem.again"))
    walk.read_answer()
    walk.keep()
    walk.export(tmp_path / "answer.md")
    walk.uninstall()
