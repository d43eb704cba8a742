"""Problems as SARIF 2.1.0, the format in which editors and code hosts take findings."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from lime_desktop import __version__
from lime_desktop.app_package.problem_kinds import ALL_KINDS
from lime_desktop.app_package.problems import Problem, ProblemKind

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX = {kind.code: index for index, kind in enumerate(ALL_KINDS)}


def sarif_log(found: Iterable[tuple[Path, tuple[Problem, ...]]]) -> dict[str, object]:
    """One log for all packages; places are relative to where the command was started."""
    results = [_result(path, problem) for path, problems in found for problem in problems]
    driver = {
        "name": "lime-desktop",
        "semanticVersion": __version__,
        "rules": [_rule(kind) for kind in ALL_KINDS],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(kind: ProblemKind) -> dict[str, object]:
    return {
        "id": kind.code,
        "shortDescription": {"text": kind.meaning},
        "help": {"text": kind.fix},
        "defaultConfiguration": {"level": kind.severity.value},
    }


def _result(path: Path, problem: Problem) -> dict[str, object]:
    text = f"{problem.message} {problem.fix}" if problem.fix else problem.message
    result: dict[str, object] = {
        "ruleId": problem.code,
        "level": problem.severity.value,
        "message": {"text": text},
        "locations": [_location(path, problem)],
    }
    if problem.code in _INDEX:
        result["ruleIndex"] = _INDEX[problem.code]
    return result


def _location(path: Path, problem: Problem) -> dict[str, object]:
    # An archive's files have no address of their own: point at the archive.
    target = path / problem.file if problem.file and path.is_dir() else path
    physical: dict[str, object] = {"artifactLocation": {"uri": quote(target.as_posix())}}
    if problem.line is not None and target != path:
        physical["region"] = {"startLine": problem.line}
    location: dict[str, object] = {"physicalLocation": physical}
    if problem.key_path:
        location["logicalLocations"] = [{"fullyQualifiedName": problem.key_path}]
    return location
