"""Does an app ask a model for part of what it does? Read from what it declares. Pure."""

from lime_desktop.app_package.manifest import Manifest

_ANSWERED_BY_MODELS = frozenset({"lime.agent", "lime.media"})


def wants_model(manifest: Manifest) -> bool:
    """Whether something of it stays undone where no model answers."""
    named = {*manifest.capability_names, *manifest.requires.capability_ranges}
    named |= {name for entry in manifest.entries for name in entry.required_capabilities}
    return (
        any(each.scope == "model" for each in manifest.permissions)
        or any(each.kind == "expert-chat" for each in manifest.entries)
        or not named.isdisjoint(_ANSWERED_BY_MODELS)
    )
