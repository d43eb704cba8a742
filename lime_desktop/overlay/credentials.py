"""Which of an app's secrets may a tool be told to use? Those that its manifest sends there: a setting chooses, and gives nothing away. Pure."""

from collections.abc import Mapping

from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.overlay.secrets import SECRET_REF, is_secret_ref

_TAKES_CREDENTIALS = frozenset({"cli", "mcp", "api"})
_REF = "secret:"


def credential_slots(manifest: Manifest) -> Mapping[str, tuple[str, ...]]:
    """The slots that each program, tool server and described system may be shown, in the manifest's order."""
    tools = (
        each.key
        for each in manifest.integrations
        if each.adapter is not None and each.adapter.kind in _TAKES_CREDENTIALS
    )
    return {tool: _slots_of(manifest, tool) for tool in tools}


def _slots_of(manifest: Manifest, tool: str) -> tuple[str, ...]:
    return tuple(
        slot.key
        for slot in manifest.secrets
        if any(use.integration == tool for use in slot.use)
        and SECRET_REF.fullmatch(f"{_REF}{slot.key}")
    )


def reference_to(slot: str) -> str:
    """How a setting names a slot."""
    return f"{_REF}{slot}"


def slot_named(value: object) -> str | None:
    """The slot that a setting names; None for what is no reference."""
    return value.removeprefix(_REF) if isinstance(value, str) and is_secret_ref(value) else None
