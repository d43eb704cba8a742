"""What an app calls the steps of its workflows, and what those make, in a person's language: its translation files first.

What is recorded of a run is called as whoever began it reads it.
"""

from typing import Any

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.workflows.steps.step_kind import AtStep

_MOST = 500


class StepTitles:
    """Reads them for the steps of runs."""

    def __init__(self, apps: RegisteredApps) -> None:
        self._apps = apps

    def of_step(self, at: AtStep[Any]) -> str:
        """What a step is called where a person sees it; its key where nobody says."""
        return (self._said(at) or at.state.title or at.state.key)[:_MOST]

    def of_document(self, at: AtStep[Any], written: str) -> str | None:
        """What the document is called that a step makes."""
        return (self._said(at, "artifactTitle") or written)[:_MOST] or None

    def _said(self, at: AtStep[Any], *part: str) -> str | None:
        translations = self._apps.get(at.run.app_id).package.translations
        path = ("workflows", at.run.detail.key, "states", at.state.key, *part)
        # Of a step that has other texts beside it, the title is one of them.
        find = translations.text if part else translations.title
        return find(at.run.detail.locale or "", *path)
