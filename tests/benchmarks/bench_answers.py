"""Are answers from a person's own documents good, or honestly not given? Run by hand: ``python -m tests.benchmarks.bench_answers``.

Ten questions on ten documents, the kept ones in ``answers/``, asked of a real App Server as an app asks: the passages
are searched, then a task answers from them. Without a model the passages are what a person sees. Every answer that is
shown is held against what the document says. Arguments choose who answers: ``none``, the name of installed weights
(``smollm2-135m``, ``qwen2.5-coder-1.5b``), or ``PROVIDER_URL MODEL`` of a server on this machine; without any, none and
every installed model.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.models.store import PLACE_VARIABLE, ModelStore, default_folder
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.agent_tasks import (
    READ_AGENT_TASK,
    READ_TASK_EVENTS,
    AppTaskParams,
    ReadTaskEventsParams,
)
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    CreateProviderParams,
    ProviderModel,
    ProviderSettings,
)
from lime_desktop.protocol.calls.models import PREFER_MODEL, ModelChoice, PreferModelParams
from lime_desktop.protocol.capability_calls.agent import START_TASK
from lime_desktop.protocol.capability_calls.knowledge import (
    SEARCH_KNOWLEDGE,
    KnowledgeSearchParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.provenance import Provenance
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.knowledge.indexed import bind_and_index

KEPT = Path(__file__).parent / "answers"
APP = AppId("reader")
MORE = """\
entries: [{key: ask, kind: command, title: Ask, command: /ask}]
knowledgeTemplates: [{key: folder, standard: agentknowledge, type: reference, required: false, runtimeMode: retrieval}]
permissions:
  - {key: ask, scope: model, access: execute, reason: Answers}
"""
CAPABILITIES = "{lime.agent: '*', lime.knowledge: '*'}"
PROVENANCE = Provenance(
    app_id=APP,
    app_name=APP,
    app_version="1.2.3",
    package_hash="",
    manifest_hash="",
    standard_version="0.10.0",
)
SEEN = ("right", "honest refusal", "passages only", "wrong", "nonsense")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person sees after one question."""

    verdict: str
    words: str
    took_s: float


async def ask(call: CallServer, question: str) -> tuple[str, str, tuple[str, ...]]:
    """How the task ended, what it said, and the passages that stand beside it either way."""
    asked = KnowledgeSearchParams(query=question, template="folder", top_k=8)
    passages = await call_for_app(call, AppCaller(provenance=PROVENANCE), SEARCH_KNOWLEDGE, asked)
    found = tuple(each.snippet for each in passages.records)
    request: JsonObject = {
        "title": question,
        "taskKind": "ask-folder",
        "prompt": question,
        "knowledge": ["folder"],
        "expectedOutput": {"grounded": True},
    }
    try:
        caller = AppCaller(provenance=PROVENANCE)
        started = await call_for_app(call, caller, START_TASK, START_TASK.check_params(request))
    except AppError as error:
        return str(error.details.get("reasonCode", error.code)), "", found
    task = AppTaskParams(app_id=APP, task_id=started.task_id)
    last = 0
    while True:
        told = await call(
            READ_TASK_EVENTS,
            ReadTaskEventsParams(
                app_id=APP, task_id=task.task_id, after_sequence=last, limit=500, wait_ms=20_000
            ),
            timeout_s=60,
        )
        last = told.events[-1].sequence if told.events else last
        if told.has_ended:
            break
    record = (await call(READ_AGENT_TASK, task)).task
    assert record is not None
    assert record.result is not None
    error = record.result.error
    said = error.message if error else record.result.text.strip()
    return (error.code if error else "success"), said, found


def judge(ended: str, said: str, passages: tuple[str, ...], row: dict[str, object]) -> str:
    """What it was worth to a person; `wrong` and `nonsense` are answers that were shown and should not have been."""
    expected = [str(each).lower() for each in row["expected"]]  # type: ignore[union-attr]
    if ended != "success":
        shown = " ".join(passages).lower()
        helps = not expected or any(each in shown for each in expected)
        return "passages only" if helps and passages else "honest refusal"
    text = said.lower()
    if expected and any(each in text for each in expected):
        return "right"
    refuses = any(
        each in text
        for each in (
            "not say",
            "don't know",
            "not mention",
            "no information",
            "没有",
            "unknown",
            "not found",
        )
    )
    if refuses:
        return "honest refusal"
    shares = set(text.split()) & set(" ".join(passages).lower().split())
    return "wrong" if len(shares) > 3 else "nonsense"


async def measure(name: str, address: str | None = None) -> list[Seen]:
    questions = json.loads((KEPT / "questions.json").read_text(encoding="utf-8"))
    seen: list[Seen] = []
    with tempfile.TemporaryDirectory() as folder:
        package = write_app(
            Path(folder),
            APP,
            capabilities=CAPABILITIES,
            more=MORE,
        )
        place = Path(folder) / "no-models" if name == "none" else default_folder()
        os.environ[PLACE_VARIABLE] = str(place)
        sidecar = await Sidecar.start(app_server_command(Path(folder) / "data"))
        call = sidecar.connection.call
        await call(REGISTER_APP, registration(package, grants=("ask",)))
        await bind_and_index(call, APP, "folder", KEPT / "documents")
        await choose(call, name, address)
        for row in questions:
            began = time.perf_counter()
            ended, said, passages = await ask(call, row["question"])
            verdict = judge(ended, said, passages, row)
            words = said or ended
            seen.append(Seen(verdict, words, time.perf_counter() - began))
            print(f"  {verdict:15} {row['question'][:44]:46} {words[:90]!r}", flush=True)
        await sidecar.stop()
    return seen


async def choose(call: CallServer, name: str, address: str | None) -> None:
    """Have this one answer, as a person would choose it; a demo answers only who chose it."""
    if address is not None:
        settings = ProviderSettings(
            title="Server",
            protocol="openai-compatible",
            base_url=address,
            needs_key=False,
            models=(ProviderModel(model_id=name),),
        )
        await call(CREATE_PROVIDER, CreateProviderParams(provider_id="server", settings=settings))
        choice = ModelChoice(provider_id="server", model_id=name)
    elif name in {"none", "by default"}:
        return
    else:
        choice = ModelChoice(provider_id="embedded", model_id=name)
    await call(PREFER_MODEL, PreferModelParams(model=choice))


def main() -> None:
    arguments = sys.argv[1:]
    runs: list[tuple[str, str | None]]
    if arguments and arguments[0].startswith("http"):
        runs = [(arguments[1], arguments[0])]
    else:
        here = [each.record.model_id for each in ModelStore(default_folder()).installed()]
        runs = [(name, None) for name in arguments or ["none", *here]]
    table: list[tuple[str, Counter[str], float]] = []
    here_now = default_folder()
    for name, address in runs:
        print(name)
        os.environ[PLACE_VARIABLE] = str(here_now)
        seen = asyncio.run(measure(name, address))
        typical = sorted(each.took_s for each in seen)[len(seen) // 2]
        table.append((name, Counter(each.verdict for each in seen), typical))
    print("\n| model | " + " | ".join(SEEN) + " | typical s |\n|---|" + "---|" * (len(SEEN) + 1))
    for name, counted, typical in table:
        cells = " | ".join(str(counted[each]) for each in SEEN)
        print(f"| {name} | {cells} | {typical:.1f} |")


if __name__ == "__main__":
    main()
