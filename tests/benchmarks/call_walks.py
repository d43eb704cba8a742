"""Which files does a call pass through? Follows four calls and prints every module they enter, in order.

Run ``python -m tests.benchmarks.call_walks``. Page, host and App Server stand in one process, joined by the in-memory
transport, so that one profiler sees all of them; what lies in front (the page, the relay, the window) is not counted.
Of the files that are entered some carry the call or decide about it: those a reader has to follow, and they are marked.
The others are leaves: they are asked for one thing by their name, give it, and hand nothing on.
The architecture page (packaging/docs/architecture.md) tells these walks in words.
"""

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import FrameType

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.host.approvals.question import Answer
from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_RUN_CHANGED
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.capabilities.test_task_streams import subscribed, told_until_the_end
from tests.host.requests.test_call_life import storing

ROOT = "/lime_desktop/"
LEAVES = (
    "app_package/credentials.py",
    "app_server/runtime_core/identities.py",
    "app_server/server/fan_out.py",
    "background/",
    "host/apps/",
    "host/bridge/timeline.py",
    "host/capabilities/handler.py",
    "host/requests/view_snapshots.py",
    "host/view/subscriptions.py",
    "jsonrpc/messages.py",
    "jsonrpc/outbox.py",
    "protocol/",
    "policy/called.py",
)
"""Files and rooms that a stored value enters as leaves: shapes and texts of messages, lookups, clocks, who hears of it."""

_FLOW = """\
key: flow
states:
  - { key: keep, kind: storage-write, storageKey: said, value: 1, next: done }
  - { key: done, kind: end }
recovery: { onError: fail, onTimeout: fail }
"""


class Walk:
    """The modules that were entered while somebody looked, with the functions of each."""

    def __init__(self) -> None:
        self.entered: dict[str, list[str]] = {}
        self.is_watching = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """What the interpreter calls for every function that begins."""
        if not self.is_watching or event != "call":
            return
        _, found, module = frame.f_code.co_filename.rpartition(ROOT)
        if found:
            functions = self.entered.setdefault(module, [])
            name = frame.f_code.co_qualname.replace(".<locals>", "")
            if name not in functions:
                functions.append(name)


def carriers(entered: Iterable[str]) -> list[str]:
    """The files that carry a stored value or decide about it."""
    return [module for module in entered if not module.startswith(LEAVES)]


Step = Callable[[Bridged], Awaitable[object]]


async def storage_set(page: Bridged) -> object:
    """A value from a page into the app's database."""
    return await page.value("lime.storage.set", key="k", value={"text": "Hello", "tags": [1]})


async def agent_task(page: Bridged) -> object:
    """A task from a page to an engine, and its events back to the page until the result."""
    task = await page.value("lime.agent.startTask", prompt="greet")
    await subscribed(page, task["taskId"])
    return await told_until_the_end(page)


async def approval(page: Bridged) -> object:
    """A call that needs a person: the question, the yes, and the same call again."""
    wanted = {"key": "k", "value": 1}
    assert await page.code("lime.storage.set", **wanted) == "APP_E010"
    [question] = page.approvals.queue.open
    page.approvals.queue.answer([question.question_id], Answer(is_yes=True))
    return await page.value("lime.storage.set", **wanted)


async def workflow_run(page: Bridged) -> object:
    """A run of a workflow with one state that acts, from a page's call until it has ended."""
    has_moved = asyncio.Event()
    leave = page.connection.listen(WORKFLOW_RUN_CHANGED, lambda _: has_moved.set())
    run = await page.value("lime.workflow.start", key="flow")
    while "finishedAt" not in run:
        await has_moved.wait()
        has_moved.clear()
        run = await page.value("lime.workflow.get", workflowRunId=run["workflowRunId"])
    leave()
    assert run["status"] == "succeeded", run
    return run


def _with_process(folder: Path) -> Path:
    return write_app(
        folder,
        capabilities="{lime.storage: '*', lime.workflow: '*'}",
        more="storage: {namespace: notes}\nworkflows: [{key: flow, path: workflows/flow.yaml}]",
        files={"workflows/flow.yaml": _FLOW},
    )


WALKS: Mapping[str, tuple[Step, Callable[[Path], Path]]] = {
    "lime.storage.set": (storage_set, storing),
    "an agent's task": (agent_task, storing),
    "an approval": (approval, partial(storing, demand="approvalRequired: true")),
    "a workflow's run": (workflow_run, _with_process),
}
"""What is done, and by an app with which package."""


def follow(step: Step, package: Callable[[Path], Path]) -> Walk:
    """Walk once unseen, so that everything is open and loaded, and once watched."""
    walk = Walk()

    async def scene(page: Bridged) -> None:
        await step(page)
        await asyncio.sleep(0)
        walk.is_watching = True
        await step(page)
        walk.is_watching = False

    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        with tempfile.TemporaryDirectory() as folder:
            play(Path(folder, "data"), package(Path(folder)), scene, _engine())
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return walk


def _engine() -> ScriptedEngine:
    return ScriptedEngine({"greet": says("Hello")})


def main() -> None:
    """Print each walk: how many files in which room, then the files with what they did."""
    for title, (step, package) in WALKS.items():
        entered = follow(step, package).entered
        rooms = Counter(module.partition("/")[0] for module in entered)
        followed = carriers(entered)
        print(f"\n{title}: {len(entered)} files ({_counted(rooms)}), {len(followed)} to follow")
        for number, (module, functions) in enumerate(entered.items(), start=1):
            mark = "→" if module in followed else " "
            print(f"{number:>4} {mark} {module:<52}{', '.join(functions[:3])}")


def _counted(rooms: Mapping[str, int]) -> str:
    return ", ".join(f"{room} {count}" for room, count in rooms.items())


if __name__ == "__main__":
    main()
