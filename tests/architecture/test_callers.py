"""Every method of the App Server is there for somebody (ours): what nobody calls is not declared."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import lime_desktop
from lime_desktop.protocol import calls, schedules, triggers
from lime_desktop.protocol.app_call import APP_CALL, APP_UNDO
from lime_desktop.protocol.methods import METHODS, NOTIFICATIONS
from lime_desktop.protocol.wire import Method, Notification

PRODUCT = Path(lime_desktop.__file__).parent
# The server answers; the report on conformance tries whatever there is.
NO_CALLERS = ("protocol", "app_server", "developer/conformance")

FOR_OTHER_CLIENTS: Mapping[str, str] = {
    "capability/list": "The standard fixes its name among the methods of app.runtime.yaml.",
    "agentSession/thread/resume": "RT-30: the profile's resume_thread, for clients that were away.",
    "agentSession/compact": "RT-44: the profile's compaction, where a client decides on it.",
}
"""What this product does not call, and a conforming App Server has all the same: for which demand."""


def _imported() -> Iterator[tuple[str, str]]:
    for path in PRODUCT.rglob("*.py"):
        if path.relative_to(PRODUCT).as_posix().startswith(NO_CALLERS):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((node.module, alias.name) for alias in node.names)


def _declared() -> dict[tuple[str, str], str]:
    """Where each method and notification is declared, and its name on the wire."""
    names = [f"{calls.__name__}.{each.name}" for each in pkgutil.iter_modules(calls.__path__)]
    names += [schedules.__name__, triggers.__name__]
    found = {
        (name, constant): value.name
        for name in names
        for constant, value in vars(importlib.import_module(name)).items()
        if isinstance(value, Method | Notification)
    }
    own = {"APP_CALL": APP_CALL, "APP_UNDO": APP_UNDO}
    return found | {
        ("lime_desktop.protocol.app_call", constant): each.name for constant, each in own.items()
    }


def test_every_method_and_notification_has_a_caller_or_is_demanded() -> None:
    declared = _declared()
    listed = {each.name for each in (*METHODS, *NOTIFICATIONS)}
    assert set(declared.values()) == listed
    called = {declared[each] for each in _imported() if each in declared}
    assert listed - called == set(FOR_OTHER_CLIENTS)
