"""Every screen of the shell, by name. Whoever makes a screen adds a row: it is then photographed in every look,
its texts are checked for room, and its widgets for names that a screen reader can say.
"""

from collections.abc import Awaitable, Callable

from lime_desktop.protocol.approvals import ApprovalKind
from tests.shell import questions
from tests.shell.stage import Stage

ShowScreen = Callable[[Stage], Awaitable[None]]


async def _empty_home(stage: Stage) -> None:
    stage.window.show_home()


async def _home(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_home()


async def _app(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_details("hello-lime")


async def _granted(stage: Stage) -> None:
    stage.add_samples()
    stage.around.shelf.grant("hello-lime", "keep-greeting")
    stage.window.show_settings("grants")


def _settings(section: str) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.add_samples()
        stage.window.show_settings(section)

    return show


def _question(kind: ApprovalKind) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.add_samples()
        stage.window.show_home()
        for question in (questions.OF_EACH_KIND[kind], *questions.OTHERS):
            stage.around.approvals.queue.ask(question, lambda _answer: None)

    return show


SCREENS: dict[str, ShowScreen] = {
    "home-empty": _empty_home,
    "home": _home,
    "app-details": _app,
    "settings-general": _settings("general"),
    "settings-grants-empty": _settings("grants"),
    "settings-grants": _granted,
    "settings-privacy": _settings("privacy"),
    "settings-storage": _settings("storage"),
    "settings-developer": _settings("developer"),
    "settings-about": _settings("about"),
    **{f"approval-{kind}": _question(kind) for kind in questions.OF_EACH_KIND},
}
