"""A run comes to its end state by state, and every kind of state does what it says."""

from functools import partial
from pathlib import Path
from typing import Any

from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.bounded import run
from tests.app_server.workflows.runs_at_work import (
    RECOVERY,
    outputs,
    runs_at_work,
    states,
)

STORING = (
    """\
key: flow
inputs: { type: object, properties: { topic: { type: string } }, required: [topic] }
outputs: { kept: $.states.keep.output.key }
states:
  - { key: begin, kind: start, next: which }
  - key: which
    kind: branch
    cases: [{ when: '$.input.topic == "tea"', next: keep }]
    next: other
  - { key: keep, kind: storage-write, storageKey: "topics/${ $.input.topic }", value: { topic: $.input.topic }, next: done }
  - { key: other, kind: storage-write, storageKey: other, value: 1, next: done }
  - { key: done, kind: end }
"""
    + RECOVERY
)


def test_a_run_goes_through_its_states_and_its_effects_are_there(tmp_path: Path) -> None:
    async def scene() -> dict[str, Any]:
        async with runs_at_work(tmp_path, STORING) as runs:
            ended = await runs.ended(await runs.start(input={"topic": "tea"}))
            assert await runs.kept("topics/tea") == {"topic": "tea"}
            return ended

    ended = run(scene())
    assert states(ended) == ["begin", "which", "keep", "done"]
    assert ended["status"] == "succeeded"
    assert ended["output"] == {"kept": "topics/tea"}


def test_input_that_does_not_fit_begins_nothing(tmp_path: Path) -> None:
    async def scene() -> tuple[str, list[Any]]:
        async with runs_at_work(tmp_path, STORING) as runs:
            code = await runs.code("lime.workflow.start", key="flow", input={"topic": 1})
            return code, await runs.ask("lime.workflow.list")

    assert run(scene()) == ("APP_E014", [])


AGENT = (
    """\
key: flow
states:
  - { key: write, kind: agent-task, prompt: "Write of ${ $.input }", next: review }
  - key: review
    kind: human-review
    title: Look at it
    content: $.states.write.output
    next: { approve: keep, modify: keep, reject: write }
  - { key: keep, kind: storage-write, storageKey: post, value: $.states.review.output }
"""
    + RECOVERY
)
SCRIPTS = {"Write of tea": says("Tea is hot.")}


def test_a_person_approves_what_an_agent_wrote(tmp_path: Path) -> None:
    async def scene() -> dict[str, Any]:
        async with runs_at_work(tmp_path, AGENT, scripts=SCRIPTS) as runs:
            run_id = await runs.start(input="tea")
            waiting = await runs.waiting(run_id, "review")
            await runs.decide(waiting, "approved")
            ended = await runs.ended(run_id)
            assert await runs.kept("post") == "Tea is hot."
            return ended

    ended = run(scene())
    assert ended["steps"][1]["decision"] == "approve"
    assert ended["steps"][1]["decidedBy"] == "person"


def test_a_person_changes_what_an_agent_wrote(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, AGENT, scripts=SCRIPTS) as runs:
            run_id = await runs.start(input="tea")
            waiting = await runs.waiting(run_id, "review")
            said = {"response": '"Tea is cold."', "message": "It has stood."}
            await runs.decide(waiting, "approved", **said)
            step = (await runs.ended(run_id))["steps"][1]
            return step["decision"], step.get("note"), await runs.kept("post")

    assert run(scene()) == ("modify", "It has stood.", "Tea is cold.")


def test_a_no_leads_back_and_the_next_review_is_another_one(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, AGENT, scripts=SCRIPTS) as runs:
            run_id = await runs.start(input="tea")
            first = await runs.waiting(run_id, "review")
            await runs.decide(first, "rejected", message="too short")
            again = await runs.until(
                run_id,
                lambda run: run.get("waitsFor") == "review" and len(run["steps"]) == 4,
            )
            assert again["steps"][1]["output"] == {"decision": "reject", "note": "too short"}
            await runs.decide(again, "approved")
            return await runs.ended(run_id)

    ended = run(scene())
    assert ended["status"] == "succeeded", ended
    assert states(ended) == ["write", "review", "write", "review", "keep"]


