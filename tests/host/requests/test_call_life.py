"""What holds for every capability call: traced, timed, cancelled, done once per key, judged by its operation, recorded."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.host.approvals.question import NEVER, NO, Answer
from lime_desktop.host.view.bodies import OfferedValue
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.protocol.app_call import AppCallResult
from lime_desktop.protocol.errors import AppServerUnavailable
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.contracts.agent import ended
from tests.host.requests.test_app_requests import Page
from tests.sandboxed import NEEDS_SANDBOX

WAIT_S = 30.0
DELETE = {"capability": "lime.storage", "method": "delete", "input": {"key": "a"}}


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), WAIT_S))


class HeldServer:
    """An App Server that answers when it is told to, or refuses the first calls."""

    def __init__(self, refusals: int = 0) -> None:
        self.calls = 0
        self.refusals = refusals
        self.may_answer = asyncio.Event()

    async def __call__(self, method: Any, params: Any, *, timeout_s: float = 30.0) -> Any:
        del method, params, timeout_s
        self.calls += 1
        if self.calls <= self.refusals:
            raise AppServerUnavailable("Not now")
        await self.may_answer.wait()
        return AppCallResult(value=b"true")


async def heard(page: Page, request_id: str) -> dict[str, Any]:
    """The answer to a request, as soon as it is there."""
    while True:
        for message in page.heard:
            if message.get("requestId") == request_id:
                return message["payload"]
        await asyncio.sleep(0.001)


@pytest.mark.requirement("APP-27")
def test_a_call_that_takes_too_long_is_given_up_by_its_time() -> None:
    async def scene() -> None:
        page = Page(HeldServer())
        page.say("capability:invoke", {**DELETE, "timeoutMs": 1}, "r1")
        refused = await heard(page, "r1")
        assert (refused["stableCode"], refused["retryable"]) == ("timeout", True)

    run(scene)


@pytest.mark.requirement("APP-27")
def test_a_call_that_is_given_up_by_its_app_is_stopped() -> None:
    async def scene() -> None:
        page = Page(HeldServer())
        page.say("capability:invoke", DELETE, "r1")
        page.say("capability:cancel", {"requestId": "r1"}, None)
        assert (await heard(page, "r1"))["stableCode"] == "cancelled"
        page.say("capability:cancel", {"requestId": "never sent"}, None)

    run(scene)


@pytest.mark.requirement("APP-27")
def test_the_same_key_has_an_effect_once_and_every_caller_gets_its_answer() -> None:
    async def scene() -> None:
        server = HeldServer()
        page = Page(server)
        keyed = {**DELETE, "idempotencyKey": "k"}
        for number in range(3):
            page.say("capability:invoke", keyed, f"r{number}")
        other = {**keyed, "input": {"key": "b"}}
        page.say("capability:invoke", other, "other")
        assert (await heard(page, "other"))["details"]["appErrorCode"] == "APP_E905"
        server.may_answer.set()
        answers = [await heard(page, f"r{number}") for number in range(3)]
        page.say("capability:invoke", keyed, "later")
        answers.append(await heard(page, "later"))
        assert [each["value"] for each in answers] == [True] * 4
        assert server.calls == 1

    run(scene)


def test_a_key_whose_call_ran_out_of_time_finds_its_answer_later() -> None:
    async def scene() -> None:
        server = HeldServer()
        page = Page(server)
        keyed = {**DELETE, "idempotencyKey": "k"}
        page.say("capability:invoke", {**keyed, "timeoutMs": 1}, "r1")
        assert (await heard(page, "r1"))["stableCode"] == "timeout"
        server.may_answer.set()
        page.say("capability:invoke", keyed, "r2")
        assert (await heard(page, "r2"))["value"] is True
        assert server.calls == 1

    run(scene)


def test_a_key_whose_call_failed_is_tried_again() -> None:
    async def scene() -> None:
        server = HeldServer(refusals=1)
        server.may_answer.set()
        page = Page(server)
        keyed = {**DELETE, "idempotencyKey": "k"}
        page.say("capability:invoke", keyed, "r1")
        assert (await heard(page, "r1"))["retryable"] is True
        page.say("capability:invoke", keyed, "r2")
        assert (await heard(page, "r2"))["value"] is True

    run(scene)


@pytest.mark.requirement("APP-27")
def test_a_limit_on_the_cost_of_what_costs_nothing_is_refused() -> None:
    async def scene() -> None:
        page = Page(HeldServer())
        page.say("capability:invoke", {**DELETE, "costLimit": {"amount": 1}}, "r1")
        refused = await heard(page, "r1")
        assert refused["stableCode"] == "schema_invalid"

    run(scene)


def storing(folder: Path, demand: str = "") -> Path:
    """An app that stores, with a demand on its own writes."""
    operations = f"""
operations:
  - key: keep-note
    type: write
    sideEffect: app_storage_write
    {demand}
