"""Fixtures every area may use."""

import builtins
import gc
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pydantic
import pytest
from hypothesis import settings

from lime_desktop.app_server.models.catalogue import SMOLLM2
from lime_desktop.app_server.models.listing import engine_problem
from lime_desktop.app_server.models.store import (
    PLACE_VARIABLE,
    InstalledModel,
    ModelStore,
    default_folder,
)
from lime_desktop.host.app_server_client import sidecar
from lime_desktop.protocol.capability_calls.table import log as undeclared_log
from tests.forked_server import Template, spawn_by

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

# PySide6's import hook asks every module loaded after it for `__wrapped__`. Asked half way through
# its own start, pydantic fails with a circular import; asked once before Qt is there, it never does.
getattr(pydantic, "__wrapped__", None)

# A deadline per example measures the machine's other work. Tests that promise a time measure it.
# CI tries the same examples each time, so that a red run is the change's doing; people try new ones.
settings.register_profile("lime", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("lime")

# A worker that dies fails the run, however the run was started.
pytest_plugins = ["newcomer.lost_workers"]

# Nothing that is imported and collected becomes garbage, yet looking for some takes a tenth of that time.
gc.disable()

REPOSITORY = Path(__file__).resolve().parents[1]
_TESTS = Path(__file__).resolve().parent
_WHOLE_PROGRAMS = _TESTS / "system"
_WITH_REAL_STARTS = frozenset({"system", "security"})


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Import as Python does: pytest-qt loaded PySide, whose own import asks about every `import` that is ever run.

    It looks for a spelling of Qt that nobody here uses, and each import inside of a function, as Hypothesis has many,
    takes eight times as long with it.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Have the collector at work again, in the workers and in the process that hands the tests out."""
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests of whole programs: the longest are there, and one begun last keeps all workers waiting."""
    items.sort(key=lambda each: not each.path.is_relative_to(_WHOLE_PROGRAMS))


def _upstream_data() -> Path | None:
    """The standard's published files, kept beside the repository or beside its worktrees."""
    for parent in (REPOSITORY.parent, REPOSITORY.parent.parent):
        found = parent / "shared" / "reference" / "upstream-data"
        if found.is_dir():
            return found
    return None


@pytest.fixture(scope="session")
def upstream_data() -> Path:
    """The folder of published schemas and fixtures; they are read in place, never copied in."""
    found = _upstream_data()
    if found is None:
        pytest.skip("the standard's published files (shared/reference/upstream-data) are not here")
    return found


WEIGHTS = default_folder()
"""Where whoever runs the tests keeps model weights."""


@pytest.fixture(scope="session", autouse=True)
def no_weights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test finds does not hang on what is installed here; who needs weights asks for them."""
    before = os.environ.get(PLACE_VARIABLE)
    os.environ[PLACE_VARIABLE] = str(tmp_path_factory.mktemp("weights"))
    yield
    if before is None:
        del os.environ[PLACE_VARIABLE]
    else:
        os.environ[PLACE_VARIABLE] = before


@pytest.fixture(scope="session")
def smollm2() -> InstalledModel:
    """The small model's real weights; the bootstrap's `test` brings them."""
    found = ModelStore(WEIGHTS).find(SMOLLM2.model_id)
    if found is None or engine_problem() is not None:
        pytest.skip("no weights here: run `lime-desktop models install smollm2-135m`")
    return found


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the working copy under test."""
    return REPOSITORY


@pytest.fixture(scope="session", autouse=True)
def what_was_imported_is_never_garbage() -> None:
    """Spare every collection the modules and the tests themselves: with them each would take half a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def server_template() -> Iterator[Template]:
    """A loaded App Server that forks, one for each worker."""
    template = Template()
    yield template
    template.close()


@pytest.fixture(autouse=True)
def quick_servers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the window's App Servers forked, but for tests of whole programs and of what leaks."""
    path = request.path.relative_to(_TESTS)
    if sys.platform == "linux" and path.parts[0] not in _WITH_REAL_STARTS:
        spawn = spawn_by(lambda: request.getfixturevalue("server_template"), sidecar._spawn)
        monkeypatch.setattr(sidecar, "_spawn", spawn)


class _Kept(logging.Handler):
    """Keeps what a logger says."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def undeclared_codes() -> Iterator[list[logging.LogRecord]]:
    """No call fails with a code that its declaration does not name, whatever a test does to it."""
    kept = _Kept()
    undeclared_log.addHandler(kept)
    yield kept.records
    undeclared_log.removeHandler(kept)
    found = {(each.__dict__["call"], each.__dict__["code"]) for each in kept.records}
    assert not found, "declare these codes (errors=) with their calls"


@pytest.fixture
def qtbot(qapp: "QApplication", request: pytest.FixtureRequest) -> "QtBot":
    """pytest-qt's, with more patience."""
    from tests.patient_bot import PatientBot  # noqa: PLC0415 - most tests have no Qt

    del qapp
    return PatientBot(request)


@pytest.fixture(autouse=True)
def qt_objects_die_on_this_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no worker thread collect what a test with windows left behind: Qt would crash, now or later."""
    if "qapp" not in request.fixturenames:
        yield
        return
    gc.disable()
    yield
    bury_widgets()
    undress()
    gc.collect()
    gc.enable()


def bury_widgets() -> None:
    """Delete what asked to be deleted later: no loop comes by here, and every later style sheet would dress it too."""
    from PySide6.QtCore import QCoreApplication, QEvent  # noqa: PLC0415 - most tests have no Qt

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def undress() -> None:
    """Let the next test begin as the program does, without a style sheet: under one, Qt dresses each widget of a new
    window again with every layout that it is put into, and in the end all of them in the sheet of that test's folder.
    """
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - most tests have no Qt

    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setStyleSheet("")