TITLED = """\
key: flow
states:
  - key: ask
    kind: human-review
    content: { net: 5 }
    schema:
      type: object
      properties: { net: { title: Net amount, titleI18n: { zh-CN: 不含税金额 } } }
    next: { approve: end, modify: end, reject: end }
recovery: { onError: fail }
"""


def test_a_person_reads_the_fields_by_the_titles_of_the_states_schema(tmp_path: Path) -> None:
    """Ours: a review in Chinese had the names that the workflow uses for its fields."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, TITLED) as runs:
            run_id = await runs.start()
            return await runs.question(await runs.waiting(run_id, "review"))

    asked = run(scene())
    named = {"path": "net", "title": "Net amount", "byLanguage": {"zh-CN": "不含税金额"}}
    assert asked["fieldTitles"] == [named]


TRANSLATED = (
    """\
key: flow
title: Books
states:
  - { key: ask, kind: human-review, title: Decide, content: { net: 5 }, next: write }
  - { key: write, kind: artifact-create, artifactKind: note, artifactTitle: Report, content: { net: 5 } }
"""
    + RECOVERY
)
TRANSLATIONS = """\
{ "workflows": { "flow": { "title": "账目", "states": { "ask": "审核", "write": { "artifactTitle": "报告" } } } } }
"""
IN_CHINESE = (
    "i18n: { defaultLocale: zh-CN, supportedLocales: [zh-CN], translations: { zh-CN: zh.json } }\n"
)


def test_what_a_run_asks_and_makes_is_called_by_the_apps_translations(tmp_path: Path) -> None:
    """A bug: questions and documents had one title for every language, so that an author wrote two into it."""

    async def scene() -> Any:
        more = IN_CHINESE + "artifactTypes: [{ key: note }]\n"
        files = {"zh.json": TRANSLATIONS}
        async with runs_at_work(tmp_path, TRANSLATED, more=more, files=files) as runs:
            run_id = await runs.start()
            waits = await runs.waiting(run_id, "review")
            asked = await runs.question(waits)
            await runs.decide(waits, "approved")
            ended = await runs.ended(run_id)
            [made] = await runs.ask("lime.artifacts.list", kind="note")
            return ended["title"], asked["title"], made["title"]

    assert run(scene()) == ("账目", "审核", "报告")


FORM = (
    """\
key: flow
states:
  - key: who
    kind: user-input
    title: Who?
    form: { type: object, properties: { name: { type: string } }, required: [name] }
    next: keep
  - { key: keep, kind: storage-write, storageKey: who, value: $.states.who.output.name }
"""
    + RECOVERY
)


def test_what_a_person_fills_in_is_used(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, FORM) as runs:
            run_id = await runs.start()
            question = await runs.question(await runs.waiting(run_id, "input"))
            assert question["inputSchema"]["required"] == ["name"]
            await runs.respond(question, confirmed=True, userData={"name": "Ann"})
            await runs.ended(run_id)
            return await runs.kept("who")

    assert run(scene()) == "Ann"


WAITING = (
    """\
key: flow
states:
  - { key: nap, kind: wait, for: 3d, next: call }
  - { key: call, kind: wait, event: called, next: keep }
  - { key: keep, kind: storage-write, storageKey: said, value: $.states.call.output }
