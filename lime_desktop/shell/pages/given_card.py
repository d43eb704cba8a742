"""The files, secrets and knowledge that a person gave to an app: each by name, to be replaced or revoked."""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.app_access import read_given
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.approvals import GivenThing
from lime_desktop.protocol.calls.secrets import SIGN_IN_SLOT
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.readiness.naming import declared_name
from lime_desktop.shell.widgets.parts import button, card, column, label, name_button, pill, row

_MOST_PLACES = 3

Change = Coroutine[Any, Any, None]
"""Something that changes what the app holds, once it is awaited."""


@dataclass(frozen=True, slots=True)
class GivenLinks:
    """What the card does when it is pressed."""

    call: CallServer
    replace: Callable[[RegisteredApp, GivenThing], Change]
    take_back: Callable[[RegisteredApp, GivenThing], Change]


class GivenCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, links: GivenLinks) -> None:
        self._texts = texts
        self._links = links
        self._things: dict[str, tuple[GivenThing, ...]] = {}

    async def look(self, app_id: str) -> bool:
        """Read what an app holds, and tell whether that is news; without an App Server nobody knows."""
        try:
            found = await read_given(self._links.call, app_id)
        except AppServerUnavailable:
            return False
        is_news = found != self._things.get(app_id, ())
        self._things[app_id] = found
        return is_news

    def parts(self, app: RegisteredApp, start: Callable[[Change], None]) -> Iterator[QWidget]:
        """The card, where there is anything to show; what its buttons do is begun by `start`."""
        things = self._things.get(app.app_id, ())
        if things:
            heading = label(self._texts("given.title"), "heading")
            about = label(self._texts("given.about"), "muted")
            yield card(heading, about, *(self._thing(app, each, start) for each in things))

    def _thing(
        self, app: RegisteredApp, thing: GivenThing, start: Callable[[Change], None]
    ) -> QWidget:
        texts, links = self._texts, self._links
        what = _title(texts, app, thing)
        # A reference says nothing to a person; the path does.
        name = thing.places[0] if thing.kind == "file" and thing.places else what
        words = column(label(name), *self._places(thing), spacing=0)
        parts: list[QWidget] = [words]
        if not thing.is_lasting:
            parts.append(pill(texts("given.passing"), "plain"))
        if thing.kind != "file":
            again = button(texts("given.replace"), lambda: start(links.replace(app, thing)))
            name_button(again, texts, name)
            parts.append(again)
        back = button(texts("given.take-back"), lambda: start(links.take_back(app, thing)))
        name_button(back, texts, name)
        return row(*parts, back, stretch_at=0)

    def _places(self, thing: GivenThing) -> Iterator[QWidget]:
        texts = self._texts
        if thing.kind == "file":
            yield label(texts("given.file"), "small")
            return
        for place in thing.places[:_MOST_PLACES]:
            yield label(place, "small")
        if more := len(thing.places[_MOST_PLACES:]):
            yield label(texts("given.more", count=more), "small")


def _title(texts: Texts, app: RegisteredApp, thing: GivenThing) -> str:
    manifest, locale = app.package.manifest, texts.locale
    if thing.kind == "secret" and thing.key.startswith(SIGN_IN_SLOT):
        connector = thing.key.removeprefix(SIGN_IN_SLOT)
        return texts(
            "given.sign-in", name=declared_name("integration", connector, manifest, locale)
        )
    return texts(f"given.{thing.kind}", name=declared_name(thing.kind, thing.key, manifest, locale))
