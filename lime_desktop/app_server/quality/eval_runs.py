"""Answers eval/*: one of an app's evals on the cases that the app brings, for a person who waits and may stop it.

A moment's worth of cases is judged at a time. Who asks goes on with what is next, so that nothing is judged for nobody.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence

from lime_desktop.app_package.eval_files import EvalCase
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.quality.baseline import (
    BASELINE,
    kept_baseline,
    kept_scores,
    regressions,
)
from lime_desktop.app_server.quality.cases import (
    CaseResult,
    case_name,
    judge_cases,
    named_cases,
    tally_of,
)
from lime_desktop.app_server.quality.gates import threshold_of
from lime_desktop.app_server.quality.service import set_thresholds
from lime_desktop.app_server.routes import Routes
from lime_desktop.protocol.calls.evals import RUN_EVAL, RunEvalParams, RunEvalResult
from lime_desktop.protocol.errors import InvalidInput

_MOMENT_S = 0.25

_Cases = Sequence[tuple[str, EvalCase]]


class EvalRuns:
    """The evals of every app."""

    def __init__(self, apps: RegisteredApps) -> None:
        self._apps = apps

    def serve(self, routes: Routes) -> None:
        """Answer whoever has an eval run."""
        routes.add(RUN_EVAL, self.run)

    async def run(self, params: RunEvalParams, context: CallContext) -> RunEvalResult:
        """Judge the next cases.

        Raises:
            InvalidInput: there is no such eval, it brings nothing to be run on, or its baseline is none.
        """
        del context
        return await asyncio.to_thread(_run, self._apps.get(params.app_id), params)


def _run(app: RegisteredApp, params: RunEvalParams) -> RunEvalResult:
    key, files = params.eval_key, app.package.quality_gates
    cases: _Cases = ()
    if key in files.triable:
        cases = [each for each in named_cases(files.gates[key]) if each[1].has_content]
    if params.first >= len(cases):
        raise InvalidInput.at_fields([("evalKey", "not_runnable")])
    gate = files.gates[key]
    threshold = threshold_of(gate, set_thresholds(app.registration.settings))
    results = _for_a_moment(judge_cases(app.package.tree, gate, cases[params.first :], threshold))
    end = params.first + len(results)
    is_last = end >= len(cases)
    gone_but = {case_name(key, name) for name, _ in cases} if is_last else None
    return RunEvalResult(
        package_hash=app.registration.package_hash,
        tally=tally_of(results, _worse(app.package.tree, key, results, gone_but)),
        threshold=threshold.value,
        total=len(cases),
        next=None if is_last else end,
    )


def _for_a_moment(judging: Iterator[CaseResult]) -> list[CaseResult]:
    """The verdicts of a moment, and at least one: who asks always gets on."""
    until, found = time.monotonic() + _MOMENT_S, list[CaseResult]()
    for each in judging:
        found.append(each)
        if time.monotonic() >= until:
            break
    return found


def _worse(
    tree: PackageTree, key: str, results: Sequence[CaseResult], gone_but: set[str] | None
) -> int:
    """How many of these did better in the package's baseline; with all names, also those that are gone since."""
    try:
        baseline = kept_baseline(tree)
    except ValueError:
        raise InvalidInput.at_fields(
            [(BASELINE, "not_a_baseline")], message=f"{BASELINE} is not a baseline"
        ) from None
    if baseline is None:
        return 0
    now = kept_scores(results)
    meant = {
        name: score
        for name, score in baseline.results.items()
        if name in now
        or (gone_but is not None and name.startswith(case_name(key, "")) and name not in gone_but)
    }
    return len(regressions(now, baseline.model_copy(update={"results": meant})))
