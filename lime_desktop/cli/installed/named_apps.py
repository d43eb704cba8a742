"""Commands that judge packages, asked about an app that is installed: its bytes, what holds for it, what was kept of it."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from lime_desktop.app_package.package import AppPackage
from lime_desktop.cli.installed.center import center_and_server, center_in
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import ExitCode
from lime_desktop.developer.evals import EvalReport
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.app_center.records.records import InstalledApp, now_ms
from lime_desktop.host.apps.eval_facts import set_thresholds
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.requests.app_without_window import app_without_window
from lime_desktop.protocol.errors import AppError
from lime_desktop.readiness.result import Readiness

Judge = Callable[[AppPackage, dict[str, float]], EvalReport]
_T = TypeVar("_T")


def run_installed_evals(
    app_id: str, data_dir: Path, judge: Judge, *, keeps: bool, as_json: bool
) -> EvalReport:
    """Run the evals of an installed app, held to what was set for it; what came of them is kept where `keeps` says so."""

    async def work() -> EvalReport:
        async with center_in(data_dir, only_reads=not keeps) as center:
            app = _installed(center, app_id)
            package = await center.package(app_id)
            set_ = set_thresholds(package.manifest, center.overlays.resolved(package.manifest))
            report = await asyncio.to_thread(judge, package, set_)
            if keeps:
                outcomes = report.outcomes(now_ms())
                await center.eval_outcomes.keep(app_id, app.package_hash, outcomes)
            return report

    return _carried_out(app_id, data_dir, work(), as_json=as_json)


def installed_readiness(app_id: str, data_dir: Path, locale: str, *, as_json: bool) -> Readiness:
    """How ready an installed app is, with all that was allowed, set up and tried of it."""

    async def work() -> Readiness:
        async with center_and_server(data_dir) as (center, call):
            _installed(center, app_id)
            async with app_without_window(
                center, call, data_dir, app_id, locale, require=_as_it_is
            ) as app:
                return app.readiness

    return _carried_out(app_id, data_dir, work(), as_json=as_json)


def _as_it_is(app: RegisteredApp) -> None:
    """Whatever it lacks is what was asked for."""


def _carried_out(
    app_id: str, data_dir: Path, work: Coroutine[Any, Any, _T], *, as_json: bool
) -> _T:
    if not CenterLayout(data_dir).database.exists():
        # To look for an app makes no folder for apps.
        work.close()
        raise _nothing_of(app_id)
    try:
        return asyncio.run(work)
    except AppError as error:
        print_failure(error, as_json=as_json)
        raise click.exceptions.Exit(ExitCode.PROBLEMS) from None


def _installed(center: AppCenter, app_id: str) -> InstalledApp:
    app = center.installed_app(app_id)
    if app is None:
        raise _nothing_of(app_id)
    return app


def _nothing_of(app_id: str) -> click.BadParameter:
    return click.BadParameter(
        f"{app_id} does not exist, and no app of this name is installed."
        " Name a package folder, a .lapp file or an installed app"
    )
