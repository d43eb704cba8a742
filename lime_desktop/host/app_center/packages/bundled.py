"""Which packages come with the program? Known by their hashes, in a list that ships with it.

No key is needed: whoever can change the list can change the program. A package that differs in one byte from the one
that shipped is not in the list, and is judged like any other.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.trust.verdict import (
    STEP_ORDER,
    Step,
    StepStatus,
    Verdict,
    Verification,
    VerifiedPublisher,
)
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.resources import resources_folder, sample_apps_folder

PUBLISHER = VerifiedPublisher(
    publisher_id="lime-desktop", name="Lime Desktop", domain=None, signer="bundled"
)
_SHIPPED = "It comes with Lime Desktop, unchanged."
_NOT_NEEDED = "Not needed: the program knows its hash."


def is_bundled(installed: InstalledApp) -> bool:
    """Whether an app came with the program, as its installation found by its hash."""
    found = (installed.verdict, installed.publisher_id, installed.signer)
    return found == (Verdict.VERIFIED, PUBLISHER.publisher_id, PUBLISHER.signer)


def list_file() -> Path:
    """Where the hashes are."""
    return resources_folder() / "bundled_apps.json"


def bundled_hashes(folder: Path) -> dict[str, str]:
    """The hash of every package in a folder of packages, by its app's name. Reads every file."""
    found = sorted(each.parent for each in folder.glob("*/APP.md"))
    return {each.name: tree_hash(open_folder(each)) for each in found}


@cache
def shipped_hashes() -> Mapping[str, str]:
    """The list as it ships; empty where there is none, so that nothing is trusted by mistake."""
    try:
        listed = json.loads(list_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, str]", listed)


@dataclass(frozen=True, slots=True)
class BundledApps:
    """Tells packages that come with the program from others of the same name."""

    hashes: Mapping[str, str] = field(default_factory=shipped_hashes)

    def verified(self, package: AppPackage, found: Verification) -> Verification:
        """What is known of a package, once it was verified like any other.

        Only where nothing is signed: a signature that fails is a failure whatever the files are.
        """
        known = self.hashes.get(package.manifest.name)
        if found.verdict is not Verdict.UNSIGNED or known is None:
            return found
        if known != found.hashes.package_hash:
            return found
        first, *others = STEP_ORDER
        passed = Step(name=first, status=StepStatus.PASSED, reason=_SHIPPED)
        skipped = (
            Step(name=each, status=StepStatus.SKIPPED, reason=_NOT_NEEDED) for each in others
        )
        return Verification(
            verdict=Verdict.VERIFIED,
            steps=(passed, *skipped),
            hashes=found.hashes,
            publisher=PUBLISHER,
        )


def write_list() -> None:
    """Take the hashes of what ships now."""
    hashes = bundled_hashes(sample_apps_folder())
    list_file().write_text(json.dumps(hashes, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    write_list()
