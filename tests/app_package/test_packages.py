"""Every folder of `packages/` is a case: a package named `app` and the problems it must give."""

import json
from pathlib import Path

import pytest

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.problem_kinds import fields, layers, rules, schedules, text, workflows
from lime_desktop.app_package.problems import ProblemKind

CASES = Path(__file__).parent / "packages"
IGNORING = "fields-that-do-nothing"
NAMES = sorted(folder.name for folder in CASES.iterdir())


def found_in(case: str) -> list[dict[str, object]]:
    package = load_package(open_folder(CASES / case / "app"))
    # Which fields do nothing changes with every one that is made to do something: one case shows it.
    silent = set[str]() if case == IGNORING else {fields.FIELD_IGNORED.code}
    return [
        problem.model_dump(mode="json", by_alias=True, exclude={"message", "fix"})
        for problem in package.problems
        if problem.code not in silent
    ]


@pytest.mark.parametrize("case", NAMES)
def test_a_package_gives_exactly_the_problems_it_has(case: str) -> None:
    expected = json.loads((CASES / case / "expected.json").read_text("utf-8"))
    assert found_in(case) == expected


@pytest.mark.parametrize("minor", range(3, 11))
def test_a_package_of_every_manifest_version_is_valid_and_keeps_what_was_written(
    minor: int,
) -> None:
    """The standard's versions 0.3 to 0.10 are all current input."""
    package = load_package(open_folder(CASES / f"manifest-0.{minor}" / "app"))
    assert package.is_valid
    assert package.manifest.manifest_version == f"0.{minor}.0"
    written = package.manifest.model_dump(by_alias=True, exclude_unset=True, mode="json")
    assert written == package.effective


def test_every_code_about_content_is_given_by_some_case() -> None:
    """What no case shows would be lost unnoticed; what takes large files is tested elsewhere."""
    shown = {problem["code"] for case in NAMES for problem in found_in(case)}
    declared = {
        name
        for subject in (fields, layers, rules, schedules, text, workflows)
        for name, kind in vars(subject).items()
        if isinstance(kind, ProblemKind)
    }
    assert declared - shown == {
        "CREDENTIALS_NOT_SOUGHT",
        "TEXT_TOO_LARGE",
        "TOO_MANY_PROBLEMS",
    }
