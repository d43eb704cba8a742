"""Which distributions from the package index are in the release: what the program asks for, and what that asks for."""

import json
from dataclasses import dataclass

from release.environment import EXTRAS, ReleaseEnvironment

_WALK = """
import json, re, sys
from importlib import metadata
from packaging.requirements import Requirement

def key(name):
    return re.sub(r"[-_.]+", "-", name).lower()

seen, done, waiting = {}, set(), [("lime-desktop", extra) for extra in ["", *sys.argv[1].split(",")]]
while waiting:
    name, extra = waiting.pop()
    if (key(name), extra) in done:
        continue
    done.add((key(name), extra))
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        # A bill of materials without it would be wrong.
        sys.exit(f"{name} is asked for and not installed: delete the release's environment")
    about = found.metadata
    seen[key(name)] = {
        "name": about["Name"], "version": found.version,
        "licence": about.get("License-Expression") or about.get("License") or "",
        "classifiers": [c for c in about.get_all("Classifier") or () if c.startswith("License ::")],
        "licence_files": sorted(
            str(found.locate_file(p)) for p in found.files or ()
            if ".dist-info" in str(p) and re.search(r"licen|copying|notice|authors", p.name.lower())
            and not p.name.endswith((".py", ".pyc"))
        ),
        "files": {str(p): p.hash.value for p in found.files or () if p.hash is not None},
    }
    for text in found.requires or ():
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
            waiting += [(wanted.name, "")] + [(wanted.name, each) for each in wanted.extras]
print(json.dumps([seen[name] for name in sorted(seen)]))
"""


@dataclass(frozen=True, slots=True)
class Distribution:
    """One of them, as its metadata tells."""

    name: str
    version: str
    licence: str
    licence_files: tuple[str, ...]
    files: dict[str, str]
    """The files it installed, each with its SHA-256 as the wheel's record spells it."""


def runtime_distributions(environment: ReleaseEnvironment) -> list[Distribution]:
    """Walk the requirements; tools that only build the release are not among them."""
    told = json.loads(environment.ask(_WALK, ",".join(EXTRAS)))
    return [
        Distribution(
            each["name"],
            each["version"],
            _licence(each["licence"], each["classifiers"]),
            tuple(each["licence_files"]),
            each["files"],
        )
        for each in told
    ]


def _licence(told: str, classifiers: list[str]) -> str:
    """Its licence in few words: some put the whole text into that field."""
    first = told.strip().splitlines()[0] if told.strip() else ""
    if first and len(first) <= 80:
        return first
    return classifiers[0].rsplit(" :: ", 1)[-1] if classifiers else "see its licence file"
