"""Workflows start when something happens, as far as a person allowed it (ours: the issue demands it, the standard knows none)."""

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from lime_desktop.app_server.workflows.clock import SystemClock
from lime_desktop.app_server.workflows.triggers.limits import EVERY_MS, MOST_AT_ONCE
from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.bounded import run
from tests.app_server.for_apps import envelope
from tests.app_server.workflows import killed_triggers
from tests.app_server.workflows.runs_at_work import TurnedClock
from tests.app_server.workflows.triggers_at_work import ANSWERS_ITSELF, KEY, triggers_at_work

INBOX = 'on: storage, prefix: "inbox/"'
NEVER = RegisteredRule.model_validate(
    {
        "id": "org.never",
        "layer": "organisation",
        "source": "acme",
        "text": "Nothing starts here.",
        "effect": "deny",
        "when": {"capabilities": ("lime.workflow",), "methods": ("start",)},
    }
)


def outcomes(starts: list[dict[str, Any]]) -> list[str]:
    return [each["outcome"] for each in starts]


def test_nothing_starts_by_an_event_before_a_person_agreed(tmp_path: Path) -> None:
    """And what happened before they did starts nothing afterwards."""

    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX) as triggers:
            await triggers.set("inbox/before")
            shown = await triggers.shown()
            allowed = await triggers.allow()
            before = await triggers.starts(), await triggers.started()
            return shown["state"], allowed["state"], before

    assert run(scene()) == ("off", "on", ([], 0))


def test_a_key_that_is_set_starts_a_run_with_the_change_as_its_input(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX) as triggers:
            await triggers.allow()
            await triggers.set("elsewhere", 0)
            await triggers.set("inbox/one", {"sum": 12})
            given = await triggers.inputs(1)
            apps = await triggers.runs.client.call("scheduledApp/list", {})
            return given, apps["result"]["appIds"], (await triggers.shown())["last"]["outcome"]

    [given], apps, last = run(scene())
    at = given.pop("at")
    assert at.startswith("2027-01-15T")
    assert given == {
        "trigger": "it",
        "event": "storage",
        "change": "set",
        "key": "inbox/one",
        "value": {"sum": 12},
    }
    assert (apps, last) == (["notes"], "started")


def test_rows_start_runs_by_the_changes_that_are_meant(tmp_path: Path) -> None:
    async def scene() -> Any:
        wanted = "on: storage, table: bills, changes: [insert, delete]"
        async with triggers_at_work(tmp_path, wanted) as triggers:
            await triggers.allow()
            ask = triggers.runs.ask
            await ask("lime.storage.tableInsert", table="bills", row={"id": "a", "sum": 1})
            await ask("lime.storage.tableUpdate", table="bills", id="a", changes={"sum": 2})
            await ask("lime.storage.tableUpsert", table="bills", row={"id": "b", "sum": 3})
            await ask("lime.storage.tableDelete", table="bills", id="a")
            return await triggers.inputs(3)

    given: list[dict[str, Any]] = run(scene())
    told = sorted((each["change"], each["id"], "row" in each) for each in given)
    assert told == [("delete", "a", False), ("insert", "a", True), ("insert", "b", True)]
    sums = {each["row"]["sum"] for each in given if "row" in each}
    assert sums == {1, 3}


