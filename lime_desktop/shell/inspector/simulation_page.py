"""What can be acted for a view, as a page of choices. Each is in force at once, and all of them end with the inspector."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QWidget

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.developer.simulation import Simulation
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.settings.general import LANGUAGES
from lime_desktop.shell.settings.section import choice, group, setting
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import bare_check_box, label

_SCALES = (0.8, 1.3, 2.0)


class SimulationPage(Page):
    """Shows what is acted, and changes it."""

    def __init__(self, inspected: InspectedView) -> None:
        super().__init__(margin=16)
        self._inspected = inspected
        self._texts = inspected.look.texts
        self._is_changing = False
        inspected.simulated.changed.connect(self._follow)
        self._fill()

    def _fill(self) -> None:
        self.refill(self._surroundings(), self._host(), self._permissions(), self._capabilities())

    @property
    def _acted(self) -> Simulation:
        return self._inspected.simulated.acted

    def _change(self, **parts: Any) -> None:
        self._is_changing = True
        self._inspected.simulated.act(replace(self._acted, **parts))
        self._is_changing = False

    def _follow(self) -> None:
        # What was chosen here shows it already, and keeps the keyboard.
        if not self._is_changing:
            self._fill()

    def _refuse(self, permission: Permission, *, is_on: bool) -> None:
        others = tuple(each for each in self._acted.denied if each != permission)
        self._change(denied=(*others, permission) if is_on else others)

    def _take_away(self, capability: str, *, is_on: bool) -> None:
        others = self._acted.absent - {capability}
        self._change(absent=others | {capability} if is_on else others)

    def _surroundings(self) -> QWidget:
        texts, acted = self._texts, self._acted
        as_is = (None, texts("inspector.simulation.as_is"))
        modes = [(mode, texts(f"settings.theme.{mode}")) for mode in ("light", "dark")]
        scales = [(scale, f"{scale:.0%}") for scale in _SCALES]
        return group(
            texts("inspector.simulation.surroundings"),
            self._choice("settings.language", [as_is, *LANGUAGES.items()], "locale", acted.locale),
            self._choice("settings.theme", [as_is, *modes], "theme_mode", acted.theme_mode),
            self._choice("settings.text", [as_is, *scales], "text_scale", acted.text_scale),
            self._switch(
                texts("inspector.simulation.small"),
                lambda is_on: self._change(is_small=is_on),
                is_on=acted.is_small,
            ),
        )

    def _host(self) -> QWidget:
        texts, acted = self._texts, self._acted
        healths = [(each, texts(f"inspector.simulation.server.{each}")) for each in _HEALTHS]
        return group(
            texts("inspector.simulation.host"),
            self._choice("inspector.simulation.server", healths, "server", acted.server),
            self._switch(
                texts("inspector.simulation.offline"),
                lambda is_on: self._change(is_offline=is_on),
                is_on=acted.is_offline,
            ),
            self._switch(
                texts("inspector.simulation.no_model"),
                lambda is_on: self._change(has_no_model=is_on),
                is_on=acted.has_no_model,
            ),
        )

    def _permissions(self) -> QWidget:
        texts, denied = self._texts, self._acted.denied
        permissions = self._inspected.app().package.manifest.permissions
        rows = [
            self._switch(
                f"{permission.key} · {permission.scope}",
                lambda is_on, each=permission: self._refuse(each, is_on=is_on),
                is_on=permission in denied,
            )
            for permission in permissions
        ]
        none = label(texts("inspector.state.grants.none"), "muted")
        return group(texts("inspector.simulation.denied"), *(rows or [none]))

    def _capabilities(self) -> QWidget:
        absent = self._acted.absent
        names = sorted({each.name for each in self._inspected.app().projection.capabilities})
        rows = [
            self._switch(
                name,
                lambda is_on, each=name: self._take_away(each, is_on=is_on),
                is_on=name in absent,
            )
            for name in names
        ]
        return group(self._texts("inspector.simulation.absent"), *rows)

    def _choice(
        self, key: str, options: list[tuple[Any, str]], part: str, chosen: object
    ) -> QWidget:
        box = choice(options, chosen, lambda value: self._change(**{part: value}))
        return setting(self._texts(key), "", box)

    def _switch(self, name: str, taken: Callable[[bool], None], *, is_on: bool) -> QWidget:
        box = bare_check_box()
        box.setChecked(is_on)
        box.toggled.connect(taken)
        return setting(name, "", box)


_HEALTHS = ("as-is", "slow", "dead")
