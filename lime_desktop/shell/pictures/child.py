"""The process that draws pictures from strangers: bytes in, pixels out, and little it could do with more.

Run as a module. Says `R` once it is ready. Then takes the length of a picture in eight bytes, the side of the square that
it is drawn in, in four, and the picture, and gives `D` and its pixels, or `N` where it is no picture. One that takes too much processor time or memory ends this process,
which is the answer too. Everything it can do is bounded before the first picture comes.
"""

import os
import struct
import sys

from PySide6.QtCore import QBuffer, QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageReader, QPainter
from PySide6.QtSvg import QSvgRenderer

from lime_desktop.child_limits import limit_this_process
from lime_desktop.host.appearance.picture_cache import MOST_PICTURE_BYTES, MOST_SIDE, SIDE

PROCESSOR_S = 2
"""How long one picture may be worked on. An icon takes a few milliseconds."""
_MEMORY_BYTES = 768 * 1024 * 1024
_BITMAP_MB = 128
"""What one bitmap may take before it is made small: 5,700 pixels a side."""
_HEAD = struct.Struct(">QI")


def main() -> None:
    """Answer until nobody asks any more."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(["pictures"])
    QImageReader.setAllocationLimit(_BITMAP_MB)
    if sys.platform != "win32":
        os.nice(5)
    # It writes to no file, whatever a picture makes it do.
    limit_this_process(memory_bytes=_MEMORY_BYTES)
    _answer(b"R")
    while (head := sys.stdin.buffer.read(_HEAD.size)) and len(head) == _HEAD.size:
        length, side = _HEAD.unpack(head)
        picture = sys.stdin.buffer.read(min(length, MOST_PICTURE_BYTES))
        _allow_one_picture()
        pixels = draw(picture, min(side, MOST_SIDE))
        _answer(b"N" if pixels is None else b"D" + pixels)
    del application


def draw(picture: bytes, side: int = SIDE) -> bytes | None:
    """The picture in the middle of a square, or None if it is none."""
    canvas = QImage(side, side, QImage.Format.Format_RGBA8888)
    canvas.fill(Qt.GlobalColor.transparent)
    painter = QPainter(canvas)
    try:
        is_drawn = _draw_svg(painter, picture, side) or _draw_bitmap(painter, picture, side)
    finally:
        painter.end()
    return bytes(canvas.constBits()) if is_drawn else None


def _draw_svg(painter: QPainter, picture: bytes, side: int) -> bool:
    if b"<svg" not in picture:
        return False
    renderer = QSvgRenderer(QByteArray(picture))
    if not renderer.isValid():
        return False
    renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
    renderer.render(painter, QRectF(0, 0, side, side))
    return True


def _draw_bitmap(painter: QPainter, picture: bytes, side: int) -> bool:
    buffer = QBuffer()
    buffer.setData(picture)
    reader = QImageReader(buffer)
    if bytes(reader.format().data()) in {b"svg", b"svgz"}:
        # Compressed, it would unpack to who knows what.
        return False
    # Of one that moves, this is the first picture.
    bitmap = reader.read()
    if bitmap.isNull():
        return False
    fitting = bitmap.scaled(
        QSize(side, side),
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    painter.drawImage((side - fitting.width()) // 2, (side - fitting.height()) // 2, fitting)
    return True


def _answer(said: bytes) -> None:
    sys.stdout.buffer.write(said)
    sys.stdout.buffer.flush()


def _allow_one_picture() -> None:
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + 1 + PROCESSOR_S
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
