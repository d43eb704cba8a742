"""lime.skills over the bridge: a person is asked about a manual skill, and their yes holds (the standard)."""

from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.contracts.agent import ended

MORE = """\
skills:
  bundled:
    - { path: skills/tone, activation: manual }
  references:
    - { id: maker/seo, version: ^1.0.0 }
"""
FILES = {"skills/tone/SKILL.md": "---\nname: tone\ndescription: How we sound.\n---\nBe kind.\n"}
CAPABILITIES = "{lime.skills: '>=0.3.0', lime.agent: '>=0.3.0'}"


def app(folder: Path) -> Path:
    return write_app(folder, capabilities=CAPABILITIES, more=MORE, files=FILES)


def instructions(engine: ScriptedEngine) -> str:
    asked = engine.requests[-1].options.runtime_request
    return (asked.system_prompt if asked else None) or ""


def test_a_yes_switches_the_skill_on_and_agents_read_it(tmp_path: Path) -> None:
    engine = ScriptedEngine({"write": says("Done"), "again": says("Done again")})

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="write")
        await ended(page, task["taskId"])
        assert "Be kind." not in instructions(engine)
        page.window.says_yes = True
        bound = await page.value("lime.skills.bind", skillId="tone")
        assert bound == {"skillId": "tone", "status": "bound"}
        assert await page.value("lime.skills.bind", skillId="tone") == bound
        assert page.window.asked == [("skill", "tone")]
        assert (await page.value("lime.skills.resolve", skillId="tone"))["enabled"]
        task = await page.value("lime.agent.startTask", prompt="again")
        await ended(page, task["taskId"])
        assert "Be kind." in instructions(engine)

    play(tmp_path / "data", app(tmp_path), scene, engine)


def test_an_auto_skill_is_read_by_every_turn_and_another_where_it_fits(tmp_path: Path) -> None:
    """The standard: `auto` and `on-demand`."""
    more = """\
skills:
  bundled:
    - { path: skills/tone, activation: auto }
    - { path: skills/mail, activation: on-demand }
"""
    mail = "---\nname: mail\ndescription: How to write a letter.\n---\nBegin with a greeting.\n"
    files = {**FILES, "skills/mail/SKILL.md": mail}
    package = write_app(tmp_path, capabilities=CAPABILITIES, more=more, files=files)
    sums, letter = "Add three numbers", "Write a letter to Ada"
    engine = ScriptedEngine({sums: says("6"), letter: says("Dear Ada")})

    async def scene(page: Bridged) -> None:
        for prompt, fits in ((sums, False), (letter, True)):
            task = await page.value("lime.agent.startTask", prompt=prompt)
            await ended(page, task["taskId"])
            assert "Be kind." in instructions(engine)
            assert ("Begin with a greeting." in instructions(engine)) is fits

    play(tmp_path / "data", package, scene, engine)


def test_a_no_leaves_it_off_and_it_cannot_be_used(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await page.value("lime.skills.bind", skillId="tone"))["status"] == "denied"
        assert not (await page.value("lime.skills.resolve", skillId="tone"))["enabled"]
        assert await page.code("lime.skills.invoke", skillId="tone") == "APP_E022"

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_missing_reference_says_what_is_missing_and_nobody_is_asked(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        missing: dict[str, Any] = await page.value("lime.skills.resolve", skillId="maker/seo")
        assert (missing["available"], missing["reasonCode"]) == (False, "not_installed")
        assert missing["wantedVersion"] == "^1.0.0"
        assert "installs its folder" in missing["unavailableReason"]
        assert (await page.value("lime.skills.bind", skillId="maker/seo"))["status"] == "denied"
        assert page.window.asked == []

    play(tmp_path / "data", app(tmp_path), scene)
