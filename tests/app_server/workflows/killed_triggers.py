"""A process that sets one key after another, each of which is to start a run, until somebody kills it. Started again, it goes on."""

import asyncio
import json
import secrets
import sys
from pathlib import Path
from typing import Any

from lime_desktop.app_server.workflows.clock import SystemClock
from tests.app_server.workflows.triggers_at_work import KEY, Triggers, triggers_at_work

INBOX = 'on: storage, prefix: "inbox/"'
MOST = 50
"""Keys, whoever set them: fewer than an app may start runs for at once, so that none has to wait."""


async def serve(folder: Path, *, is_end: bool) -> None:
    """Say of each key that it was kept, or at the end, what became of all."""
    async with triggers_at_work(folder, INBOX, clock=SystemClock()) as triggers:
        if (await triggers.shown())["state"] == "off":
            await triggers.allow()
        print("ready", flush=True)
        if is_end:
            print(json.dumps(await ended(triggers)), flush=True)
            return
        kept = await triggers.runs.ask("lime.storage.list")
        for _ in range(MOST - len(kept)):
            key = f"inbox/{secrets.token_hex(6)}"
            await triggers.set(key)
            print(key, flush=True)


async def ended(triggers: Triggers) -> dict[str, Any]:
    """What is there once nothing waits any more."""
    await triggers.set("inbox/last")
    while True:
        starts = await _all(triggers)
        runs = await triggers.runs.ask("lime.workflow.list", limit=1_000)
        given = [(await triggers.runs.get(each["workflowRunId"]))["input"]["key"] for each in runs]
        if "inbox/last" in given and all(each["outcome"] != "starting" for each in starts):
            break
    return {
        "outcomes": [each["outcome"] for each in starts],
        "waiting": sum(each["outcome"] == "starting" for each in starts),
        "runs": [each["workflowRunId"] for each in starts],
        "keys": given,
    }


async def _all(triggers: Triggers) -> list[dict[str, Any]]:
    return (await triggers.ask("read", key=KEY, limit=1_000))["starts"]


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), is_end=len(sys.argv) > 2))
