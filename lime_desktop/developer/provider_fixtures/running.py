"""Prove all fixtures of one provider, one after the other, each in a folder that is gone afterwards."""

import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import jsonschema_rs

from lime_desktop.app_server.execution.script_files import script_of
from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.developer.provider_fixtures.fixture import ProviderFixture
from lime_desktop.developer.provider_fixtures.proof import DEMANDS, Proof, Validate, prove
from lime_desktop.developer.provider_fixtures.provider_process import ProviderProcess
from lime_desktop.developer.provider_fixtures.told_run import run_told
from lime_desktop.protocol.ids import JsonObject

_SPARE_S = 30.0


async def prove_all(
    fixtures: Sequence[ProviderFixture],
    command: Sequence[str],
    schema_file: Path,
    timeout_s: float,
) -> AsyncGenerator[tuple[ProviderFixture, Proof]]:
    """Prove each; without a command the fixtures themselves are played, which proves that they can be."""
    validate = schema_check(schema_file)
    for fixture in fixtures:
        with tempfile.TemporaryDirectory(prefix="lime-fixture-") as folder:
            engine = _engine(fixture, command, timeout_s)
            try:
                async with asyncio.timeout(timeout_s + _SPARE_S):
                    run = await run_told(engine, Path(folder), fixture.prompt)
            except TimeoutError:
                yield fixture, Proof({**dict.fromkeys(DEMANDS, ()), "schema": (_SLOW,)})
                continue
            yield fixture, prove(run, fixture.expected, validate)


_SLOW = "The turn did not end in time."


def _engine(fixture: ProviderFixture, command: Sequence[str], timeout_s: float) -> ExecutionBackend:
    if command:
        return ProviderProcess(command, Path.cwd(), fixture, timeout_s)
    return ScriptedEngine({fixture.prompt: script_of(fixture.steps)})


def schema_check(schema_file: Path) -> Validate:
    """What holds an event against the published schema."""
    schema = json.loads(schema_file.read_text("utf-8"))
    validator = jsonschema_rs.Draft202012Validator(schema)

    def validate(event: JsonObject) -> str | None:
        error = next(iter(validator.iter_errors(event)), None)
        # Its place and its rule; what stands there is the provider's own business.
        place = "/".join(map(str, error.instance_path)) if error else ""
        return None if error is None else f"does not fit the schema at {place or 'its top'}"

    return validate
