"""Quality gates on what is delivered: accepted or not with the reason, told as facts of the runtime, never deleted."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.protocol.calls.artifacts import JUDGE_ARTIFACT, JudgeArtifactParams
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.errors import ActionClosed
from lime_desktop.protocol.ids import AppId, ArtifactId, SessionId
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.contracts.agent import ended

WANTED = "{lime.artifacts: '>=0.3.0', lime.evidence: '>=0.3.0', lime.files: '>=0.3.0'}"
KINDS = "artifactTypes: [{key: report}, {key: letter}]\n"
CREATE = "lime.artifacts.create"
SOURCES = ["The ferry leaves the harbour at 9:40 on Mondays.", "Tickets cost 12 euros."]


def app(folder: Path, evals: str, **files: str) -> Path:
    written = {f"evals/{name}.yaml": text for name, text in files.items()}
    schema = '{"type": "object", "required": ["body"]}'
    return write_app(
        folder,
        capabilities=WANTED,
        more=f"{KINDS}evals:\n{evals}",
        files={**written, "schemas/report.json": schema},
    )


def gate(key: str, more: str = "") -> str:
    return f"  - {{key: {key}, kind: quality, path: evals/{key}.yaml{more}}}\n"


async def judged(page: Bridged, content: Any, **more: Any) -> dict[str, Any]:
    made = await page.value(CREATE, **{"kind": "report", "content": content, **more})
    return made["acceptance"]


def reasons(acceptance: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["code"], each["detail"]) for g in acceptance["gates"] for each in g["reasons"]]


@pytest.mark.parametrize(
    ("checks", "good", "bad", "why"),
    [
        (
            "[{check: grounding, sources: [/sources]}]",
            {"body": "The ferry leaves at 9:40 on Mondays.", "sources": SOURCES},
            {"body": "The ferry leaves at 10:15 on Fridays.", "sources": SOURCES},
            [("not-grounded", "The ferry leaves at 10:15 on Fridays.")],
        ),
        (
            "[{check: grounding, sources: [/sources]}]",
            {"body": "Tickets cost 12 euros.", "sources": SOURCES},
            {"body": "Tickets cost 12 euros."},
            [("no-sources", "")],
        ),
        (
            "[{check: banned-words, words: [guarantee, 保证]}]",
            {"body": "No guarantees are given."},
            {"body": "We GUARANTEE it: 我们保证。"},
            [("banned-word", "guarantee"), ("banned-word", "保证")],
        ),
        (
            "[{check: policy, never: [free parking], always: [No advice.]}]",
            {"body": "A walk. No advice."},
            {"body": "Free  parking for all."},
            [("forbidden-text", "free parking"), ("required-text", "No advice.")],
        ),
        (
            "[{check: completeness, fields: [/title], sections: [Risks], minWords: 4}]",
            {"title": "T", "body": "# Risks\nThere are very few.\n"},
            {"title": " ", "body": "# Risks\n# Costs\nNone."},
            [("field-empty", "/title"), ("section-empty", "Risks"), ("too-short", "3 < 4")],
        ),
        (
            "[{check: schema, schema: ./schemas/report.json}]",
            {"body": "x"},
            {"text": "x"},
            [("schema", "./schemas/report.json")],
        ),
    ],
    ids=["grounding", "without sources", "banned words", "policy", "completeness", "schema"],
)
def test_a_deliverable_is_accepted_or_not_with_the_reason_and_never_deleted(
    tmp_path: Path, checks: str, good: Any, bad: Any, why: list[tuple[str, str]]
) -> None:
    """The standard: a failing gate marks an artifact as not accepted, and deletes nothing."""

    async def scene(page: Bridged) -> None:
        fine = await judged(page, good)
        assert (fine["status"], reasons(fine)) == ("accepted", [])
        poor = await judged(page, bad)
        assert (poor["status"], reasons(poor)) == ("not-accepted", why)
        listed = await page.value("lime.artifacts.list")
        assert [each["acceptance"]["status"] for each in listed] == ["not-accepted", "accepted"]
        opened = await page.value("lime.artifacts.open", artifactId=listed[0]["id"])
        assert opened["artifact"]["content"] == bad

    package = app(tmp_path, gate("tone"), tone=f"checks: {checks}\n")
    play(tmp_path / "data", package, scene)


def test_a_gate_judges_the_kinds_it_names_and_its_threshold_decides(tmp_path: Path) -> None:
    """Ours: one of two demands is half the score."""

    async def scene(page: Bridged) -> None:
        half = {"body": "A walk.", "end": "No advice."}
        assert (await judged(page, half))["gates"] == [
            {
                "evalKey": "tone",
                "kind": "quality",
                "status": "passed",
                "score": 0.5,
                "threshold": 0.5,
                "thresholdSetBy": "app",
                "reasons": [],
                "questions": [],
            }
        ]
        made = await page.value(CREATE, kind="letter", content={"body": "Free parking"})
        assert "acceptance" not in made

    checks = "checks: [{check: policy, always: [No advice., Ask us.]}]\n"
    package = app(tmp_path, gate("tone", ", threshold: 0.5, appliesTo: [report]"), tone=checks)
    play(tmp_path / "data", package, scene)


@pytest.mark.requirement("APP-11")
def test_a_verdict_is_evidence_and_a_fact_of_the_runtime_with_the_apps_provenance(
    tmp_path: Path,
) -> None:
    """The standard: an eval keeps the provenance of the app."""

    async def scene(page: Bridged) -> None:
        made = await page.value(CREATE, kind="report", content={"body": "bad"})
        kept = await page.value("lime.evidence.list", kind="tone")
        assert [(each["subject"], each["provenance"]) for each in kept] == [
            (made["id"], made["provenance"])
        ]
        assert kept[0]["message"] == "tone failed (0.0 of 1.0): banned-word: bad"
        asked = ReadSessionParams(
            session_id=SessionId(f"quality_{made['id']}"), after_sequence=0, history_limit=0
        )
        told = (await page.connection.call(READ_SESSION, asked)).events
        facts = {each.type: each for each in told if each.artifact_id == made["id"]}
        proof = facts["evidence.changed"]
        assert (proof.evidence_id, proof.payload["provenance"]) == (
            kept[0]["id"],
            made["provenance"],
        )
        assert proof.payload["verificationOutcomes"] == [{"name": "tone", "status": "failed"}]
        assert facts["artifact.changed"].payload["acceptance"] == "not-accepted"

    checks = "checks: [{check: banned-words, words: [bad]}]\n"
    play(tmp_path / "data", app(tmp_path, gate("tone"), tone=checks), scene)


@pytest.mark.parametrize(
    ("made", "status"), [({"body": "x"}, None), ({"text": "x"}, "not-accepted")]
)
def test_what_an_agent_delivers_without_the_form_of_its_kind_is_not_accepted(
    tmp_path: Path, made: JsonValue, status: str | None
) -> None:
    """Ours: a page is refused at once; an agent's work is kept, and marked with the reason."""
    more = "artifactTypes: [{key: report, schema: ./schemas/report.json}]\n"
    schema = '{"type": "object", "required": ["body"]}'
    package = write_app(
        tmp_path,
        capabilities="{lime.agent: '>=0.3.0', lime.artifacts: '>=0.3.0'}",
        more=more,
        files={"schemas/report.json": schema},
    )
    wanted = {
        "artifactKind": "report",
        "outputFormat": {"type": "json_schema", "schema": {"type": "object"}},
    }

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="make", expectedOutput=wanted)
        await ended(page, task["taskId"])
        [kept] = await page.value("lime.artifacts.list")
        found = kept.get("acceptance")
        assert (found and found["status"]) == status
        if found:
            assert reasons(found) == [("schema", "report")]

    engine = ScriptedEngine({"make": says("Done.", structuredOutput=made)})
    play(tmp_path / "data", package, scene, engine)


