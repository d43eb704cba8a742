"""Which panels belong to which open entry, and how wide the person left those that are closed."""

from collections.abc import Callable, Iterator
from typing import cast

from PySide6.QtWidgets import QWidget

from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.focus import has_keyboard
from lime_desktop.shell.window.entries.panel_place import PanelFrame, PanelPlace, PanelWish


class Panels:
    """Which panels belong to which open entry."""

    def __init__(
        self, look: Look, close: Callable[[Surface], object], changed: Callable[[], None]
    ) -> None:
        self._look = look
        self._close = close
        self._changed = changed
        self._places: dict[Surface, PanelPlace] = {}
        self._widths: dict[tuple[str, str], int] = {}
        """How wide the person left panels that are closed now, by app and entry."""

    def of(self, owner: Surface) -> tuple[Surface, ...]:
        """The panels of an entry."""
        return tuple(each.surface for each in self.frames_of(owner))

    def frames_of(self, owner: Surface) -> tuple[PanelFrame, ...]:
        """The same, as parts of the window that can have the keyboard."""
        place = self._places.get(owner)
        return () if place is None else place.frames

    def place_of(self, owner: Surface) -> PanelPlace | None:
        """How they stand in its tab; nothing, where it has none."""
        return self._places.get(owner)

    def width_of(self, panel: Surface) -> int | None:
        """How wide a panel stands beside its entry, or will once there is room; nothing for what is no panel."""
        owner = self.owner_of(panel)
        place = None if owner is None else self._places.get(owner)
        return None if place is None else place.width_wanted

    def keep_width(self, panel: Surface) -> None:
        """Remember how wide the person leaves a panel that is about to be closed."""
        if (width := self.width_of(panel)) is not None:
            self._widths[panel.app_id, panel.entry_key] = width

    def owner_of(self, surface: Surface) -> Surface | None:
        """The entry that a panel belongs to; nothing for what is no panel."""
        return next((owner for owner, frame in self._all() if frame.surface is surface), None)

    def embed(self, owner: Surface, panel: Surface, wish: PanelWish) -> PanelFrame:
        """Put a panel beside its entry, as wide as the person left it before."""
        wish = PanelWish(wish.side, self._widths.get((panel.app_id, panel.entry_key), wish.width))
        return self._embed(owner, panel, wish)

    def _embed(self, owner: Surface, panel: Surface, wish: PanelWish) -> PanelFrame:
        place = self._places.get(owner)
        if place is None:
            place = self._places[owner] = PanelPlace(owner, wish)
            place.resized.connect(self._changed)
            place.show()
        frame = PanelFrame(self._look, panel, self._close)
        place.add(frame)
        return frame

    def swap(self, old: Surface, new: Surface) -> None:
        """Show another surface in a panel's place."""
        for _, frame in self._all():
            if frame.surface is old:
                frame.swap(new)
                return

    def move(self, old: Surface, new: Surface) -> None:
        """Let the panels of an entry stand beside what takes its place."""
        place = self._places.pop(old, None)
        if place is None:
            return
        wish = PanelWish(place.side, place.width_wanted)
        for frame in place.frames:
            self._embed(new, frame.surface, wish)

    def forget(self, owner: Surface) -> None:
        """An entry goes, and its panels with it."""
        self._places.pop(owner, None)

    def remove(self, panel: Surface) -> Surface | None:
        """Take a panel away, after the caller shut it, and give the entry it stood beside."""
        owner = self.owner_of(panel)
        if owner is None:
            return None
        place = self._places[owner]
        place.remove(next(each for each in place.frames if each.surface is panel))
        if not place.frames:
            del self._places[owner]
            place.release()
        return owner

    def _all(self) -> Iterator[tuple[Surface, PanelFrame]]:
        for owner, place in self._places.items():
            for frame in place.frames:
                yield owner, frame

    def in_use(self, owner: Surface) -> Surface:
        """The panel of an entry that the keyboard is in, or was in last; else the entry itself."""
        frames = self.frames_of(owner)
        # Qt gives none where nothing in it ever had the keyboard, whatever its types say.
        last = cast("QWidget | None", owner.focusWidget()) if frames else None
        for frame in frames:
            if has_keyboard(frame) or (last is not None and frame.isAncestorOf(last)):
                return frame.surface
        return owner
