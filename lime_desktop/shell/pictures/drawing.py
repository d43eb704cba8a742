"""Has pictures drawn by the child, from a thread of its own: the window never waits for it.

One child draws all that are waiting; one that dies over a picture takes only that picture along. Where bubblewrap is
there and works, the child has no network and sees none of the sockets of this machine.
"""

import contextlib
import logging
import shutil
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import lime_desktop
from lime_desktop.child_limits import bare_environment
from lime_desktop.host.appearance.picture_cache import SIDE, PictureKey, Undrawable
from lime_desktop.own_programs import qt_module_command

STARTING_S = 60.0
PICTURE_S = 20.0
"""How long one picture may take on a busy machine; what bounds the work itself is the child's processor time."""
_IDLE_S = 2.0
"""How long the child is kept for more: a page of apps asks for one icon after the other."""

_log = logging.getLogger(__name__)

Finished = Callable[[PictureKey, bytes | Undrawable], None]


class PictureDrawing:
    """What waits to be drawn, and the child that draws it while there is something."""

    def __init__(self, finished: Finished) -> None:
        self._finished = finished
        self._waiting: dict[PictureKey, bytes] = {}
        self._has_work = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, key: PictureKey, picture: bytes) -> None:
        """Have a picture drawn; `finished` hears of it, on the drawing's own thread."""
        with self._has_work:
            self._waiting.setdefault(key, picture)
            if self._thread is None:
                # The child ends by itself once its input does, so nothing has to be waited for at the end.
                self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
                self._thread.start()
            self._has_work.notify()

    def _run(self) -> None:
        child: _Child | None = None
        try:
            while (asked := self._next()) is not None:
                key, picture = asked
                child = child or _start_child()
                if child is None:
                    # Nothing is known of the picture then: a later start of the program tries again.
                    _log.warning("no process could be started to draw pictures in")
                    continue
                drawn = child.draw(picture)
                if drawn is None:
                    child.end()
                    # It died, and over this: another child would die as well.
                    child, drawn = None, "too_costly"
                self._finished(key, drawn)
        finally:
            if child is not None:
                child.end()

    def _next(self) -> tuple[PictureKey, bytes] | None:
        """The next picture; None once nobody has asked for a while, and then this thread is done."""
        with self._has_work:
            self._has_work.wait_for(lambda: bool(self._waiting), _IDLE_S)
            if not self._waiting:
                self._thread = None
                return None
            key = next(iter(self._waiting))
            return key, self._waiting.pop(key)


def draw_sizes(picture: bytes, sides: Sequence[int]) -> Mapping[int, bytes] | Undrawable | None:
    """A picture in several sizes, or why there is none; None where no process could be started. Blocks."""
    child = _start_child()
    if child is None:
        return None
    try:
        made: dict[int, bytes] = {}
        for side in sides:
            drawn = child.draw(picture, side)
            if not isinstance(drawn, bytes):
                return drawn or "too_costly"
            made[side] = drawn
        return made
    finally:
        child.end()


class _Child:
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def is_ready(self) -> bool:
        """Wait until it can draw; False if it never will."""
        return self._read(1, STARTING_S) == b"R"

    def draw(self, picture: bytes, side: int = SIDE) -> bytes | Undrawable | None:
        """The pixels of a picture or why there are none; None if the child is lost."""
        try:
            stdin = self._process.stdin
            assert stdin is not None  # noqa: S101 - started with pipes
            stdin.write(struct.pack(">QI", len(picture), side) + picture)
            stdin.flush()
        except OSError:
            return None
        said = self._read(1, PICTURE_S)
        if said == b"N":
            return "not_a_picture"
        expected = side * side * 4
        pixels = self._read(expected, PICTURE_S) if said == b"D" else b""
        return pixels if len(pixels) == expected else None

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        with contextlib.suppress(OSError):
            self._process.communicate()

    def _read(self, count: int, timeout_s: float) -> bytes:
        # Killed, it closes its end, and reading returns with what there is.
        watch = threading.Timer(timeout_s, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            stdout = self._process.stdout
            assert stdout is not None  # noqa: S101 - started with pipes
            return stdout.read(count)
        finally:
            watch.cancel()


def _start_child() -> _Child | None:
    """A child that is ready, behind the wall if that works here; None where none can be started."""
    command = qt_module_command("lime_desktop.shell.pictures.child")
    for line in (*_walled(command), command):
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**bare_environment("LD_LIBRARY_PATH"), "QT_QPA_PLATFORM": "offscreen"},
            )
        except OSError:
            continue
        child = _Child(process)
        if child.is_ready():
            return child
        child.end()
    return None


def _walled(command: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The command behind bubblewrap: no network, no other process, no socket, nothing to write to."""
    program = shutil.which("bwrap") if sys.platform.startswith("linux") else None
    if program is None:
        return ()
    # These lie where sockets lie too, on some machines.
    own = {
        *(sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)),
        str(Path(lime_desktop.__file__).parent.parent),
    }
    hidden = [part for path in ("/run", "/tmp", "/var/tmp") for part in ("--tmpfs", path)]  # noqa: S108 - hidden
    shown = [part for path in sorted(own) for part in ("--ro-bind", path, path)]
    return (
        (
            program,
            *("--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"),
            *(*hidden, *shown, "--dev", "/dev", "--proc", "/proc", "--"),
            *command,
        ),
    )
