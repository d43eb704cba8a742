"""An app's own catalogue of failures (`app.errors.yaml`): what it calls each, what to do about it, whether to try again.

Knows no failure of the host's; who fails asks by code.
"""

from collections.abc import Iterator
from typing import Literal

from lime_desktop.app_package.manifest.errors import ErrorDeclaration
from lime_desktop.app_package.translations import Translations
from lime_desktop.protocol.errors.declared import DeclaredFailure

_TASK_FAILED = "APP_E101"
"""The standard's code of a failed task, of whatever cause."""
_Part = Literal["message", "userAction", "recovery"]


class DeclaredErrors:
    """The catalogue of one package."""

    def __init__(self, declared: dict[str, ErrorDeclaration], translations: Translations) -> None:
        # The first of several rows of a code is the one that holds.
        self._by_code = {each.code: (name, each) for name, each in reversed(declared.items())}
        self._translations = translations

    def find(self, code: str, locale: str) -> DeclaredFailure | None:
        """The failure of this code; None where the app declares none."""
        name, written = self._by_code.get(code, ("", None))
        if written is None:
            return None
        return DeclaredFailure(
            name=name,
            code=written.code,
            message=self._said(name, code, "message", locale) or written.message,
            user_action=self._said(name, code, "userAction", locale) or written.user_action,
            recovery=self._said(name, code, "recovery", locale) or written.recovery,
            retryable=written.retryable,
            max_retries=written.max_retries,
        )

    def of_task(self, code: str, locale: str) -> DeclaredFailure | None:
        """What a failed task is called: by its code, else as a failed task."""
        return self.find(code, locale) or self.find(_TASK_FAILED, locale)

    def _said(self, name: str, code: str, part: _Part, locale: str) -> str | None:
        """A text of the language files, by code or by name."""
        found = (self._translations.text(locale, *path) for path in _paths(name, code, part))
        return next((each for each in found if each), None)


def _paths(name: str, code: str, part: _Part) -> Iterator[tuple[str, ...]]:
    for key in (code, name):
        yield ("errors", key, part)
        if part == "message":
            # The standard's own example has the message alone.
            yield ("errors", key)
