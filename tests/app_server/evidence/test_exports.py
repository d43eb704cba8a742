"""Evidence as a client gets it: joined, honest about what is missing, written by reference."""

import json
from pathlib import Path
from typing import NoReturn

import jsonschema_rs
import pytest

from lime_desktop.app_server.evidence.verification import verify
from tests.app_server.evidence.served import TOKEN, read, serving
from tests.app_server.runtime_core.test_damage import FLIP, edit
from tests.jsonrpc.conversation import run
from tests.protocol.published_schemas import read_json


def published(upstream_data: Path, name: str) -> jsonschema_rs.Draft202012Validator:
    def refuse(uri: str) -> NoReturn:
        raise LookupError(uri)

    schema = upstream_data / "agentevidence" / "schemas" / f"agentevidence-{name}.schema.json"
    return jsonschema_rs.Draft202012Validator(
        read_json(schema), retriever=refuse, validate_formats=True
    )


@pytest.mark.requirement("RT-41", "RT-54")
def test_an_export_carries_the_correlation_and_says_what_applies(tmp_path: Path) -> None:
    """The standard: the spine always; a signal that does not apply is no gap."""

    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "tool-success", "artifact-evidence")
            whole = await caller.ask("evidence/export", sessionId=session_id)
            assert whole["runtimeCorrelation"].keys() >= {"runtimeId", "sessionId", "threadId"}
            assert "turnId" not in whole["runtimeCorrelation"]
            status = {s["signal"]: s["status"] for s in whole["signals"]}
            assert status["toolCalls"] == status["artifacts"] == status["telemetry"] == "exported"
            assert status["verification"] == "exported"
            assert status["compaction"] == status["subagents"] == "not_applicable"
            assert status["claims"] == "unsupported"
            assert "missing_correlation" not in status.values()
            assert (whole["events"], whole["artifacts"]) == ([], [])
            turn = await caller.ask("evidence/export", sessionId=session_id, turnId="turn_1")
            assert turn["runtimeCorrelation"].keys() == {
                "runtimeId",
                "sessionId",
                "threadId",
                "turnId",
                "taskId",
                "runId",
                "traceId",
            }
            assert [t["turnId"] for t in turn["turns"]] == ["turn_1"]

    run(scene())


@pytest.mark.requirement("RT-12", "RT-57")
def test_what_cannot_be_joined_is_a_gap_and_only_that(tmp_path: Path) -> None:
    """The standard: missing correlation is stated, never papered over."""

    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1")
            await caller.ask(
                "agentSession/runtimeEvents/append",
                sessionId=session_id,
                runtimeEvents=[
                    {"type": "artifact.changed", "artifactId": "a1", "payload": {"title": "Lone"}}
                ],
            )
            result = await caller.ask(
                "evidence/export", sessionId=session_id, includeEvidencePack=True
            )
            gaps = {s["signal"] for s in result["signals"] if s["status"] == "missing_correlation"}
            assert gaps == {"artifacts"}
            assert result["evidencePack"]["knownGaps"] == ["artifacts"]
            pack = read(tmp_path / result["evidencePack"]["packRelativeRoot"] / "pack.json")
            assert pack["status"] == "partial"

    run(scene())


@pytest.mark.requirement("RT-09", "RT-55")
@pytest.mark.parametrize("session_id", ["session_1", "会话/1 ..\\x"])
def test_every_document_of_a_pack_follows_its_published_schema(
    tmp_path: Path, upstream_data: Path, session_id: str
) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            await caller.session(
                session_id, "text-basic", "tool-failure", "artifact-evidence", "subagent-handoff"
            )
            result = await caller.ask(
                "evidence/export", sessionId=session_id, includeEvidencePack=True
            )
            replay = await caller.ask("agentSession/replayCase/export", sessionId=session_id)
            folders = sorted((tmp_path / "evidence").glob("*/*"))
            assert len(folders) == 2
            for folder in folders:
                manifest = read(folder / "manifest.json")
                published(upstream_data, "export-manifest").validate(manifest)
                for file in manifest["files"]:
                    if "schema_ref" in file:
                        name = file["schema_ref"].rpartition("agentevidence-")[2]
                        schema = published(upstream_data, name.removesuffix(".schema.json"))
                        schema.validate(read(folder / file["path"]))
            pack = tmp_path / result["evidencePack"]["packRelativeRoot"]
            assert {path.name for path in pack.iterdir()} == {
                "manifest.json",
                "manifest.sha256",
                "pack.json",
                "events.jsonl",
                "snapshot.json",
                "provenance.json",
                "replay.json",
                "verification.json",
            }
            assert replay["runtimeCorrelation"]["turnId"] == "turn_4"

    run(scene())


