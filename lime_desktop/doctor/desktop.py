"""Can a window be shown and a page be sandboxed here?"""

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
