"""Can a window be shown and a page be sandboxed here, and is Qt sound? Qt is asked in a child process: this one never loads it."""

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from lime_desktop.doctor import probe, system_libraries
from lime_desktop.doctor.finding import Finding, ill, poor, well

_ENTER_USER_NAMESPACE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(os.strerror(ctypes.get_errno()) if libc.unshare(0x10000000) else None)
"""
_SWITCHES = {
    # what the kernel says -> the value that forbids it, and the line that allows it
    "kernel/apparmor_restrict_unprivileged_userns": "1",
    "kernel/unprivileged_userns_clone": "0",
    "user/max_user_namespaces": "0",
}
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


def check_system_libraries() -> Finding:
    """Everything that Qt's wheels leave to the distribution."""
    missing = system_libraries.missing_libraries()
    if not missing:
        return well("system libraries", "all that Qt WebEngine needs are there")
    message = f"missing: {', '.join(missing)}"
    if system_libraries.has_apt():
        fix = f"Run: {system_libraries.apt_line(system_libraries.debian_packages(missing))}"
    else:
        fix = "Install what holds them with your system's package tool"
    verdict = ill if _has_qt() else poor
    return verdict("system libraries", message, fix)


def check_display() -> Finding:
    """A screen to show a window on."""
    if sys.platform != "linux":
        return well("display", "the system's own")
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"):
        if os.environ.get(name):
            return well("display", f"{name}={os.environ[name]}")
    fix = "To run without a screen set QT_QPA_PLATFORM=offscreen, or use xvfb-run -a"
    return poor("display", "neither DISPLAY nor WAYLAND_DISPLAY is set", fix)


def check_fonts() -> Finding:
    """Apps come in English and Chinese; without a font Chinese shows as boxes."""
    fc_list = shutil.which("fc-list")
    if sys.platform != "linux":
        return well("fonts", "the system's own")
    if fc_list is None:
        fix = "Install the package fontconfig, which has fc-list, to find out"
        return poor("fonts", "whether there is one for Chinese is unknown", fix)
    command = [fc_list, ":lang=zh", "family"]
    families = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - the arguments are fixed
    if not families.strip():
        fix = "Install one, for instance the package fonts-noto-cjk"
        return poor("fonts", "none for Chinese, which will show as boxes", fix)
    return well("fonts", f"Chinese in {families.splitlines()[0].split(',')[0]}")


def check_sandbox() -> Finding:
    """Chromium's own sandbox around each app's page."""
    if os.environ.get("QTWEBENGINE_DISABLE_SANDBOX") == "1":
        fix = "Unset QTWEBENGINE_DISABLE_SANDBOX"
        return poor("sandbox", "switched off by QTWEBENGINE_DISABLE_SANDBOX", fix)
    if sys.platform != "linux":
        return well("sandbox", "the system's own")
    if os.geteuid() == 0:
        fix = "Run Lime Desktop as an ordinary user"
        return poor("sandbox", "root cannot have Chromium's sandbox", fix)
    answer = probe.ask(_ENTER_USER_NAMESPACE)
    if answer.failure is None:
        return well("sandbox", "user namespaces are available")
    message = f"user namespaces are refused ({answer.failure}), so pages are only half isolated"
    return poor("sandbox", message, _how_to_allow_namespaces())


def _how_to_allow_namespaces() -> str:
    for switch, forbidding in _SWITCHES.items():
        path = Path("/proc/sys") / switch
        if path.exists() and path.read_text(encoding="ascii").strip() == forbidding:
            return f"An administrator can allow them: see sysctl {switch.replace('/', '.')}"
    return "An administrator of this machine or container can allow them"


def _has_qt() -> bool:
    try:
        metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        return False
    return True


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
    return _judge(pair, probe.ask(_COUNT_LOST_REFERENCES, needs_qt=True))


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
