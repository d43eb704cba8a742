"""States that look something up or judge it: what they come to is there for the states that follow."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.knowledge import service as knowledge_service
from tests.app_server.bounded import run
from tests.app_server.workflows.runs_at_work import outputs, runs_at_work, states

HANDBOOK = "knowledgeTemplates: [{ key: handbook, standard: agentknowledge, type: folder, runtimeMode: retrieval }]\n"
SEARCH = """\
key: flow
states:
  - { key: search, kind: knowledge-search, query: $.input, template: handbook, topK: 1, next: keep }
  - { key: keep, kind: storage-write, storageKey: found, value: "$.states.search.output.records[0].snippet" }
recovery: { onError: fail }
"""


@pytest.mark.parametrize(("query", "is_there"), [("holiday", True), ("submarine", False)])
def test_passages_are_found_in_the_apps_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, *, is_there: bool
) -> None:
    monkeypatch.setattr(knowledge_service, "LOOK_S", 60.0)
    source = tmp_path / "rules.md"
    source.write_text("# Leave\n\nEverybody has thirty days of holiday.\n")

    async def scene() -> Any:
        async with runs_at_work(tmp_path, SEARCH, more=HANDBOOK) as runs:
            bound = {"appId": "notes", "key": "handbook", "paths": [str(source)]}
            await runs.client.call("knowledge/bind", bound)
            ended = await runs.ended(await runs.start(input=query))
            assert ended["status"] == "succeeded", ended
            return await runs.kept("found")

    found = run(scene())
    assert ("thirty days" in (found or "")) is is_there


TONE = {"evals/tone.yaml": "checks: [{ check: banned-words, words: [cheap] }]\n"}
GATE = "evals: [{ key: tone, kind: safety, path: evals/tone.yaml }]\n"
JUDGE = """\
key: flow
states:
  - { key: judge, kind: eval, eval: tone, subject: $.input, next: which }
  - { key: which, kind: branch, cases: [{ when: $.states.judge.output.passed, next: good }], next: bad }
  - { key: good, kind: end }
  - { key: bad, kind: end, status: failed }
recovery: { onError: fail }
"""


@pytest.mark.parametrize(
    ("subject", "status", "last"),
    [("A fine tea.", "succeeded", "good"), ("A cheap tea.", "failed", "bad")],
)
def test_what_a_gate_says_is_no_failure_but_leads_on(
    tmp_path: Path, subject: str, status: str, last: str
) -> None:
    async def scene() -> Any:
        async with runs_at_work(tmp_path, JUDGE, files=TONE, more=GATE) as runs:
            return await runs.ended(await runs.start(input=subject))

    ended = run(scene())
    assert (ended["status"], states(ended)) == (status, ["judge", "which", last])
    assert outputs(ended)["judge"]["passed"] is (last == "good")
