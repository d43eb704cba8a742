"""Structured output: checked before anything is written back, tried again within bounds (the standard: prose is no patch)."""

import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.agent_tasks.field_titles import field_titles
from lime_desktop.app_server.execution.scripted import Hold
from lime_desktop.protocol.runtime.payload_rules import is_oversized
from tests.app_server.agent_tasks.tasks_at_work import (
    MORE,
    Tasks,
    of_agent,
    run,
    says,
    started,
    tasks_at_work,
)
from tests.app_server.for_apps import envelope
from tests.app_server.runtime_core.runtime import DONE, event
from tests.conformance.packages import app_md

SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "patch": {"type": "object"}},
    "required": ["title"],
}
FORMAT = {"type": "json_schema", "schema": SCHEMA, "maxValidationRetries": 2}
EXPECTED = {"outputFormat": FORMAT}
GOOD = {"title": "Limes"}
EVIDENCE = envelope("notes", "lime.evidence.list")


async def result_of(tasks: Tasks, prompt: str, **more: Any) -> dict[str, Any]:
    task = await tasks.start(prompt, **{"expectedOutput": EXPECTED, **more})
    return await tasks.result(task["taskId"])


@pytest.mark.requirement("APP-36")
@pytest.mark.parametrize(
    "script",
    [
        says("Here you are.", structuredOutput=GOOD),
        says(json.dumps(GOOD)),
        says(f"Of course:\n```json\n{json.dumps(GOOD)}\n```\nAnything else?"),
    ],
    ids=["stated", "as the whole answer", "as the one block of it"],
)
def test_output_is_taken_where_it_fits(tmp_path: Path, script: list[Any]) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": script}) as tasks:
            result = await result_of(tasks, "make")
            assert (result["subtype"], result["output"]) == ("success", GOOD)
            assert result["outputAttempts"] == 1
            [evidence_id] = result["evidence"]
            kept: Any = await tasks.ask("app/call", **EVIDENCE)
            assert [(each["id"], each["kind"]) for each in kept] == [
                (evidence_id, "structured-output")
            ]

    run(scene)


@pytest.mark.requirement("RT-53")
def test_wrong_output_is_tried_again_with_what_was_wrong(tmp_path: Path) -> None:
    scripts = {
        "make": says("I made a nice title."),
        "make, attempt 2": says('{"title": 5}'),
        "make, attempt 3": says('{"title": "Limes"}'),
    }

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            result = await result_of(tasks, "make")
            assert (result["output"], result["outputAttempts"]) == (GOOD, 3)
            _, second, third = tasks.engine.requests
            assert "no JSON value" in second.input.text
            assert "/title" in third.input.text
            assert third.history[-1].text == '{"title": 5}'

    run(scene)


@pytest.mark.requirement("APP-36", "RT-53")
def test_output_that_never_fits_ends_with_its_own_subtype_and_writes_nothing(
    tmp_path: Path,
) -> None:
    wrong = says("Sorry.")
    scripts = {"make": wrong, "make, attempt 2": wrong, "make, attempt 3": wrong}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            expected = {**EXPECTED, "artifactKind": "note"}
            result = await result_of(tasks, "make", expectedOutput=expected)
            assert result["subtype"] == "error_max_structured_output_retries"
            assert result["error"]["code"] == "APP_E107"
            assert (result.get("output"), result["artifacts"], result["evidence"]) == (None, [], [])
            assert (len(tasks.engine.requests), result["outputAttempts"]) == (3, 3)

    run(scene)


def test_an_engine_that_tried_by_itself_is_not_asked_more_often_in_all(tmp_path: Path) -> None:
    scripts = {"make": says("Sorry.", outputAttempts=3)}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            result = await result_of(tasks, "make")
            assert result["subtype"] == "error_max_structured_output_retries"
            assert len(tasks.engine.requests) == 1

    run(scene)