def test_a_topic_of_the_app_starts_a_run(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with triggers_at_work(tmp_path, "on: topic, topic: bill.ready") as triggers:
            await triggers.allow()
            other = await triggers.ask("topicTold", eventId="e1", topic="bill.other", payload=1)
            told = {"eventId": "e2", "topic": "bill.ready", "payload": {"sum": 3}}
            meant = await triggers.ask("topicTold", **told)
            return other["isMeant"], meant["isMeant"], await triggers.inputs(1)

    other, meant, [given] = run(scene())
    assert (other, meant) == (False, True)
    assert (given["topic"], given["payload"]) == ("bill.ready", {"sum": 3})


def test_a_new_deliverable_starts_a_run(tmp_path: Path) -> None:
    async def scene() -> Any:
        wanted = "on: artifact, artifact: report"
        async with triggers_at_work(tmp_path, wanted, clock=SystemClock()) as triggers:
            await triggers.allow()
            made = await triggers.runs.ask(
                "lime.artifacts.create", kind="report", title="March", content={"sum": 3}
            )
            return made["id"], await triggers.inputs(1)

    artifact_id, [given] = run(scene())
    told = {name: given[name] for name in ("artifactId", "kind", "title", "version")}
    assert told == {"artifactId": artifact_id, "kind": "report", "title": "March", "version": 1}


def test_a_message_from_outside_starts_a_run_and_leaves_the_queue(tmp_path: Path) -> None:
    def send(url: str) -> int:
        headers = {"Content-Type": "application/json"}
        request = Request(url, b'{"order": 7}', headers, method="POST")  # noqa: S310 - the server's own address
        with urlopen(request, timeout=20) as answer:  # noqa: S310 - likewise
            return answer.status

    async def scene() -> Any:
        wanted = "on: webhook, integration: shop"
        async with triggers_at_work(tmp_path, wanted, clock=SystemClock()) as triggers:
            allowed = await triggers.allow()
            client = triggers.runs.client
            named = {"appId": "notes", "connectorId": "shop"}
            switched = await client.call("webhook/switch", {**named, "isOn": True})
            assert "result" in switched, switched
            needs = (await triggers.shown()).get("needs")
            await asyncio.to_thread(send, switched["result"]["webhook"]["url"])
            given = await triggers.inputs(1)
            queued = await client.call("webhook/list", {"appId": "notes"})
            return allowed["needs"], needs, given, queued["result"]["webhooks"][0]["queued"]

    before, after, [given], queued = run(scene())
    assert (before, after) == ("webhook", None)
    assert (given["integration"], given["body"], queued) == ("shop", {"order": 7}, 0)


def test_a_file_that_arrives_in_an_opened_folder_starts_a_run_once_it_is_whole(
    tmp_path: Path,
) -> None:
    """What was there before, what is on its way, and what has another ending start nothing."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "old.pdf").write_text("old", "utf-8")

    async def scene() -> Any:
        async with triggers_at_work(tmp_path, 'on: folder, files: "*.PDF"') as triggers:
            needs = (await triggers.allow())["needs"]
            granted = {"appId": "notes", "paths": [str(inbox)], "isPersistent": True}
            opened = await triggers.runs.client.call("file/grant", granted)
            while not (shown := await triggers.shown())["folders"]:
                pass
            # Looked at twice, so that what was there is known.
            for _ in range(20):
                triggers.runs.clock.turn_on(5)
                await triggers.starts()
            (inbox / "bill.pdf").write_text("new", "utf-8")
            (inbox / "bill.txt").write_text("new", "utf-8")
            (inbox / "next.pdf.part").write_text("ne", "utf-8")
            given = await triggers.inputs(1)
            return needs, shown["folders"], opened["result"]["files"][0]["ref"], given

    needs, folders, ref, given = run(scene())
    assert (needs, folders) == ("folder", [str(inbox.resolve())])
    assert [(each["ref"], each["path"], each["sizeBytes"]) for each in given] == [
        (ref, "bill.pdf", 3)
    ]


def test_a_file_that_came_while_nobody_was_there_starts_its_run_afterwards(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    clock = TurnedClock()

    async def allow() -> None:
        async with triggers_at_work(tmp_path, "on: folder", clock=clock) as triggers:
            granted = {"appId": "notes", "paths": [str(inbox)], "isPersistent": True}
            await triggers.runs.client.call("file/grant", granted)
            await triggers.allow()

    async def come_back() -> Any:
        async with triggers_at_work(tmp_path, "on: folder", clock=clock) as triggers:
            return [each["name"] for each in await triggers.inputs(1)]

    run(allow())
    (inbox / "bill.pdf").write_text("new", "utf-8")
    assert run(come_back()) == ["bill.pdf"]


def test_a_run_starts_nothing_of_its_own_workflow(tmp_path: Path) -> None:
    """Or an app that writes where it listens would go on for ever."""

    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX, written=ANSWERS_ITSELF) as triggers:
            await triggers.allow()
            await triggers.set("inbox/one")
            starts = await triggers.settled(2)
            return outcomes(starts), await triggers.started()

    assert run(scene()) == (["looped", "started"], 1)


def test_two_workflows_do_not_start_each_other_for_ever(tmp_path: Path) -> None:
    """The cause is followed back over runs that events started."""
    there = ANSWERS_ITSELF.replace("inbox/again", "other/again")
    back = ANSWERS_ITSELF.replace("key: flow", "key: back", 1)
    back += 'triggers:\n  - { key: it, on: storage, prefix: "other/" }\n'

    async def scene() -> Any:
        others = {"back": back}
        async with triggers_at_work(tmp_path, INBOX, written=there, others=others) as triggers:
            await triggers.allow()
            await triggers.allow("back/it")
            await triggers.set("inbox/one")
            there_starts = await triggers.settled(2)
            return outcomes(there_starts), outcomes(await triggers.starts("back/it"))

    assert run(scene()) == (["looped", "started"], ["started"])


def test_an_agent_of_a_run_starts_nothing_of_its_workflow(tmp_path: Path) -> None:
    """What an agent writes is its task's doing, and the task works in a step of the run."""
    asks = (
        "key: flow\n"
        "inputs: { type: object }\n"
        "states:\n"
        '  - { key: write, kind: agent-task, prompt: "Write of tea" }\n'
        "recovery: { onError: fail }\n"
    )

    async def scene() -> Any:
        scripts = {"Write of tea": says("Tea is hot.")}
        args = (tmp_path, INBOX)
        async with triggers_at_work(*args, written=asks, scripts=scripts) as triggers:
            await triggers.allow()
            await triggers.set("inbox/one")
            [start] = await triggers.settled(1)
            ended = await triggers.runs.ended(start["workflowRunId"])
            written = envelope("notes", "lime.storage.set", key="inbox/two", value=1)
            written["caller"]["provenance"]["taskId"] = ended["steps"][0]["taskId"]
            await triggers.runs.client.call("app/call", written)
            return outcomes(await triggers.settled(2)), await triggers.started()

    assert run(scene()) == (["looped", "started"], 1)


def test_what_a_rule_forbids_is_told_and_not_started(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX, rules=(NEVER,)) as triggers:
            await triggers.allow()
            await triggers.set("inbox/one")
            [start] = await triggers.settled(1)
            return start["outcome"], start["code"], await triggers.started()

    assert run(scene()) == ("refused", "APP_E002", 0)


def test_an_input_that_the_workflow_does_not_take_is_told(tmp_path: Path) -> None:
    strict = (
        "key: flow\n"
        "inputs: { type: object, properties: { value: { type: object } }, required: [value] }\n"
        "states:\n"
        '  - { key: keep, kind: storage-write, storageKey: seen, value: "${ $.input }" }\n'
        "recovery: { onError: fail }\n"
    )

    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX, written=strict) as triggers:
            await triggers.allow()
            await triggers.set("inbox/one", "words")
            await triggers.set("inbox/two", {"fits": True})
            return outcomes(await triggers.settled(2))

    assert sorted(run(scene())) == ["failed", "started"]


