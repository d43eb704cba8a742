"""How the bootstrap talks: plain lines, and one line of progress for a command that takes long."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

# What pip, uv and apt say when they get to something that takes a while.
_MILESTONE = re.compile(
    r"^\s*(Collecting|Downloading|Building|Installing|Resolved|Prepared|Get:|Unpacking|Setting up)\b"
)
_BIG_DOWNLOAD = re.compile(r"^\s*Downloading .*\b\d{2,}(\.\d+)? ?Mi?B")


class StoppedError(Exception):
    """The bootstrap cannot go on. The message is for the person at the keyboard."""


def say(text: str) -> None:
    """Print at once, in order with what the commands below print."""
    print(text, flush=True)


def run_with_progress(
    title: str, command: Sequence[str | Path], log: Path, env: Mapping[str, str] | None = None
) -> None:
    """Run a long command, show where it is, keep all it says in a log, raise if it fails."""
    say(f"→ {title}")
    started = time.monotonic()
    line = _ProgressLine()
    with log.open("a", encoding="utf-8") as kept:
        kept.write(f"$ {' '.join(map(str, command))}\n")
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=env,
        ) as process:
            for text in process.stdout or ():
                kept.write(text)
                line.show(text.rstrip())
    line.clear()
    if process.returncode != 0:
        raise StoppedError(f"{title}: failed. The end of {log}:\n\n{_tail(log)}")
    say(f"  done in {time.monotonic() - started:.1f} s")


class _ProgressLine:
    """The latest milestone: rewritten in place on a terminal, big downloads only in a log."""

    def __init__(self) -> None:
        # Windows' older console would print the escape codes.
        understands_codes = sys.platform != "win32" or "WT_SESSION" in os.environ
        self._is_live = sys.stdout.isatty() and understands_codes

    def show(self, text: str) -> None:
        if self._is_live and _MILESTONE.match(text):
            width = os.get_terminal_size().columns
            print(f"\r\x1b[K  {text.strip()}"[: width + 3], end="", flush=True)
        elif not self._is_live and _BIG_DOWNLOAD.match(text):
            say(f"  {text.strip()}")

    def clear(self) -> None:
        if self._is_live:
            print("\r\x1b[K", end="", flush=True)


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:]
    return "\n".join(f"    {line}" for line in lines)
