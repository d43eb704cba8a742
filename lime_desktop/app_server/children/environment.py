"""What the process inherits. Keys a shell happened to export are none of an engine's business."""

from collections.abc import MutableMapping

from lime_desktop.protocol.runtime.payload_rules import is_key_like

_KEY_ENDINGS = ("KEY", "TOKEN", "SECRET", "PASSWORD")


def scrub(environment: MutableMapping[str, str]) -> list[str]:
    """Remove every variable that could hold a secret, and name what was removed."""
    removed = [
        name for name in environment if name.upper().endswith(_KEY_ENDINGS) or is_key_like(name)
    ]
    for name in removed:
        del environment[name]
    return removed
