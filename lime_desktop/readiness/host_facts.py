"""What readiness has to know of this host beside its profile: what it cannot run of a package, and what it brings for one."""

from typing import Any

from lime_desktop.app_package.package import AppPackage


def host_facts(package: AppPackage) -> dict[str, Any]:
    """Facts that hold wherever a package is judged by this host: in the window, and on the command line."""
    return {
        "described_workflows": frozenset(
            name
            for each in package.workflows
            if each.described.definition is None
            for name in (each.key, each.path)
            if name
        ),
        # What is installed beside them is known where the App Server was asked.
        "available_skills": {skill.name: None for skill in package.skills},
        # What an app has no viewer of its own for is opened in the host's.
        "available_artifact_viewers": frozenset(
            each.key for each in package.manifest.artifact_types
        ),
        # A file alone is no gate: it has to say what is checked.
        "available_evals": package.quality_gates.runnable,
        "triable_evals": package.quality_gates.triable,
    }
