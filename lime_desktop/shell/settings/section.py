"""What a section of the settings is, and what it may use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.host.models.model_status import ModelStatus
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.startup.engine_sandbox import SandboxGap
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecisions
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.layouts.row_layout import WANTED_WIDTH
from lime_desktop.shell.notices.notices import OfferUndo
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.widgets.app_cards import AppCards
from lime_desktop.shell.widgets.parts import (
    bare_check_box,
    card,
    column,
    combo_box,
    empty_state,
    label,
    row,
)
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work

if TYPE_CHECKING:
    # Loaded with the section that shows it.
    from lime_desktop.shipping.service import UpdateService

_FIELD_WIDTH = 260
PLACE_WIDTH = 420
"""What a path or an address needs to be read."""


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What is known of the web engine, for the about page and the banner."""

    versions: Callable[[], tuple[str, str]]
    """Chromium's version and its security level."""
    sandbox_off_because: SandboxGap | None = None
    """The key of the reason, or None while the sandbox is on."""

    def sandbox_note(self, texts: Texts) -> str | None:
        """What to tell the person, if anything."""
        if self.sandbox_off_because is None:
            return None
        return texts("sandbox.off", reason=texts(f"sandbox.reason.{self.sandbox_off_because}"))


@dataclass(frozen=True, slots=True)
class SettingsServices:
    """What the sections show and change."""

    settings: SettingsStore
    brand: Brand
    folders: Folders
    registry: AppRegistry
    setup: SetupReading
    models: ModelStatus
    unkept: UnsavedDecisions
    network_ledger: Callable[[], NetworkLedger | None]
    """What apps sent and fetched; nothing before the proxy runs."""
    updates: "Callable[[], UpdateService]"
    """Those of the program itself; refused where it is none that updates itself."""


@dataclass(frozen=True, slots=True)
class SectionContext:
    """Given to a section each time it is built: on opening it, and on a change of language."""

    look: Look
    services: SettingsServices
    engine: EngineFacts
    call: CallServer
    """Asks the App Server; fails with a stable code while there is none."""
    work: Work
    """Runs what a section waits for; its failures are shown to the person."""
    say: Callable[[str, str], None]
    """Shows a notice: the words, and a level such as `success`."""
    show_app: Callable[[str], None]
    """Turns to the page of one app."""
    close_app: Callable[[str], None]
    """Shuts every view of one app."""
    offer_undo: OfferUndo
    """Says what was done, and takes it back if the person wants that within ten seconds."""
    removals: Removals
    """Removes what cannot be made again, ten seconds later."""
    page: QScrollArea
    """What the section is scrolled in."""

    def empty(self, sign: str, key: str) -> QFrame:
        """Say that there is nothing to list; `key` has the title, and with `.about` what to do."""
        texts = self.look.texts
        picture = self.look.icons.picture(sign, side=32)
        return empty_state(picture, texts(key), texts(f"{key}.about"))


@dataclass(frozen=True, slots=True)
class Section:
    """One row of the settings. Its texts are `settings.<key>.title` and `settings.<key>.about`."""

    key: str
    sign: str
    build: Callable[[SectionContext], QWidget]
    shows: Callable[[AppRegistry], object] | None = None
    """What it tells of apps and whoever governs them: built anew while it is open, when that has become another."""


def once_open(
    build: Callable[[SectionContext, AppCenter], QWidget],
) -> Callable[[SectionContext], QWidget]:
    """A section of the app center, built where that is open; until then it says that it is not."""

    def build_if_open(context: SectionContext) -> QWidget:
        center = context.services.registry.center
        if center is None:
            return card(label(context.look.texts("settings.sources.unavailable"), "muted"))
        return build(context, center)

    return build_if_open


def group(title: str, *parts: QWidget, about: str = "") -> QFrame:
    """A card with a heading: how a section is divided."""
    head = [label(title, "heading")]
    if about:
        head.append(label(about, "muted"))
    made = card(*head, *parts)
    if (layout := made.layout()) is not None:  # pyright: ignore[reportUnnecessaryComparison] - a bare widget has none
        layout.setSpacing(16)
    return made


def app_cards(
    context: SectionContext, apps: Sequence[RegisteredApp], make: Callable[[RegisteredApp], QWidget]
) -> QWidget:
    """A card for each app by name, made as it comes into sight: with a thousand apps nobody waits for all of them."""
    texts = context.look.texts
    by_name = sorted(apps, key=lambda app: app.title(texts.locale).casefold())
    by_id = {app.app_id: app for app in by_name}
    return AppCards(
        context.page,
        [*by_id],
        lambda app_id: make(by_id[app_id]),
        lambda count: texts("home.more", count=count),
        is_list=True,
    )


def refill(made: QWidget, *parts: QWidget) -> None:
    """Show these parts in a column instead of what it held."""
    layout = made.layout()
    if layout is None:  # pyright: ignore[reportUnnecessaryComparison] - a bare widget has none
        return
    while (item := layout.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] - Qt gives None at the end
        if (old := item.widget()) is not None:  # pyright: ignore[reportUnnecessaryComparison] - a spacer has none
            old.hide()
            old.deleteLater()
    for part in parts:
        layout.addWidget(part)


def setting(name: str, about: str, control: QWidget) -> QWidget:
    """One choice: its name and meaning at the left, the control at the right."""
    control.setAccessibleName(name)
    if isinstance(control, QLineEdit | QComboBox):
        # A wish, not a demand: in a narrow window it stands under its name, as wide as there is room.
        control.setProperty(WANTED_WIDTH, max(_FIELD_WIDTH, control.minimumWidth()))
        control.setMinimumWidth(0)
    control.setAccessibleDescription(about)
    words = column(label(name), label(about, "small"), spacing=0) if about else label(name)
    return row(words, control, stretch_at=0)


def switch(texts: Texts, settings: SettingsStore, key: str, name: str) -> QWidget:
    """One choice between yes and no, kept under a name of the settings; its texts are `key` and `key.about`."""
    box = bare_check_box()
    box.setChecked(bool(getattr(settings.current, name)))

    def take(is_on: bool) -> None:  # noqa: FBT001 - Qt sends it
        settings.change(**{name: is_on})

    box.toggled.connect(take)
    return setting(texts(key), texts(f"{key}.about"), box)


def choice(
    options: Sequence[tuple[object, str]], chosen: object, taken: Callable[[object], None]
) -> QComboBox:
    """A list to choose one value from; `taken` hears of the person's choice only."""
    box = combo_box()
    for value, words in options:
        box.addItem(words, value)
    values = [value for value, _ in options]
    box.setCurrentIndex(values.index(chosen) if chosen in values else 0)

    def take(index: int) -> None:
        taken(values[index])

    box.activated.connect(take)
    return box
