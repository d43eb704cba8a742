"""The measures that an app's author wants watched (`health.metrics`), over time and against their bounds.

Read from what the App Server recorded of the app's runs and data; no code of the app runs for it. A measure that this
host has no facts for is never said to be kept.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lime_desktop.app_package.manifest.self_checks import HealthMetric
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.health import read_usage
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.host.runs.benchmarks import is_of_benchmark
from lime_desktop.host.runs.past_runs import PastRun, read_run
from lime_desktop.projection.versions import Fit
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.readiness.units import Quantity, expectation_fit
from lime_desktop.runtime_views.story.times import seconds_between

_RUNS = 30
_LISTED = 200
"""Among which they are looked for: a benchmark may have made many since."""
_WINDOW = 10
"""How many runs one point of a rate looks back over."""
_MOST_POINTS = 60
_DAY_S = 86_400
_DAYS = 14


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one dimension, the oldest first; the last one is how it stands."""

    dimension: str
    """As bounds have it: `number`, `seconds`, `bytes`, or a currency by the second."""
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure as it stands."""

    metric: str
    series: Series | None
    """None where this host does not measure it."""
    bound: str | None
    is_kept: bool | None
    """None where nobody can tell: no bound, one that cannot be read, or no value yet."""
    alerts: bool


class Measures:
    """Measures apps when somebody looks; remembers the sizes that it saw, since nobody records those."""

    def __init__(self, now_s: Callable[[], float] = time.time) -> None:
        self._now_s = now_s
        self._sizes: dict[str, list[tuple[int, int]]] = defaultdict(list)

    async def read(self, call: CallServer, app: RegisteredApp) -> tuple[Measure, ...]:
        """Every measure that the manifest names."""
        health = app.package.manifest.health
        wanted = health.metrics if health else ()
        runs: Sequence[PastRun] = ()
        if any(each.metric in _OF_RUNS for each in wanted):
            runs = await _read_runs(call, app.app_id)
        found: list[Measure] = []
        for each in wanted:
            if each.metric in _OF_RUNS:
                series = _OF_RUNS[each.metric](runs, self._now_s())
            elif each.metric == "storage_usage":
                series = await self._storage(call, app, each)
            else:
                series = None
            found.append(_judged(each, series))
        return tuple(found)

    async def _storage(self, call: CallServer, app: RegisteredApp, metric: HealthMetric) -> Series:
        usage = await read_usage(call, app)
        seen = self._sizes[app.app_id]
        seen.append((usage.used_bytes, usage.quota_bytes))
        del seen[:-_MOST_POINTS]
        if "%" in str(metric.threshold or "%"):
            return Series("number", tuple(used / max(quota, 1) for used, quota in seen))
        return Series("bytes", tuple(float(used) for used, _ in seen))


async def _read_runs(call: CallServer, app_id: str) -> list[PastRun]:
    """The latest runs that are over, the oldest first; trials of a benchmark are nobody's work."""
    listed = await call(LIST_SESSIONS, ListSessionsParams(app_id=AppId(app_id), limit=_LISTED))
    own = [each for each in listed.sessions if not is_of_benchmark(each)][:_RUNS]
    over = [each for each in own if each.status in _OVER]
    return [await read_run(call, each) for each in reversed(over)]


_OVER = frozenset({"completed", "failed"})
"""A run that a person stopped says nothing about the app."""


def _success_rate(runs: Sequence[PastRun], now_s: float) -> Series:
    del now_s
    went_well = [each.session.status == "completed" for each in runs]
    looked_back = (went_well[max(0, at - _WINDOW + 1) : at + 1] for at in range(len(went_well)))
    return Series("number", tuple(sum(each) / len(each) for each in looked_back))


def _duration(runs: Sequence[PastRun], now_s: float) -> Series:
    del now_s
    known = [each.seconds for each in runs if each.seconds is not None]
    looked_back = (known[max(0, at - _WINDOW + 1) : at + 1] for at in range(len(known)))
    return Series("seconds", tuple(sum(each) / len(each) for each in looked_back))


def _burn_rate(runs: Sequence[PastRun], now_s: float) -> Series | None:
    """What a day cost, for the days since the first of these runs; None where the costs are not of one currency."""
    costs = [(each.session.updated_at, each.cost) for each in runs if each.cost is not None]
    currencies = {cost.currency for _, cost in costs}
    if len(currencies) > 1:
        return None
    today = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now_s))
    ages = [(int((seconds_between(at, today) or 0) // _DAY_S), cost.amount) for at, cost in costs]
    days = [0.0] * (min(max((age for age, _ in ages), default=-1), _DAYS - 1) + 1)
    for age, amount in ages:
        if 0 <= age < len(days):
            days[-1 - age] += float(amount)
    return Series(f"{next(iter(currencies), 'USD')}/day", tuple(days))


_OF_RUNS: Mapping[str, Callable[[Sequence[PastRun], float], Series | None]] = {
    "task_success_rate": _success_rate,
    "average_task_duration": _duration,
    "cost_burn_rate": _burn_rate,
}
"""The standard's measures that runs tell."""


def _judged(metric: HealthMetric, series: Series | None) -> Measure:
    bound = None if metric.threshold is None else str(metric.threshold)
    is_kept: bool | None = None
    if series is not None and series.values and bound is not None:
        fit = expectation_fit(bound, _quantity(series))
        is_kept = None if fit is Fit.UNREADABLE else fit is Fit.MET
    return Measure(metric.metric, series, bound, is_kept, alerts=metric.alert is True)


def _quantity(series: Series) -> Quantity:
    """How a series stands now, as bounds are written."""
    amount, (unit, _, per) = Decimal(str(series.values[-1])), series.dimension.partition("/")
    return Quantity(amount / _DAY_S, f"{unit}/second") if per else Quantity(amount, unit)
