"""How parts of this program are started as processes of their own: from a checkout, a wheel or a frozen release.

A frozen release has no Python to give a module to. It has two executables side by side: the window, and one without Qt
that is the App Server, the commands of the terminal and every child that reads a stranger's bytes.
"""

import sys
from pathlib import Path
from types import ModuleType

from lime_desktop.executables import WITHOUT_WINDOW, is_frozen
from lime_desktop.product import LIME, this_product, worn_product

RUN_MODULE = "--run-module"
"""The hidden argument by which a frozen executable becomes one of the modules below."""
AS_PRODUCT = "--as-product"
"""The hidden argument by which an installed Lime Desktop is told which product it runs: an id, and never a path."""

MODULES_WITHOUT_QT = frozenset(
    {
        "lime_desktop.app_server.children.leash",
        "lime_desktop.app_server.documents.child",
        "lime_desktop.app_server.execution.embedded.model_process",
        "lime_desktop.app_server.storage.migration_dry_run",
        "lime_desktop.app_server.tools.commands.confine",
        "lime_desktop.app_server.tools.commands.inside",
        "lime_desktop.doctor.probe",
        "lime_desktop.host.apps.package_probe",
        "pip",
    }
)
MODULES_WITH_QT = frozenset(
    {
        "lime_desktop.doctor.probe",
        "lime_desktop.shell.pictures.child",
        "lime_desktop.shell.pictures.page_child",
    }
)


def executable(name: str) -> Path:
    """One of the two executables of a frozen release. They lie side by side, whatever the window's is called."""
    suffix = ".exe" if sys.platform == "win32" else ""
    return Path(sys.executable).with_name(f"{name}{suffix}")


def program_command(*arguments: str) -> tuple[str, ...]:
    """A command of this program that opens no window, as the same product."""
    worn = worn_product()
    as_product = () if worn is None else (AS_PRODUCT, worn.id)
    if is_frozen():
        return (str(executable(WITHOUT_WINDOW)), *as_product, *arguments)
    return (sys.executable, "-m", "lime_desktop", *as_product, *arguments)


def module_command(module: str, *arguments: str) -> tuple[str, ...]:
    """A module that needs no Qt, run as a program."""
    if is_frozen():
        return (str(executable(WITHOUT_WINDOW)), RUN_MODULE, module, *arguments)
    return (sys.executable, "-m", module, *arguments)


def qt_module_command(module: str, *arguments: str) -> tuple[str, ...]:
    """A module that needs Qt, run as a program."""
    if is_frozen():
        # A brand's window has the brand's name, unless the brand runs on an installed Lime Desktop.
        is_window = Path(sys.executable).stem != WITHOUT_WINDOW
        name = LIME.id if worn_product() is not None else this_product().id
        window = sys.executable if is_window else str(executable(name))
        return (window, RUN_MODULE, module, *arguments)
    return (sys.executable, "-m", module, *arguments)


def script_command(script: ModuleType, *arguments: str) -> tuple[str, ...]:
    """A module that uses the standard library alone.

    Started by its path: without this program and what is installed beside it, Python is there in a third of the time.
    """
    if is_frozen():
        return module_command(script.__name__, *arguments)
    return (sys.executable, "-I", "-S", str(script.__file__), *arguments)