@pytest.mark.requirement("APP-36")
def test_the_first_accepted_key_carries_the_patch_into_an_artifact(tmp_path: Path) -> None:
    patch = {"text": " ".join(f"word{n}" for n in range(1_200)), "password": None}
    script = says("Done.", structuredOutput={"title": "Limes", "patch": patch})
    expected = {
        **EXPECTED,
        "artifactKind": "note",
        "materializer": {"kind": "workspacePatch", "acceptedKeys": ["other", "patch"]},
    }

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": script}) as tasks:
            task = await tasks.start("make", title="A note", expectedOutput=expected)
            result = await tasks.result(task["taskId"])
            [artifact_id] = result["artifacts"]
            assert result["output"] == {"title": "Limes", "patch": patch}
            assert result["materialized"] == {
                "kind": "workspacePatch",
                "key": "patch",
                "artifactId": artifact_id,
            }
            read = await tasks.ask(
                "artifact/read", sessionId=task["sessionId"], includeContent=True
            )
            [told] = read["artifacts"]
            assert json.loads(told["content"]) == patch
            # The app finds it among its other deliverables too.
            kept = await tasks.ask("appArtifact/read", appId="notes", artifactId=artifact_id)
            assert (kept["artifact"]["kind"], kept["artifact"]["title"]) == ("note", "A note")
            assert kept["artifact"]["provenance"]["taskId"] == task["taskId"]
            assert kept["artifact"]["content"] == patch

    run(scene)


def test_output_without_an_accepted_key_does_not_fit(tmp_path: Path) -> None:
    expected = {
        "outputFormat": {**FORMAT, "maxValidationRetries": 0},
        "materializer": {"kind": "workspacePatch", "acceptedKeys": ["patch"]},
    }

    async def scene() -> None:
        script = says("Done.", structuredOutput=GOOD)
        async with tasks_at_work(tmp_path, {"make": script}) as tasks:
            result = await result_of(tasks, "make", expectedOutput=expected)
            assert result["subtype"] == "error_max_structured_output_retries"

    run(scene)


@pytest.mark.parametrize(
    "output_format",
    [
        {"schema": {"type": "nonsense"}},
        {"schema": {"$ref": "https://example.com/schema.json"}},
        {"schema": {"$ref": "file:///etc/passwd"}},
        {"schemaRef": "schemas/missing.json"},
        {"schemaRef": "../../etc/passwd"},
        {"schemaRef": "APP.md"},
        {},
    ],
    ids=json.dumps,
)
def test_a_schema_that_cannot_be_used_is_refused_before_anything_runs(
    tmp_path: Path, output_format: dict[str, Any]
) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": says("x")}) as tasks:
            params = started("make", expectedOutput={"outputFormat": output_format})
            assert await tasks.refusal("app/call", **params) == "APP_E014"
            assert tasks.engine.requests == []

    run(scene)


def test_a_schema_of_the_package_and_the_manifests_own_are_used(tmp_path: Path) -> None:
    runtime = """
agentRuntime:
  agentTask:
    structuredOutput:
      type: json_schema
      schemaRef: ./schemas/note.json
      maxValidationRetries: 0
      failureSubtype: error_during_execution
"""
    files = {"schemas/note.json": json.dumps(SCHEMA), "app.runtime.yaml": runtime}

    async def scene() -> None:
        scripts = {"good": says("x", structuredOutput=GOOD), "bad": says("x", structuredOutput={})}
        async with tasks_at_work(tmp_path, scripts, files) as tasks:
            by_ref = {"outputFormat": {"schemaRef": "schemas/note.json"}}
            by_app: dict[str, Any] = {"outputFormat": {}}
            assert (await result_of(tasks, "good", expectedOutput=by_ref))["output"] == GOOD
            assert (await result_of(tasks, "good", expectedOutput=by_app))["output"] == GOOD
            failed = await result_of(tasks, "bad", expectedOutput=by_app)
            assert (failed["subtype"], failed["outputAttempts"]) == ("error_during_execution", 1)

    run(scene)


def test_a_result_under_review_is_written_back_only_after_a_yes(tmp_path: Path) -> None:
    script = says("Done.", structuredOutput=GOOD)
    expected = {**EXPECTED, "artifactKind": "note"}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": script}) as tasks:
            for confirmed, subtype, artifacts in (
                (True, "success", 1),
                (False, "error_permission_denied", 0),
            ):
                task = await tasks.start("make", expectedOutput=expected, humanReview=True)
                result = await tasks.review(task, confirmed=confirmed)
                assert (result["subtype"], len(result["artifacts"])) == (subtype, artifacts)

    run(scene)


