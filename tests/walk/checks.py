"""What must hold after a step, in what the program recorded or on the screen. Each check says what does not, or nothing."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.walk.hands import Walk

_PIXEL = 3
_SAMPLE = 97
"""Every so many pixels one is looked at to tell light from dark: a prime, or it would be a column."""
_MIDDLE = 128
_CHANGED = 600
"""So many pixels are more than a caret that blinks, a clock that goes on and a ring around a small button."""


@dataclass(frozen=True, slots=True)
class Look:
    """The screen before a step and after it."""

    before: bytes
    after: bytes

    @property
    def changed(self) -> int:
        """How many pixels are not what they were."""
        if len(self.before) != len(self.after):
            return len(self.after) // _PIXEL
        return sum(
            self.before[at : at + _PIXEL] != self.after[at : at + _PIXEL]
            for row in _unlike_rows(self.before, self.after)
            for at in row
        )


Check = Callable[[Walk, Look], str]
"""Returns what is wrong, in words; nothing where all is well."""


def all_of(*checks: Check) -> Check:
    """Everything must hold; says the first that does not."""

    def check(walk: Walk, look: Look) -> str:
        return next((wrong for each in checks if (wrong := each(walk, look))), "")

    return check


def shows_something_else(_walk: Walk, look: Look) -> str:
    """The step did something that can be seen."""
    if look.changed >= _CHANGED:
        return ""
    return f"the screen shows what it showed before ({look.changed} pixels differ)"


def fills_the_screen(walk: Walk, _look: Look) -> str:
    """The window stands wholly on the screen and has all of it."""
    return "" if walk.screen.is_filled() else "the window does not fill the screen"


def has_the_theme(walk: Walk, look: Look) -> str:
    """Light or dark, as was chosen."""
    values = look.after[:: _PIXEL * _SAMPLE]
    is_dark = sum(values) / max(1, len(values)) < _MIDDLE
    wanted = walk.recorded.settings.theme_mode
    return "" if is_dark == (wanted == "dark") else f"the window is not {wanted}"


def is_welcomed(*, wanted: bool) -> Check:
    """Whether the welcome counts as seen."""
    return _equal("is welcomed", lambda walk: walk.recorded.settings.is_welcomed, wanted)


def in_front(app_id: str) -> Check:
    """The tab of this app is in front."""
    return _equal("in front", lambda walk: walk.recorded.tab_in_front, app_id)


def latest(app_id: str) -> Check:
    """The person worked in this app last."""
    return _equal("worked in last", lambda walk: "".join(walk.recorded.recent[:1]), app_id)


def tabs(*app_ids: str) -> Check:
    """These are open, from left to right."""
    return _equal("open", lambda walk: walk.recorded.tabs, app_ids)


def installed(*app_ids: str) -> Check:
    """These are here and no others."""
    return _equal(
        "installed", lambda walk: sorted(walk.recorded.installed), sorted(frozenset(app_ids))
    )


def zoomed(percent: int | None, app_id: str) -> Check:
    """The pages of an app are remembered as so large; none for their own size."""
    return _equal(
        f"zoom of {app_id}", lambda walk: walk.recorded.settings.page_zoom.get(app_id), percent
    )


def text_scale(wanted: float) -> Check:
    """How large the window's letters are."""
    return _equal("text size", lambda walk: walk.recorded.settings.text_scale, wanted)


def noted(title: str, text: str) -> Check:
    """A note of this title holds exactly this, and there is no other note."""
    return _equal("notes", lambda walk: walk.recorded.notes, {title: text})


def server_has_died(walk: Walk, _look: Look) -> str:
    """There was an App Server to kill, and it is gone."""
    if walk.killed_server is None:
        return "there was no App Server to kill"
    is_gone = walk.program.server_id != walk.killed_server
    return "" if is_gone else "the App Server that was killed still runs"


def server_lives(walk: Walk, look: Look) -> str:
    """There is an App Server, and it is not the one that was killed."""
    return "no App Server runs" if walk.program.server_id is None else server_has_died(walk, look)


def _equal(name: str, read: Callable[[Walk], object], wanted: object) -> Check:
    def check(walk: Walk, _look: Look) -> str:
        found = read(walk)
        return "" if found == wanted else f"{name}: {found!r}, and not {wanted!r}"

    return check


def _unlike_rows(before: bytes, after: bytes) -> list[range]:
    """Where pieces begin that differ: most of a screen stays, and pieces are compared at once."""
    piece = _PIXEL * 1_000
    starts = range(0, len(after), piece)
    unlike = (at for at in starts if before[at : at + piece] != after[at : at + piece])
    return [range(at, min(at + piece, len(after)), _PIXEL) for at in unlike]
