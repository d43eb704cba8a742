"""A vendor's keys, in a folder that never goes to the server, and the root that says which of them sign what.

    root-1.pem, root-2.pem   say which keys hold; either is enough, so keep them in two places
    targets.pem              signs releases; used when a version is published
    online.pem               signs that nothing is stale; may lie where a schedule refreshes it
    roots/1.root.json …      every root there was, each signed by the one before; the first goes into the program
    retired/                 keys that were replaced

Ed25519, PKCS 8, for their owner alone; locked by a passphrase if one is given.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.signing_key import create_key, read_private_file
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.shipping.publishing.tuf_names import (
    CryptoSigner,
    Metadata,
    Root,
    Snapshot,
    SSlibKey,
    Targets,
    Timestamp,
)
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused

ROOT_DAYS = 3 * 365
TARGETS, ONLINE = "targets", "online"
ROLES: dict[str, tuple[str, ...]] = {
    TARGETS: (Targets.type,),
    ONLINE: (Snapshot.type, Timestamp.type),
}
"""What each key below the root signs."""


def refuse(reason: str) -> UpdateRefused:
    """What a vendor is told."""
    return UpdateRefused(UpdateCode.PUBLISHING, reason)


def expiry(days: int) -> datetime:
    """A moment so many days from now."""
    return datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)


class KeyFolder:
    """The folder with a vendor's keys. Blocks."""

    def __init__(self, folder: Path, passphrase: bytes | None = None) -> None:
        self.folder = folder
        self._passphrase = passphrase

    @property
    def roots(self) -> list[Path]:
        """Every root, the oldest first."""
        found = (self.folder / "roots").glob("*.root.json")
        return sorted(found, key=lambda path: int(path.name.partition(".")[0]))

    def newest_root(self) -> Metadata[Root]:
        """The root that holds.

        Raises:
            UpdateRefused: there are no keys here.
        """
        if not self.roots:
            raise refuse(f"there are no keys in {self.folder}: run `publish keys new`")
        return Metadata[Root].from_bytes(self.roots[-1].read_bytes())

    def create(self, *, root_keys: int = 2, threshold: int = 1) -> Path:
        """Make every key and the first root, which it gives.

        Raises:
            UpdateRefused: keys are there already, or the numbers make no sense.
        """
        if not 1 <= threshold <= root_keys <= 9:
            raise refuse("of 1 to 9 root keys, at least one must sign and not more than there are")
        if self.roots:
            raise refuse(f"there are keys in {self.folder} already")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = Root(version=1, expires=expiry(ROOT_DAYS), consistent_snapshot=True)
        signers = [self._make(f"root-{number}") for number in range(1, root_keys + 1)]
        for signer in signers:
            root.add_key(signer.public_key, Root.type)
        root.roles[Root.type].threshold = threshold
        for name, roles in ROLES.items():
            public = self._make(name).public_key
            for role in roles:
                root.add_key(public, role)
        return self._save(Metadata(root), signers)

    def rotate(self, name: str) -> Path:
        """Replace a key, because it was lost, may have been seen, or is old. Gives the new root.

        The old one is not needed: that the root's keys say so is enough. For the root itself at least as many of the
        old keys must be there as have to sign.

        Raises:
            UpdateRefused: too few of the root's keys are here, or there is no such key.
        """
        metadata = self.newest_root()
        root = metadata.signed
        before = self._root_signers(root)
        if name == Root.type:
            after = self._replace_root_keys(root)
        elif name in ROLES:
            after = before
            self._replace_key(root, name)
        else:
            raise refuse(f"there is no key {name!r}: root, {', '.join(ROLES)}")
        root.version += 1
        root.expires = expiry(ROOT_DAYS)
        metadata.signatures.clear()
        unique = {each.public_key.keyid: each for each in (*before, *after)}
        return self._save(metadata, list(unique.values()))

    def signer(self, name: str) -> CryptoSigner:
        """The key that signs releases, or the one that signs that nothing is stale.

        Raises:
            UpdateRefused: it is not here, locked, or no longer the one that holds.
        """
        signer = self._load(name)
        role = ROLES[name][0]
        if signer.public_key.keyid not in self.newest_root().signed.roles[role].keyids:
            raise refuse(f"{name}.pem is not the key that the newest root names")
        return signer

    def _replace_root_keys(self, root: Root) -> list[CryptoSigner]:
        old = list(root.roles[Root.type].keyids)
        for number in range(1, len(old) + 1):
            self._retire(f"root-{number}")
        after = [self._make(f"root-{number}") for number in range(1, len(old) + 1)]
        for keyid in old:
            root.revoke_key(keyid, Root.type)
        for signer in after:
            root.add_key(signer.public_key, Root.type)
        return after

    def _replace_key(self, root: Root, name: str) -> None:
        self._retire(name)
        public = self._make(name).public_key
        for role in ROLES[name]:
            for keyid in list(root.roles[role].keyids):
                root.revoke_key(keyid, role)
            root.add_key(public, role)

    def _root_signers(self, root: Root) -> list[CryptoSigner]:
        """Those of the root's keys that are here: enough of them."""
        role = root.roles[Root.type]
        paths = sorted(self.folder.glob("root-*.pem"))
        loaded = [self._load(path.stem) for path in paths]
        found = [each for each in loaded if each.public_key.keyid in role.keyids]
        if len(found) < role.threshold:
            raise refuse(f"{role.threshold} of the root's keys must be in {self.folder}")
        return found

    def _save(self, metadata: Metadata[Root], signers: Sequence[CryptoSigner]) -> Path:
        for signer in signers:
            metadata.sign(signer, append=True)
        metadata.signed.verify_delegate(Root.type, metadata.signed_bytes, metadata.signatures)
        place = self.folder / "roots" / f"{metadata.signed.version}.root.json"
        write_durably(place, metadata.to_bytes())
        return place

    def _make(self, name: str) -> CryptoSigner:
        made = create_key(self.folder / f"{name}.pem", self._passphrase)
        if isinstance(made, Problem):
            raise refuse(made.message)
        return self._load(name)

    def _load(self, name: str) -> CryptoSigner:
        path = self.folder / f"{name}.pem"
        pem = read_private_file(path)
        if isinstance(pem, Problem):
            raise refuse(pem.message)
        is_locked = b"ENCRYPTED" in pem
        try:
            key = serialization.load_pem_private_key(pem, self._passphrase if is_locked else None)
        except (ValueError, TypeError) as error:
            raise refuse(f"{path} is no key, or its passphrase is another") from error
        if not isinstance(key, Ed25519PrivateKey):
            raise refuse(f"{path} is no Ed25519 key")
        return CryptoSigner(key, SSlibKey.from_crypto(key.public_key()))

    def _retire(self, name: str) -> None:
        path = self.folder / f"{name}.pem"
        if not path.exists():
            return
        folder = self.folder / "retired"
        folder.mkdir(mode=0o700, exist_ok=True)
        number = len(list(folder.glob(f"{name}-*.pem"))) + 1
        os.replace(path, folder / f"{name}-{number}.pem")  # noqa: PTH105 - as durable as a rename is
