"""Draft Desk from brief to published file: a real page, a real App Server, a scripted agent, the host's own policy."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.host.approvals.question import YES, Answer
from lime_desktop.protocol.ids import JsonObject
from tests.shell.conftest import OpenApp
from tests.shell.open_desktop import ROOT, Shown
from tests.system.scripts import HOLD, saying, write_scripts

pytestmark = pytest.mark.system

PACKAGE = ROOT / "sample_apps/draft-desk"
GRANTS = ("keep-drafts", "use-model", "keep-versions")
GOAL = "Say that we move"
DRAFT = {
    "headline": "We move on 3 May",
    "summary": "The office moves.",
    "sections": [{"heading": "When", "text": "On 3 May."}],
    "questions": ["Where to?"],
}
PROMPT = (
    "Write a short draft from the brief below. Use only what it says. "
    "Put what is missing into questions. Write in English."
)


def told(goal: str) -> str:
    """What the agent is told, word for word."""
    brief = {"goal": goal, "readers": "All staff", "points": ["On 3 May"], "tone": "plain"}
    data = json.dumps(brief, separators=(",", ":"))
    return f"{PROMPT}\n\nInput, as data:\n```json\n{data}\n```"


def test_a_brief_becomes_a_version_that_is_published_after_a_trial_and_a_yes(
    open_app: OpenApp, tmp_path: Path
) -> None:
    scripts = {told(GOAL): saying(json.dumps(DRAFT)), told("Take your time"): HOLD}
    desktop = open_app(Shown(PACKAGE, "desk", GRANTS, write_scripts(tmp_path, scripts)))
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("draft", "Start with a brief")
    assert desktop.run("d.activeElement.id") == "start"
    desktop.press("start")
    desktop.fill("goal", "Take your time")
    desktop.fill("readers", "All staff")
    desktop.fill("points", "On 3 May")

    desktop.press("write")
    desktop.press("stop")
    desktop.sees("draft", "Nothing was changed.")

    desktop.fill("goal", GOAL)
    desktop.press("write")
    desktop.sees("draft", "Where to?")
    desktop.sees("evidence", "Form checked")

    assert desktop.unnamed == ""

    desktop.press("decide")
    changed: JsonObject = {
        "headline": "We move!",
        "markdown": "It is 3 May.\n\n## When\n\nOn 3 May.",
    }
    asked = desktop.answer(Answer(is_yes=True, updated_arguments=changed, message="Shorter"))
    assert asked.review is not None
    assert asked.review.subject == "We move on 3 May"
    desktop.sees("version", "Version 2")
    desktop.sees("evidence", "Approved with changes. Note: Shorter")

    desktop.press("try")
    desktop.sees("found", "We move!.md")
    desktop.press("publish")
    question = desktop.answer(YES)
    assert question.action == "lime.ui.download"
    assert "The folder you publish to is changed." in question.leaves_machine
    desktop.choose_file(tmp_path / "out.md")
    desktop.sees("published", "Version 2")
    written = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert written == "# We move!\n\nIt is 3 May.\n\n## When\n\nOn 3 May.\n"
    desktop.sees("evidence", "Recorded for all drafts")

    desktop.look(locale="zh-CN", theme_mode="dark")
    desktop.sees("published", "版本 2 已发布")
    assert desktop.run("d.documentElement.dataset.limeThemeEffective") == "dark"


def test_what_is_waited_for_stays_in_sight_when_the_question_narrows_the_page(
    open_app: OpenApp, qtbot: QtBot
) -> None:
    """A bug: the lists beside came below the text, and *Decide later* was nowhere to be seen."""
    desktop = open_app(Shown(PACKAGE, "desk", GRANTS))
    desktop.start_server()
    desktop.tab.reload()
    desktop.tab.resize(1300, 800)
    desktop.press("start")
    desktop.fill("goal", GOAL)
    desktop.fill("readers", "All staff")
    desktop.fill("points", "On 3 May")
    desktop.press("outline")
    desktop.press("decide")
    desktop.sees("stop", "Decide later")
    desktop.tab.resize(880, 560)
    qtbot.waitUntil(lambda: desktop.run("d.defaultView.innerWidth") == desktop.tab.width())
    seen = (
        "const box = d.getElementById('stop').getBoundingClientRect();"
        "d.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.id"
    )
    qtbot.waitUntil(lambda: desktop.run(seen) == "stop")
    desktop.answer(YES)
    desktop.sees("version", "Version 2")
