"""Where a document is shown, the person sees whether it is accepted, why not, and says their own word."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.protocol.acceptance import Acceptance, GateOutcome, GateReason
from lime_desktop.resources import resources_folder
from lime_desktop.shell.surfaces.artifact_viewer import ArtifactViewer

REJECTED = Acceptance(
    status="not-accepted",
    judged_at="2026-01-01T00:00:00Z",
    gates=(
        GateOutcome(
            eval_key="grounding",
            kind="quality",
            status="failed",
            score=0.5,
            threshold=0.8,
            threshold_set_by="tenant",
            reasons=(
                GateReason(code="not-grounded", detail="It snows."),
                GateReason(code="banned-word", detail="best", set_by="tenant"),
            ),
        ),
    ),
)
WAITING = Acceptance(
    status="waiting",
    judged_at="2026-01-01T00:00:00Z",
    gates=(
        GateOutcome(
            eval_key="eye", kind="human-review", status="waiting", questions=("Is it polite?",)
        ),
    ),
)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """What the viewer stands before."""
    made = QWidget()
    qtbot.addWidget(made)
    return made


def viewer(parent: QWidget, locale: str, artifact: ShownArtifact) -> ArtifactViewer:
    shown = ArtifactViewer(
        read_texts(resources_folder() / "locales", [locale]), "Draft Desk", artifact, parent
    )
    shown.show()
    return shown


def words(shown: QWidget) -> list[str]:
    return [each.text() for each in shown.findChildren(QLabel) if each.isVisibleTo(shown)]


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        (
            "en",
            [
                "Not accepted",
                "· Not found in its sources: “It snows.”",
                "· Uses the banned word “best”. Set by: Your organization",
                "· Score 50%, at least 80% is needed. Set by: Your organization",
            ],
        ),
        ("zh-CN", ["未接受", "· 来源中没有：“It snows.”"]),
    ],
)
def test_a_document_that_is_not_accepted_says_why_and_who_demands_it(
    window: QWidget, locale: str, expected: list[str]
) -> None:
    """The standard: what fails a gate is marked, and kept."""
    made = ShownArtifact("Letter", "report", 1, "It snows.", False, "text/markdown", 7, REJECTED)  # noqa: FBT003 - a value
    assert set(expected) <= set(words(viewer(window, locale, made)))


@pytest.mark.usefixtures("loop")
def test_a_person_says_by_keys_that_they_do_not_accept_a_document(
    qtbot: QtBot, window: QWidget
) -> None:
    """The standard: human review is a gate."""
    said: list[tuple[bool, str | None]] = []

    async def decide(is_accepted: bool, note: str | None) -> Acceptance:  # noqa: FBT001 - as it is called
        said.append((is_accepted, note))
        return REJECTED

    made = ShownArtifact("Letter", "report", 1, "Hi", False, "text/markdown", 2, WAITING, decide)  # noqa: FBT003 - a value
    shown = viewer(window, "en", made)
    assert {"Waiting for review", "· Is it polite?"} <= set(words(shown))
    [note] = shown.findChildren(QLineEdit)
    QTest.keyClicks(note, "Too short")
    QTest.keyClick(note, Qt.Key.Key_Return)
    assert (said, shown.isVisible()) == ([], True)
    refuse = next(each for each in shown.findChildren(QPushButton) if each.text() == "Don't accept")
    QTest.keyClick(refuse, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "Not accepted" in words(shown), timeout=60_000)
    assert said == [(False, "Too short")]
