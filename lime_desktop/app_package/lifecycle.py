"""What an app wants run when it is installed, activated, updated, disabled or removed. Reads the manifest, runs nothing.

The standard names the five moments and gives a hook no form. Here a hook is a call of a tool that the manifest declares
anyway, so that it can do nothing that the app could not do otherwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.protocol.hook_points import HOOK_POINTS, HookPoint

HOOK_KEYS = frozenset({"tool", "action", "input"})
MOST_INPUT_CHARACTERS = 16_000
"""Of a hook's input, written as JSON."""


@dataclass(frozen=True, slots=True)
class LifecycleHook:
    """One call of a declared tool, at one moment of an app's life."""

    point: HookPoint
    tool: str
    """The key of an integration or of a tool reference."""
    action: str | None
    """Which of several, where the key stands for more than one."""
    input: Mapping[str, object]


def lifecycle_hooks(manifest: Manifest) -> tuple[LifecycleHook, ...]:
    """The hooks of an app, in the order of its life; what has not the form of a hook is none."""
    found = (hook_at(manifest, point) for point in HOOK_POINTS)
    return tuple(hook for hook in found if hook is not None)


def hook_at(manifest: Manifest, point: HookPoint) -> LifecycleHook | None:
    """The hook of one moment."""
    written = (manifest.lifecycle or {}).get(point)
    if not isinstance(written, Mapping):
        return None
    fields = cast("Mapping[str, object]", written)
    tool, action, given = (fields.get(name) for name in ("tool", "action", "input"))
    if not isinstance(tool, str):
        return None
    return LifecycleHook(
        point,
        tool,
        action if isinstance(action, str) else None,
        cast("Mapping[str, object]", given) if isinstance(given, Mapping) else {},
    )
