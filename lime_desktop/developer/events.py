"""What a developer is told while the app is open: one object each, a line of JSON for programs."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from lime_desktop.app_package.problems import Problem
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.protocol.bridge.from_host import ErrorMessage
from lime_desktop.protocol.wire import WireModel


class OpenedEvent(WireModel):
    """The app is open in the window."""

    event: Literal["opened"] = "opened"
    app_id: str
    entry_key: str
    package: str
    dev_server: str | None = None
    granted: tuple[str, ...] = ()
    """The permissions it declares, all of which it has here."""


class ReloadedEvent(WireModel):
    """What was saved is on screen."""

    event: Literal["reloaded"] = "reloaded"
    files: tuple[str, ...]
    """Which files changed, as paths in the package."""
    how: Literal["styles", "page", "manifest"]
    """Whether its styles were swapped, its page loaded anew, or the whole package read again."""
    took_ms: int
    """From the save to the paint."""


class ProblemsEvent(WireModel):
    """What is wrong now; nothing, once it was put right."""

    event: Literal["problems"] = "problems"
    problems: tuple[Problem, ...]


class AlreadyOpenEvent(WireModel):
    """The package is open in another window, which came forward."""

    event: Literal["already-open"] = "already-open"
    package: str


class CallEvent(WireModel):
    """The page asked the host for something, or was answered. Told only where its tests are run."""

    event: Literal["call"] = "call"
    name: str
    """The capability's method, or the type of the message."""
    refusal: str | None = None
    """For answers that are refusals: the code of the error, such as `APP_E002`."""


DeveloperEvent: TypeAlias = (
    AlreadyOpenEvent | CallEvent | OpenedEvent | ReloadedEvent | ProblemsEvent | TestOutcome
)
Tell: TypeAlias = Callable[[DeveloperEvent], None]


def place_of(problem: Problem) -> str:
    """File and line as editors and terminals follow them; empty where there is no file."""
    return f"{problem.file or ''}{f':{problem.line}' if problem.line else ''}"


def refusal_code(message: str) -> str:
    """The code in a refusal as it was sent to a page."""
    return str(ErrorMessage.model_validate_json(message).payload.details.get("appErrorCode", ""))