@pytest.mark.requirement("APP-35", "RT-55")
def test_a_pack_has_every_event_and_the_log_is_told_of_it(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "text-basic")
            before = await caller.ask("agentSession/read", sessionId=session_id, afterSequence=0)
            result = await caller.ask(
                "evidence/export", sessionId=session_id, includeEvidencePack=True
            )
            root = tmp_path / result["evidencePack"]["packRelativeRoot"]
            lines = (root / "events.jsonl").read_text("utf-8").splitlines()
            assert [json.loads(line) for line in lines] == before["events"]
            after = await caller.ask(
                "agentSession/read", sessionId=session_id, afterSequence=before["nextSequence"]
            )
            (told,) = after["events"]
            assert told["type"] == "evidence.changed"
            assert told["evidenceId"] == result["evidenceId"]
            payload = told["payload"]
            assert payload["packRef"] == f"evidence://{result['evidenceId']}"
            assert payload["replayRef"].startswith("replay://")
            assert verify(root, payload["manifestHash"]).is_sound
            assert not verify(root, "sha256:" + "0" * 64).is_sound
            summary = after["snapshot"]["evidenceSummary"]
            assert summary["packRefs"] == [payload["packRef"]]

    run(scene())


def test_no_answer_names_a_place_on_this_machine(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "report")
            result = await caller.ask(
                "evidence/export",
                sessionId=session_id,
                includeEvidencePack=True,
                includeArtifacts=True,
            )
            said = json.dumps(result)
            assert str(tmp_path) not in said
            assert "absolutePath" not in said
            assert "/home/somebody" not in said

    run(scene())


@pytest.mark.requirement("RT-17", "RT-57")
def test_what_looks_like_a_credential_is_withheld_and_that_is_recorded(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "leak")
            result = await caller.ask(
                "evidence/export", sessionId=session_id, includeEvidencePack=True
            )
            root = tmp_path / result["evidencePack"]["packRelativeRoot"]
            for path in root.iterdir():
                assert TOKEN not in path.read_text("utf-8"), path.name
            redacted = {r["target_ref"] for r in read(root / "manifest.json")["redactions"]}
            assert redacted == {"events.jsonl", "snapshot.json"}
            assert verify(root).is_sound

    run(scene())


def test_events_are_given_on_request_and_say_when_they_are_cut(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "text-basic")
            result = await caller.ask("evidence/export", sessionId=session_id, includeEvents=True)
            sequences = [event["sequence"] for event in result["events"]]
            assert sequences == list(range(1, len(sequences) + 1))
            assert result["truncated"] is False

    run(scene())


@pytest.mark.requirement("RT-55")
def test_a_replay_case_has_inputs_by_reference_and_facts_to_compare(tmp_path: Path) -> None:
    """The standard: never final prose."""

    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "text-basic", "tool-failure")
            first = await caller.ask(
                "agentSession/replayCase/export", sessionId=session_id, turnId="turn_2"
            )
            again = await caller.ask(
                "agentSession/replayCase/export", sessionId=session_id, turnId="turn_2"
            )
            case = first["replayCase"]
            assert case["determinism"] == "deterministic"
            assert [ref.partition("://")[0] for ref in case["inputRefs"]] == ["sidecar"]
            assert case["missingFacts"] == []
            assert case["expectedAssertions"] == [
                {
                    "kind": "terminal",
                    "type": "turn.failed",
                    "failureCategory": "permission_denied",
                },
                {"kind": "tool_call", "id": "call_1"},
            ]
            assert again["replayCase"]["replayDigest"] == case["replayDigest"]
            assert again["replayRef"] != first["replayRef"]
            other = await caller.ask(
                "agentSession/replayCase/export", sessionId=session_id, turnId="turn_1"
            )
            assert other["replayCase"]["determinism"] == "approximate"
            assert "Good day" not in json.dumps(other)

    run(scene())


