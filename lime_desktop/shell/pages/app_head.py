"""Who an app is: the first lines of its page, and the exact facts one click deeper."""

from collections.abc import Iterator

from PySide6.QtWidgets import QLabel, QWidget

from lime_desktop.app_package.problems import Severity
from lime_desktop.host.app_center.packages.bundled import PUBLISHER, is_bundled
from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.models.model_status import ModelStatus, needs_model
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.fold import Fold
from lime_desktop.shell.widgets.parts import card, column, icon_label, label, pill, row
from lime_desktop.shell.widgets.status import problem_row, standing_pill, trust_pill

_MOST_NOTES = 30


def app_head(look: Look, registry: AppRegistry, models: ModelStatus, app: RegisteredApp) -> QWidget:
    """What it is called, who made it, how it stands, and what it is for."""
    texts, manifest = look.texts, app.package.manifest
    title = row(
        icon_label(look.appearance.icon_of(app), 64),
        column(
            label(app.title(texts.locale), "title"),
            label(_made_by(app, texts), "muted"),
            *(label(shelf, "small") for shelf in (app.category(texts.locale),) if shelf),
            spacing=0,
        ),
        stretch_at=1,
    )
    state = row(
        _standing(look.texts, registry, models, app),
        trust_pill(texts, app),
        label(texts("page.version", version=manifest.version), "muted"),
        stretch_at=2,
    )
    told = in_language(manifest.short_description_i18n, texts.locale) or manifest.description
    return card(title, state, label(told))


def app_details(look: Look, app: RegisteredApp, *, is_open: bool) -> Fold:
    """The place and the fingerprints of its files, for who compares or reports them."""
    texts = look.texts
    return Fold(
        texts("review.details"),
        lambda: card(*(label(line, "small") for line in _exact(app, texts)), *_notes(app, texts)),
        look.icons,
        is_open=is_open,
    )


def _notes(app: RegisteredApp, texts: Texts) -> Iterator[QWidget]:
    """What the author may want to know of the package; nothing that a person has to act on."""
    notes = [each for each in app.package.problems if each.severity is Severity.NOTE]
    for each in notes[:_MOST_NOTES]:
        yield problem_row(each, "plain", texts)


def _standing(
    texts: Texts, registry: AppRegistry, models: ModelStatus, app: RegisteredApp
) -> QLabel:
    """How it stands: nothing is called ready that rests on a model which is not there, or not known to be."""
    if not app.can_start or not needs_model(app.package.manifest):
        return standing_pill(texts, registry, app)
    match models.summary(texts).status:
        case "ready":
            return standing_pill(texts, registry, app)
        case "unknown":
            return pill(texts("status.checking"), "plain")
        case "demo":
            return pill(texts("status.demo-model"), "warning")
        case _:
            return pill(texts("status.no-model"), "warning")


def _made_by(app: RegisteredApp, texts: Texts) -> str:
    """Who made it, in the words of the review before it was installed."""
    installed, claimed = app.installed, app.package.manifest.publisher
    is_verified = app.trust == "verified"
    if is_verified and installed is not None and is_bundled(installed):
        return texts("review.by", publisher=PUBLISHER.name or PUBLISHER.publisher_id)
    if claimed is not None:
        name = claimed.display_name or claimed.name
        return texts("review.by" if is_verified else "review.by.claimed", publisher=name)
    if is_verified and installed is not None and installed.publisher_id:
        return texts("review.by", publisher=installed.publisher_id)
    return texts("review.by.unknown")


def _exact(app: RegisteredApp, texts: Texts) -> Iterator[str]:
    origin = app.projection.provenance
    yield texts("page.id", id=app.app_id)
    yield texts("page.path", path=app.path)
    yield texts("review.hash", hash=origin.package_hash)
    installed = app.installed
    if installed is not None:
        yield texts("page.source", source=installed.source)
    if installed is not None and installed.signer and not is_bundled(installed):
        yield texts("page.signer", signer=installed.signer)
