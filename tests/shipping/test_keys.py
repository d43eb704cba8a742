"""Keys are replaced and lost, and customers go on (ours): rehearsed, because it happens on a bad day."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.publish import sweep, write_offline
from lime_desktop.shipping.publishing.tuf_names import CryptoSigner
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.sources import FileSource
from lime_desktop.shipping.states import Available, Ready, Refused, UpToDate
from lime_desktop.shipping.updates import Updates
from tests.shipping.vendors import PLATFORM, Customer, Vendor, read_tree


@pytest.fixture
def customer(vendor: Vendor) -> Customer:
    """Somebody whose program knows the first root alone."""
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    assert customer.updates().check() == UpToDate("1.0.0")
    return customer


def offered(customer: Customer) -> str:
    found = customer.updates().check()
    assert isinstance(found, Available), found
    return found.release.version


def test_private_keys_are_their_owners_alone_and_none_is_published(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    names = {path.name for path in vendor.keys.folder.glob("*.pem")}
    assert names == {"root-1.pem", "root-2.pem", "targets.pem", "online.pem"}
    for path in vendor.keys.folder.glob("*.pem"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for path in vendor.repository.folder.rglob("*"):
        assert not path.is_file() or b"PRIVATE KEY" not in path.read_bytes()


def test_keys_locked_by_a_passphrase_are_opened_by_it_alone(tmp_path: Path) -> None:
    KeyFolder(tmp_path / "keys", b"correct horse").create()
    for path in (tmp_path / "keys").glob("*.pem"):
        assert b"ENCRYPTED" in path.read_bytes()
    KeyFolder(tmp_path / "keys", b"correct horse").signer("targets")
    for wrong in (None, b"another"):
        with pytest.raises(UpdateRefused, match="passphrase"):
            KeyFolder(tmp_path / "keys", wrong).signer("targets")


def test_a_key_that_others_may_read_is_not_used(vendor: Vendor) -> None:
    (vendor.keys.folder / "targets.pem").chmod(0o644)
    with pytest.raises(UpdateRefused, match="Others may use"):
        vendor.publish("1.0.0")


@pytest.mark.parametrize("name", ["root", "targets", "online"])
def test_a_key_is_replaced_and_customers_go_on(
    vendor: Vendor, customer: Customer, name: str
) -> None:
    vendor.keys.rotate(name)
    vendor.publish("1.1.0")
    assert offered(customer) == "1.1.0"
    vendor.keys.rotate(name)
    vendor.publish("1.2.0")
    assert offered(customer) == "1.2.0"
    assert customer.updates().apply() == Ready("1.2.0")


@pytest.mark.parametrize("name", ["targets", "online"])
def test_a_lost_key_is_replaced_by_the_root(vendor: Vendor, customer: Customer, name: str) -> None:
    (vendor.keys.folder / f"{name}.pem").unlink()
    with pytest.raises(UpdateRefused):
        vendor.publish("1.1.0")
    vendor.keys.rotate(name)
    vendor.publish("1.1.0")
    assert offered(customer) == "1.1.0"


def test_one_lost_root_key_is_replaced_by_the_other(vendor: Vendor, customer: Customer) -> None:
    (vendor.keys.folder / "root-1.pem").unlink()
    vendor.keys.rotate("root")
    (vendor.keys.folder / "root-2.pem").unlink()
    vendor.keys.rotate("targets")
    vendor.publish("1.1.0")
    assert offered(customer) == "1.1.0"


def test_with_both_root_keys_lost_nothing_is_replaced(vendor: Vendor) -> None:
    """What is promised ends here: customers would need a new program."""
    for path in vendor.keys.folder.glob("root-*.pem"):
        path.unlink()
    with pytest.raises(UpdateRefused, match="root's keys must be"):
        vendor.keys.rotate("targets")
    assert (vendor.keys.folder / "targets.pem").exists()


@pytest.mark.parametrize("name", ["targets", "online"])
def test_a_key_that_was_replaced_signs_nothing_any_more(
    vendor: Vendor, customer: Customer, name: str
) -> None:
    """It was stolen; the thief publishes with it, under the vendor's own new root."""
    stolen = (vendor.keys.folder / f"{name}.pem").read_bytes()
    thief = vendor.folder / "thief"
    vendor.keys.rotate(name)
    vendor.repository.refresh(vendor.keys)
    assert customer.updates().check() == UpToDate("1.0.0")
    keys = ThiefsKeys(vendor.keys.folder, thief, name, stolen)
    vendor.repository.publish(keys, {})
    found = customer.updates().check()
    assert isinstance(found, Refused)
    assert found.code is UpdateCode.NOT_SIGNED


