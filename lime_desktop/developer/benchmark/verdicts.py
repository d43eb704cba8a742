"""What an answer is worth: the quality gates and checks that its task names, run as `lime-desktop eval` runs them. Pure.

No model is asked. A task that names neither is worth what its run says: it ended well, or not.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.app_package.eval_files import GateFile, QualityGate, SchemaCheck
from lime_desktop.app_package.manifest.resources import Eval
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.value_schema import read_schema
from lime_desktop.app_server.quality.checks import Subject
from lime_desktop.app_server.quality.gates import run_gate, threshold_of
from lime_desktop.developer.benchmark.suite import SuiteTask
from lime_desktop.protocol.acceptance import GateOutcome

OWN_CHECKS = "checks"
"""What the checks are called that a suite brings itself."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What gates and checks say of one answer."""

    outcomes: tuple[GateOutcome, ...] = ()

    @property
    def is_passed(self) -> bool:
        """Whether none of them says no; a person has nothing to decide here."""
        return all(each.status != "failed" for each in self.outcomes)

    @property
    def reward(self) -> float:
        """The lowest score, from 0 to 1."""
        return min((each.score for each in self.outcomes if each.score is not None), default=1.0)


def judge(task: SuiteTask, package: AppPackage, content: JsonValue) -> Verdict:
    """Hold an answer against everything that its task names."""
    # Of each source, the first line is taken for its title.
    subject = Subject(content, [f"\n{each}" for each in task.sources])
    gates = [package.quality_gates.gates[key] for key in task.gates]
    if task.checks:
        gates.append(_own_gate(task, package))
    return Verdict(tuple(run_gate(each, subject, threshold_of(each, {})) for each in gates))


def _own_gate(task: SuiteTask, package: AppPackage) -> QualityGate:
    named = (each.schema_path for each in task.checks if isinstance(each, SchemaCheck))
    schemas = {path: read_schema(package.tree, path) or {} for path in named}
    declared = Eval.model_validate({"key": OWN_CHECKS, "kind": "quality"})
    return QualityGate(declared, GateFile(checks=task.checks), schemas)
