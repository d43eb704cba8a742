"""Publish a version of the shell into a folder that any web server serves; change who is offered it; carry it away as a file.

Blocks.
"""

import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from lime_desktop.durable_files.writing import write_durably
from lime_desktop.shipping import manifest as manifests
from lime_desktop.shipping.installation import ROOT_FILE, SOURCE_FILE, UpdateSource
from lime_desktop.shipping.manifest import Manifest, check_manifest, parse_manifest
from lime_desktop.shipping.publishing.keys import KeyFolder, refuse
from lime_desktop.shipping.publishing.repository import FRESH_DAYS, Repository
from lime_desktop.shipping.publishing.scanning import scan_tree, sweep_blobs
from lime_desktop.shipping.release import (
    FORMAT,
    Release,
    blob_path,
    check_name,
    check_release,
    latest_path,
    manifest_path,
    parse_release,
)
from lime_desktop.shipping.versions import parse_version

KEPT_VERSIONS = 5
_PROGRAMS = ("lime-desktop", "lime-desktop.exe")


@dataclass(frozen=True, slots=True)
class Offer:
    """Who is offered a version."""

    version: str
    channel: str
    platform: str
    rollout: int = 100
    is_paused: bool = False
    minimum_version: str | None = None
    notes: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """What came of it."""

    release: Release
    files: int
    tree_bytes: int
    added_blobs: int
    added_bytes: int


def write_update_source(tree: Path, keys: KeyFolder, source: UpdateSource) -> None:
    """Write into a tree where its updates come from and whose signature they need; before it is packed or published.

    Raises:
        UpdateRefused: there are no keys, or a name is none.
    """
    check_name(source.product)
    check_name(source.channel)
    keys.newest_root()
    write_durably(tree / SOURCE_FILE, msgspec.json.format(msgspec.json.encode(source), indent=1))
    write_durably(tree / ROOT_FILE, keys.roots[-1].read_bytes())


def publish_shell(
    tree: Path,
    repository: Repository,
    keys: KeyFolder,
    offer: Offer,
    *,
    fresh_days: int = FRESH_DAYS,
) -> Published:
    """Publish a version and offer it in a channel.

    Raises:
        UpdateRefused: the tree could not update itself later, a version would change, or a channel would go back.
    """
    source = _read_source(tree, keys)
    with repository.lock():
        before = _release_in(repository, source.product, offer)
        _need_newer(before, offer)
        scanned = scan_tree(tree, repository.folder)
        manifest = Manifest(
            format=manifests.FORMAT,
            product=source.product,
            platform=offer.platform,
            version=offer.version,
            entries=scanned.entries,
        )
        check_manifest(manifest)
        body = manifest.to_bytes()
        path = manifest_path(offer.version, offer.platform)
        _need_unchanged(repository, path, body)
        release = _make_release(source.product, offer, before)
        changed = {path: body, latest_path(offer.channel, offer.platform): release.to_bytes()}
        gone = _outdated(repository, changed)
        repository.publish(keys, changed, gone=gone, fresh_days=fresh_days)
        return Published(
            release, len(manifest.files), manifest.size, scanned.added_blobs, scanned.added_bytes
        )


def change_offer(
    repository: Repository,
    keys: KeyFolder,
    channel: str,
    platform: str,
    change: Callable[[Release], Release],
) -> Release:
    """Offer the same version to others: more of them, or nobody for now.

    Raises:
        UpdateRefused: nothing is published there.
    """
    with repository.lock():
        release = change(_offered(repository, channel, platform))
        check_release(release)
        repository.publish(keys, {latest_path(channel, platform): release.to_bytes()})
        return release


def _offered(repository: Repository, channel: str, platform: str) -> Release:
    body = repository.read_target(latest_path(channel, platform))
    if body is None:
        raise refuse(f"nothing is published in {channel} for {platform}")
    return msgspec.json.decode(body, type=Release)


