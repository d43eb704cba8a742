"""A benchmark as it is shown and compared: how each task did on each model, now and in a baseline. Pure.

A report is told in the log as `benchmark.comparison.completed`, one fact for each model, and read out of it again here.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from pydantic import Field, ValidationError

from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.wire import Maybe, WireModel

COMPARED = "benchmark.comparison.completed"
Role: TypeAlias = Literal["baseline", "candidate"]
Worse: TypeAlias = Literal["successRate", "tokens", "cost", "seconds", "gone"]
"""What got worse; `gone` is a task that the baseline has and nobody runs any more."""
_SHORTEST_S = 1.0
"""Two times that differ by less say nothing: another program may have been busy."""


class Tolerance(WireModel):
    """How much worse than its baseline a task may do before that counts as a regression."""

    success_rate: float = Field(default=0.0, ge=0, le=1)
    """How far the share of passed trials may fall."""
    tokens: float = Field(default=0.2, ge=0, le=100)
    """By which share more may be used: 0.2 is a fifth more."""
    cost: float = Field(default=0.2, ge=0, le=100)
    seconds: float = Field(default=0.5, ge=0, le=100)


class TaskScore(WireModel):
    """How one task did on one model. Amounts are means of the trials that passed."""

    task: str
    model: str
    """As `provider/model`."""
    trials: int = Field(ge=1)
    passed: int = Field(ge=0)
    reward: float = 0.0
    """The mean of what the checks gave, from 0 to 1."""
    timed_out: int = Field(default=0, ge=0)
    tokens: Maybe[float] = None
    cost: Maybe[float] = None
    """Absent where nobody knows the price, or amounts are of several currencies."""
    currency: Maybe[str] = None
    seconds: Maybe[float] = None
    failures: dict[str, int] = Field(default_factory=dict)
    """Why trials failed, by a stable word, and how often."""

    @property
    def success_rate(self) -> float:
        """The share of trials that passed."""
        return self.passed / self.trials


class ComparedTask(WireModel):
    """One task on one model, now and before."""

    task: str
    model: str
    now: Maybe[TaskScore] = None
    """Absent where it was not run any more."""
    before: Maybe[TaskScore] = None
    """Absent where the baseline does not have it."""
    worse: tuple[Worse, ...] = ()
    """What got worse by more than is tolerated."""


class BenchmarkReport(WireModel):
    """What came of one benchmark. Printed by `--json`, and a baseline for a later one."""

    app_id: str
    app_version: str
    suite: str
    suite_version: str
    job_id: str
    """The session that holds it."""
    at: Timestamp
    role: Role = "candidate"
    is_complete: bool = True
    """False where somebody stopped it: what had finished by then is here."""
    baseline_id: Maybe[str] = None
    """The benchmark that it was compared with."""
    tolerance: Tolerance = Field(default_factory=Tolerance)
    rows: tuple[ComparedTask, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models that were tried, in the order of the rows."""
        return tuple(dict.fromkeys(row.model for row in self.rows))

    @property
    def scores(self) -> tuple[TaskScore, ...]:
        """What was measured, without what it was compared with."""
        return tuple(row.now for row in self.rows if row.now is not None)

    @property
    def regressions(self) -> tuple[ComparedTask, ...]:
        """The rows that got worse by more than is tolerated."""
        return tuple(row for row in self.rows if row.worse)

    def of_model(self, model: str) -> "BenchmarkReport":
        """The part of one model."""
        return self.model_copy(
            update={"rows": tuple(row for row in self.rows if row.model == model)}
        )


def compare(
    now: Sequence[TaskScore],
    before: Sequence[TaskScore],
    tolerance: Tolerance,
    *,
    is_complete: bool,
) -> tuple[ComparedTask, ...]:
    """Every task on every model that was tried, beside its baseline. What was not reached is not called gone."""
    known = {(each.task, each.model): each for each in before}
    rows = [_compared(each, known.pop((each.task, each.model), None), tolerance) for each in now]
    models = {each.model for each in now}
    left = [each for each in known.values() if is_complete and each.model in models]
    gone = [
        ComparedTask(task=each.task, model=each.model, before=each, worse=("gone",))
        for each in left
    ]
    return (*rows, *gone)


def _compared(now: TaskScore, before: TaskScore | None, tolerance: Tolerance) -> ComparedTask:
    worse = () if before is None else tuple(_worse(now, before, tolerance))
    return ComparedTask(task=now.task, model=now.model, now=now, before=before, worse=worse)


def _worse(now: TaskScore, before: TaskScore, tolerance: Tolerance) -> Iterable[Worse]:
    if now.success_rate < before.success_rate - tolerance.success_rate - 1e-9:
        yield "successRate"
    if _is_more(now.tokens, before.tokens, tolerance.tokens):
        yield "tokens"
    if now.currency == before.currency and _is_more(now.cost, before.cost, tolerance.cost):
        yield "cost"
    if _is_more(now.seconds, before.seconds, tolerance.seconds, _SHORTEST_S):
        yield "seconds"


def _is_more(now: float | None, before: float | None, tolerated: float, least: float = 0.0) -> bool:
    """Whether an amount grew by more than the tolerated share; what nobody knows did not grow."""
    if now is None or before is None:
        return False
    return now > before * (1 + tolerated) + 1e-9 and now - before >= least


def report_in(events: Iterable[RuntimeEvent]) -> BenchmarkReport | None:
    """The report that a session of a benchmark tells; None while there is none."""
    parts: dict[str, BenchmarkReport] = {}
    for event in events:
        if event.type == COMPARED and (part := _part(event.payload)) is not None:
            parts["".join(part.models[:1])] = part
    first = next(iter(parts.values()), None)
    if first is None:
        return None
    rows = tuple(row for part in parts.values() for row in part.rows)
    return first.model_copy(update={"rows": rows})


def _part(payload: Mapping[str, object]) -> BenchmarkReport | None:
    try:
        return BenchmarkReport.model_validate(payload.get("report"))
    except ValidationError:
        # Told by somebody else, in words of their own.
        return None
