"""Says that the program ended unexpectedly last time, and shows what it left: to be read, copied, or dismissed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from lime_desktop.durable_files.crash_reports import DESKTOP, CrashReport, dismiss_reports
from lime_desktop.host.wording.problems import make_report
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.widgets.parts import Tone, button

_HEIGHT = 220


class MakeNote(Protocol):
    """Makes a card to stand among the window's notices."""

    def __call__(self, words: str, tone: Tone, *actions: QWidget) -> NoticeCard:
        """Make it."""
        ...


@dataclass(frozen=True, slots=True)
class CrashLinks:
    """What the notice needs of the window it stands in."""

    make_note: MakeNote
    say: Callable[[str, str], None]
    gone: Callable[[], None]
    """It was dismissed."""


def report_of(reports: tuple[CrashReport, ...]) -> str:
    """All of them as one text to pass on: no secret in it, and not the name of the person's folder."""
    return make_report(*(line for each in reports for line in (f"[{each.name}]", *_lines(each))))


def crash_notice(
    texts: Texts, folder: Path, reports: tuple[CrashReport, ...], links: CrashLinks
) -> NoticeCard:
    """A notice with three buttons, and the report under it for who wants to see it."""
    report = report_of(reports)
    shown = _report_field(report, texts("crash.report"))

    def view() -> None:
        shown.setVisible(not shown.isVisible())
        if shown.isVisible():
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def copy() -> None:
        QGuiApplication.clipboard().setText(report)
        links.say(texts("report.copied"), "success")

    def dismiss() -> None:
        dismiss_reports(folder)
        links.gone()

    is_desktop = any(each.name == DESKTOP for each in reports)
    notice = links.make_note(
        texts("crash.desktop" if is_desktop else "crash.server", when=_when(reports[0], texts)),
        "warning",
        button(texts("crash.view"), view, "link"),
        button(texts("report.copy"), copy, "link"),
        button(texts("crash.dismiss"), dismiss, "link"),
    )
    notice.add_below(shown)
    return notice


def _when(report: CrashReport, texts: Texts) -> str:
    """The report stays until it is dismissed, so that "last time" would soon be untrue."""
    at = QDateTime.fromSecsSinceEpoch(int(report.at_s))
    return QLocale(texts.locale).toString(at, QLocale.FormatType.ShortFormat)


def _lines(report: CrashReport) -> list[str]:
    return report.text.splitlines()


def _report_field(report: str, name: str) -> QPlainTextEdit:
    shown = QPlainTextEdit(report)
    shown.setReadOnly(True)
    shown.setAccessibleName(name)
    shown.setProperty("role", "mono")
    shown.setFixedHeight(_HEIGHT)
    shown.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    shown.hide()
    return shown