"""
    + RECOVERY
)


def test_a_run_waits_for_a_time_and_for_an_event(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, WAITING) as runs:
            run_id = await runs.start()
            await runs.waiting(run_id, "time")
            runs.clock.turn_on(2 * 86_400)
            assert (await runs.get(run_id))["waitsFor"] == "time"
            runs.clock.turn_on(86_400)
            await runs.waiting(run_id, "event")
            assert (
                await runs.code("lime.workflow.signal", workflowRunId=run_id, event="other")
                == "APP_E301"
            )
            await runs.ask("lime.workflow.signal", workflowRunId=run_id, event="called", data=7)
            await runs.ended(run_id)
            return await runs.kept("said")

    assert run(scene()) == 7


def test_an_input_that_does_not_fit_is_named_by_its_parts(tmp_path: Path) -> None:
    """A bug: of a form with ten fields, nobody was told which one was wrong."""
    flow = (
        "key: flow\n"
        "inputs:\n"
        "  type: object\n"
        "  required: [amount, what]\n"
        "  properties: { amount: { type: number, minimum: 0 }, what: { type: string } }\n"
        "states: [{ key: begin, kind: start, next: end }]\n"
        "recovery: { onError: fail }\n"
    )

    async def scene() -> Any:
        async with runs_at_work(tmp_path, flow) as runs:
            answer = await runs.call("lime.workflow.start", key="flow", input={"amount": -5})
            return answer["error"]["data"], await runs.ask("lime.workflow.list")

    error, begun = run(scene())
    assert (error["code"], begun) == ("APP_E014", [])
    fields = error["details"]["fields"]
    assert sorted(fields, key=lambda each: each["path"]) == [
        {"path": "input.amount", "problem": "minimum", "wanted": 0},
        {"path": "input.what", "problem": "required", "wanted": None},
    ]
    assert "`amount` must be at least 0" in error["message"]
    assert "`what` is needed" in error["message"]
    assert "-5" not in error["message"], "what was given may be a secret"


PARALLEL = (
    """\
key: flow
states:
  - { key: each, kind: parallel, over: $.input, do: double, next: keep }
  - { key: double, kind: storage-write, storageKey: "n/${ $.item }", value: $.item, next: mark }
  - { key: mark, kind: evidence-record, event: marked, data: "${ $.states.double.output.value }" }
  - { key: keep, kind: storage-write, storageKey: all, value: "${ length($.states.each.output) }" }
"""
    + RECOVERY
)


def test_every_item_of_a_list_has_a_way_of_its_own(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, PARALLEL) as runs:
            ended = await runs.ended(await runs.start(input=[1, 2, 3]))
            return (
                ended,
                [await runs.kept(f"n/{number}") for number in (1, 2, 3)],
                await runs.kept("all"),
            )

    ended, kept, count = run(scene())
    assert (kept, count) == ([1, 2, 3], 3)
    assert [each["message"] for each in outputs(ended)["each"]] == ["1", "2", "3"]


FEW_AT_ONCE = """\
key: flow
states:
  - { key: each, kind: parallel, over: $.input, do: nap, limit: 2, join: all, next: keep }
  - { key: nap, kind: wait, for: 10s, next: one }
  - { key: one, kind: storage-write, storageKey: "n/${ $.item }", value: $.item }
  - { key: keep, kind: storage-write, storageKey: all, value: "${ length($.states.each.output) }" }
recovery: { onError: fail }
"""


def napping(details: dict[str, Any]) -> list[str]:
    return [each["status"] for each in details["steps"] if each["state"] == "nap"]


def test_a_limit_is_of_how_many_at_once_and_leaves_no_item_out(tmp_path: Path) -> None:
    """A bug: of five rows and a limit of four, the fifth was left out, and the run had succeeded."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, FEW_AT_ONCE) as runs:
            run_id = await runs.start(input=[1, 2, 3, 4, 5])
            seen: list[list[str]] = []
            for count in (2, 4, 5):
                seen.append(napping(await runs.until(run_id, partial(_nap, count=count))))
                runs.clock.turn_on(10)
            ended = await runs.ended(run_id)
            return ended["status"], seen, outputs(ended)["each"], await runs.kept("all")

    status, seen, each, count = run(scene())
    done, waits = "succeeded", "waiting"
    assert seen == [[waits] * 2, [done] * 2 + [waits] * 2, [done] * 4 + [waits]]
    assert (status, [one["value"] for one in each], count) == ("succeeded", [1, 2, 3, 4, 5], 5)


