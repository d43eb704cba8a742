"""Without a screen: what Qt and Chromium say of the missing one helps nobody, and hides what is said of the app."""

import os

_FLAGS = "QTWEBENGINE_CHROMIUM_FLAGS"
_QUIET = "default.warning=false;qt.rhi.*=false;qt.vulkan=false;qt.webengine*=false"


def go_without_screen() -> None:
    """Draw nowhere and say nothing of it, before there is an application. Whoever set another level of logs has it."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ.setdefault("QT_LOGGING_RULES", _QUIET)
    given = os.environ.get(_FLAGS, "")
    if "--log-level" not in given:
        os.environ[_FLAGS] = f"{given} --log-level=3".strip()
