"""The published folder as TUF sees it: what is signed in it, and putting something new in its place. Blocks.

    metadata/       N.root.json, N.targets.json, N.snapshot.json, timestamp.json
    targets/        channels/…/latest.json and versions/…/manifest.json, each with its hash in its name
    blobs/          pieces of files, packed; a name says what is in it

The timestamp is written last: until then a client sees what was there before.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from tuf.api.exceptions import UnsignedMetadataError

from lime_desktop.durable_files.changing import locked_file
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.shipping.publishing.keys import ONLINE, TARGETS, KeyFolder, expiry, refuse
from lime_desktop.shipping.publishing.tuf_names import (
    CryptoSigner,
    Metadata,
    MetaFile,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)

TARGETS_DAYS = 365
FRESH_DAYS = 30
_SIGNED = TypeVar("_SIGNED", Targets, Snapshot, Timestamp)


class Repository:
    """A published folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._metadata = folder / "metadata"

    @property
    def is_there(self) -> bool:
        """Whether something was published here."""
        return (self._metadata / "timestamp.json").is_file()

    def lock(self) -> AbstractContextManager[None]:
        """One publisher at a time."""
        return locked_file(self.folder / ".publishing")

    def targets(self) -> dict[str, TargetFile]:
        """Everything that is signed, by its path."""
        return dict(self._read_targets().signed.targets) if self.is_there else {}

    def read_target(self, path: str) -> bytes | None:
        """A signed file's bytes."""
        found = self.targets().get(path)
        return None if found is None else self._place_of(path, found).read_bytes()

    def publish(
        self,
        keys: KeyFolder,
        changed: Mapping[str, bytes],
        *,
        gone: frozenset[str] = frozenset(),
        fresh_days: int = FRESH_DAYS,
    ) -> None:
        """Sign new files, and that some are gone; everything else stays.

        Raises:
            UpdateRefused: a key is missing.
        """
        targets_key, online_key = keys.signer(TARGETS), keys.signer(ONLINE)
        targets = self._read_targets() if self.is_there else Metadata(Targets())
        for path in gone:
            targets.signed.targets.pop(path, None)
        for path, body in changed.items():
            found = TargetFile.from_data(path, body, ["sha256"])
            targets.signed.targets[path] = found
            write_durably(self._place_of(path, found), body)
        targets.signed.version = targets.signed.version + 1 if self.is_there else 1
        targets.signed.expires = expiry(TARGETS_DAYS)
        self._write(targets, targets_key, f"{targets.signed.version}.targets.json")
        self._write_fresh(keys, online_key, targets.signed.version, fresh_days)

    def refresh(self, keys: KeyFolder, *, fresh_days: int = FRESH_DAYS) -> None:
        """Say that nothing is stale, with the online key alone; and bring new roots.

        Where the key for releases was replaced, or its signature is about to expire, it is asked for as well.

        Raises:
            UpdateRefused: nothing was published, or a key is missing.
        """
        if not self.is_there:
            raise refuse(f"nothing was published in {self.folder}")
        targets = self._read_targets()
        root = keys.newest_root().signed
        try:
            root.verify_delegate(Targets.type, targets.signed_bytes, targets.signatures)
            is_signed = targets.signed.expires > datetime.now(UTC) + timedelta(days=fresh_days)
        except UnsignedMetadataError:
            is_signed = False
        if not is_signed:
            self.publish(keys, {}, fresh_days=fresh_days)
            return
        self._write_fresh(keys, keys.signer(ONLINE), targets.signed.version, fresh_days)

    def newest_files(self) -> list[Path]:
        """The metadata that a client without a network needs."""
        timestamp = self._read(Timestamp, "timestamp.json")
        snapshot_version = timestamp.signed.snapshot_meta.version
        snapshot = self._read(Snapshot, f"{snapshot_version}.snapshot.json")
        names = [
            *sorted(path.name for path in self._metadata.glob("*.root.json")),
            "timestamp.json",
            f"{snapshot_version}.snapshot.json",
            f"{snapshot.signed.meta['targets.json'].version}.targets.json",
        ]
        return [self._metadata / name for name in names]

    def place_of(self, path: str) -> Path:
        """Where a signed file lies."""
        return self._place_of(path, self.targets()[path])

    def _place_of(self, path: str, found: TargetFile) -> Path:
        folder, _, name = path.rpartition("/")
        return self.folder / "targets" / folder / f"{found.hashes['sha256']}.{name}"

    def _write_fresh(
        self, keys: KeyFolder, signer: CryptoSigner, targets_version: int, fresh_days: int
    ) -> None:
        snapshot = Metadata(Snapshot())
        timestamp = Metadata(Timestamp())
        if self.is_there:
            timestamp = self._read(Timestamp, "timestamp.json")
            before = timestamp.signed.snapshot_meta.version
            snapshot.signed.version = before + 1
            timestamp.signed.version += 1
        snapshot.signed.meta["targets.json"] = MetaFile(version=targets_version)
        timestamp.signed.snapshot_meta = MetaFile(version=snapshot.signed.version)
        snapshot.signed.expires = timestamp.signed.expires = expiry(fresh_days)
        for path in keys.roots:
            write_durably(self._metadata / path.name, path.read_bytes())
        self._write(snapshot, signer, f"{snapshot.signed.version}.snapshot.json")
        self._write(timestamp, signer, "timestamp.json")

    def _write(self, metadata: Metadata[_SIGNED], signer: CryptoSigner, name: str) -> None:
        metadata.signatures.clear()
        metadata.sign(signer)
        write_durably(self._metadata / name, metadata.to_bytes())

    def _read_targets(self) -> Metadata[Targets]:
        timestamp = self._read(Timestamp, "timestamp.json")
        name = f"{timestamp.signed.snapshot_meta.version}.snapshot.json"
        version = self._read(Snapshot, name).signed.meta["targets.json"].version
        return self._read(Targets, f"{version}.targets.json")

    def _read(self, kind: type[_SIGNED], name: str) -> Metadata[_SIGNED]:
        return Metadata[kind].from_bytes((self._metadata / name).read_bytes())
