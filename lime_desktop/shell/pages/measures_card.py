"""How an app does over time: the measures that its author wants watched, each with a small plot and its bound."""

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.measures import Measure, Measures, Series
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.readiness.naming import plain_words
from lime_desktop.readiness.units import parse_expectation
from lime_desktop.shell.widgets.amounts import reading_locale, size_in_words
from lime_desktop.shell.widgets.parts import card, column, label, pill, row
from lime_desktop.shell.widgets.plots import SmallPlot

_DAY_S = 86_400


class MeasureCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, call: CallServer) -> None:
        self._texts = texts
        self._call = call
        self._measures = Measures()
        self._found: dict[str, tuple[Measure, ...]] = {}

    async def look(self, app: RegisteredApp) -> bool:
        """Measure an app, and tell whether that is news; without an App Server nobody can."""
        try:
            found = await self._measures.read(self._call, app)
        except AppError:
            return False
        is_news = found != self._found.get(app.app_id, ())
        self._found[app.app_id] = found
        return is_news

    def parts(self, app: RegisteredApp) -> Iterator[QWidget]:
        """The card, where the author names measures and they were read."""
        found = self._found.get(app.app_id, ())
        if found:
            heading = label(self._texts("measure.title"), "heading")
            made = card(heading, *map(self._row, found))
            made.setObjectName("measures")
            yield made

    def _row(self, measure: Measure) -> QWidget:
        texts, name = self._texts, self._name(measure.metric)
        words = [label(name)]
        if measure.bound:
            bound = texts("measure.bound", bound=plain_line(measure.bound))
            words.append(label(bound, "small"))
        told = column(*words, spacing=0)
        series = measure.series
        if series is None:
            return row(told, pill(texts("measure.unmeasured"), "plain"), stretch_at=0)
        if not series.values:
            return row(told, pill(texts("measure.none-yet"), "plain"), stretch_at=0)
        now = value_in_words(series, series.values[-1], texts)
        spoken = texts("measure.spoken", name=name, value=now, count=len(series.values))
        plot = SmallPlot(series.values, _drawn_bounds(measure, series), spoken)
        return row(told, plot, label(now, "strong"), *self._state(measure), stretch_at=0)

    def _state(self, measure: Measure) -> Iterator[QWidget]:
        """Only what is not as it should be, or cannot be told."""
        if measure.is_kept is False:
            yield pill(self._texts("measure.broken"), "danger" if measure.alerts else "warning")
        elif measure.is_kept is None and measure.bound:
            yield pill(self._texts("measure.unreadable"), "plain")

    def _name(self, metric: str) -> str:
        known = self._texts(f"measure.{metric}")
        return plain_words(metric).capitalize() if known == f"measure.{metric}" else known


def value_in_words(series: Series, value: float, texts: Texts) -> str:
    """One value with its unit, as the person's language writes it."""
    locale = reading_locale(texts)
    match series.dimension:
        case "number":
            return f"{locale.toString(value * 100, 'f', 0)}%"
        case "seconds":
            return texts("measure.seconds", seconds=locale.toString(value, "f", 1))
        case "bytes":
            return size_in_words(round(value), texts)
        case money:
            amount = f"{locale.toString(value, 'f', 2)} {money.partition('/')[0]}"
            return texts("measure.a-day", amount=amount)


def _drawn_bounds(measure: Measure, series: Series) -> list[float]:
    """Where the author's bounds lie, in the unit of the values."""
    if measure.is_kept is None:
        return []
    scale = _DAY_S if "/" in series.dimension else 1
    return [float(each.limit.amount) * scale for each in parse_expectation(measure.bound or "")]
