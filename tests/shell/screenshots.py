"""`python -m tests.shell.screenshots FOLDER [SCREEN…] [LOOK…]`: every screen in every look, for a person to look at.

The pictures of the README and the guides are taken in `light`: packaging/docs/README.md names the screens. `notes`
shows a real page and a real App Server, see `live_screens`.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

import qasync
from PySide6.QtWidgets import QApplication

from lime_desktop.shell.app_view.engine import prepare_engine
from lime_desktop.shell.startup.first_frame import apply_fonts
from lime_desktop.shell.startup.garbage import GuiThreadCollector
from tests.shell.live_screens import LIVE_SCREENS, set_live_stage
from tests.shell.screens import SCREENS
from tests.shell.stage import LOOKS, ROOT, set_stage


async def take_pictures(
    target: Path, wanted: list[str], folder: Path, looks: list[str] | None = None
) -> None:
    """Show each screen in each look, and keep what is seen."""
    for look in looks or LOOKS:
        (target / look).mkdir(parents=True, exist_ok=True)
        for name in wanted or SCREENS:
            if name in LIVE_SCREENS:
                stage = set_live_stage(folder / look / name, look)
                await LIVE_SCREENS[name](stage)
            else:
                stage = set_stage(folder / look / name, look)
                await SCREENS[name](stage)
            await stage.settle()
            stage.shown().grab().save(str(target / look / f"{name}.png"))
            stage.window.close()
            await stage.leave()
            stage.window.deleteLater()
            await stage.settle()


def main() -> None:
    """Take the pictures and say where they are."""
    target, *words = sys.argv[1:]
    looks = [word for word in words if word in LOOKS]
    wanted = [word for word in words if word in SCREENS or word in LIVE_SCREENS]
    prepare_engine()
    application = QApplication(sys.argv[:1])
    application.setStyle("Fusion")
    apply_fonts(application, ROOT / "resources")
    application.setQuitOnLastWindowClosed(False)
    # Each stage leaves objects of Qt's behind that only the collector finds: found on a worker thread, they end the process.
    collector = GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    with tempfile.TemporaryDirectory() as folder, loop:
        loop.run_until_complete(take_pictures(Path(target), wanted, Path(folder), looks))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    collector.stop()
    sys.stdout.write(f"The pictures are in {target}\n")


if __name__ == "__main__":
    main()
