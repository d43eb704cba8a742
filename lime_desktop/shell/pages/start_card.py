"""How to begin with an app, as its author suggests: steps with how they stand, the entry to open, a workflow to try."""

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QLabel, QWidget

from lime_desktop.host.apps.first_steps import (
    FirstStep,
    SampleWorkflow,
    first_steps,
    sample_workflow,
)
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.readiness.result import SetupAction
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.pages.setup_card import SetupCard
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    pill,
    row,
    set_tip,
)


class StartCard:
    """The card of whichever app is shown. One whose author only names the entry to open has none: entries stand below."""

    def __init__(
        self, look: Look, setup: SetupCard, open_entry: Callable[[str, str], None]
    ) -> None:
        self._look = look
        self._setup = setup
        self._open_entry = open_entry

    def told(self, app: RegisteredApp) -> tuple[SetupAction, ...]:
        """The steps of readiness that it shows, so that they are not shown twice."""
        steps = first_steps(app, self._look.texts)
        return tuple(each.action for each in steps if each.action is not None and not each.is_done)

    def parts(self, app: RegisteredApp, *, is_checking: bool) -> Iterator[QWidget]:
        """The card, where the author suggests more than an entry; nothing is said of steps that are still looked at."""
        texts = self._look.texts
        steps, sample = first_steps(app, texts), sample_workflow(app, texts.locale)
        if not steps and sample is None:
            return
        rows = [self._step(app, each, is_checking=is_checking) for each in steps]
        rows += self._first_entry(app)
        if sample is not None:
            rows.append(self._sample(app, sample))
        numbered = [row(_number(at), each, stretch_at=1) for at, each in enumerate(rows, 1)]
        made = card(label(texts("quickstart.title"), "heading"), *numbered)
        made.setObjectName("start")
        yield made

    def _step(self, app: RegisteredApp, step: FirstStep, *, is_checking: bool) -> QWidget:
        words = label(step.words)
        if step.is_done is None or is_checking:
            return words
        if step.is_done:
            return row(words, pill(self._look.texts("quickstart.done"), "ok"), stretch_at=0)
        doing = self._setup.doing(app, step.action, step.words) if step.action else None
        if doing is None:
            return words
        if isinstance(doing, QLabel):
            return column(words, doing, spacing=0)
        return row(words, doing, stretch_at=0)

    def _first_entry(self, app: RegisteredApp) -> Iterator[QWidget]:
        """The entry that the author names, to be opened when the rest is done."""
        quickstart = app.package.manifest.quickstart
        key = quickstart.entry if quickstart else None
        if key is not None and app.projection.entry(key) is not None:
            yield self._leading_to(app, key, "quickstart.entry")

    def _leading_to(self, app: RegisteredApp, key: str, words: str) -> QWidget:
        texts = self._look.texts
        title = app.entry_title(key, texts.locale)
        opening = button(texts("quickstart.open"), lambda: self._open_entry(app.app_id, key))
        name_button(opening, texts, title)
        opening.setEnabled(app.can_open(key))
        set_tip(opening, "" if opening.isEnabled() else texts("page.cannot"))
        return row(label(texts(words, entry=title)), opening, stretch_at=0)

    def _sample(self, app: RegisteredApp, sample: SampleWorkflow) -> QWidget:
        """Its steps, and the way to it; where it cannot run, the reason and no button."""
        texts = self._look.texts
        words = [label(texts("quickstart.workflow", workflow=sample.title))]
        if sample.states:
            words.append(label(" → ".join(sample.states), "small"))
        if sample.refusal is not None:
            words.append(label(sample.refusal, "muted"))
        elif sample.entry_key is None:
            words.append(label(texts("quickstart.workflow.no-entry"), "muted"))
        else:
            leading = self._leading_to(app, sample.entry_key, "quickstart.workflow.entry")
            return column(*words, leading, spacing=0)
        return column(*words, spacing=0)


def _number(at: int) -> QLabel:
    return pill(str(at), "plain")
