"""One child that draws, for as long as it lives: whatever it is given, pixels of one size come back or a reason."""

import atexit

from lime_desktop.host.appearance.picture_cache import PIXEL_BYTES
from lime_desktop.shell.pictures.drawing import _Child, _start_child

_children: list[_Child] = []


def draw_bounded(picture: bytes) -> None:
    """Have a picture drawn, and a good one after it: by the same child, or by another if that one was lost."""
    if not _children:
        child = _start_child()
        assert child is not None, "no process could be started"
        _children.append(child)
    drawn = _children[0].draw(picture)
    if drawn is None:
        _children.pop().end()
    assert not isinstance(drawn, bytes) or len(drawn) == PIXEL_BYTES


def end_drawing() -> None:
    """End the child."""
    while _children:
        _children.pop().end()


atexit.register(end_drawing)
