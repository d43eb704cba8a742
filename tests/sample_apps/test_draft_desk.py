"""Draft Desk as the host sees it: its operations' demands hold whatever its page does (the standard), its editor is read."""

from pathlib import Path
from typing import Any

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_server.context.skills import persona_of
from lime_desktop.app_server.skills.installed import InstalledSkills
from lime_desktop.app_server.skills.library import SkillLibrary
from lime_desktop.app_server.skills.switches import SkillSwitches
from lime_desktop.host.approvals.question import NO
from tests.host.bridged import Bridged, play

APP = Path(__file__).parents[2] / "sample_apps/draft-desk"
KEPT = {"headline": "A", "markdown": "Text.", "decision": "approve"}


def test_nothing_is_published_without_a_trial_a_key_and_a_yes(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        made = await page.value("lime.artifacts.create", kind="draft", title="A", content=KEPT)
        file = await page.value("lime.artifacts.export", artifactId=made["id"])
        wish = {"capability": "lime.ui", "method": "download", "operation": "publish_draft"}

        async def publish(**beside: object) -> dict[str, Any]:
            payload = {**wish, "input": {"ref": file["ref"]}, **beside}
            return await page.send("capability:invoke", payload)

        for operation in ("publish_draft", None):
            refused = await publish(idempotencyKey="k", operation=operation)
            assert refused["details"]["rule"] == "operation.publish_draft.dry-run"
        assert (await publish(dryRun=True))["value"]["operation"] == "publish_draft"
        refused = await publish()
        assert refused["details"]["rule"] == "operation.publish_draft.idempotency"
        assert (await publish(idempotencyKey="k"))["details"]["pending"] is True
        [question] = page.approvals.queue.open
        assert question.risk == "high"
        page.approvals.queue.answer([question.question_id], NO)
        assert (await publish(idempotencyKey="k"))["stableCode"] == "permission_denied"
        assert page.window.asked == []

    play(tmp_path / "data", APP, scene)


def test_every_version_leaves_evidence_of_the_hosts_own(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await page.value("lime.artifacts.create", kind="draft", title="A", content=KEPT)
        kept = await page.value("lime.evidence.list", kind="capability-call")
        assert {each["subject"] for each in kept} == {"lime.artifacts.create"}

    play(tmp_path / "data", APP, scene)


def test_its_editor_has_a_persona_and_two_skills(tmp_path: Path) -> None:
    package = load_package(open_package(APP))
    persona = persona_of(package, "editor")
    assert persona is not None
    assert persona.startswith("You are an editor.")
    none = InstalledSkills(tmp_path / "own"), SkillSwitches(tmp_path / "switches")
    skills = SkillLibrary(*none).skills_of(package)
    assert [(skill.name, bool(skill.read())) for skill in skills] == [
        ("plain-words", True),
        ("brief-check", True),
    ]
