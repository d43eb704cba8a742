"""Fixtures every area may use."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pydantic
import pytest
from hypothesis import settings

# PySide6's import hook asks every module loaded after it for `__wrapped__`. Asked half way through
# its own start, pydantic fails with a circular import; asked once before Qt is there, it never does.
getattr(pydantic, "__wrapped__", None)

# A deadline per example measures the machine's other work. Tests that promise a time measure it.
# CI tries the same examples each time, so that a red run is the change's doing; people try new ones.
settings.register_profile("lime", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("lime")

REPOSITORY = Path(__file__).resolve().parents[1]


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


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the working copy under test."""
    return REPOSITORY


@pytest.fixture(autouse=True)
def qt_objects_die_on_this_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no worker thread collect what a test with windows left behind: Qt would crash, now or later."""
    if "qapp" not in request.fixturenames:
        yield
        return
    gc.disable()
    yield
    gc.collect()
    gc.enable()
