"""What this program is made of, how it stands with updates, how well it is walled in, and a report to copy."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from lime_desktop import __version__
from lime_desktop.host.wording.problems import make_report
from lime_desktop.host.wording.texts import PRODUCT_NAME
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.settings.section import SectionContext, group
from lime_desktop.shell.settings.self_updates import update_card
from lime_desktop.shell.widgets.parts import button, column, label, row


def build(context: SectionContext) -> QWidget:
    """Versions, updates, sandbox, report."""
    texts, engine = context.look.texts, context.engine
    chromium, patch = engine.versions()
    versions = [
        *own_versions(context),
        (texts("settings.about.qt"), qVersion()),
        (texts("settings.about.chromium"), chromium),
        (texts("settings.about.patch"), patch),
    ]
    sandbox = engine.sandbox_note(texts) or texts("settings.about.sandbox.on")

    def copy_report() -> None:
        lines = [f"{name}: {value}" for name, value in versions]
        sandbox_is = engine.sandbox_off_because or "on"
        QGuiApplication.clipboard().setText(make_report(*lines, f"sandbox: {sandbox_is}"))
        context.say(texts("report.copied"), "success")

    return column(
        group(texts("settings.about.versions"), facts(versions)),
        update_card(context),
        group(texts("settings.about.sandbox"), label(sandbox)),
        group(
            texts("settings.about.report"),
            row(button(texts("report.copy"), copy_report)),
            about=texts("settings.about.report.about"),
        ),
        spacing=16,
    )


def own_versions(context: SectionContext) -> list[tuple[str, str]]:
    """The product's version; for one that an app was made into, also whose it is and what it runs on."""
    texts, own = context.look.texts, context.services.folders.product
    name = context.services.brand.branding.product_name
    if not own.is_branded:
        return [(name, __version__)]
    runtime = f"{PRODUCT_NAME} {__version__}"
    if own.runtime is not None:
        said = {"runtime": PRODUCT_NAME, "version": __version__}
        runtime = texts("settings.about.runtime.installed", **said)
    rows = [(name, own.version), (texts("settings.about.runtime"), runtime)]
    center = context.services.registry.center
    if center is not None and center.rules.organisation is not None:
        rows.append((texts("settings.about.organisation"), center.rules.organisation.name))
    return [*rows, (texts("settings.about.publisher"), own.publisher)] if own.publisher else rows


def facts(rows: Sequence[tuple[str, str]]) -> QWidget:
    """Names and values in two columns."""
    made = QWidget()
    grid = edge_to_edge(QGridLayout(made))
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    for index, (name, value) in enumerate(rows):
        grid.addWidget(label(name, "muted"), index, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(value), index, 1)
    return made