def test_a_paused_trigger_starts_nothing_by_what_happens_meanwhile(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX) as triggers:
            await triggers.allow()
            paused = (await triggers.ask("pause", key=KEY))["trigger"]["state"]
            await triggers.set("inbox/meanwhile")
            triggers.runs.clock.turn_on(1)
            resumed = (await triggers.ask("resume", key=KEY))["trigger"]["state"]
            triggers.runs.clock.turn_on(1)
            await triggers.set("inbox/after")
            return paused, resumed, [each["key"] for each in await triggers.inputs(1)]

    assert run(scene()) == ("paused", "on", ["inbox/after"])


def test_another_event_in_an_update_asks_anew(tmp_path: Path) -> None:
    clock = TurnedClock()

    async def first() -> Any:
        async with triggers_at_work(tmp_path, INBOX, clock=clock) as triggers:
            return (await triggers.allow())["state"]

    async def then() -> Any:
        async with triggers_at_work(tmp_path, INBOX, clock=clock) as triggers:
            await triggers.set("inbox/one")
            shown = await triggers.shown()
            stale = await triggers.call("allow", key=KEY, terms="another")
            return shown["state"], await triggers.starts(), stale["error"]["data"]["code"]

    state = run(first())
    flow = tmp_path / "notes" / "workflows" / "flow.yaml"
    flow.write_text(flow.read_text("utf-8").replace("inbox/", "in"), "utf-8")
    assert (state, run(then())) == ("on", ("changed", [], "APP_E905"))


def test_an_app_starts_so_many_at_once_and_the_rest_waits(tmp_path: Path) -> None:
    """Nothing is lost: what waits is started as time goes by."""
    many = MOST_AT_ONCE + 3

    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX) as triggers:
            await triggers.allow()
            for number in range(many):
                await triggers.set(f"inbox/{number:03}")
            while len(await _all(triggers)) < MOST_AT_ONCE:
                pass
            await triggers.set("elsewhere")
            at_once = len(await _all(triggers))
            while outcomes(await _all(triggers)) != ["started"] * many:
                triggers.runs.clock.turn_on(EVERY_MS / 1_000)
            return at_once, await triggers.started()

    async def _all(triggers: Any) -> list[Any]:
        return (await triggers.ask("read", key=KEY, limit=1_000))["starts"]

    assert run(scene()) == (MOST_AT_ONCE, many)


def test_what_was_allowed_goes_with_the_data_of_the_app(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with triggers_at_work(tmp_path, INBOX) as triggers:
            await triggers.allow()
            removed = await triggers.runs.client.call("appData/remove", {"appId": "notes"})
            assert "result" in removed, removed
            apps = await triggers.runs.client.call("scheduledApp/list", {})
            return (await triggers.shown())["state"], apps["result"]["appIds"]

    assert run(scene()) == ("off", [])


def test_each_change_has_one_run_however_often_the_server_is_killed(tmp_path: Path) -> None:
    """Between the change and its run nothing is lost, and nothing starts twice. LIME_KILLS=100 for the long form."""
    kills = int(os.environ.get("LIME_KILLS", "5"))
    moments = random.Random(kills)  # noqa: S311 - any moments will do, and the same each time
    command = [sys.executable, "-m", killed_triggers.__name__, str(tmp_path)]
    told: list[str] = []
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603 - ours
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            try:
                child.wait(moments.uniform(0.01, 0.4))
            except subprocess.TimeoutExpired:
                child.kill()
            told += [line.strip() for line in child.stdout if line.endswith("\n")]
    done = subprocess.run(  # noqa: S603 - ours
        [*command, "end"], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    ended: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert set(ended["outcomes"]) == {"started"}
    assert ended["waiting"] == 0
    assert len(ended["runs"]) == len(set(ended["runs"])) == len(ended["outcomes"])
    assert set(told) <= set(ended["keys"])
    assert len(ended["keys"]) == len(set(ended["keys"]))