@pytest.mark.requirement("RT-55", "RT-57")
def test_a_review_stands_beside_the_checks(tmp_path: Path) -> None:
    """The standard: a verification never overwrites a review, nor the other way round."""

    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "artifact-evidence")
            review = {"reviewRef": "review://1", "verdict": "rejected"}
            await caller.ask(
                "agentSession/runtimeEvents/append",
                sessionId=session_id,
                turnId="turn_1",
                runtimeEvents=[
                    {"type": "review.verdict", "evidenceId": "evidence_1", "payload": review}
                ],
            )
            snapshot = (await caller.ask("agentSession/read", sessionId=session_id))["snapshot"]
            summary = snapshot["evidenceSummary"]
            assert summary["reviewRefs"] == [review["reviewRef"]]
            assert summary["reviews"] == [review]
            assert summary["verificationOutcomes"] == [{"name": "links", "status": "passed"}]

    run(scene())


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("evidence/export", {"sessionId": "nobody"}, "APP_E110"),
        ("evidence/export", {"sessionId": "session_1", "turnId": "nowhere"}, "APP_E153"),
        ("agentSession/replayCase/export", {"sessionId": "session_1"}, "APP_E153"),
        ("artifact/read", {"sessionId": "session_1", "artifactRef": "artifact://x"}, "APP_E150"),
    ],
)
def test_what_is_not_there_is_refused_by_code_and_leaves_nothing(
    tmp_path: Path, method: str, params: dict[str, object], code: str
) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            await caller.session("session_1")
            assert await caller.refusal(method, **params) == code
            assert list((tmp_path / "evidence").glob("*/*")) == []

    run(scene())


def test_artifacts_are_read_by_reference_with_their_bytes_on_request(tmp_path: Path) -> None:
    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "report")
            listed = await caller.ask("artifact/read", sessionId=session_id)
            by_id = {record["artifactId"]: record for record in listed["artifacts"]}
            assert by_id["artifact_1"]["path"] == "out/report.md"
            assert by_id["artifact_1"]["contentStatus"] == "notRequested"
            assert "path" not in by_id["artifact_2"]
            read_back = await caller.ask(
                "artifact/read",
                sessionId=session_id,
                artifactRef=by_id["artifact_1"]["artifactRef"],
                includeContent=True,
            )
            (record,) = read_back["artifacts"]
            assert (record["contentStatus"], record["content"]) == (
                "available",
                "# Limes\n" * 2_000,
            )
            other = await caller.ask(
                "artifact/read",
                sessionId=session_id,
                artifactRef="artifact_2",
                includeContent=True,
            )
            assert other["artifacts"][0]["contentStatus"] == "unavailable"
            page = await caller.ask("artifact/read", sessionId=session_id, limit=1)
            rest = await caller.ask(
                "artifact/read", sessionId=session_id, limit=1, cursor=page["nextCursor"]
            )
            ids = [r["artifactId"] for r in (*page["artifacts"], *rest["artifacts"])]
            assert ids == ["artifact_2", "artifact_1"]

    run(scene())


def test_a_folder_that_cannot_be_written_is_said_by_code_and_the_log_stays_as_it_was(
    tmp_path: Path,
) -> None:
    """Ours: nothing is half-written, and the log never names evidence that is not there."""

    async def scene() -> None:
        async with serving(tmp_path) as caller:
            session_id = await caller.session("session_1", "text-basic")
            before = await caller.ask("agentSession/read", sessionId=session_id)
            (tmp_path / "evidence").write_text("in the way")
            asked = {"sessionId": session_id, "includeEvidencePack": True}
            assert await caller.refusal("evidence/export", **asked) == "APP_E221"
            after = await caller.ask("agentSession/read", sessionId=session_id)
            assert after["snapshot"]["recoveryCursor"] == before["snapshot"]["recoveryCursor"]

    run(scene())


def test_a_damaged_log_gives_what_is_left_and_seals_no_pack(tmp_path: Path) -> None:
    """Ours: what cannot be told to the log is taken back."""

    async def scene() -> None:
        async with serving(tmp_path) as caller:
            await caller.session("session_1", "text-basic")
        edit(tmp_path, FLIP.format("= 5"))
        async with serving(tmp_path) as caller:
            asked = {"sessionId": "session_1", "includeEvents": True}
            left = await caller.ask("evidence/export", **asked)
            assert left["truncated"] is True
            assert await caller.refusal("evidence/export", **asked, includeEvidencePack=True) == (
                "APP_E112"
            )
            assert list((tmp_path / "evidence").glob("*/*")) == []

    run(scene())


def test_another_apps_session_is_nobodys_business(tmp_path: Path) -> None:
    """The standard: a connection sees what its app context allows."""

    async def scene() -> None:
        async with serving(tmp_path, appId="app_2") as caller:
            started = await caller.refusal("agentSession/start", appId="app_1", sessionId="s")
            assert started == "APP_E002"
        async with serving(tmp_path) as caller:
            await caller.session("session_1", "text-basic")
        async with serving(tmp_path, appId="app_2") as caller:
            assert await caller.refusal("evidence/export", sessionId="session_1") == "APP_E110"
            assert await caller.refusal("artifact/read", sessionId="session_1") == "APP_E110"

    run(scene())
