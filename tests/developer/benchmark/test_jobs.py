"""A benchmark that is stopped at the worst moment (ours): what was begun is ended, whenever that comes."""

import asyncio
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import Hold, ScriptedEngine
from lime_desktop.developer.benchmark.jobs import Job, Plan
from lime_desktop.developer.benchmark.suite import read_suite
from lime_desktop.host.app_server_client.connection import CALL_S
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.app_call import APP_CALL, AppCallParams
from lime_desktop.protocol.calls.models import ModelChoice
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    READ_SESSION,
    ListSessionsParams,
    ReadSessionParams,
)
from lime_desktop.protocol.capability_calls.agent import START_TASK
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.host.bridged import served

SUITE = b"name: answers\nversion: 1\ntasks: [{key: ferry, prompt: wait}]\n"


def test_a_trial_that_is_stopped_while_its_task_starts_leaves_nothing_at_work(
    tmp_path: Path,
) -> None:
    """A bug: between the question and its answer nobody knew the task, and it ran on."""
    registry = AppRegistry("en")
    [app] = registry.add([write_app(tmp_path, capabilities="{lime.agent: '*'}")])
    found = read_suite(SUITE, "suite.yaml", app.package)
    assert found.suite is not None, found.problems
    plan = Plan(
        suite=found.suite,
        digest=found.digest,
        models=(ModelChoice(provider_id="test", model_id="script"),),
        role="candidate",
        tolerance=found.suite.tolerated(),
        baseline=None,
        title="Benchmark: answers",
    )

    async def scenario() -> None:
        engine = ScriptedEngine({"wait": [Hold("x")]})
        async with served(tmp_path / "data", registry, engine) as server:
            working: list[asyncio.Task[Any]] = []

            async def call(method: Any, params: Any, *, timeout_s: float = CALL_S) -> Any:
                is_start = isinstance(params, AppCallParams) and params.call == START_TASK.name
                if method is APP_CALL and is_start:
                    working[0].cancel()
                return await server.call(method, params, timeout_s=timeout_s)

            working.append(asyncio.create_task(Job(call, app, plan, lambda _: None).run()))
            report = await working[0]
            assert (report.is_complete, report.rows) == (False, ())
            listed = (await server.call(LIST_SESSIONS, ListSessionsParams())).sessions
            [trial] = [each for each in listed if each.title == "Benchmark: answers, ferry"]
            assert trial.status == "canceled"
            read = await server.call(READ_SESSION, ReadSessionParams(session_id=trial.session_id))
            summary = read.snapshot.benchmark_summary
            assert summary is not None
            assert [each.status for each in summary.trials] == ["failed"]

    run(scenario())
