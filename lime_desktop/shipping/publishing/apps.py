"""Publish apps as a signed catalog: a folder that any web server serves, with the list, what it is searched by, and the packages.

    catalog.json            the list, as any catalog's; who reads it signed takes it from targets/
    packages/               the packages; the list names each by its hash
    metadata/, targets/     signatures, as for versions of a shell

Blocks.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.packing import NotPacked, pack
from lime_desktop.app_package.files.hashes import file_hash, tree_hash
from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.app_package.package import load_package
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.file_hashes import sha256_of
from lime_desktop.shipping.catalog_texts import as_written, notes_problem, reason_problem
from lime_desktop.shipping.catalogs import CATALOG, MAX_CATALOG_BYTES
from lime_desktop.shipping.publishing.keys import KeyFolder, refuse
from lime_desktop.shipping.publishing.repository import FRESH_DAYS, Repository

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PublishedCatalog:
    """What came of it."""

    apps: int
    """On offer."""
    withdrawn: int
    revoked: int
    root: str
    """The hash of the first root: an address that ends with it fixes who signs, before anything was fetched."""


def publish_apps(
    packages: Sequence[Path],
    repository: Repository,
    keys: KeyFolder,
    *,
    name: str | None = None,
    notes: Mapping[str, str] | None = None,
    fresh_days: int = FRESH_DAYS,
) -> PublishedCatalog:
    """Add packages to the catalog, and sign it. A folder is packed first; `notes` are what is new, by language.

    Raises:
        UpdateRefused: one is no package, another one of its version is published, or the notes are nobody's.
    """
    _check_notes(packages, notes)
    with repository.lock():
        catalog = _read(repository)
        rows = {(row["appId"], row["version"]): row for row in catalog["apps"]}
        for path in packages:
            row = _add(path, repository.folder)
            known = rows.setdefault((row["appId"], row["version"]), row)
            if known["packageHash"] != row["packageHash"]:
                raise refuse(
                    f"{row['appId']} {row['version']} is published with other content: raise its version"
                )
            if notes:
                known["notes"] = as_written(notes)
        catalog = {**catalog, "name": name or catalog["name"], "apps": [*rows.values()]}
        return _sign(catalog, repository, keys, fresh_days)


def withdraw_app(
    repository: Repository, keys: KeyFolder, app_id: str, version: str, reasons: Mapping[str, str]
) -> PublishedCatalog:
    """Offer a version no more, and say why, by language. Who has it keeps it, and is told.

    Raises:
        UpdateRefused: it is not in the catalog, or there is no reason that can be read.
    """
    return _mark(repository, keys, app_id, version, "withdrawn", reasons)


def revoke_app(
    repository: Repository, keys: KeyFolder, app_id: str, version: str, reasons: Mapping[str, str]
) -> PublishedCatalog:
    """Stop a version wherever it was installed from this catalog, and say why. There is no way back from it.

    Raises:
        UpdateRefused: it is not in the catalog, or there is no reason that can be read.
    """
    return _mark(repository, keys, app_id, version, "revoked", reasons)


def _mark(
    repository: Repository,
    keys: KeyFolder,
    app_id: str,
    version: str,
    mark: str,
    reasons: Mapping[str, str],
) -> PublishedCatalog:
    """Say of a version that it is offered no more. Its package stays for whoever looks into the matter."""
    if problem := reason_problem(reasons):
        raise refuse(problem)
    with repository.lock():
        catalog = _read(repository)
        found = [
            row for row in catalog["apps"] if (row["appId"], row["version"]) == (app_id, version)
        ]
        if not found:
            raise refuse(f"{app_id} {version} is not in this catalog")
        found[0][mark] = as_written(reasons)
        return _sign(catalog, repository, keys, FRESH_DAYS)


def _check_notes(packages: Sequence[Path], notes: Mapping[str, str] | None) -> None:
    if notes is None:
        return
    if len(packages) != 1:
        raise refuse("what is new belongs to one version: publish the packages one by one")
    if problem := notes_problem(notes):
        raise refuse(problem)


def _read(repository: Repository) -> dict[str, Any]:
    # What was signed, and not the copy beside it, which anybody may have written to.
    body = repository.read_target(CATALOG)
    if body is None:
        return {"version": 1, "name": "Apps", "apps": []}
    return msgspec.json.decode(body)


def _sign(
    catalog: dict[str, Any], repository: Repository, keys: KeyFolder, fresh_days: int
) -> PublishedCatalog:
    rows: list[_Row] = catalog["apps"]
    rows.sort(key=lambda row: (row["appId"], row["version"]))
    body = msgspec.json.format(msgspec.json.encode(catalog), indent=1) + b"\n"
    if len(body) > MAX_CATALOG_BYTES:
        raise refuse(f"the catalog would have {len(body)} bytes; {MAX_CATALOG_BYTES} are read")
    repository.publish(keys, {CATALOG: body}, fresh_days=fresh_days)
    write_durably(repository.folder / CATALOG, body)
    revoked = sum("revoked" in row for row in rows)
    withdrawn = sum("withdrawn" in row and "revoked" not in row for row in rows)
    root = sha256_of(keys.roots[0])
    offered = len(rows) - withdrawn - revoked
    return PublishedCatalog(offered, withdrawn, revoked, f"sha256:{root}")


def _add(path: Path, folder: Path) -> _Row:
    """Copy a package into the folder, and give its row."""
    package = load_package(open_package(path))
    if not package.is_valid:
        raise refuse(f"{path} is no valid package: see lime-desktop validate {path}")
    manifest = package.manifest
    place = f"packages/{manifest.name}-{manifest.version}.lapp"
    target = folder / place
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(".new")
    try:
        if path.is_dir():
            packed = pack(package.tree, draft)
            if isinstance(packed, NotPacked):
                raise refuse(f"{path}: {packed.problems[0].message}")
        else:
            shutil.copyfile(path, draft)
        row = _row(manifest, place, draft)
        if not target.exists() or file_hash(target) == row["archiveHash"]:
            draft.replace(target)
        return row
    finally:
        draft.unlink(missing_ok=True)


def _row(manifest: Manifest, place: str, archive: Path) -> _Row:
    """What a person chooses and finds it by, and the hashes that its package must have."""
    publisher, triggers = manifest.publisher, manifest.triggers
    said: dict[str, object] = {
        "displayName": manifest.title,
        "shortDescription": manifest.short_description or manifest.description,
        "publisher": (publisher.display_name or publisher.name) if publisher else None,
        "categories": list(manifest.categories),
        "keywords": list(manifest.keywords),
        "triggers": {
            "keywords": list(triggers.keywords) if triggers else [],
            "scenarios": list(triggers.scenarios) if triggers else [],
        },
    }
    return {
        "appId": manifest.name,
        "version": manifest.version,
        "packageUrl": place,
        "packageHash": tree_hash(open_package(archive)),
        "archiveHash": file_hash(archive),
        **{key: value for key, value in said.items() if value},
    }
