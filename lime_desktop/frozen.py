"""The two executables of a frozen release begin here: the window's, and the one that knows no Qt.

Both read the same arguments as `lime-desktop`. The window's hands on what needs no window to the other one, which loads
neither Qt nor what Qt brings, and each becomes a child that reads a stranger's bytes when it is asked to.
"""

import os
import runpy
import subprocess
import sys
from collections.abc import MutableMapping, Sequence
from typing import NoReturn

from lime_desktop.__main__ import become_product
from lime_desktop.own_programs import (
    MODULES_WITH_QT,
    MODULES_WITHOUT_QT,
    RUN_MODULE,
    program_command,
)

COMMANDS_WITH_QT = frozenset({"open", "dev", "test", "replay", "conformance", "ship"})
_OF_THE_FREEZER = ("_PYI_", "PYINSTALLER_")


def start_with_window() -> None:
    """The window's executable: shows the window, and hands on every command that has none."""
    _leave_system_libraries_alone(os.environ)
    become_product(sys.argv)
    arguments = sys.argv[1:]
    if arguments[:1] == [RUN_MODULE]:
        _become_module(arguments[1:], MODULES_WITH_QT)
    elif _needs_no_window(arguments):
        _hand_over(list(program_command(*arguments)))
    else:
        _start_program()


def start_without_window() -> None:
    """The executable without Qt: the App Server, the terminal's commands and the children."""
    _leave_system_libraries_alone(os.environ)
    become_product(sys.argv)
    arguments = sys.argv[1:]
    if arguments[:1] == [RUN_MODULE]:
        _become_module(arguments[1:], MODULES_WITHOUT_QT)
    else:
        _start_program()


def _needs_no_window(arguments: Sequence[str]) -> bool:
    """Whether it is a command that the other executable has. What is no command may be a package or a link to open."""
    from lime_desktop.cli.main import COMMANDS  # noqa: PLC0415 - a child need not load it

    first = arguments[0] if arguments else ""
    if first.startswith("-"):
        return True
    return first in COMMANDS and first not in COMMANDS_WITH_QT


def _start_program() -> None:
    from lime_desktop.__main__ import start  # noqa: PLC0415 - likewise

    start()


def _become_module(words: Sequence[str], known: frozenset[str]) -> None:
    module = words[0] if words else ""
    if module not in known:
        sys.exit(f"{RUN_MODULE}: {module or 'nothing'} is no part of this program that runs alone.")
    sys.argv = [module, *words[1:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _hand_over(command: list[str]) -> NoReturn:
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - our own program
    os.execv(command[0], command)  # noqa: S606 - likewise


def _leave_system_libraries_alone(environment: MutableMapping[str, str]) -> None:
    """Give programs that are not ours the libraries of their system.

    The freezer's loader points the search for libraries at our folder and starts itself anew; it does so for each of our
    own children too. A browser or a tool server must not find ours there.
    """
    before = environment.pop("LD_LIBRARY_PATH_ORIG", None)
    environment.pop("LD_LIBRARY_PATH", None)
    if before:
        environment["LD_LIBRARY_PATH"] = before
    for name in [name for name in environment if name.startswith(_OF_THE_FREEZER)]:
        del environment[name]