"""
    return write_app(
        folder,
        capabilities="{lime.storage: '>=0.3.0', lime.agent: '>=0.3.0', lime.evidence: '>=0.3.0'}",
        more="storage: {namespace: notes}",
        files={"app.operations.yaml": operations} if demand else {},
    )


SET = {"key": "a", "value": 1}


async def send_set(page: Bridged, **beside: object) -> dict[str, Any]:
    payload = {"capability": "lime.storage", "method": "set", "input": SET, **beside}
    return await page.send("capability:invoke", payload)


def test_an_operation_that_needs_a_key_is_refused_without_one(tmp_path: Path) -> None:
    """The standard: what app.operations.yaml demands holds at run time, whether the app names the operation or not."""

    async def scene(page: Bridged) -> None:
        refused = await send_set(page)
        assert refused["details"]["rule"] == "operation.keep-note.idempotency"
        assert (await send_set(page, idempotencyKey="k"))["ok"] is True

    play(tmp_path / "data", storing(tmp_path, "idempotencyRequired: true"), scene)


def test_what_was_forbidden_since_is_not_handed_out_under_its_old_key(tmp_path: Path) -> None:
    """The standard: deny wins, also over an answer that is at hand."""
    house = "version: 1\nname: House\nrules: [{id: shut, effect: deny, text: Shut., when: {capabilities: [lime.storage]}}]"

    async def scene(page: Bridged) -> None:
        assert (await send_set(page, idempotencyKey="k"))["ok"] is True
        assert (await send_set(page, idempotencyKey="k"))["ok"] is True
        page.rules = parse_policy_file(house, layer="organisation", source="house.yaml").rules
        refused = await send_set(page, idempotencyKey="k")
        assert refused["ok"] is False
        assert "shut" in refused["details"]["rule"]

    play(tmp_path / "data", storing(tmp_path), scene)


def test_an_operation_that_needs_a_dry_run_is_refused_before_it(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        refused = await send_set(page)
        assert refused["details"]["rule"] == "operation.keep-note.dry-run"
        tried = await send_set(page, dryRun=True, operation="keep-note")
        assert tried["value"] == {
            "dryRun": True,
            "call": "lime.storage.set",
            "operation": "keep-note",
            "sideEffect": "app_storage_write",
            "reaches": [],
        }
        assert await page.value("lime.storage.get", key="a") is None
        assert (await send_set(page))["ok"] is True
        other = await page("lime.storage.set", key="b", value=2)
        assert other["details"]["rule"] == "operation.keep-note.dry-run"

    play(tmp_path / "data", storing(tmp_path, "dryRunRequired: true"), scene)


@pytest.mark.parametrize("demand", ["approvalRequired: true", "autoExecute: false"])
def test_an_operation_that_needs_a_person_waits_for_their_yes(tmp_path: Path, demand: str) -> None:
    async def scene(page: Bridged) -> None:
        assert (await send_set(page))["details"]["appErrorCode"] == "APP_E010"
        [question] = page.approvals.queue.open
        page.approvals.queue.answer([question.question_id], Answer(is_yes=True))
        again = await send_set(page)
        assert again["ok"] is True, again

    play(tmp_path / "data", storing(tmp_path, demand), scene)


def test_an_operation_that_needs_evidence_leaves_it_or_does_not_happen(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        kept = await send_set(page)
        listed = await page.value("lime.evidence.list", kind="capability-call")
        assert listed[0]["id"] == kept["evidenceId"]
        assert [each["message"].partition(":")[0] for each in listed] == [
            "lime.storage.set was carried out",
            "lime.storage.set is about to be carried out",
        ]
        assert f"trace:{kept['traceId']}" in listed[0]["refs"]
        assert f"evidence:{listed[1]['id']}" in listed[0]["refs"]

    play(tmp_path / "data", storing(tmp_path, "evidenceRequired: true"), scene)


def test_an_operation_that_was_not_declared_is_refused(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        refused = await send_set(page, operation="other")
        assert refused["details"]["appErrorCode"] == "APP_E005"

    play(tmp_path / "data", storing(tmp_path, "evidenceRequired: true"), scene)


@pytest.mark.requirement("APP-11", "APP-27")
def test_what_acts_leaves_evidence_and_what_reads_or_stores_for_itself_does_not(
    tmp_path: Path,
) -> None:
    async def scene(page: Bridged) -> None:
        assert "evidenceId" not in await send_set(page)
        started = await page("lime.agent.startTask", prompt="greet")
        assert "evidenceId" not in await page(
            "lime.agent.getTask", taskId=started["value"]["taskId"]
        )
        [kept] = await page.value("lime.evidence.list")
        assert (kept["id"], kept["subject"]) == (started["evidenceId"], "lime.agent.startTask")
        assert kept["provenance"]["appId"] == "notes"
        assert started["value"]["traceId"] == started["traceId"]

    engine = ScriptedEngine({"greet": says("Hi")})
    play(tmp_path / "data", storing(tmp_path), scene, engine)


@pytest.mark.requirement("APP-38", "APP-40")
@NEEDS_SANDBOX
def test_what_a_person_gives_or_refuses_leaves_evidence(tmp_path: Path) -> None:
    """A bug: choices, failures and refusals left none."""
    named = ("files", "evidence", "connectors", "terminal", "agent")
    declared = ", ".join(f"lime.{name}: '>=0.3.0'" for name in named)
    adapter = "adapter: {kind: cli, command: 'false'}, access: {read: true, write: false}"
    package = write_app(
        tmp_path,
        capabilities=f"{{{declared}}}",
        more=f"integrations: [{{key: broken, provider: POSIX, role: none, {adapter}}}]",
    )
    wanted = {"connectorId": "broken", "action": "run"}

    async def evidence(page: Bridged) -> list[str]:
        listed = await page.value("lime.evidence.list", kind="capability-call")
        return [each["message"].partition(":")[0].removeprefix("lime.") for each in listed]

    async def scene(page: Bridged) -> None:
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result((package / "APP.md",))
        picked = await page("lime.files.pick")
        assert "evidenceId" in picked
        for answer in (Answer(is_yes=True), Answer(is_yes=False)):
            assert await page.code("lime.connectors.invoke", **wanted) == "APP_E010"
            [question] = page.approvals.queue.open
            page.approvals.queue.answer([question.question_id], answer)
            await page("lime.connectors.invoke", **wanted)
        # A refusal is told at once, and recorded in its own time.
        while len(await evidence(page)) < 4:
            pass
        assert await evidence(page) == [
            "connectors.invoke was declined by the person",
            "connectors.invoke failed",
            "connectors.invoke is about to be carried out",
            "files.pick was carried out",
        ]

    play(tmp_path / "data", package, scene)


@pytest.mark.parametrize(("answer", "said"), [(NO, ""), (NEVER, " for good")])
def test_a_no_to_an_operation_is_recorded_when_it_is_said(
    tmp_path: Path, answer: Answer, said: str
) -> None:
    """A bug: of two decisions about an app's own storage the yes alone left evidence."""
    package = write_app(
        tmp_path,
        capabilities="{lime.storage: '*', lime.evidence: '*'}",
        more="storage: {namespace: notes}\n"
        "operations: [{key: send, type: storage, sideEffect: external_write, approvalRequired: true}]",
    )

    async def scene(page: Bridged) -> None:
        page.approvals.calls.wait_s = 0
        await send_set(page, operation="send")
        [question] = page.approvals.queue.open
        page.approvals.queue.answer([question.question_id], answer)
        # The page never asks again: it is recorded all the same.
        while not (kept := await page.value("lime.evidence.list", kind="capability-call")):
            pass
        [record] = kept
        assert record["message"] == f"lime.storage.set was declined by the person{said}"
        assert "operation:send" in record["refs"]

    play(tmp_path / "data", package, scene)


