"""lime.ui: what the window does for an app. The window here remembers what it was asked; real ones are in tests/shell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.host.bridged import Bridged
from tests.host.contracts.agent import start_task
from tests.host.contracts.contract import Contract, Given, alike
from tests.host.contracts.data import ARTIFACTS, chooses, made

_PAGE = {"dist/ui/notes.txt": "Limes"}
_MANIFEST = f"""\
{ARTIFACTS}runtimePackage: {{ui: {{path: dist/ui}}}}
entries: [{{key: main, kind: page, title: Main, route: /}}]
permissions: [{{key: web, scope: network, domains: [example.com]}}]
"""


async def _to_show(page: Bridged) -> Given:
    artifact = await made(page)
    return {"id": artifact["artifactId"]}


async def _run(page: Bridged) -> Given:
    task = await start_task(page, "wait")
    return {"taskId": task["taskId"]}


async def _shown(page: Bridged) -> Given:
    run = await _run(page)
    page.window.shown_run = "session_before"
    return run


async def _saves(page: Bridged) -> Given:
    page.window.save_path = page.folder / "saved.txt"
    return {}


def _drawer(result: str) -> Callable[[Any], bool]:
    done = {result: True, "surface": "host_agent_run", "mode": "drawer"}
    return lambda answer: answer.items() >= done.items()


_ALONE = (
    Contract("lime.ui.getLocale"),
    Contract("lime.ui.getSnapshot"),
    Contract("lime.ui.toast", {"message": "Hi"}, bad={"message": ""}),
    Contract("lime.ui.navigate", {"route": "/about"}, bad={"route": 5}),
    Contract("lime.ui.openExternal", {"url": "https://example.com/"}, bad={"url": 5}),
    Contract(
        "lime.ui.registerRoute",
        {"path": "/reports", "title": "Reports"},
        bad={"path": "reports"},
        expect=lambda answer: answer == {"registered": True, "path": "/reports"},
    ),
    Contract(
        "lime.ui.download",
        {"url": "/notes.txt", "fileName": "limes.txt"},
        bad={},
        prepare=_saves,
        expect=lambda answer: answer["downloaded"],
    ),
    Contract(
        "lime.ui.closeAgentRun",
        bad={"mode": "moon"},
        prepare=_shown,
        expect=_drawer("closed"),
    ),
)
_WITH_SERVER = (
    Contract("lime.ui.openArtifact", bad={}, prepare=_to_show, expect=lambda it: it["opened"]),
    Contract(
        "lime.ui.selectDirectory",
        {"title": "Where?"},
        bad={"title": 5},
        prepare=chooses(Path(__file__).parent),
        expect=lambda chosen: (chosen["path"], chosen["cancelled"]) == ("contracts", False),
    ),
    Contract("lime.ui.openAgentRun", bad={"mode": "moon"}, prepare=_run, expect=_drawer("opened")),
    Contract(
        "lime.ui.updateAgentRun", bad={"mode": "moon"}, prepare=_shown, expect=_drawer("updated")
    ),
)

CONTRACTS = (
    *alike(*_ALONE, manifest=_MANIFEST, files=_PAGE, needs_server=False),
    *alike(*_WITH_SERVER, manifest=_MANIFEST, files=_PAGE),
)
