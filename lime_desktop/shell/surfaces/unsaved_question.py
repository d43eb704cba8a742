"""Something would be lost with a page: the person is told by whom that is said, and decides.

The pages are asked at the same time, each with a moment to answer, so that no app holds up the others or the end.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.surfaces.surface import Surface

Act = Literal["close", "reload", "quit"]


class UnsavedQuestions:
    """Asks the pages, and the person where one of them says that something would be lost."""

    def __init__(self, texts: Texts, registry: AppRegistry) -> None:
        self._texts = texts
        self._registry = registry

    def go_on_if_saved(
        self,
        window: QWidget,
        surfaces: Sequence[Surface],
        act: Act,
        go_on: Callable[[], object],
        kept: Callable[[], object] = lambda: None,
    ) -> None:
        """Go on at once where nothing would be lost, else by the person's yes; `kept` hears of anything else."""
        unsaved: list[Surface] = []
        waiting = set(surfaces)

        def note(surface: Surface, *, is_unsaved: bool) -> None:
            waiting.discard(surface)
            if is_unsaved:
                unsaved.append(surface)
            if not waiting:
                settle()

        def settle() -> None:
            if unsaved:
                # It may have been put away behind the tray.
                window.window().show()
                ask(window, self._question(unsaved, act), go_on, kept)
            else:
                go_on()

        if not surfaces:
            go_on()
        for surface in surfaces:
            surface.ask_unsaved(_answer(note, surface))

    def _question(self, unsaved: Sequence[Surface], act: Act) -> Question:
        texts = self._texts
        found = (self._registry.app(each.app_id) for each in unsaved)
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


def _answer(note: Callable[..., None], surface: Surface) -> Callable[[bool], None]:
    return lambda is_unsaved: note(surface, is_unsaved=is_unsaved)
