"""What `lime-desktop benchmark` was asked for, checked before anything runs, then carried out."""

from dataclasses import dataclass
from pathlib import Path

import click
from pydantic import ValidationError

from lime_desktop.cli.installed.center import center_and_server
from lime_desktop.cli.terminal.language import words
from lime_desktop.developer.benchmark.bench_app import app_for_benchmark
from lime_desktop.developer.benchmark.jobs import Job, Plan, Tell
from lime_desktop.developer.benchmark.suite import Suite, SuiteFile, read_suite
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.benchmarks import kept_baseline
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams, ModelChoice
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, Tolerance

_MOST_MODELS = 10


class SuiteBroken(Exception):
    """The suite has problems, and nothing was run."""

    def __init__(self, found: SuiteFile) -> None:
        super().__init__("the suite has problems")
        self.found = found


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for."""

    suite_file: Path
    models: tuple[str, ...]
    baseline: Path | None
    tolerances: dict[str, float]
    keeps: bool


async def run(app_id: str, data_dir: Path, wishes: Wishes, tell: Tell) -> BenchmarkReport:
    """Run the benchmark that was asked for.

    Raises:
        SuiteBroken: the suite has problems.
        AppError: the app or a model cannot work, or Lime Desktop is open.
    """
    given = _read_baseline(wishes.baseline) if wishes.baseline else None
    texts = words()
    async with center_and_server(data_dir) as (center, call):
        package = await center.package(app_id)
        found = read_suite(wishes.suite_file.read_bytes(), wishes.suite_file.name, package)
        if found.suite is None:
            raise SuiteBroken(found)
        async with app_for_benchmark(center, call, data_dir, app_id, texts.locale) as app:
            suite = found.suite
            plan = Plan(
                suite=suite,
                digest=found.digest,
                models=await _models(call, wishes.models),
                role="baseline" if wishes.keeps else "candidate",
                tolerance=_tolerance(suite, wishes.tolerances),
                baseline=given or await kept_baseline(call, app_id, suite.name),
                title=texts("benchmark.run", suite=suite.name),
            )
            return await Job(call, app, plan, tell).run()


def _tolerance(suite: Suite, said: dict[str, float]) -> Tolerance:
    return Tolerance.model_validate({**suite.tolerated().to_wire(), **said})


async def _models(call: CallServer, wanted: tuple[str, ...]) -> tuple[ModelChoice, ...]:
    """The models to try, each of which can answer now.

    Raises:
        ProviderNotReady: one of them can't, or there is none.
    """
    listed = await call(LIST_MODELS, ListModelsParams())
    known = {f"{each.provider_id}/{each.model_id}": each for each in listed.models}
    default = listed.default_model
    names = wanted or ((f"{default.provider_id}/{default.model_id}",) if default else ())
    if not names:
        obstacle = listed.obstacle
        raise ProviderNotReady(obstacle.message if obstacle else "There is no model to try")
    if len(names) > _MOST_MODELS:
        raise click.UsageError(f"Name at most {_MOST_MODELS} models.")
    for name in names:
        if name not in known:
            raise click.UsageError(
                f"{name} is not a known model. `lime-desktop models prefer` lists them."
            )
        if (obstacle := known[name].obstacle) and obstacle.reason_code != "demo_model":
            raise ProviderNotReady(f"{name} can't answer: {obstacle.message}")
    return tuple(
        ModelChoice(provider_id=known[name].provider_id, model_id=known[name].model_id)
        for name in dict.fromkeys(names)
    )


def _read_baseline(file: Path) -> BenchmarkReport:
    try:
        found = BenchmarkReport.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        raise click.BadParameter(
            f"{file} is not a baseline. Write one with: lime-desktop benchmark … --json > {file.name}"
        ) from None
    if not found.is_complete:
        raise click.BadParameter(f"{file} is of a benchmark that was stopped. Run it to its end.")
    return found
