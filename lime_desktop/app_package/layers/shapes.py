"""What each layered file may hold, and how its layout becomes the manifest's own.

The same content may be written in several layouts: a bare list, a list inside an object of the same
name, or an object inside another. Here they all become one.
"""

from lime_desktop.app_package.problem_kinds.layers import LAYER_EMPTY, LAYER_KEY_IGNORED
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.text.located import LocatedList, LocatedMap

LAYER_FILES: dict[str, tuple[str, ...]] = {
    # file: the top-level keys that belong in it
    "app.capabilities.yaml": ("capabilities", "entries"),
    "app.entries.yaml": ("entries",),
    "app.permissions.yaml": ("permissions", "policy"),
    "app.errors.yaml": ("errors",),
    "app.i18n.yaml": ("i18n",),
    "app.signature.yaml": ("signature",),
    "app.runtime.yaml": ("agentRuntime", "agentTask"),
    "app.requirements.yaml": ("requirements", "nonGoals", "later"),
    "app.boundary.yaml": ("boundary", "boundaries"),
    "app.integrations.yaml": ("integrations",),
    "app.operations.yaml": ("operations",),
    "app.install.yaml": ("install",),
    "evals/readiness.yaml": ("readiness",),
    "evals/health.yaml": ("health",),
}
WRAPPERS = {
    # manifest field: the list inside it
    "requirements": "requirements",
    "boundary": "boundaries",
    "agentRuntime": None,
}
"""Objects that are merged field by field, because their fields are top-level keys of their file."""
_LISTS = ("integrations", "operations")


def in_manifest_shape(file: str, value: LocatedMap, problems: list[Problem]) -> LocatedMap:
    """The layer as if its author had written it in the manifest's own layout."""
    shaped = LocatedMap(value.origin)
    for key, child in _own_fields(file, value, problems).items():
        shaped.put(key, child, value.origins[key])
    if file == "app.capabilities.yaml" and isinstance(value.get("capabilities"), LocatedMap):
        # Detail per capability: it stands beside the list of names and does not replace it.
        shaped.put("capabilityConfig", shaped.pop("capabilities"), value.origins["capabilities"])
    if file == "app.runtime.yaml":
        _gather(shaped, "agentRuntime", ("agentTask",))
    if file == "app.requirements.yaml":
        _wrap_list(shaped, "requirements", "requirements")
        _gather(shaped, "requirements", ("nonGoals", "later"))
    if file == "app.boundary.yaml" and "boundaries" in shaped:
        shaped.put("boundary", shaped.pop("boundaries"), value.origins["boundaries"])
    _normalise(shaped)
    return shaped


def _own_fields(file: str, value: LocatedMap, problems: list[Problem]) -> LocatedMap:
    allowed = LAYER_FILES.get(file)
    if allowed is None:
        return value
    for key in [key for key in value if key not in allowed]:
        place = Place(file, value.origins[key].line, key)
        problems.append(LAYER_KEY_IGNORED.found(f"`{key[:40]}` does not belong here.", place))
    own = LocatedMap(value.origin)
    for key in allowed:
        if key in value:
            own.put(key, value[key], value.origins[key])
    if not own:
        message = f"The file has no `{allowed[0]}`."
        problems.append(LAYER_EMPTY.found(message, Place(file, 1)))
    return own


def _normalise(layer: LocatedMap) -> None:
    for name, inner in WRAPPERS.items():
        if inner is not None:
            _wrap_list(layer, name, inner)
    for name in _LISTS:
        wrapped = layer.get(name)
        if isinstance(wrapped, LocatedMap) and name in wrapped:
            layer.put(name, wrapped[name], wrapped.origins[name])
    runtime = layer.get("agentRuntime")
    if isinstance(runtime, LocatedMap) and isinstance(runtime.get("agentRuntime"), LocatedMap):
        layer.put("agentRuntime", runtime["agentRuntime"], runtime.origins["agentRuntime"])


def _wrap_list(layer: LocatedMap, name: str, inner: str) -> None:
    """A bare list becomes an object that holds it."""
    value = layer.get(name)
    if isinstance(value, LocatedList):
        wrapper = LocatedMap(value.origin)
        wrapper.put(inner, value, layer.origins[name])
        layer.put(name, wrapper, layer.origins[name])


def _gather(layer: LocatedMap, name: str, parts: tuple[str, ...]) -> None:
    """Move top-level parts into the object they belong to."""
    found = [part for part in parts if part in layer]
    if not found:
        return
    origin = layer.origins.get(name, layer.origins[found[0]])
    whole = LocatedMap(origin)
    existing = layer.get(name)
    if isinstance(existing, LocatedMap):
        for key, child in existing.items():
            whole.put(key, child, existing.origins[key])
    for part in found:
        whole.put(part, layer.pop(part), layer.origins[part])
    layer.put(name, whole, origin)
