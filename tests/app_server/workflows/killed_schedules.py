"""A process in which hours fly by and a schedule starts a run in each, until somebody kills it. Started again, it goes on."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tests.app_server.workflows.runs_at_work import TurnedClock
from tests.app_server.workflows.schedules_at_work import HOUR, Schedules, schedules_at_work

HOURS = 30


async def serve(folder: Path) -> None:
    """Turn the clock from hour to hour; where it stands outlives the process."""
    begin_ms, stands = TurnedClock().moment_ms, folder / "hours"
    hours = int(stands.read_text("ascii")) if stands.exists() else 0
    clock = TurnedClock()
    clock.moment_ms = begin_ms + hours * HOUR * 1_000
    more = ", missed: all, overlap: queue"
    async with schedules_at_work(folder, "every 1h", more, clock=clock) as schedules:
        if (await schedules.only())["state"] == "off":
            await schedules.allow()
        print("ready", flush=True)
        # What came while nobody was there comes first: an hour further on it would have been missed.
        await schedules.turn_on(0, hours)
        while hours < HOURS:
            hours += 1
            # Whole or not at all: the kill may come in between.
            (folder / "hours.new").write_text(str(hours), "ascii")
            (folder / "hours.new").replace(stands)
            await schedules.turn_on(HOUR, hours)
        print(json.dumps(await told(schedules)), flush=True)


async def told(schedules: Schedules) -> dict[str, Any]:
    """What is there at the end."""
    starts = await schedules.turn_on(0, HOURS)
    while any(each["outcome"] == "waiting" for each in starts):
        # Its run begins once the one before has ended.
        starts = await schedules.turn_on(0, HOURS)
    runs = await schedules.runs.ask("lime.workflow.list", limit=1_000)
    return {
        "due": [each["dueAt"] for each in starts],
        "outcomes": [each["outcome"] for each in starts],
        "named": [each.get("workflowRunId") for each in starts],
        "runs": [each["workflowRunId"] for each in runs],
    }


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