def test_a_review_names_the_fields_as_the_schema_does(tmp_path: Path) -> None:
    """A bug: a person read the names that programs use, whatever the app had called them."""
    stops = {"type": "array", "items": {"properties": {"pier": {"title": "Pier"}, "at": {}}}}
    named = {
        "title": {"type": "string", "title": "Trip", "titleI18n": {"zh-CN": "行程", "x": 7}},
        "stops": stops,
        "deep": {"properties": {"a": {"title": "\u202eA"}}},
    }
    expected = {"outputFormat": {**FORMAT, "schema": {**SCHEMA, "properties": named}}}

    async def scene() -> None:
        script = says("Done.", structuredOutput=GOOD)
        async with tasks_at_work(tmp_path, {"make": script}) as tasks:
            task = await tasks.start("make", expectedOutput=expected, humanReview=True)
            await tasks.question(task["taskId"])
            read = await tasks.ask("agentSession/read", sessionId=task["sessionId"])
            [thread] = read["snapshot"]["threads"]
            [action] = thread["pendingActions"]
            assert sorted(action["fieldTitles"], key=lambda each: each["path"]) == [
                {"path": "deep/a", "title": "\\u202eA", "byLanguage": {}},
                {"path": "stops/pier", "title": "Pier", "byLanguage": {}},
                {
                    "path": "title",
                    "title": "Trip",
                    "byLanguage": {"zh-CN": "行程"},
                    "kind": "string",
                },
            ]

    run(scene)


def test_a_schema_of_any_size_leaves_room_in_the_question() -> None:
    wide: Any = {f"field {'x' * 90} {each}": {"title": "长" * 500} for each in range(500)}
    for each in wide.values():
        each["titleI18n"] = {f"l{number}": "长" * 500 for number in range(50)}
        each["properties"] = {"x" * 200: {"title": "too far"}}
    told = field_titles({"properties": wide})
    assert len(told) == 24
    assert not is_oversized({"fieldTitles": told})
    assert field_titles({"properties": [], "items": 3}) == []


def test_words_are_kept_as_an_artifact_and_reviewed_where_that_is_asked(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"tell": says("Limes are green.")}) as tasks:
            kept = {"artifactKind": "note"}
            result = await result_of(tasks, "tell", expectedOutput=kept)
            assert (result["subtype"], "output" in result) == ("success", False)
            [artifact_id] = result["artifacts"]
            read = await tasks.ask("appArtifact/read", appId="notes", artifactId=artifact_id)
            assert read["artifact"]["content"] == "Limes are green."
            task = await tasks.start("tell", expectedOutput=kept, humanReview=True)
            refused = await tasks.review(task, confirmed=False)
            assert (refused["subtype"], refused["artifacts"]) == ("error_permission_denied", [])

    run(scene)


def test_what_a_person_made_of_a_result_is_written_back(tmp_path: Path) -> None:
    """Ours: approved with changes; what does not have the form is asked again, and nothing is lost."""
    script = says("Done.", structuredOutput=GOOD)

    async def scene() -> None:
        async with tasks_at_work(
            tmp_path, {"make": script, "tell": says("Limes are green.")}
        ) as tasks:
            task = await tasks.start("make", expectedOutput=EXPECTED, humanReview=True)
            question = await tasks.question(task["taskId"])
            await tasks.decide(task, question, confirmed=True, response="[1]")
            again = await tasks.next_question(task["taskId"], question)
            changed = {key: f"{value}!" for key, value in GOOD.items()}
            await tasks.decide(task, again, confirmed=True, response=json.dumps(changed))
            assert (await tasks.result(task["taskId"]))["output"] == changed
            told = await tasks.start("tell", humanReview=True)
            result = await tasks.review(told, confirmed=True, response='"Limes are yellow."')
            assert result["output"] == "Limes are yellow."

    run(scene)


def test_words_alone_decide_no_review(tmp_path: Path) -> None:
    """Bug: "no, this is rubbish" was recorded as an approval."""

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"tell": says("Limes are green.")}) as tasks:
            task = await tasks.start("tell", humanReview=True)
            question = await tasks.question(task["taskId"])
            refused = await tasks.refused(
                "agentSession/action/respond",
                sessionId=task["sessionId"],
                requestId=question["requestId"],
                actionType="ask_user",
                response="no, this is rubbish",
            )
            assert refused["code"] == "APP_E014"
            # Nor does the app decide for the person, whatever it says that they said.
            answer = of_agent(
                "submitHostResponse",
                taskId=task["taskId"],
                requestId=question["requestId"],
                actionType="ask_user",
                confirmed=True,
            )
            passed_on = await tasks.refused("app/call", **answer)
            assert passed_on["code"] == "APP_E010"
            result = await tasks.review(task, confirmed=False, message="no, this is rubbish")
            assert result["subtype"] == "error_permission_denied"

    run(scene)


