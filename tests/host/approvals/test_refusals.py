"""A person's never: kept, stronger than every yes, named in each decision, and theirs to take back (ours)."""

import asyncio
from pathlib import Path

from lime_desktop.host.app_center.permissions import refused_permission
from lime_desktop.host.approvals.question import NEVER, YES, Answer
from lime_desktop.host.apps.registration import registration_of
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, bridged, play, run

MANIFEST = """\
requires: {capabilities: {lime.policy: '>=0.3.0', lime.settings: '>=0.3.0', lime.storage: '>=0.3.0'}}
storage: {namespace: notes}
overlayTemplates: [{key: brand, scope: user}]
permissions:
  - {key: web, scope: network, domains: [example.com]}
  - {key: keep, scope: storage, access: read-write}
"""
SET, OPEN, KEEP = "lime.settings.set", "lime.ui.openExternal", "lime.storage.set"
TONE = {"key": "templates.brand.tone", "value": "cool"}


def package(folder: Path) -> Path:
    return write_package(folder, {"APP.md": app_md(MANIFEST)})


def answer(page: Bridged, said: Answer) -> None:
    [question] = page.approvals.queue.open
    assert question.can_be_never
    page.approvals.queue.answer([question.question_id], said)


async def refuse(page: Bridged) -> None:
    """Say never to a call, and wait until it is kept."""
    assert await page.code(SET, **TONE) == "APP_E010"
    answer(page, NEVER)
    await page.approvals.close()


def test_a_never_holds_over_a_restart_and_names_its_rule(tmp_path: Path) -> None:
    async def scene() -> None:
        async with bridged(tmp_path / "data", package(tmp_path), is_installed=True) as page:
            await refuse(page)
            refused = await page(SET, **TONE)
            assert refused["details"]["appErrorCode"] == "APP_E002"
            rule = refused["details"]["rule"]
            assert rule.startswith("user.never-")
            assert "The person said never: lime.settings.set" in refused["message"]
            checked = await page.value(
                "lime.policy.check", capability="lime.settings", action="set"
            )
            assert (checked["outcome"], checked["rule"]) == ("deny", rule)
            # Other values are the same call; reading is another.
            assert await page.code(SET, key="templates.brand.tone", value="warm") == "APP_E002"
            assert await page.value("lime.settings.list") == []
        async with bridged(tmp_path / "data", tmp_path / "notes", is_installed=True) as page:
            assert page.center is not None
            assert await page.code(SET, **TONE) == "APP_E002"
            [kept] = page.center.permissions.refusals("notes")
            await page.center.permissions.forget_refusal(kept.refusal_id)
            # Taken back: it is asked about again, and a yes is heard.
            assert await page.code(SET, **TONE) == "APP_E010"
            answer(page, YES)
            assert (await page.value(SET, **TONE))["value"] == "cool"

    run(scene)


def test_a_refused_permission_takes_everything_that_rests_on_it(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert page.center is not None
        await page.value(KEEP, key="k", value=1)
        wanted = {each.key: each for each in page.app().package.manifest.permissions}
        await page.center.permissions.refuse(refused_permission("notes", wanted["keep"]))
        await page.center.permissions.refuse(refused_permission("notes", wanted["web"]))
        assert await page.code(KEEP, key="k", value=2) == "APP_E002"
        assert await page.code("lime.storage.get", key="k") == "APP_E002"
        assert await page.code(OPEN, url="https://example.com/x") == "APP_E002"
        assert page.center.permissions.grants("notes") == ()
        # Agents in the App Server go by the same lines.
        told = registration_of(page.app()).rules
        assert {rule.layer for rule in told} == {"user"}
        # Granting it is thinking again.
        await page.center.permissions.grant("notes", "keep")
        assert (await page.value(KEEP, key="k", value=3))["value"] == 3
        assert [each.permission for each in page.center.permissions.refusals("notes")] == ["web"]

    play(tmp_path / "data", package(tmp_path), scene, is_installed=True)


def test_a_never_answers_every_open_question_of_the_kind(tmp_path: Path) -> None:
    """A bug: the second card stayed open, and its yes was swallowed by the rule."""

    async def scene() -> None:
        async with bridged(tmp_path / "data", package(tmp_path), is_installed=True) as page:
            assert await page.code(SET, **TONE) == "APP_E010"
            assert await page.code(SET, key="templates.brand.tone", value="warm") == "APP_E010"
            first, _second = page.approvals.queue.open
            page.approvals.queue.answer([first.question_id], NEVER)
            assert page.approvals.queue.open == ()
            await page.approvals.close()
            assert page.center is not None
            assert len(page.center.permissions.refusals("notes")) == 1

    asyncio.run(scene())


def test_without_somewhere_to_keep_it_nobody_is_offered_a_never(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code(SET, **TONE) == "APP_E010"
        [question] = page.approvals.queue.open
        assert not question.can_be_never

    play(tmp_path / "data", package(tmp_path), scene)
