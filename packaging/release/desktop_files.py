"""What tells a desktop about the program: menu entry, link handler, file type, icons, description.

The texts lie in `packaging/desktop`; icons are drawn from the product's one SVG.
"""

from datetime import UTC, datetime
from pathlib import Path

from lime_desktop.stamping.archives import Entry
from lime_desktop.stamping.pictures import SIDES, ico
from release.checkout import ROOT, Checkout
from release.environment import ReleaseEnvironment

SOURCES = ROOT / "packaging/desktop"
LOGO = ROOT / "resources/icons/lime-desktop.svg"
ICO = "lime-desktop.ico"
_DRAW = """
import sys
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
logo, folder, *sizes = sys.argv[1:]
application = QGuiApplication(["icons"])
renderer = QSvgRenderer(logo)
if not renderer.isValid():
    sys.exit(f"{logo} is not an SVG picture")
for size in map(int, sizes):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    image.setText("Software", "")
    if not image.save(f"{folder}/{size}.png", "PNG"):
        sys.exit(f"{folder}/{size}.png could not be written")
"""


def draw_icons(environment: ReleaseEnvironment, folder: Path) -> dict[int, Path]:
    """The logo in every size that desktops ask for."""
    folder.mkdir(parents=True, exist_ok=True)
    environment.ask(_DRAW, str(LOGO), str(folder), *map(str, SIDES))
    icons = {size: folder / f"{size}.png" for size in SIDES}
    (folder / ICO).write_bytes(ico({size: path.read_bytes() for size, path in icons.items()}))
    return icons


def desktop_entries(
    checkout: Checkout, icons: dict[int, Path], share: str = "usr/share"
) -> list[Entry]:
    """The files below `share`, as every Linux desktop looks for them."""
    hicolor = f"{share}/icons/hicolor"
    drawn = [
        Entry(f"{hicolor}/{size}x{size}/apps/lime-desktop.png", source=path)
        for size, path in icons.items()
    ]
    return [
        *drawn,
        Entry(f"{hicolor}/scalable/apps/lime-desktop.svg", source=LOGO),
        Entry(
            f"{share}/applications/lime-desktop.desktop", source=SOURCES / "lime-desktop.desktop"
        ),
        Entry(f"{share}/mime/packages/lime-desktop.xml", source=SOURCES / "lime-desktop.xml"),
        Entry(f"{share}/metainfo/lime-desktop.metainfo.xml", content=metainfo(checkout).encode()),
    ]


def metainfo(checkout: Checkout) -> str:
    """The description for software centres, with this version and its day."""
    day = datetime.fromtimestamp(checkout.epoch, UTC).date().isoformat()
    text = (SOURCES / "lime-desktop.metainfo.xml").read_text("utf-8")
    return text.replace("@VERSION@", checkout.version).replace("@DATE@", day)