def test_a_review_is_answered_after_a_restart(tmp_path: Path) -> None:
    script = says("Done.", structuredOutput=GOOD)

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": script}, can_resume=True) as tasks:
            task = await tasks.start("make", expectedOutput=EXPECTED, humanReview=True)
            question = await tasks.question(task["taskId"])
        async with tasks_at_work(tmp_path, {}, can_resume=True) as tasks:
            await tasks.decide(task, question, confirmed=True)
            result = await tasks.result(task["taskId"])
            assert (result["subtype"], result["output"]) == ("success", GOOD)
            assert tasks.engine.requests == []

    run(scene)


@pytest.mark.requirement("APP-27")
def test_a_task_ends_where_its_money_ends(tmp_path: Path) -> None:
    spending = [
        event("cost.recorded", {"amount": 0.5, "currency": "USD"}),
        event("cost.recorded", {"amount": 1.5, "currency": "USD"}),
        Hold("for ever"),
    ]

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"spend": spending}) as tasks:
            task = await tasks.start("spend", costLimit={"amount": 1.0})
            result = await tasks.result(task["taskId"])
            assert (result["subtype"], result["error"]["code"]) == ("error_max_budget", "APP_E104")
            assert len(tasks.engine.cancelled) == 1

    run(scene)


def test_what_agents_below_and_later_attempts_cost_adds_up(tmp_path: Path) -> None:
    known = {"currency": "USD", "state": "known"}
    spending = [
        event("cost.recorded", {**known, "amount": 0.25}),
        event("cost.recorded", {**known, "amount": 0.5}, subagent_id="subagent:1"),
        event("cost.recorded", {**known, "amount": 0.5, "roundAmount": 0.25}),
        # A sum that begins anew is another attempt's.
        event("cost.recorded", {**known, "amount": 0.125}),
    ]
    unpriced = event("cost.recorded", {"amount": 0.0, "currency": "USD", "state": "unknown"})
    scripts = {"spend": [*spending, DONE], "guess": [*spending, unpriced, DONE]}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            in_words = {"expectedOutput": None}
            result = await result_of(tasks, "spend", **in_words)
            assert result["cost"]["amount"] == 1.125
            reached = await result_of(tasks, "spend", **in_words, costLimit={"amount": 1.0625})
            assert reached["subtype"] == "error_max_budget"
            # What nobody knows is not told as a number.
            assert "cost" not in await result_of(tasks, "guess", **in_words)

    run(scene)


def test_a_task_ends_where_its_time_ends(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"wait": [Hold("for ever")]}) as tasks:
            task = await tasks.start("wait", timeoutMs=1)
            result = await tasks.result(task["taskId"])
            assert result["subtype"] == "error_during_execution"
            assert result["error"]["code"] == "APP_E102"

    run(scene)


def test_an_artifact_of_an_undeclared_kind_is_refused_before_anything_runs(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": says("x")}) as tasks:
            params = started("make", expectedOutput={**EXPECTED, "artifactKind": "deck"})
            assert await tasks.refusal("app/call", **params) == "APP_E020"
            assert tasks.engine.requests == []

    run(scene)


@pytest.mark.requirement("APP-38")
def test_evidence_goes_with_an_app_and_never_back(tmp_path: Path) -> None:
    async def scene() -> None:
        script = says("x", structuredOutput=GOOD)
        async with tasks_at_work(tmp_path, {"make": script}) as tasks:
            await result_of(tasks, "make")
            described = await tasks.ask("appData/describe", appId="notes")
            [held] = [part for part in described["parts"] if part["name"] == "evidence"]
            assert held["items"] == 1
            copy = {"appId": "notes", "snapshotId": "0123456789abcdef"}
            await tasks.ask("appData/snapshot", **copy)
            await result_of(tasks, "make")
            await tasks.ask("appData/restore", **copy)
            kept = await tasks.ask("app/call", **EVIDENCE)
            assert len(kept) == 2
            await tasks.ask("appData/remove", appId="notes")
            kept: Any = await tasks.ask("app/call", **EVIDENCE)
            assert kept == []

    run(scene)


TABLES = json.dumps({"namespace": "notes", "tables": [{"name": "titles", "primaryKey": "id"}]})
STORING = (
    "requires: {capabilities: {lime.agent: '>=0.3.0', lime.storage: '>=0.3.0'}}\n"
    "artifactTypes: [{key: note}]\n"
    "storage: {namespace: notes, schema: ./storage/schema.json}\n"
)
STORED_FILES = {"APP.md": app_md(STORING), "storage/schema.json": TABLES}
ROWS_FORMAT = {"type": "json_schema", "schema": {"type": "object"}, "maxValidationRetries": 0}


def storing(kind: str) -> dict[str, Any]:
    return {
        "outputFormat": ROWS_FORMAT,
        "materializer": {"kind": kind, "acceptedKeys": ["rows"]},
    }


async def titles(tasks: Tasks) -> list[dict[str, Any]]:
    asked = envelope("notes", "lime.storage.tableQuery", table="titles")
    return [each["row"] for each in (await tasks.ask("app/call", **asked))["rows"]]


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("storage:titles", [{"id": "a", "text": "One"}, {"id": "b", "text": "Two"}]),
        ("storage", {"titles": [{"id": "a", "text": "One"}, {"id": "b", "text": "Two"}]}),
    ],
)
def test_a_materializer_writes_rows_with_their_provenance(
    tmp_path: Path, kind: str, rows: Any
) -> None:
    """The standard: a materializer writes an artifact or stored data; ours: in which words it names its table."""

    async def scene() -> None:
        scripts = {"make": says("Done.", structuredOutput={"rows": rows})}
        async with tasks_at_work(tmp_path, scripts, STORED_FILES) as tasks:
            result = await result_of(tasks, "make", expectedOutput=storing(kind))
            assert result["materialized"] == {
                "kind": kind,
                "key": "rows",
                "rows": ["titles/a", "titles/b"],
            }
            assert [each["text"] for each in await titles(tasks)] == ["One", "Two"]
            kept: Any = await tasks.ask("app/call", **EVIDENCE)
            [proof] = kept
            assert {"storage:titles/a", "storage:titles/b"} <= set(proof["refs"])
            assert proof["provenance"]["taskId"] == result["taskId"]

    run(scene)


