"""A layout whose parts reach to the edges of what holds it: the parts bring their own room along."""

from typing import TypeVar

from PySide6.QtWidgets import QLayout

LayoutT = TypeVar("LayoutT", bound=QLayout)


def edge_to_edge(layout: LayoutT, spacing: int | None = None) -> LayoutT:
    """Take the room around the parts away; between them there is as much as named, or what the style has."""
    layout.setContentsMargins(0, 0, 0, 0)
    if spacing is not None:
        layout.setSpacing(spacing)
    return layout
