"""The settings of one app: what applies, who said it, who locked it; the person's own changed and reset."""

from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.app_settings import PersonsLayer
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.setting_rows import LAYERS, SettingRow, setting_rows
from lime_desktop.overlay.layers import Orphan
from lime_desktop.shell.appearance.look import LiveTexts
from lime_desktop.shell.notices.notices import OfferUndo
from lime_desktop.shell.pages.overlay_form import OverlayForm
from lime_desktop.shell.settings.overlay_words import key_name, row_name, value_words
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    line,
    name_button,
    pill,
    row,
)
from lime_desktop.shell.widgets.work import Failed, Work

Say = Callable[[str, str], None]


class OverlaysPage(Page):
    """Follows every change of the app's settings, whoever made it."""

    def __init__(
        self,
        texts: LiveTexts,
        registry: AppRegistry,
        back: Callable[[str], None],
        say: Say,
        failed: Failed,
        offer_undo: OfferUndo,
    ) -> None:
        super().__init__()
        self._texts = texts
        self._registry = registry
        self._back = back
        self._say = say
        self._offer_undo = offer_undo
        self._work = Work(self, failed)
        self._app_id = ""
        self._form: OverlayForm | None = None
        registry.watch(self.once_seen(self.show_again))
        texts.changed.connect(self.show_again)

    def show_app(self, app_id: str) -> None:
        """Turn to an app."""
        self._app_id = app_id
        self.show_again()

    def show_again(self) -> None:
        """Show the settings as they stand now."""
        app, center = self._registry.app(self._app_id), self._registry.center
        if app is not None and center is not None:
            self.refill(*self._parts(app, center))

    def _parts(self, app: RegisteredApp, center: AppCenter) -> Iterator[QWidget]:
        texts, locale = self._texts, self._texts.locale
        title = app.title(locale)
        yield row(button(f"‹ {title}", lambda: self._back(app.app_id), "link"))
        yield label(texts("overlay.title", app=title), "title")
        yield label(texts("overlay.about"), "muted")
        rows = setting_rows(app, center, locale)
        yield self._applying(app, center, [each for each in rows if each.source is not None])
        yield self._editing(app, center, [each for each in rows if _can_be_set(each)])
        if orphans := _own_orphans(app, center):
            yield self._lost(app, center, orphans)

    def _applying(self, app: RegisteredApp, center: AppCenter, rows: list[SettingRow]) -> QWidget:
        texts = self._texts
        parts: list[QWidget] = [label(texts("overlay.applies"), "heading")]
        if not rows:
            parts.append(label(texts("overlay.applies.none"), "muted"))
        for index, each in enumerate(rows):
            if index:
                parts.append(line())
            parts.append(self._setting(app, center, each))
        return card(*parts)

    def _setting(self, app: RegisteredApp, center: AppCenter, each: SettingRow) -> QWidget:
        texts, name = self._texts, row_name(each, self._texts)
        words = column(label(name, "strong"), *self._value_lines(each), spacing=0)
        parts: list[QWidget] = [words, pill(texts(f"overlay.source.{each.source}"), "plain")]
        if each.locked_by is not None:
            parts.append(pill(texts("overlay.locked"), "warning"))
        elif each.layers:
            change = button(texts("overlay.edit"), lambda: self._edit(each))
            name_button(change, texts, name)
            parts.append(change)
        if each.said:
            reset = button(texts("overlay.reset"), lambda: self._reset(app, center, each))
            name_button(reset, texts, name)
            parts.append(reset)
        return row(*parts, stretch_at=0)

    def _value_lines(self, each: SettingRow) -> Iterator[QWidget]:
        texts = self._texts
        yield label(value_words(each.value, texts))
        if each.ignored is not None:
            yield label(texts(f"overlay.ignored.{each.ignored}"), "small")
        if each.locked_by is not None:
            yield label(texts("overlay.locked.about"), "small")
            for value in each.said.values():
                yield label(texts("overlay.held", value=value_words(value, texts)), "small")

    def _editing(self, app: RegisteredApp, center: AppCenter, rows: list[SettingRow]) -> QWidget:
        def save(each: SettingRow, layer: PersonsLayer, value: Any) -> None:
            manifest = app.package.manifest
            work = center.overlays.change_value(manifest, layer, each.key, value)
            self._start(work, "overlay.saved")

        self._form = OverlayForm(self._texts, rows, save)
        return self._form

    def _lost(self, app: RegisteredApp, center: AppCenter, orphans: list[Orphan]) -> QWidget:
        texts = self._texts
        return card(
            label(texts("overlay.orphans"), "heading"),
            label(texts("overlay.orphans.about"), "muted"),
            *(self._orphan(app, center, each) for each in orphans),
        )

    def _orphan(self, app: RegisteredApp, center: AppCenter, orphan: Orphan) -> QWidget:
        texts, name = self._texts, key_name(orphan.key, self._texts)
        layer: PersonsLayer = "workspace" if orphan.layer == "workspace" else "user"
        work = center.overlays.change_value
        delete = button(
            texts("overlay.orphan.delete"),
            lambda: self._start(
                work(app.package.manifest, layer, orphan.key, None), "overlay.orphan.deleted"
            ),
        )
        name_button(delete, texts, name)
        words = column(label(name, "strong"), label(value_words(orphan.value, texts)), spacing=0)
        return row(words, pill(texts(f"overlay.source.{layer}"), "plain"), delete, stretch_at=0)

    def _edit(self, each: SettingRow) -> None:
        if self._form is not None:
            self._form.choose(each.key)
            self.ensureWidgetVisible(self._form)

    def _reset(self, app: RegisteredApp, center: AppCenter, each: SettingRow) -> None:
        manifest = app.package.manifest

        async def forget() -> None:
            for layer in each.said:
                await center.overlays.change_value(manifest, layer, each.key, None)
            words = self._texts("overlay.reset.done")
            self._offer_undo(words, lambda: self._work.start(say_again()))

        async def say_again() -> None:
            for layer, value in each.said.items():
                await center.overlays.change_value(manifest, layer, each.key, value)

        self._work.start(forget())

    def _start(self, work: Coroutine[Any, Any, None], done: str) -> None:
        async def carry_out() -> None:
            await work
            self._say(self._texts(done), "success")

        self._work.start(carry_out())


def _can_be_set(each: SettingRow) -> bool:
    return bool(each.layers) and each.locked_by is None


def _own_orphans(app: RegisteredApp, center: AppCenter) -> list[Orphan]:
    """What the person said and can delete; a workspace's file speaks to many apps, not all of which have everything."""
    of_files = center.overlays.values_of_files(app.app_id)
    orphans = (each for each in app.governing.overlays.orphans if each.layer in LAYERS)
    return [each for each in orphans if each.layer == "user" or each.key not in of_files]
