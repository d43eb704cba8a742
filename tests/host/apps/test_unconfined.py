"""No wall, no program: where there is no sandbox, an app's programs run only if a person allowed that one app."""

import asyncio
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.commands.sandbox import find_sandbox, look_for_sandbox
from lime_desktop.host.approvals.question import YES
from lime_desktop.host.apps.app_access import allow_unconfined, forbidding_rule
from lime_desktop.host.apps.app_governance import AppGovernance
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.setup_facts import read_setup
from lime_desktop.policy.governance import Governance
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.calls.tools import READ_SANDBOX, ReadSandboxParams
from lime_desktop.protocol.capability_calls.evidence import LIST_EVIDENCE
from lime_desktop.protocol.errors import AppNotInstalled, PolicyDenied
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from tests.app_server.for_apps import ask
from tests.host.app_center.opened import consent_to
from tests.host.app_center.packages import make_package
from tests.host.bridged import WAIT_S, Bridged, play

MORE = """integrations:
- { key: greet, provider: Greeter, role: greeting, adapter: { kind: cli, command: sh } }
"""
CAPABILITIES = 'lime.ui: ">=0.3.0", lime.tools: ">=0.3.0", lime.terminal: ">=0.3.0", lime.storage'
CALL = {"key": "greet", "input": {"arguments": ["-c", "echo ran > ran; echo done"]}}
NO_WALLS = """
version: 1
name: House
rules: [{id: walls, effect: deny, text: Programs run in a sandbox., when: {execution: [unconfined]}}]
"""


@pytest.fixture(autouse=True)
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A machine that has a shell, and nothing to wall it off with."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "sh").symlink_to(shutil.which("sh") or "/bin/sh")
    monkeypatch.setenv("PATH", str(programs))
    find_sandbox.cache_clear()
    yield
    find_sandbox.cache_clear()


def package_of(folder: Path, version: str = "1.0.0") -> Path:
    package = make_package(folder, version=version, more=MORE)
    text = (package / "APP.md").read_text(encoding="utf-8")
    text = text.replace('lime.ui: ">=0.3.0", lime.storage', CAPABILITIES)
    (package / "APP.md").write_text(text, encoding="utf-8")
    return package


async def tell(page: Bridged, *, is_allowed: bool) -> None:
    """Tell the App Server what the person said, once the shelf has heard of it."""
    async with asyncio.timeout(WAIT_S):
        while registration_of(page.app()).runs_unconfined != is_allowed:  # noqa: ASYNC110 - it tells widgets alone
            await asyncio.sleep(0.01)
    await page.connection.call(REGISTER_APP, registration_of(page.app()))


def test_without_a_sandbox_a_program_runs_for_the_one_app_that_a_person_allowed(
    tmp_path: Path,
) -> None:
    """A hole: it ran without a word, and read and sent what the person can."""

    async def scene(page: Bridged) -> None:
        assert page.center is not None
        answer = await page("lime.tools.invoke", **CALL)
        assert not answer["ok"]
        assert answer["details"]["reasonCode"] == "no_sandbox"
        assert page.approvals.queue.open == ()
        await allow_unconfined(page.center, "notes")
        await tell(page, is_allowed=True)
        assert await page.code("lime.tools.invoke", **CALL) == "APP_E010"
        [question] = page.approvals.queue.open
        assert "host.risk.unconfined" in {each.rule_id for each in question.reasons}
        page.approvals.queue.answer([question.question_id], YES)
        assert (await page.value("lime.tools.invoke", **CALL))["output"] == "done\n"
        await page.center.permissions.stop_running_unconfined("notes")
        await tell(page, is_allowed=False)
        again = await page("lime.tools.invoke", **CALL)
        assert again["details"]["reasonCode"] == "no_sandbox"
        listed = await ask(page.connection.call, "notes", LIST_EVIDENCE, kind="sandbox-waiver")
        assert [each.message for each in listed.root] == [
            "Its programs run only in a sandbox.",
            "Its programs can run without a sandbox.",
        ]

    play(tmp_path / "data", package_of(tmp_path), scene, is_installed=True)
    assert len(list(tmp_path.rglob("ran"))) == 1


def test_it_holds_for_the_version_that_was_looked_at(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        center = page.center
        assert center is not None
        await allow_unconfined(center, "notes")
        review = await center.review(package_of(tmp_path / "next", "1.1.0"))
        await center.install(review, consent_to(review))
        after = center.installed_app("notes")
        assert after is not None
        assert not after.runs_unconfined
        await center.roll_back("notes")
        before = center.installed_app("notes")
        assert before is not None
        assert (before.version, before.runs_unconfined) == ("1.0.0", False)
        with pytest.raises(AppNotInstalled):
            await allow_unconfined(center, "nobody")

    play(tmp_path / "data", package_of(tmp_path), scene, is_installed=True)


def test_readiness_says_so_with_a_way_out(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        app = page.app()
        found = await page.connection.call(READ_SANDBOX, ReadSandboxParams())
        assert found.mode == "none"
        setup = await read_setup(page.connection.call, app)
        missing = " ".join(part for part in (found.absence, found.mend) if part)
        assert setup.command_sandbox_absence == missing
        facts = ReadinessFacts(
            now=datetime.now(UTC), package_trust="pinned", command_sandbox_absence=missing
        )
        [check] = [
            each
            for each in assess(app.projection, facts).checks
            if each.code == "COMMAND_SANDBOX_REQUIRED"
        ]
        assert "bubblewrap (bwrap) is not installed." in check.message
        allowed = facts.model_copy(update={"runs_unconfined": True})
        assert "COMMAND_SANDBOX_REQUIRED" not in {
            each.code for each in assess(app.projection, allowed).checks
        }

    play(tmp_path / "data", package_of(tmp_path), scene, is_installed=True)


def test_whoever_governs_may_forbid_it() -> None:
    rules = parse_policy_file(NO_WALLS, layer="organisation", source="house.yaml").rules
    rule = forbidding_rule(AppGovernance(policy=Governance(rules=rules)), "notes")
    assert rule is not None
    assert rule.id == "organisation.walls"
    assert forbidding_rule(AppGovernance(), "notes") is None


def test_a_forbidden_waiver_is_refused_by_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = parse_policy_file(NO_WALLS, layer="organisation", source="house.yaml").rules
    holds = AppGovernance(policy=Governance(rules=rules))

    def governed(center: object, manifest: object) -> AppGovernance:
        del center, manifest
        return holds

    monkeypatch.setattr("lime_desktop.host.apps.app_access.governing", governed)

    async def scene(page: Bridged) -> None:
        assert page.center is not None
        with pytest.raises(PolicyDenied) as refused:
            await allow_unconfined(page.center, "notes")
        assert refused.value.details == {"rule": "organisation.walls"}
        app = page.center.installed_app("notes")
        assert app is not None
        assert not app.runs_unconfined

    play(tmp_path / "data", package_of(tmp_path), scene, is_installed=True)


def test_a_sandbox_that_does_not_work_is_none(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    found = look_for_sandbox(str(broken))
    assert (found.mode, found.absence) == (
        "none",
        "This system does not let bubblewrap (bwrap) create namespaces.",
    )
    missing = look_for_sandbox(str(tmp_path / "nothing"))
    assert (missing.mode, missing.absence) == ("none", "bubblewrap (bwrap) can't be started.")
    assert look_for_sandbox(None).absence == "bubblewrap (bwrap) is not installed."
