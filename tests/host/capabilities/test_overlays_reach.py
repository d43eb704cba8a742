"""What somebody sets for an app reaches who obeys it, with who set it; what nobody obeys is said to be ignored (the standard)."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from pydantic import JsonValue

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.cli.main import main
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.setting_rows import setting_rows
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.ids import JsonObject
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.capabilities.test_knowledge import bind, found
from tests.host.capabilities.test_skills import instructions
from tests.host.contracts.agent import ended

MORE = """\
artifactTypes: [{key: report, exporters: [markdown, html]}]
evals: [{key: policy, kind: quality, path: evals/policy.yaml, threshold: 1.0}]
knowledgeTemplates:
  - {key: handbook, standard: agentknowledge, type: handbook}
  - {key: rules, standard: agentknowledge, type: handbook}
workflows:
  - key: month
    inputs: {type: object, properties: {lines: {type: integer}, mood: {type: string}}, additionalProperties: false}
    states: [{key: a, kind: storage-write, storageKey: seen, value: "${ $.input }"}]
    recovery: {onError: fail, onTimeout: fail}
"""
GATE = "checks: [{check: policy, always: [No advice., Ask us.]}]\n"
WANTED = "{lime.artifacts: '*', lime.knowledge: '*', lime.files: '*', lime.workflow: '*', lime.storage: '*'}"


def app(folder: Path) -> Path:
    return write_app(folder, capabilities=WANTED, more=MORE, files={"evals/policy.yaml": GATE})


async def set_(page: Bridged, **values: JsonValue) -> None:
    """Set values as a person does, and have the server told of them."""
    assert page.center is not None
    for name, value in values.items():
        key = name.replace("__", ".")
        await page.center.overlays.change_value(page.app().package.manifest, "user", key, value)
    await page.connection.call(REGISTER_APP, registration_of(page.app()))


async def made(page: Bridged, text: str) -> dict[str, Any]:
    return await page.value("lime.artifacts.create", kind="report", content={"body": text})


def test_a_threshold_and_banned_words_decide_what_is_accepted(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await made(page, "No advice."))["acceptance"]["status"] == "not-accepted"
        await set_(page, evals__policy__threshold=0.5, content__bannedWords=["cheap"])
        fine = (await made(page, "No advice."))["acceptance"]
        assert fine["status"] == "accepted"
        assert [(each["threshold"], each["thresholdSetBy"]) for each in fine["gates"]] == [
            (0.5, "user"),
            (1.0, "user"),
        ]
        poor = (await made(page, "No advice is cheap."))["acceptance"]
        assert poor["gates"][-1]["reasons"] == [
            {"code": "banned-word", "detail": "cheap", "setBy": "user"}
        ]

    play(tmp_path / "data", app(tmp_path), scene, is_installed=True)


def test_an_export_takes_the_format_that_was_set_where_its_kind_has_it(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        report = await made(page, "Hi")
        for wanted, written in (("html", "html"), ("csv", "markdown")):
            await set_(page, export__format=wanted)
            exported = await page.value("lime.artifacts.export", artifactId=report["id"])
            assert exported["format"] == written

    play(tmp_path / "data", app(tmp_path), scene, is_installed=True)


def test_knowledge_is_searched_where_and_as_it_was_set(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    for name in ("one", "two", "three"):
        (sources / f"{name}.md").write_text(f"Ferry {name} leaves at nine.")

    async def scene(page: Bridged) -> None:
        await bind(page, sources)
        assert len(await found(page, "ferry", template="handbook")) == 3
        assert await page.code("lime.knowledge.search", query="ferry", template="rules") != ""
        await set_(page, knowledge__rules__binding="handbook", knowledge__rules__retrieval__topK=2)
        assert len(await found(page, "ferry", template="rules")) == 2
        assert len(await found(page, "ferry", template="rules", topK=3)) == 3
        status = await page.value("lime.knowledge.bindStatus", key="rules")
        assert (status["key"], status["status"]) == ("rules", "bound")
        await set_(page, knowledge__rules__retrieval__minScore=1_000_000)
        assert await found(page, "ferry", template="rules") == []

    play(tmp_path / "data", app(tmp_path), scene, is_installed=True)


def test_agents_read_tone_and_rules_with_who_set_them(tmp_path: Path) -> None:
    engine = ScriptedEngine({"write": says("Done."), "again": says("Done.")})
    package = write_app(tmp_path, capabilities="{lime.agent: '*'}")

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="write")
        await ended(page, task["taskId"])
        assert "set by" not in instructions(engine)
        rule: JsonObject = {"industry.retention": "Name no patient", "content.brandTone": "dry"}
        await set_(page, **rule)
        task = await page.value("lime.agent.startTask", prompt="again")
        await ended(page, task["taskId"])
        for words in (
            "Rule “retention”, set by the person: Name no patient",
            "Tone of voice, set by the person: dry",
        ):
            assert words in instructions(engine)

    play(tmp_path / "data", package, scene, engine, is_installed=True)


def test_a_run_is_given_what_was_set_where_it_is_given_nothing(tmp_path: Path) -> None:
    """And says who set it. What a page gives goes before, and a key names its run whatever was set meanwhile."""

    async def scene(page: Bridged) -> None:
        async def given(**params: JsonValue) -> tuple[JsonValue, JsonValue]:
            run = await page.value("lime.workflow.start", key="month", **params)
            read = await page.value("lime.workflow.get", workflowRunId=run["workflowRunId"])
            return read["input"], read["inputSetBy"]

        assert page.center is not None
        offered = {each.key: each.form for each in setting_rows(page.app(), page.center, "en")}
        assert offered["workflows.month.defaults.lines"] == "number"
        assert offered["workflows.month.defaults.mood"] == "text"
        assert await given(input={}, idempotencyKey="k") == ({}, {})
        await set_(page, workflows__month__defaults__lines=3)
        assert await given() == ({"lines": 3}, {"lines": "user"})
        assert await given(input={"mood": "x"}) == ({"mood": "x", "lines": 3}, {"lines": "user"})
        assert await given(input={"lines": 5}) == ({"lines": 5}, {})
        assert await given(input={}, idempotencyKey="k") == ({}, {})

    play(tmp_path / "data", app(tmp_path), scene, is_installed=True)


def test_what_nobody_obeys_is_said_to_be_ignored(tmp_path: Path) -> None:
    """Ours: nothing says that it applies which does not."""
    data = tmp_path / "data"

    async def scene(page: Bridged) -> None:
        await set_(page, workflows__month__defaults__pages=3, knowledge__rules__retrieval__mood="x")
        told = registration_of(page.app()).settings
        assert [each.key for each in told] == ["evals.policy.threshold"]

    play(data, app(tmp_path), scene, is_installed=True)
    asked = ["apps", "overlays", "notes", "--json", "--data-dir", str(data / "host")]
    shown = json.loads(CliRunner().invoke(main, asked).stdout)
    assert shown["ignored"] == [
        {"key": "knowledge.rules.retrieval.mood", "reason": "retrieval"},
        {"key": "workflows.month.defaults.pages", "reason": "workflow"},
    ]
