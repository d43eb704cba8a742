"""Which installed Lime Desktop a product without a runtime asks for, as its package says; or every reason why that cannot be.

`install.runtimeBacked` is asked first, then `install.runtime.distribution.runtimeBacked` and `install.runtime`. The words are
the standard's; `maxVersion`, `downloadUrl` and `bundleId` in `install.runtimeBacked` are ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from lime_desktop import __version__
from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.manifest import Sidecar
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.problems import Problem
from lime_desktop.executables import WITHOUT_WINDOW
from lime_desktop.product import RequiredRuntime
from lime_desktop.registration.runtimes import Release, Releases
from lime_desktop.registration.version_ranges import fit, is_upper_bound
from lime_desktop.registration.written import RUNTIME
from lime_desktop.shipping.versions import is_version
from lime_desktop.stamping import problem_kinds as kinds
from lime_desktop.stamping.package_values import PackageValues

_BACKED = ("install", "runtimeBacked")
_RUNTIME = ("install", "runtime")
_DISTRIBUTED = (*_RUNTIME, "distribution", "runtimeBacked")
_CURRENT = "current"
_MOST_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class RuntimeNeeds:
    """What is asked of the installed program."""

    required: RequiredRuntime
    link: str
    """Where people get it."""
    platforms: tuple[str, ...] = ()
    is_hash_required: bool = False
    """Whether only an installed release will do, and no checkout."""
    releases: tuple[Release, ...] = ()
    """The releases that alone are accepted; none accepts every one in the range."""


def read_needs(package: AppPackage) -> tuple[RuntimeNeeds | None, tuple[Problem, ...]]:
    """Read it, and collect everything that is wrong; it is there only where nothing is."""
    reader = _Reader(package)
    needs = reader.read()
    return None if reader.problems else needs, tuple(reader.problems)


class _Reader(PackageValues):
    """Takes one value after the other, and notes what is wrong."""

    def read(self) -> RuntimeNeeds:
        for path in (_BACKED, _DISTRIBUTED):
            if self.text(*path, "requires") not in {None, RUNTIME}:
                self.note(kinds.RUNTIME_UNKNOWN, kinds.RUNTIME_UNKNOWN.meaning, *path, "requires")
        if self.value(*_DISTRIBUTED, "resolveFromManifest") is False:
            message = "An installed Lime Desktop is found by its registered manifest alone."
            self.note(kinds.VALUE_INVALID, message, *_DISTRIBUTED, "resolveFromManifest")
        sidecar = self._sidecar()
        is_listed = self._is_listed_hash_required()
        return RuntimeNeeds(
            required=self._range(),
            link=self._link(),
            platforms=tuple(sidecar.platforms),
            is_hash_required=bool(sidecar.sha256_required) or is_listed,
            releases=tuple(self._releases()) if is_listed else (),
        )

    def _sidecar(self) -> Sidecar:
        install = self.package.manifest.install
        found = (install.runtime.sidecar if install and install.runtime else None) or Sidecar()
        path = (*_RUNTIME, "sidecar")
        if found.binary not in {None, WITHOUT_WINDOW}:
            message = f"Lime Desktop has no sidecar of this name; its own is {WITHOUT_WINDOW}."
            self.note(kinds.RUNTIME_UNKNOWN, message, *path, "binary")
        if found.platforms and not any(each.startswith("linux-") for each in found.platforms):
            message = "The sidecar's platforms leave out Linux, the only system of such launchers."
            self.note(kinds.PLATFORM_EXCLUDED, message, *path, "platforms")
        return found

    def _range(self) -> RequiredRuntime:
        places = (
            (*_BACKED, "minVersion"),
            (*_DISTRIBUTED, "minVersion"),
            (*_RUNTIME, "minVersion"),
        )
        path = next((each for each in places if self.value(*each) is not None), places[0])
        said = (self.text(*path) or _CURRENT).strip().removeprefix(">=").strip()
        lowest = __version__ if said == _CURRENT else said
        highest = self.text(*_BACKED, "maxVersion")
        if not is_version(lowest):
            self.note(kinds.RUNTIME_RANGE_INVALID, f"{said!r} is no version.", *path)
        elif highest is not None and not _is_range(lowest, highest):
            message = f"No version lies between {lowest} and {highest}."
            self.note(kinds.RUNTIME_RANGE_INVALID, message, *_BACKED, "maxVersion")
        return RequiredRuntime(min_version=lowest, max_version=highest)

    def _link(self) -> str:
        found = self.url(*_BACKED, "downloadUrl")
        for path in self._manifest_places("url"):
            found = found or self.url(*path)
        if found is None:
            self.note(kinds.RUNTIME_LINK_MISSING, kinds.RUNTIME_LINK_MISSING.meaning, *_BACKED)
        return found or ""

    def _manifest_places(self, field: str) -> tuple[tuple[str, ...], ...]:
        return tuple((*each, "releaseManifest", field) for each in (_BACKED, _RUNTIME))

    def _is_listed_hash_required(self) -> bool:
        return any(self.value(*each) is True for each in self._manifest_places("sha256Required"))

    def _releases(self) -> Iterator[Release]:
        """What a file of the package lists; without one, what is registered must hold."""
        places = self._manifest_places("path")
        path = next((each for each in places if self.value(*each) is not None), None)
        if path is None:
            return
        tree = self.package.tree
        entry = tree.files.get(normalised(self.text(*path) or "") or "")
        if entry is None or entry.size > _MOST_BYTES:
            message = "There is no such file, or it is too large."
            self.note(kinds.RELEASES_UNREADABLE, message, *path)
            return
        try:
            listed = msgspec.json.decode(b"".join(tree.pieces(entry.path)), type=Releases)
        except msgspec.DecodeError as error:
            self.note(kinds.RELEASES_UNREADABLE, f"It cannot be read: {error}.", *path)
            return
        yield from listed.releases


def _is_range(lowest: str, highest: str) -> bool:
    return is_upper_bound(highest) and fit(lowest, lowest, highest) == "fits"
