"""A server with one app whose workflow is started when something happens, as its host and a person at it see it."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.workflows.runs_at_work import Runs, TurnedClock, runs_at_work

KEY = "flow/it"
KEEPS = """\
key: flow
inputs: { type: object }
states:
  - { key: keep, kind: storage-write, storageKey: seen, value: "${ $.input }" }
recovery: { onError: fail }
"""
ANSWERS_ITSELF = """\
key: flow
inputs: { type: object }
states:
  - { key: keep, kind: storage-write, storageKey: inbox/again, value: 1 }
recovery: { onError: fail }
"""
SCHEMA = '{"tables": [{"name": "bills", "primaryKey": "id"}]}'
DECLARED = (
    "artifactTypes: [{ key: report }]\n"
    "events: [{ key: bill.ready, direction: publish }]\n"
    "integrations:\n"
    "  - { key: shop, provider: shop, role: Orders, required: false, adapter: { kind: webhook } }\n"
)


class Triggers:
    """What a person does with the triggers of the app."""

    def __init__(self, runs: Runs, clock: Clock) -> None:
        self.runs = runs
        self._clock = clock

    async def call(self, verb: str, **params: Any) -> dict[str, Any]:
        return await self.runs.client.call(f"workflowTrigger/{verb}", {"appId": "notes", **params})

    async def ask(self, verb: str, **params: Any) -> Any:
        answer = await self.call(verb, **params)
        assert "result" in answer, answer
        return answer["result"]

    async def shown(self, key: str = KEY) -> dict[str, Any]:
        found = (await self.ask("list"))["triggers"]
        return next(each for each in found if each["key"] == key)

    async def allow(self, key: str = KEY) -> dict[str, Any]:
        terms = (await self.shown(key))["terms"]
        return (await self.ask("allow", key=key, terms=terms))["trigger"]

    async def starts(self, key: str = KEY) -> list[dict[str, Any]]:
        return (await self.ask("read", key=key))["starts"]

    async def until(
        self, holds: Callable[[list[dict[str, Any]]], bool], key: str = KEY
    ) -> list[dict[str, Any]]:
        """The starts once this holds of them, the newest first."""
        while not holds(found := await self.starts(key)):
            if isinstance(self._clock, TurnedClock):
                self._clock.turn_on(5)
        return found

    async def settled(self, count: int, key: str = KEY) -> list[dict[str, Any]]:
        """Once so many have come to an end of their beginning."""

        def is_so(found: list[dict[str, Any]]) -> bool:
            return len(found) >= count and all(each["outcome"] != "starting" for each in found)

        return await self.until(is_so, key)

    async def inputs(self, count: int) -> list[Any]:
        """What its newest runs were given, the newest first."""
        starts = await self.settled(count)
        runs = [await self.runs.ended(each["workflowRunId"]) for each in starts]
        assert {each["status"] for each in runs} == {"succeeded"}
        assert {each["trigger"] for each in runs} == {"event"}
        return [each["input"] for each in runs]

    async def set(self, key: str, value: Any = 1) -> None:
        await self.runs.ask("lime.storage.set", key=key, value=value)

    async def started(self) -> int:
        return len(await self.runs.ask("lime.workflow.list", limit=1_000))

    async def register(self, **changes: Any) -> None:
        """The host tells of the app anew."""
        told = {**self.runs.registration, "keepsSchedules": True, **changes}
        await self.runs.client.call("app/register", told)


def workflow(written: str, *triggers: str) -> str:
    lines = "".join(
        f"  - {{ key: it{number or ''}, {each} }}\n" for number, each in enumerate(triggers)
    )
    return f"{written}triggers:\n{lines}"


@asynccontextmanager
async def triggers_at_work(
    folder: Path,
    *triggers: str,
    written: str = KEEPS,
    clock: Clock | None = None,
    rules: tuple[RegisteredRule, ...] = (),
    others: Mapping[str, str] | None = None,
    scripts: Mapping[str, Script] | None = None,
) -> AsyncGenerator[Triggers]:
    """A server on this folder's data. Opened once more, it is the next process on the same data."""
    clock = clock or TurnedClock()
    further = {f"workflows/{key}.yaml": text for key, text in (others or {}).items()}
    async with runs_at_work(
        folder,
        workflow(written, *triggers),
        more=DECLARED,
        clock=clock,
        rules=rules,
        scripts=scripts,
        files={"storage/schema.json": SCHEMA, **further},
        storage="{ namespace: notes, schema: ./storage/schema.json }",
        workflows=("flow", *(others or {})),
    ) as runs:
        found = Triggers(runs, clock)
        await found.register()
        yield found
