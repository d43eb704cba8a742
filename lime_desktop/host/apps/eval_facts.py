"""What readiness may say of an app's evals: what came of them, where they are still held to the same. Pure."""

from collections.abc import Mapping

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.overlay.resolve import Resolved
from lime_desktop.protocol.calls.evals import EvalOutcome


def set_thresholds(manifest: Manifest, overlays: Resolved) -> dict[str, float]:
    """The score from which each eval passes, where the app or somebody else says one."""
    said = {each.key: overlays.value(f"evals.{each.key}.threshold") for each in manifest.evals}
    return {key: float(value) for key, value in said.items() if isinstance(value, int | float)}


def outcomes_that_hold(
    kept: Mapping[str, EvalOutcome], thresholds: Mapping[str, float]
) -> dict[str, EvalOutcome]:
    """What was found, without that of evals which are held to another score by now: by that one they were not run."""
    return {
        key: each
        for key, each in kept.items()
        if thresholds.get(key, each.threshold) == each.threshold
    }