def write_offline(repository: Repository, channel: str, platform: str, file: Path) -> Release:
    """Write the version that a channel offers into one file, for a computer without a network.

    Raises:
        UpdateRefused: nothing is published there.
    """
    with repository.lock():
        release = _offered(repository, channel, platform)
        signed = manifest_path(release.version, platform)
        places = [
            *repository.newest_files(),
            repository.place_of(latest_path(channel, platform)),
            repository.place_of(signed),
        ]
        found = parse_manifest(repository.place_of(signed).read_bytes())
        blobs = sorted({piece.sha256 for each in found.files for piece in each.pieces})
        places += [repository.folder / blob_path(each) for each in blobs]
        partial = file.with_name(f"{file.name}.partial")
        # Blobs are packed already.
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
            for place in places:
                member = zipfile.ZipInfo(place.relative_to(repository.folder).as_posix())
                archive.writestr(member, place.read_bytes())
        partial.replace(file)
        return release


def sweep(repository: Repository) -> int:
    """Remove blobs that no published version has. For when no client is likely to be in the middle of one."""
    with repository.lock():
        used: set[str] = set()
        for path in repository.targets():
            if path.endswith("/manifest.json") and (body := repository.read_target(path)):
                found = parse_manifest(body)
                used |= {piece.sha256 for each in found.files for piece in each.pieces}
        return sweep_blobs(repository.folder, frozenset(used))


def _read_source(tree: Path, keys: KeyFolder) -> UpdateSource:
    """Whoever has this version must be able to have the next: its tree says from where, and by whose keys."""
    if not any((tree / name).is_file() for name in _PROGRAMS) and not _has_program(tree):
        raise refuse(f"{tree} has no program in it")
    try:
        source = msgspec.json.decode((tree / SOURCE_FILE).read_bytes(), type=UpdateSource)
        root = (tree / ROOT_FILE).read_bytes()
    except (OSError, msgspec.DecodeError) as error:
        raise refuse(f"{tree} does not say where its updates come from: `publish trust`") from error
    if root not in [path.read_bytes() for path in keys.roots]:
        raise refuse(f"{tree} trusts other keys than these: `publish trust`")
    return source


def _has_program(tree: Path) -> bool:
    return any(each.is_file() and each.stat().st_mode & 0o100 for each in tree.iterdir())


def _release_in(repository: Repository, product: str, offer: Offer) -> Release | None:
    body = repository.read_target(latest_path(offer.channel, offer.platform))
    if body is None:
        return None
    return parse_release(body, product=product, channel=offer.channel, for_platform=offer.platform)


def _need_newer(before: Release | None, offer: Offer) -> None:
    version = parse_version(offer.version)
    if before is not None and version < parse_version(before.version):
        raise refuse(
            f"{offer.channel} offers {before.version} already, and clients refuse to go below it; "
            f"to take it back, publish the older files under a newer version"
        )


def _need_unchanged(repository: Repository, path: str, body: bytes) -> None:
    before = repository.read_target(path)
    if before is not None and before != body:
        raise refuse("this version was published with other files; a version never changes")


def _make_release(product: str, offer: Offer, before: Release | None) -> Release:
    minimum = offer.minimum_version or (before.minimum_version if before else "0.0.0")
    notes = offer.notes
    if notes is None and before and before.version == offer.version:
        notes = before.notes
    release = Release(
        format=FORMAT,
        product=product,
        platform=offer.platform,
        channel=offer.channel,
        version=offer.version,
        rollout=offer.rollout,
        paused=offer.is_paused,
        minimum_version=minimum,
        notes=dict(notes or {}),
    )
    check_release(release)
    return release


def _outdated(repository: Repository, changed: Mapping[str, bytes]) -> frozenset[str]:
    """Manifests of versions that nobody is offered any more, but for the last few."""
    targets = {*repository.targets(), *changed}
    kept = {
        msgspec.json.decode(body, type=Release).version
        for path in targets
        if path.endswith("/latest.json")
        if (body := changed.get(path) or repository.read_target(path))
    }
    versions = {path.split("/")[1] for path in targets if path.endswith("/manifest.json")}
    newest = sorted(versions, key=parse_version, reverse=True)[:KEPT_VERSIONS]
    return frozenset(
        path
        for path in targets
        if path.endswith("/manifest.json") and path.split("/")[1] not in {*kept, *newest}
    )
