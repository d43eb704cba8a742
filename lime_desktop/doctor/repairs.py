"""Does what a finding says helps, where that is a command of a kind that the doctor knows. No shell reads it."""

import os
import shlex
import subprocess
import sys

from lime_desktop.doctor.finding import Finding
from lime_desktop.executables import is_frozen

_RUN = "Run: "
_PROGRAMS = frozenset({"apt-get", "chmod", "pip"})
Command = tuple[str, ...]


def commands_of(finding: Finding) -> tuple[Command, ...]:
    """The commands that put it right, in their order; none where a person has to do something else."""
    if finding.fix is None or not finding.fix.startswith(_RUN):
        return ()
    words = shlex.split(finding.fix.removeprefix(_RUN))
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            parts.append([])
        else:
            parts[-1].append(word)
    commands = tuple(_runnable(part) for part in parts)
    return () if any(not command for command in commands) else commands


def run(commands: tuple[Command, ...]) -> bool:
    """Run them until one fails; says whether none did."""
    for command in commands:
        try:
            # What they are was taken apart above, program by program.
            if subprocess.run(command, check=False).returncode != 0:  # noqa: S603
                return False
        except OSError:
            return False
    return True


def _runnable(words: list[str]) -> Command:
    """The command as this user runs it in this environment; empty where it is of no known kind."""
    is_for_root = words[:1] == ["sudo"]
    rest = words[1:] if is_for_root else words
    if not rest or rest[0] not in _PROGRAMS:
        return ()
    if rest[0] == "pip":
        # The program's own Python, whichever comes first in the path; a frozen one takes nothing in.
        return () if is_frozen() else (sys.executable, "-m", *rest)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ("sudo", *rest) if is_for_root and not is_root else tuple(rest)
