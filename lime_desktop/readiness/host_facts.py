"""What readiness has to know of this host beside its profile: what it refuses, and what it brings for a package."""

from typing import Any

from lime_desktop.app_package.package import AppPackage
from lime_desktop.readiness.refused_capabilities import REFUSED


def host_facts(package: AppPackage) -> dict[str, Any]:
    """Facts that hold wherever a package is judged by this host: in the window, and on the command line."""
    return {
        "refused_capabilities": {name: each.reason for name, each in REFUSED.items()},
        # What is installed beside them is known where the App Server was asked.
        "available_skills": {skill.name: None for skill in package.skills},
        # What an app has no viewer of its own for is opened in the host's.
        "available_artifact_viewers": frozenset(
            each.key for each in package.manifest.artifact_types
        ),
        # A file alone is no gate: it has to say what is checked.
        "available_evals": package.quality_gates.runnable,
    }
