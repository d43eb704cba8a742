"""Is there a signed package beside the unsigned one? Whoever packs, signs and then installs the folder means that one."""

from pathlib import Path

from lime_desktop.app_package.archive.reader import list_archive
from lime_desktop.app_package.files.hashes import SIGNATURE_FILE
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.problems import Severity

_MOST_LOOKED_AT = 8


def signed_beside(source: Path, manifest: Manifest) -> Path | None:
    """A package file of the same app and version, next to this one, that holds a signature. Blocks.

    Its signature is not checked here: the review of that package does.
    """
    named = f"{manifest.name}-{manifest.version}"
    try:
        beside = sorted(source.resolve().parent.glob("*.lapp"))
    except OSError:
        return None
    found = [each for each in beside if each.name.startswith(named) and each != source.resolve()]
    return next(filter(_is_signed, found[:_MOST_LOOKED_AT]), None)


def _is_signed(path: Path) -> bool:
    listed = list_archive(path)
    is_whole = all(each.severity is not Severity.ERROR for each in listed.problems)
    return is_whole and SIGNATURE_FILE in listed.files
