"""Something would be lost with a page: the person is told by whom that is said, and decides.

The pages are asked at the same time, each with a moment to answer, so that no app holds up the others or the end.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtWidgets import QWidget

from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.surroundings import Surroundings

Act = Literal["close", "reload", "quit"]


def go_on_if_saved(
    window: QWidget,
    around: Surroundings,
    surfaces: Sequence[Surface],
    act: Act,
    go_on: Callable[[], object],
    kept: Callable[[], object] = lambda: None,
) -> None:
    """Go on at once where nothing would be lost, else by the person's yes; `kept` hears of anything else."""
    unsaved: list[Surface] = []
    waiting = set(surfaces)

    def hear(surface: Surface, *, is_unsaved: bool) -> None:
        waiting.discard(surface)
        if is_unsaved:
            unsaved.append(surface)
        if not waiting:
            settle()

    def settle() -> None:
        if unsaved:
            # It may have been put away behind the tray.
            window.window().show()
            ask(window, _question(around, unsaved, act), go_on, kept)
        else:
            go_on()

    if not surfaces:
        go_on()
    for surface in surfaces:
        surface.ask_unsaved(_answer(hear, surface))


def _answer(hear: Callable[..., None], surface: Surface) -> Callable[[bool], None]:
    return lambda is_unsaved: hear(surface, is_unsaved=is_unsaved)


def _question(around: Surroundings, unsaved: Sequence[Surface], act: Act) -> Question:
    texts = around.texts
    found = (around.shelf.app(each.app_id) for each in unsaved)
    names = dict.fromkeys(app.title(texts.locale) for app in found if app is not None)
    apps = texts("unsaved.and").join(names)
    return Question(
        texts(f"unsaved.{act}.title", apps=apps),
        texts("unsaved.text", apps=apps, count=len(names)),
        texts(f"unsaved.{act}.detail"),
        yes=texts(f"unsaved.{act}.yes"),
        no=texts("unsaved.no"),
        loses_something=True,
    )
