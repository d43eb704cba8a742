"""What the page was refused: by its content security policy, with the line of the manifest that would allow it, and by the guards."""

from PySide6.QtWidgets import QWidget

from lime_desktop.developer.inspection.violations import (
    Remedy,
    Violation,
    read_kept_line,
    read_violation,
    remedy_for,
)
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import card, empty_state, label, pill, row

_KEPT = 100


class RefusalsPage(Page):
    """The refusals since the page was loaded, the newest first."""

    def __init__(self, inspected: InspectedView) -> None:
        super().__init__(margin=16)
        self._inspected = inspected
        kept = map(read_kept_line, inspected.trouble.lines)
        self._found: dict[Violation | tuple[str, str], None] = dict.fromkeys(filter(None, kept))
        inspected.view.console.connect(self._read_line)
        inspected.view.refused.connect(self._keep_guarded)
        self._fill()

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What the policy refused, the oldest first."""
        return tuple(each for each in self._found if isinstance(each, Violation))

    def add(self, violation: Violation) -> None:
        """Show a refusal of the policy; the same one is shown once."""
        self._keep(violation)

    def _read_line(self, _level: int, message: str, line: int, source: str) -> None:
        violation = read_violation(message, source, line)
        if violation is not None:
            self._keep(violation)

    def _keep_guarded(self, guard: str, address: str) -> None:
        self._keep((guard, address))

    def _keep(self, found: Violation | tuple[str, str]) -> None:
        if found in self._found:
            return
        self._found[found] = None
        while len(self._found) > _KEPT:
            del self._found[next(iter(self._found))]
        self._fill()

    def _fill(self) -> None:
        self.refill(*(map(self._card, reversed(self._found)) if self._found else [self._none()]))

    def _none(self) -> QWidget:
        look = self._inspected.look
        sign = look.icons.picture("shield", side=28)
        texts = look.texts
        return empty_state(
            sign, texts("inspector.refusals.none"), texts("inspector.refusals.none.about")
        )

    def _card(self, found: Violation | tuple[str, str]) -> QWidget:
        texts = self._inspected.look.texts
        if isinstance(found, tuple):
            guard, address = found
            title = texts("inspector.guard", guard=guard, address=address or "–")
            return card(
                row(pill(texts("inspector.guarded"), "warning"), label(title), stretch_at=1)
            )
        what = found.address or texts("inspector.refusals.inline")
        where = f"{found.source}:{found.line}" if found.source else ""
        head = row(pill(found.directive, "danger"), label(what), stretch_at=1)
        remedy = remedy_for(found, self._inspected.app())
        return card(head, *([label(where, "small")] if where else []), *self._remedy(found, remedy))

    def _remedy(self, violation: Violation, remedy: Remedy) -> list[QWidget]:
        texts = self._inspected.look.texts
        place = f"{remedy.place.file}:{remedy.place.line}" if remedy.place else "APP.md"
        words = texts(
            f"inspector.remedy.{remedy.kind}",
            place=place,
            host=violation.host,
            permission=remedy.subject,
        )
        shown: list[QWidget] = [label(words)]
        if remedy.kind == "declare":
            shown.append(label(remedy.subject, "mono"))
        return shown
