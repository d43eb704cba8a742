"""Which settings could be made for an app? Every key that its manifest alone decides. Pure."""

from collections.abc import Iterator

from lime_desktop.overlay.effects import credential_of, why_ignored
from lime_desktop.overlay.keys import FAMILIES, KeyFamily
from lime_desktop.overlay.surface import OverlaySurface


def offered_keys(surface: OverlaySurface) -> tuple[str, ...]:
    """The keys that have no open names, and those whose one name the app gives: its entries, evals and so on. What nobody obeys is not offered."""
    keys = (key for family in FAMILIES for key in _keys(family, surface))
    found = [key for key in keys if _has_effect(key, surface)]
    return (*found, *_parameters(surface))


def _parameters(surface: OverlaySurface) -> Iterator[str]:
    """What a run may be given by default."""
    for workflow, names in sorted(surface.parameters.items()):
        yield from (f"workflows.{workflow}.defaults.{name}" for name in sorted(names))


def _has_effect(key: str, surface: OverlaySurface) -> bool:
    tool = credential_of(key)
    # Where no secret goes there is nothing to choose among.
    has_choice = tool is None or bool(surface.credentials.get(tool))
    return has_choice and why_ignored(key, surface) is None


def _keys(family: KeyFamily, surface: OverlaySurface) -> tuple[str, ...]:
    open_names = family.shape.count("<")
    if open_names == 0:
        return (family.shape,)
    if open_names > 1 or family.refers_to is None:
        return ()
    before, _, rest = family.shape.partition("<")
    after = rest.partition(">")[2]
    names = sorted(getattr(surface, family.refers_to))
    return tuple(f"{before}{name}{after}" for name in names)
