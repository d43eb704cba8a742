"""What bringing a copy back would change: two lists of what there is, held against each other. Pure."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lime_desktop.protocol.calls.checkpoints import CheckpointScopeName, RollbackChange


class Kept(NamedTuple):
    """One thing that an app keeps."""

    name: str
    """What a person knows it by."""
    digest: str
    """Another one means that it was changed."""


def differences(
    scope: CheckpointScopeName, copied: Mapping[str, Kept], now: Mapping[str, Kept]
) -> Iterator[RollbackChange]:
    """What would return, go and change, in the order of their keys."""
    for key in sorted(copied.keys() | now.keys()):
        before, after = copied.get(key), now.get(key)
        if after is None and before is not None:
            yield RollbackChange(scope=scope, kind="returns", name=before.name)
        elif before is None and after is not None:
            yield RollbackChange(scope=scope, kind="goes", name=after.name)
        elif before is not None and after is not None and before.digest != after.digest:
            yield RollbackChange(scope=scope, kind="changes", name=before.name)