def _nap(details: dict[str, Any], count: int) -> bool:
    naps = napping(details)
    return len(naps) == count and set(naps[-2 if count < 5 else -1 :]) == {"waiting"}


def test_a_list_with_more_items_than_a_state_takes_is_refused_before_any_is_begun(
    tmp_path: Path,
) -> None:
    """A bug: what was over a thousand was left out."""
    flow = FEW_AT_ONCE.replace("limit: 2, join: all, ", "")

    async def scene() -> Any:
        async with runs_at_work(tmp_path, flow) as runs:
            return await runs.ended(await runs.start(input=list(range(1_001))))

    ended = run(scene())
    assert (ended["status"], states(ended)) == ("failed", ["each"])
    assert ended["error"]["code"] == "too_many_items"


def test_a_start_with_a_key_is_one_run(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, FORM) as runs:
            first = await runs.start(idempotencyKey="once")
            again = await runs.start(idempotencyKey="once")
            listed = await runs.ask("lime.workflow.list")
            other = await runs.code(
                "lime.workflow.start", key="flow", idempotencyKey="once", input=1
            )
            return first == again, len(listed), other

    assert run(scene()) == (True, 1, "APP_E905")


def test_a_run_is_cancelled_while_it_waits(tmp_path: Path) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, FORM) as runs:
            run_id = await runs.start()
            question = await runs.question(await runs.waiting(run_id, "input"))
            await runs.ask("lime.workflow.cancel", workflowRunId=run_id)
            return await runs.get(run_id), await runs.questions(question["sessionId"])

    ended, pending = run(scene())
    assert (ended["status"], ended["steps"][0]["status"], pending) == ("cancelled", "cancelled", [])


REJECTED = """\
key: flow
states:
  - { key: ask, kind: human-review, content: words, next: { approve: end, modify: end, reject: note } }
  - { key: note, kind: storage-write, storageKey: text, value: 1, next: refused }
  - { key: refused, kind: end, status: cancelled }
recovery: { onError: fail }
"""


def test_a_run_that_a_rejection_ended_says_so(tmp_path: Path) -> None:
    """A bug: an invoice that a person had rejected was listed as canceled."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, REJECTED) as runs:
            no, stopped = await runs.start(), await runs.start()
            await runs.decide(await runs.waiting(no, "review"), "rejected", message="not ours")
            ended = await runs.ended(no)
            await runs.waiting(stopped, "review")
            await runs.ask("lime.workflow.cancel", workflowRunId=stopped)
            told = [ended, await runs.get(stopped)]
            return [(each["status"], each.get("decision")) for each in told], ended["steps"][0]

    stands, step = run(scene())
    assert stands == [("cancelled", "reject"), ("cancelled", None)]
    assert step["note"] == "not ours"


ENDING = """\
key: flow
states:
  - { key: ask, kind: human-review, content: words, next: { approve: end, modify: end, reject: keep } }
  - { key: keep, kind: storage-write, storageKey: text, value: 1, next: end }
recovery: { onError: fail }
"""


def test_what_leads_to_the_end_ends_the_run_without_a_state_of_that_name(tmp_path: Path) -> None:
    """A bug: every example of the guide leads there, and such a run never ended."""

    async def scene() -> Any:
        async with runs_at_work(tmp_path, ENDING) as runs:
            yes, no = await runs.start(), await runs.start()
            await runs.decide(await runs.waiting(yes, "review"), "approved")
            await runs.decide(await runs.waiting(no, "review"), "rejected")
            return [states(await runs.ended(each)) for each in (yes, no)]

    assert run(scene()) == [["ask"], ["ask", "keep"]]
