"""How an app declares one of its panels in `ui.panels`: at which side of its entry, and how wide. Both are wishes."""

from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_package.manifest import Entry, Manifest

PanelSide = Literal["left", "right", "bottom"]
_NARROWEST, _WIDEST = 240, 800


@dataclass(frozen=True, slots=True)
class DeclaredPanel:
    """What an app wishes for a panel."""

    side: PanelSide = "right"
    width: int | None = None


def declared_panel(manifest: Manifest, entry: Entry) -> DeclaredPanel:
    """The wish for an entry that is a panel; the usual place where nothing that can be used is declared."""
    names = {entry.panel, entry.key}
    for each in manifest.ui.panels if manifest.ui else ():
        if each.get("key") in names:
            return DeclaredPanel(_side(each.get("position")), _width(each.get("width")))
    return DeclaredPanel()


def _width(said: object) -> int | None:
    if not isinstance(said, int) or isinstance(said, bool) or said <= 0:
        return None
    return min(_WIDEST, max(_NARROWEST, said))


def _side(said: object) -> PanelSide:
    match said:
        case "left":
            return "left"
        case "bottom":
            return "bottom"
        case _:
            return "right"
