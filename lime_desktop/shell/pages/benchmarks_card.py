"""How an app's tasks do on models: the latest benchmark beside what it was compared with, and how it went over time."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.benchmarks import newest_reports
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, ComparedTask, TaskScore
from lime_desktop.shell.widgets.amounts import reading_locale
from lime_desktop.shell.widgets.parts import card, label, pill, row
from lime_desktop.shell.widgets.plots import SmallPlot

_REPORTS = 20
_ROWS = 30
_COLUMNS = ("success", "tokens", "cost", "time")


class BenchmarkCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, call: CallServer) -> None:
        self._texts = texts
        self._call = call
        self._found: dict[str, tuple[BenchmarkReport, ...]] = {}

    async def look(self, app: RegisteredApp) -> bool:
        """Read the app's benchmarks, and tell whether that is news; without an App Server nobody can."""
        try:
            found = await newest_reports(self._call, app.app_id, _REPORTS)
        except AppError:
            return False
        is_news = found != self._found.get(app.app_id, ())
        self._found[app.app_id] = found
        return is_news

    def parts(self, app: RegisteredApp) -> Iterator[QWidget]:
        """The card, where there was a benchmark."""
        found = self._found.get(app.app_id, ())
        if found:
            texts, latest = self._texts, found[0]
            made = card(
                label(texts("benchmark.title"), "heading"),
                self._summary(latest),
                self._table(latest.rows[:_ROWS]),
                *self._left_out(latest),
                *self._courses(found),
            )
            made.setObjectName("benchmarks")
            yield made

    def _summary(self, report: BenchmarkReport) -> QWidget:
        texts = self._texts
        passed = sum(each.passed for each in report.scores)
        trials = sum(each.trials for each in report.scores)
        suite = plain_line(report.suite)
        words = texts("benchmark.summary", suite=suite, passed=passed, count=trials)
        worse = len(report.regressions)
        if not report.is_complete:
            state = pill(texts("benchmark.stopped"), "warning")
        elif report.baseline_id is None:
            state = pill(texts("benchmark.alone"), "plain")
        elif worse:
            state = pill(texts("benchmark.worse", count=worse), "danger")
        else:
            state = pill(texts("benchmark.kept"), "ok")
        return row(label(words), state, stretch_at=0)

    def _left_out(self, report: BenchmarkReport) -> Iterator[QWidget]:
        more = len(report.rows) - _ROWS
        if more > 0:
            yield label(self._texts("benchmark.more", count=more), "small")

    def _table(self, rows: Sequence[ComparedTask]) -> QWidget:
        texts, table = self._texts, QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(0, 1)
        heads = ("task", "model", *_COLUMNS)
        for column, name in enumerate(heads):
            grid.addWidget(label(texts(f"benchmark.column.{name}"), "small"), 0, column)
        for number, each in enumerate(rows, 1):
            for column, part in enumerate(self._cells(each)):
                grid.addWidget(part, number, column, Qt.AlignmentFlag.AlignVCenter)
        return table

    def _cells(self, compared: ComparedTask) -> Iterator[QWidget]:
        now, before = compared.now, compared.before
        yield label(plain_line(compared.task))
        yield label(plain_line(compared.model), "small")
        for name in _COLUMNS:
            words = self._change(self._value(now, name), self._value(before, name))
            yield label(words, "strong" if name == "success" else "small")
        if compared.worse:
            said = [self._texts(f"benchmark.worse.{each}") for each in compared.worse]
            yield pill(listed(self._texts, said), "danger")

    def _change(self, now: str, before: str) -> str:
        if before in ("", now):
            return now or "–"
        return self._texts("benchmark.change", before=before, now=now or "–")

    def _value(self, score: TaskScore | None, name: str) -> str:
        if score is None:
            return ""
        locale = reading_locale(self._texts)
        match name:
            case "success":
                return f"{locale.toString(score.success_rate * 100, 'f', 0)}%"
            case "tokens":
                return "" if score.tokens is None else locale.toString(score.tokens, "f", 0)
            case "cost" if score.cost is not None:
                return f"{locale.toString(score.cost, 'f', 4)} {score.currency}"
            case "time" if score.seconds is not None:
                seconds = locale.toString(score.seconds, "f", 1)
                return self._texts("measure.seconds", seconds=seconds)
            case _:
                return ""

    def _courses(self, found: Sequence[BenchmarkReport]) -> Iterator[QWidget]:
        """For each model of the latest, how many of its trials succeeded from one benchmark of the suite to the next."""
        suite = found[0].suite
        for model in found[0].models:
            rates = [
                rate
                for each in reversed(found)
                if each.suite == suite and (rate := _rate(each, model)) is not None
            ]
            if len(rates) > 1:
                name = plain_line(model)
                now = f"{reading_locale(self._texts).toString(rates[-1] * 100, 'f', 0)}%"
                spoken = self._texts("measure.spoken", name=name, value=now, count=len(rates))
                plot = SmallPlot(rates, [], spoken)
                yield row(label(name), plot, label(now, "strong"), stretch_at=0)


def _rate(report: BenchmarkReport, model: str) -> float | None:
    scores = [each for each in report.scores if each.model == model]
    trials = sum(each.trials for each in scores)
    return sum(each.passed for each in scores) / trials if trials else None
