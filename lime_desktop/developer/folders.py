"""Where does a package that is being worked on keep its data? Apart from what a person's own apps keep.

Each package has a folder of its own, so two can be open at once, beside the person's Lime Desktop.
"""

import hashlib
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.developer.options import DeveloperOptions
from lime_desktop.file_names import shown_name
from lime_desktop.host.user_profile.settings import HostSettings, read_settings, write_settings


@dataclass(frozen=True, slots=True)
class DeveloperFolder:
    """One package's data, and the choices that hold while it is open."""

    data: Path

    @property
    def settings_file(self) -> Path:
        """Where the choices lie."""
        return self.data / "settings.json"


@contextmanager
def developer_folder(
    options: DeveloperOptions, user_data: Path, user_settings: Path
) -> Generator[DeveloperFolder]:
    """The package's folder; a fresh one is gone afterwards."""
    if options.has_fresh_profile:
        with tempfile.TemporaryDirectory(
            prefix="lime-desktop-", ignore_cleanup_errors=True
        ) as made:
            yield _furnished(Path(made), HostSettings(locale="en", theme_mode="light"), options)
        return
    data = user_data / "developer" / _folder_name(options.package)
    data.mkdir(parents=True, exist_ok=True)
    yield _furnished(data, read_settings(user_settings), options)


def _furnished(data: Path, chosen: HostSettings, options: DeveloperOptions) -> DeveloperFolder:
    """Begin with the person's choices; what is chosen here later stays here."""
    folder = DeveloperFolder(data)
    if not folder.settings_file.exists():
        # No welcome, nothing but the one package, and the inspector at hand.
        begun = chosen.model_copy(
            update={"is_welcomed": True, "package_paths": (), "has_developer_tools": True}
        )
        write_settings(folder.settings_file, begun)
    # A developer's own tests run where no person could agree: as root in a container.
    if options.opens_without_sandbox or options.tests is not None:
        agreed = {"opens_without_sandbox": True}
        kept = read_settings(folder.settings_file)
        write_settings(folder.settings_file, kept.model_copy(update=agreed))
    return folder


def _folder_name(package: Path) -> str:
    place = package.resolve()
    digits = hashlib.sha256(str(place).encode()).hexdigest()[:12]
    return shown_name(place.name[:40], f"-{digits}", otherwise="app")
