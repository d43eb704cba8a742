"""The moments of an app's life at which the standard lets something of it run."""

from typing import Literal, get_args

HookPoint = Literal["install", "activate", "upgrade", "disable", "uninstall"]
HOOK_POINTS: tuple[HookPoint, ...] = get_args(HookPoint)
HOLDS_BACK: frozenset[HookPoint] = frozenset({"install", "activate", "upgrade"})
"""Where a failure decides something: the app is not switched on. Nothing keeps a person from disabling or removing one."""
