"""A server with one app that has a schedule, as its host and a person at it see it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.workflows.runs_at_work import Runs, TurnedClock, runs_at_work

QUICK = """\
key: flow
inputs: { type: [string, "null"] }
states:
  - { key: keep, kind: storage-write, storageKey: seen, value: "${ $.input ?? 'nothing' }" }
recovery: { onError: fail }
"""
SLOW = """\
key: flow
states:
  - { key: look, kind: human-review, title: Look, content: words }
recovery: { onError: fail }
"""
MINUTE, HOUR, DAY = 60, 3_600, 86_400


def starting_at(*parts: int) -> TurnedClock:
    """A clock at a moment of Greenwich."""
    clock = TurnedClock()
    clock.moment_ms = round(datetime(*parts, tzinfo=UTC).timestamp() * 1_000)  # pyright: ignore[reportArgumentType] - year, month, day, …
    return clock


class Schedules:
    """What a person does with the schedules of the app."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    async def call(self, verb: str, **params: Any) -> dict[str, Any]:
        return await self.runs.client.call(f"workflowSchedule/{verb}", params)

    async def ask(self, verb: str, **params: Any) -> Any:
        answer = await self.call(verb, appId="notes", **params)
        assert "result" in answer, answer
        return answer["result"]

    async def only(self) -> dict[str, Any]:
        [found] = (await self.ask("list"))["schedules"]
        return found

    async def allowed_apps(self) -> list[str]:
        return (await self.runs.client.call("scheduledApp/list", {}))["result"]["appIds"]

    async def allow(self) -> dict[str, Any]:
        shown = await self.only()
        return (await self.ask("allow", key=shown["key"], terms=shown["terms"]))["schedule"]

    async def starts(self) -> list[dict[str, Any]]:
        return (await self.ask("read", key="daily"))["starts"]

    async def pass_by(self, seconds: float) -> list[dict[str, Any]]:
        """The starts after this time, of which none is expected; the schedule is forbidden then."""
        self.runs.clock.turn_on(seconds)
        # Waits until whoever deals with the schedule has done so.
        await self.ask("forbid", key="daily")
        return await self.starts()

    async def turn_on(self, seconds: float, until: int) -> list[dict[str, Any]]:
        """The starts once that many moments are told, of which none is on its way; the newest first."""
        self.runs.clock.turn_on(seconds)
        while True:
            found = await self.starts()
            if len(found) >= until and all(each["outcome"] != "starting" for each in found):
                return found
            self.runs.clock.turn_on(0)

    async def started(self) -> list[dict[str, Any]]:
        """The app's runs, the newest first."""
        return await self.runs.ask("lime.workflow.list")

    async def register(self, **changes: Any) -> None:
        """The host tells of the app anew."""
        await self.runs.client.call(
            "app/register", {**self.runs.registration, "keepsSchedules": True, **changes}
        )


def service(schedule: str, more: str = "") -> str:
    return (
        "services:\n"
        f'  - {{ key: daily, kind: scheduler, schedule: "{schedule}", workflow: flow{more} }}\n'
    )


@asynccontextmanager
async def schedules_at_work(
    folder: Path,
    schedule: str,
    more: str = "",
    *,
    clock: TurnedClock,
    workflow: str = QUICK,
    rules: tuple[RegisteredRule, ...] = (),
) -> AsyncGenerator[Schedules]:
    """A server on this folder's data. Opened once more, it is the next process on the same data."""
    declared = service(schedule, more)
    async with runs_at_work(folder, workflow, more=declared, clock=clock, rules=rules) as runs:
        schedules = Schedules(runs)
        await schedules.register()
        yield schedules
