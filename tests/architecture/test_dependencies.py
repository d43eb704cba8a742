"""What is installed is chosen by ranges in one place (ours), and Qt's version by its fault."""

import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
EVERY = [
    Requirement(text) for texts in (PROJECT["dependencies"], *EXTRAS.values()) for text in texts
]


@pytest.mark.parametrize("requirement", EVERY, ids=lambda requirement: requirement.name)
def test_every_dependency_names_the_oldest_version_that_will_do(requirement: Requirement) -> None:
    assert any(each.operator in {">=", "~=", "=="} for each in requirement.specifier)


ASKED_FOR = {"PySide6", "aiosqlite", "keyring", "pydantic", "qasync", "ruamel.yaml", "watchfiles"}
"""The packages that the project was asked to stand on."""
DECISIONS = ROOT / "packaging" / "docs" / "decisions"


def test_every_package_that_was_not_asked_for_has_a_decision() -> None:
    """Each with its reason and its figures; the tools of the tests are nobody's burden."""
    told = "\n".join(page.read_text(encoding="utf-8") for page in DECISIONS.glob("0*.md"))
    shipped = (PROJECT["dependencies"], *(EXTRAS[name] for name in EXTRAS if name != "dev"))
    names = {Requirement(text).name for texts in shipped for text in texts} | ASKED_FOR
    departures = names - ASKED_FOR | (ASKED_FOR - {each.name for each in EVERY})
    assert "aiosqlite" in departures
    assert {name for name in departures if name not in told} == set()


def test_the_list_of_decisions_is_whole() -> None:
    listed = (DECISIONS / "README.md").read_text(encoding="utf-8")
    for page in sorted(DECISIONS.glob("0*.md")):
        text = page.read_text(encoding="utf-8")
        assert f"({page.name})" in listed
        for part in ("State: ", "## Context", "## Decision", "## Instead of", "## Figures"):
            assert part in text, page.name


@pytest.mark.parametrize(("python", "allowed"), [("3.11", False), ("3.12", True)])
def test_pyside_612_is_kept_off_python_311(python: str, *, allowed: bool) -> None:
    """6.12.0 aborts there after a few hundred signals."""
    environment = {"python_version": python}
    [pyside] = [
        requirement
        for requirement in map(Requirement, EXTRAS["desktop"])
        if requirement.name == "PySide6"
        and (requirement.marker is None or requirement.marker.evaluate(environment))
    ]
    assert pyside.specifier.contains("6.12.0") is allowed


def test_the_bootstrap_asks_for_the_python_that_the_project_needs() -> None:
    script = (ROOT / "packaging" / "bootstrap.py").read_text(encoding="utf-8")
    needed = PROJECT["requires-python"].removeprefix(">=")
    assert f"Python {needed} or newer" in script
    assert sys.version_info >= tuple(map(int, needed.split(".")))