def test_rows_are_written_all_or_none(tmp_path: Path) -> None:
    """Ours: the second row has no table, so the first is not there either, and nothing says it is."""

    async def scene() -> None:
        rows = {"titles": [{"id": "a", "text": "One"}], "nowhere": [{"id": "b"}]}
        scripts = {"make": says("Done.", structuredOutput={"rows": rows})}
        async with tasks_at_work(tmp_path, scripts, STORED_FILES) as tasks:
            result = await result_of(tasks, "make", expectedOutput=storing("storage"))
            assert (result["subtype"], result["error"]["code"]) == (
                "error_during_execution",
                "APP_E206",
            )
            assert await titles(tasks) == []
            kept: Any = await tasks.ask("app/call", **EVIDENCE)
            assert kept == []

    run(scene)


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        (storing("storage:nowhere"), "APP_E020"),
        ({**storing("storage:titles"), "artifactKind": "note"}, "APP_E014"),
    ],
    ids=["no such table", "an artifact as well"],
)
def test_rows_that_could_not_be_written_are_refused_before_anything_runs(
    tmp_path: Path, expected: dict[str, Any], code: str
) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"make": says("Done.")}, STORED_FILES) as tasks:
            params = started("make", expectedOutput=expected)
            assert await tasks.refusal("app/call", **params) == code
            assert tasks.engine.requests == []

    run(scene)


@pytest.mark.requirement("APP-11")
def test_what_a_task_delivers_is_judged_and_the_verdict_is_a_fact_of_its_run(
    tmp_path: Path,
) -> None:
    """The standard: an eval keeps the provenance of the app, and judges what an agent delivers."""
    gate = "evals: [{key: tone, kind: safety, path: evals/tone.yaml}]\n"
    checks = "checks: [{check: banned-words, words: [limes]}]\n"
    files = {"APP.md": app_md(MORE + gate), "evals/tone.yaml": checks}
    expected = {"artifactKind": "note", "outputFormat": FORMAT}

    async def scene() -> None:
        scripts = {"make": says("Here.", structuredOutput=GOOD)}
        async with tasks_at_work(tmp_path, scripts, files) as tasks:
            task = await tasks.start("make", expectedOutput=expected)
            result = await tasks.result(task["taskId"])
            assert result["subtype"] == "success"
            made: Any = await tasks.ask("artifact/read", sessionId=task["sessionId"])
            [artifact] = made["artifacts"]
            assert (artifact["kind"], artifact["acceptance"]) == ("note", "not-accepted")
            read: Any = await tasks.ask(
                "agentSession/read", sessionId=task["sessionId"], afterSequence=0
            )
            [told] = [
                each for each in read["events"] if each["payload"].get("gate", {}).get("evalKey")
            ]
            assert (told["taskId"], told["payload"]["provenance"]["appId"]) == (
                task["taskId"],
                "notes",
            )
            kept: Any = await tasks.ask(
                "appArtifact/read", appId="notes", artifactId=artifact["artifactId"]
            )
            assert kept["artifact"]["content"] == GOOD

    run(scene)
