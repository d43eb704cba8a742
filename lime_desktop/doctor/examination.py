"""The whole examination, in the order in which a person would look."""

from collections.abc import Iterator

from lime_desktop.doctor import app_server, desktop, installation, storage
from lime_desktop.doctor.finding import Finding


def examine() -> Iterator[Finding]:
    """Look at everything; each finding comes as soon as it is known."""
    yield installation.check_python()
    yield installation.check_platform()
    yield installation.check_sqlite()
    yield from installation.check_dependencies()
    yield desktop.check_signals()
    yield desktop.check_system_libraries()
    yield desktop.check_display()
    yield desktop.check_fonts()
    yield desktop.check_sandbox()
    yield app_server.check_app_server()
    yield app_server.check_command_sandbox()
    yield storage.check_keyring()
    yield from storage.check_folders()
