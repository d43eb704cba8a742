"""A package that can be broken, and the examination of it."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.trust.trust_store import TrustStore
from lime_desktop.developer.conformance.examination import Observations, examine
from lime_desktop.developer.conformance.facts import read_facts
from lime_desktop.developer.conformance.report import Report
from lime_desktop.developer.conformance.seen_page import SeenPage
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.resources import sample_apps_folder

Examine = Callable[..., Report]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return shutil.copytree(sample_apps_folder() / "hello-lime", tmp_path / "hello-lime")


@pytest.fixture
def examined(package: Path) -> Examine:
    """Examines the package as it lies there now."""

    def run(
        page: SeenPage | str = "not opened", host: Sequence[TestOutcome] | str = "not tried"
    ) -> Report:
        facts = read_facts(open_folder(package), TrustStore())
        seen = Observations(page, host, {"RT-01": ("tests/x.py::test_it",)})
        return examine(facts, seen, "2026-01-01T00:00:00Z")

    return run