class ThiefsKeys(KeyFolder):
    """Uses a key that holds no more, and does not ask whether it does."""

    def __init__(self, real: Path, folder: Path, name: str, stolen: bytes) -> None:
        super().__init__(real)
        folder.mkdir()
        (folder / f"{name}.pem").write_bytes(stolen)
        (folder / f"{name}.pem").chmod(0o600)
        self._thief, self._name = KeyFolder(folder), name

    def signer(self, name: str) -> CryptoSigner:
        return self._thief._load(name) if name == self._name else super().signer(name)


def test_the_online_key_alone_keeps_a_folder_fresh(
    vendor: Vendor, customer: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A schedule on some machine has that key and no other."""
    vendor.publish("1.1.0", fresh_days=-1)
    found = customer.updates().check()
    assert isinstance(found, Refused)
    assert found.code is UpdateCode.EXPIRED
    for name in ("targets.pem", "root-1.pem", "root-2.pem"):
        (vendor.keys.folder / name).unlink()
    vendor.repository.refresh(vendor.keys)
    assert offered(customer) == "1.1.0"
    later = datetime.now(UTC) + timedelta(days=29)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            del tz
            return later

    monkeypatch.setattr("tuf.ngclient._internal.trusted_metadata_set.datetime.datetime", Later)
    assert offered(customer) == "1.1.0"


def test_a_root_that_needs_two_signatures_is_not_replaced_by_one(tmp_path: Path) -> None:
    keys = KeyFolder(tmp_path / "keys")
    keys.create(root_keys=3, threshold=2)
    (tmp_path / "keys/root-1.pem").unlink()
    keys.rotate("online")
    (tmp_path / "keys/root-2.pem").unlink()
    with pytest.raises(UpdateRefused, match="2 of the root's keys"):
        keys.rotate("online")


def test_a_version_in_a_file_needs_no_network(
    vendor: Vendor, customer: Customer, tmp_path: Path
) -> None:
    vendor.publish("1.1.0")
    file = tmp_path / "lime-1.1.0.update"
    write_offline(vendor.repository, "stable", PLATFORM, file)
    updates = Updates(customer.installation, FileSource(file), platform=PLATFORM)
    assert updates.apply(by_hand=True) == Ready("1.1.0")
    assert customer.tree_of("1.1.0") == read_tree(vendor.folder / "trees/1.1.0")


def test_a_file_that_was_changed_cut_or_is_old_is_refused(
    vendor: Vendor, customer: Customer, tmp_path: Path
) -> None:
    vendor.publish("1.1.0")
    file = tmp_path / "old.update"
    write_offline(vendor.repository, "stable", PLATFORM, file)
    vendor.publish("1.2.0")
    assert offered(customer) == "1.2.0"

    def code(path: Path) -> UpdateCode | None:
        found = Updates(customer.installation, FileSource(path), platform=PLATFORM).check()
        return found.code if isinstance(found, Refused) else None

    assert code(file) is UpdateCode.REPLAYED
    (tmp_path / "cut.update").write_bytes(file.read_bytes()[:5_000])
    assert code(tmp_path / "cut.update") is UpdateCode.FILE_UNREADABLE
    assert code(tmp_path / "missing.update") is UpdateCode.FILE_UNREADABLE
    write_offline(vendor.repository, "stable", PLATFORM, file)
    changed = file.read_bytes().replace(b'"version": "1.2.0"', b'"version": "1.3.0"')
    (tmp_path / "changed.update").write_bytes(changed)
    assert code(tmp_path / "changed.update") in {UpdateCode.FILE_UNREADABLE, UpdateCode.TAMPERED}


def test_blobs_of_versions_that_are_gone_are_swept_and_the_others_stay(
    vendor: Vendor, customer: Customer
) -> None:
    for number in range(1, 8):
        vendor.publish(f"1.{number}.0")
    manifests = [path for path in vendor.repository.targets() if path.endswith("manifest.json")]
    assert len(manifests) == 5
    assert sweep(vendor.repository) > 0
    assert customer.updates().apply() == Ready("1.7.0")
    assert customer.tree_of("1.7.0") == read_tree(vendor.folder / "trees/1.7.0")