def test_a_person_decides_where_a_gate_asks_for_one(tmp_path: Path) -> None:
    """The standard: human review is a gate too; a person's word is asked once for each version."""

    async def scene(page: Bridged) -> None:
        made = await page.value(CREATE, kind="report", content={"body": "Dear all"})
        assert made["acceptance"]["status"] == "waiting"
        [waiting] = made["acceptance"]["gates"]
        assert waiting["questions"] == ["Is it polite?"]
        verdict = JudgeArtifactParams(
            app_id=AppId("notes"),
            artifact_id=ArtifactId(made["id"]),
            version=1,
            is_accepted=False,
            note="Too short",
        )
        answer = await page.connection.call(JUDGE_ARTIFACT, verdict)
        assert answer.acceptance.status == "not-accepted"
        [kept] = await page.value("lime.artifacts.list")
        assert reasons(kept["acceptance"]) == [("rejected", "Too short")]
        with pytest.raises(ActionClosed):
            await page.connection.call(JUDGE_ARTIFACT, verdict)
        next_one = await page.value(
            CREATE, kind="report", content={"body": "Dear all!"}, artifactId=made["id"]
        )
        again = verdict.model_copy(update={"version": 2, "is_accepted": True, "note": None})
        assert next_one["acceptance"]["status"] == "waiting"
        answer = await page.connection.call(JUDGE_ARTIFACT, again)
        assert answer.acceptance.status == "accepted"

    review = "  - {key: eye, kind: human-review, path: evals/eye.yaml}\n"
    package = app(tmp_path, review, eye="questions: [Is it polite?]\n")
    play(tmp_path / "data", package, scene)
