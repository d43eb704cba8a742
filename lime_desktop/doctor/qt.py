"""Is Qt sound? Asked in a child process: this one never loads Qt."""

import sys
from importlib import metadata

from lime_desktop.doctor import probe
from lime_desktop.doctor.finding import Finding, ill, poor, well

# 6.12 gives back a reference to True that it never took, on every emit. From 3.12 on True is
# immortal and nothing happens; before, the interpreter aborts once the count is used up.
_FIRST_BAD_QT = (6, 12)
_FIRST_SAFE_PYTHON = (3, 12)
_EMITS = 100

_COUNT_LOST_REFERENCES = f"""
import sys
from PySide6.QtCore import QObject, Signal
class Sender(QObject):
    sent = Signal()
sender = Sender()
before = sys.getrefcount(True)
for _ in range({_EMITS}):
    sender.sent.emit()
print(before - sys.getrefcount(True))
"""


def check_signals() -> Finding:
    """PySide6 must be below 6.12 on Python 3.11, and emitting must cost no references."""
    try:
        version = metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        fix = "Run: pip install 'lime-desktop[desktop]'"
        return poor("Qt signals", "PySide6 is not installed; there is no window without it", fix)
    pair = f"PySide6 {version} on Python {sys.version_info.major}.{sys.version_info.minor}"
    if _is_bad_pair(version):
        fix = "Install a PySide6 below 6.12, or use Python 3.12 or newer"
        return ill("Qt signals", f"{pair} aborts after a few hundred signals", fix)
    return _judge(pair, probe.ask(_COUNT_LOST_REFERENCES))


def _is_bad_pair(version: str) -> bool:
    numbers = tuple(int(part) for part in version.split(".")[:2])
    return numbers >= _FIRST_BAD_QT and sys.version_info < _FIRST_SAFE_PYTHON


def _judge(pair: str, answer: probe.Answer) -> Finding:
    # A faulty Qt may count to the end and then crash, so the count speaks first. A reference more
    # or less is ordinary; one for every emit is the fault.
    if answer.text.isdigit() and int(answer.text) > _EMITS // 2:
        message = f"{pair} lost {answer.text} references in {_EMITS} signals"
        return ill("Qt signals", message, "Install another version of PySide6")
    if answer.failure is not None:
        fix = "See the system libraries below, then reinstall PySide6"
        return ill("Qt signals", f"{pair} does not load: {answer.failure}", fix)
    return well("Qt signals", f"{pair}, {_EMITS} signals sent and no reference lost")
