"""What the view stands on now: its permissions, its readiness, the snapshot it is told, and what it keeps."""

import json
from collections.abc import Iterator

from PySide6.QtWidgets import QFrame, QLabel, QWidget

from lime_desktop.developer.redaction import redact
from lime_desktop.host.app_server_client.calling import call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.storage import (
    LIST_VALUES,
    ListValuesParams,
    StorageEntry,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.readiness.result import Check
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.settings.section import group, refill
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import Tone, button, column, label, pill, row
from lime_desktop.shell.widgets.status import status_pill
from lime_desktop.shell.widgets.work import Work

_MOST_VALUES = 50
_LONGEST_VALUE = 300
_TONES: dict[str, Tone] = {"error": "danger", "warning": "warning", "info": "plain"}


class StatePage(Page):
    """Read when it is turned to, and again on demand."""

    def __init__(self, inspected: InspectedView) -> None:
        super().__init__(margin=16)
        self._inspected = inspected
        self._texts = inspected.look.texts
        self._work = Work(self, self._ignore)
        self._values = column(spacing=4)

    def read(self) -> None:
        """Show how everything stands at this moment."""
        texts = self._texts
        self._values = column(label(texts("settings.reading"), "muted"), spacing=4)
        self.refill(
            row(button(texts("inspector.state.again"), self.read)),
            self._grants(),
            self._readiness(),
            group(texts("inspector.state.storage"), self._values),
            self._snapshot(),
        )
        self._work.start(self._read_values())

    def shown_values(self) -> str:
        """What is shown of the app's storage."""
        return "\n".join(each.text() for each in self._values.findChildren(QLabel))

    def end(self) -> None:
        """Wait for nothing any more."""
        self._work.end()

    def _grants(self) -> QFrame:
        texts, app = self._texts, self._inspected.app()
        current = {grant.permission for grant in self._inspected.facts().grants}
        rows = [
            row(
                pill(texts("inspector.granted"), "ok")
                if permission.key in current
                else pill(texts("inspector.not_granted"), "plain"),
                label(f"{permission.key} · {permission.scope}"),
                stretch_at=1,
            )
            for permission in app.package.manifest.permissions
        ]
        return group(
            texts("inspector.state.grants"),
            *(rows or [label(texts("inspector.state.grants.none"), "muted")]),
        )

    def _readiness(self) -> QFrame:
        texts, readiness = self._texts, self._inspected.app().readiness
        head = row(status_pill(texts, readiness.status))
        return group(texts("inspector.state.readiness"), head, *self._checks(readiness.checks))

    def _checks(self, checks: tuple[Check, ...]) -> Iterator[QWidget]:
        for check in checks:
            tone = "ok" if check.outcome == "passed" else _TONES[check.severity]
            words = column(
                label(f"{check.kind} · {check.key}"), label(check.message, "small"), spacing=0
            )
            yield row(
                pill(self._texts(f"inspector.severity.{check.severity}"), tone), words, stretch_at=1
            )

    def _snapshot(self) -> QFrame:
        told = self._inspected.snapshot().model_dump(mode="json", by_alias=True)
        shown = label(json.dumps(redact(told), ensure_ascii=False, indent=2), "mono")
        return group(self._texts("inspector.state.snapshot"), shown)

    async def _read_values(self) -> None:
        texts = self._texts
        inspected = self._inspected
        caller = AppCaller(provenance=provenance_of(inspected.app()))
        asked = ListValuesParams(limit=_MOST_VALUES)
        try:
            found = await call_for_app(inspected.call, caller, LIST_VALUES, asked)
        except AppError as error:
            refill(self._values, label(f"{error.stable_code}: {error.message}", "muted"))
            return
        shown = [_value(each) for each in found.root]
        refill(self._values, *(shown or [label(texts("inspector.state.storage.none"), "muted")]))

    def _ignore(self, _error: AppError) -> None:
        """Every expected failure is shown where its answer would stand."""


def _value(stored: StorageEntry) -> QWidget:
    hidden = redact(stored.value, stored.key)
    text = json.dumps(hidden, ensure_ascii=False)
    short = text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
    return column(label(stored.key, "strong"), label(short, "mono"), spacing=0)