def test_evidence_says_declined_where_the_app_servers_result_does(tmp_path: Path) -> None:
    """Ours: a result that passes as it was written is read for what came of the call."""
    package = write_app(
        tmp_path,
        capabilities="{lime.skills: '>=0.3.0', lime.evidence: '>=0.3.0'}",
        more="skills: {references: [{id: elsewhere}]}",
        files={"skills/own/SKILL.md": "---\nname: own\ndescription: Greets.\n---\nSay hello.\n"},
    )

    async def scene(page: Bridged) -> None:
        for skill_id, status in (("own", "bound"), ("elsewhere", "denied")):
            told = await page.value("lime.skills.bind", skillId=skill_id)
            assert told["status"] == status
        listed = await page.value("lime.evidence.list", kind="capability-call")
        assert [each["message"].partition(":")[0] for each in listed] == [
            "lime.skills.bind was declined by the person",
            "lime.skills.bind was carried out",
        ]

    play(tmp_path / "data", package, scene)


def test_a_value_too_long_for_a_message_comes_by_reference(tmp_path: Path) -> None:
    output = {"text": "".join(f"文{number}" for number in range(120_000))}
    engine = ScriptedEngine({"write": says("Done", structuredOutput=output)})
    expected = {"outputFormat": {"schema": {"type": "object"}}}

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="write", expectedOutput=expected)
        asked = {"taskId": task["taskId"]}
        payload = {"capability": "lime.agent", "method": "getTask", "input": asked}
        await ended(page, task["taskId"])
        fetched = await page.send("capability:invoke", {**payload, "acceptsValueRef": True})
        assert fetched["value"] is None
        body = page.bodies.take(fetched["valueRef"]["url"])
        assert isinstance(body, OfferedValue)
        assert len(body.body) == fetched["valueRef"]["bytes"]
        assert json.loads(body.body)["result"]["output"] == output
        refused = await page.send("capability:invoke", payload)
        assert refused["details"]["appErrorCode"] == "APP_E016"
        again = page.bodies.take(refused["details"]["valueUrl"])
        assert isinstance(again, OfferedValue)

    package = write_app(tmp_path, capabilities="{lime.agent: '>=0.3.0', lime.tasks: '>=0.3.0'}")
    play(tmp_path / "data", package, scene, engine)
