"""What a server, or somebody between, may try; always a working version, old or new (ours)."""

import json
import shutil
import zlib
from datetime import UTC, datetime, timedelta
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.publish import Offer, publish_shell
from lime_desktop.shipping.publishing.repository import Repository
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.release import latest_path
from lime_desktop.shipping.sources import HttpSource, Limits
from lime_desktop.shipping.states import Available, Refused, UpToDate
from tests.shipping.vendors import (
    IMPATIENT,
    PLATFORM,
    Customer,
    Served,
    Vendor,
    body,
    dripping,
    endless,
    read_tree,
    steady_bytes,
)


@pytest.fixture
def customer(vendor: Vendor) -> Customer:
    """Somebody with 1.0.0, to whom 1.1.0 is offered."""
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    assert customer.updates().check() == UpToDate("1.0.0")
    files = {"_internal/new.bin": steady_bytes(50_000, seed=7)}
    vendor.publish("1.1.0", vendor.tree("1.1.0", files))
    return customer


def refused(customer: Customer, limits: Limits | None = None) -> UpdateCode:
    """The update fails with a code, and everything is as it was."""
    before = read_tree(customer.installation.version_folder("1.0.0"))
    with pytest.raises(UpdateRefused) as found:
        customer.updates(limits=limits).apply()
    here = customer.installation
    assert here.current == "1.0.0"
    assert here.pending is None
    assert here.complete_versions() == ("1.0.0",)
    assert read_tree(here.version_folder("1.0.0")) == before
    return found.value.code


def newest(vendor: Vendor, role: str) -> Path:
    found = (vendor.repository.folder / "metadata").glob(f"*.{role}.json")
    return max(found, key=lambda path: int(path.name.partition(".")[0]))


def test_a_blob_that_was_changed_is_refused(vendor: Vendor, customer: Customer) -> None:
    for blob in (vendor.repository.folder / "blobs").rglob("*.z"):
        data = bytearray(blob.read_bytes())
        data[-1] ^= 1
        blob.write_bytes(data)
    assert refused(customer) is UpdateCode.TAMPERED


def test_a_blob_with_other_content_is_refused(vendor: Vendor, customer: Customer) -> None:
    for blob in (vendor.repository.folder / "blobs").rglob("*.z"):
        size = len(zlib.decompress(blob.read_bytes()))
        blob.write_bytes(zlib.compress(b"\0" * size))
    assert refused(customer) is UpdateCode.TAMPERED


def test_a_blob_that_unpacks_to_more_than_was_said_is_refused(
    vendor: Vendor, customer: Customer
) -> None:
    bomb = zlib.compress(b"\0" * 30_000_000)
    for blob in (vendor.repository.folder / "blobs").rglob("*.z"):
        if blob.stat().st_size > len(bomb):
            blob.write_bytes(bomb)
    assert refused(customer) is UpdateCode.TAMPERED


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "targets"])
def test_metadata_that_was_changed_is_refused(
    vendor: Vendor, customer: Customer, role: str
) -> None:
    folder = vendor.repository.folder / "metadata"
    path = folder / "timestamp.json" if role == "timestamp" else newest(vendor, role)
    said = json.loads(path.read_bytes())
    said["signed"]["expires"] = "2099-01-01T00:00:00Z"
    path.write_text(json.dumps(said))
    assert refused(customer) is UpdateCode.NOT_SIGNED


@pytest.mark.parametrize("name", ["latest.json", "manifest.json"])
def test_a_signed_file_that_was_changed_is_refused(
    vendor: Vendor, customer: Customer, name: str
) -> None:
    for path in (vendor.repository.folder / "targets").rglob(f"*.{name}"):
        text = path.read_text()
        path.write_text(text.replace("1.1.0", "9.9.9"))
    assert refused(customer) is UpdateCode.TAMPERED


def test_a_root_of_somebody_elses_is_refused(
    vendor: Vendor, customer: Customer, tmp_path: Path
) -> None:
    """Keys of an attacker's, in a root that no key of the vendor's signed."""
    other = KeyFolder(tmp_path / "attacker")
    other.create()
    other.rotate("root")
    shutil.copy(other.roots[-1], vendor.repository.folder / "metadata/2.root.json")
    assert refused(customer) is UpdateCode.NOT_SIGNED


def test_old_metadata_that_was_signed_once_is_refused(vendor: Vendor, customer: Customer) -> None:
    """Replay: what was true before 1.1.0 is served again after this computer saw 1.1.0."""
    web, kept = vendor.repository.folder, vendor.folder / "kept"
    shutil.copytree(web, kept)
    vendor.publish("1.2.0")
    assert isinstance(customer.updates().check(), Available)
    shutil.rmtree(web)
    shutil.copytree(kept, web)
    assert refused(customer) is UpdateCode.REPLAYED


def test_a_replay_is_refused_also_where_the_memory_of_metadata_was_lost(
    vendor: Vendor, customer: Customer
) -> None:
    """Our own floor: TUF's files may be lost with a power cut."""
    web, kept = vendor.repository.folder, vendor.folder / "kept"
    shutil.copytree(web, kept)
    vendor.publish("1.2.0")
    assert isinstance(customer.updates().check(), Available)
    shutil.rmtree(web)
    shutil.copytree(kept, web)
    shutil.rmtree(customer.installation.update_folder / "metadata")
    assert refused(customer) is UpdateCode.OLDER_VERSION


@pytest.mark.parametrize("days", [-1, 0])
def test_what_has_expired_is_refused(vendor: Vendor, customer: Customer, days: int) -> None:
    """A server that stands still keeps fixes away: freeze."""
    vendor.repository.refresh(vendor.keys, fresh_days=days)
    assert refused(customer) is UpdateCode.EXPIRED


def test_what_expires_while_it_is_kept_is_refused(
    customer: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = datetime.now(UTC) + timedelta(days=31)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            del tz
            return later

    monkeypatch.setattr("tuf.ngclient._internal.trusted_metadata_set.datetime.datetime", Later)
    assert refused(customer) is UpdateCode.EXPIRED


def test_parts_of_two_publications_do_not_mix(vendor: Vendor, customer: Customer) -> None:
    """Mix and match: the releases of one moment under the snapshot of another, each signed."""
    older = newest(vendor, "targets").read_bytes()
    vendor.publish("1.2.0")
    newest(vendor, "targets").write_bytes(older)
    assert refused(customer) in {UpdateCode.REPLAYED, UpdateCode.MALFORMED}


def test_an_old_snapshot_under_a_new_timestamp_is_refused(
    vendor: Vendor, customer: Customer
) -> None:
    older = newest(vendor, "snapshot").read_bytes()
    vendor.publish("1.2.0")
    newest(vendor, "snapshot").write_bytes(older)
    assert refused(customer) in {UpdateCode.REPLAYED, UpdateCode.MALFORMED}


def test_the_release_of_another_channel_is_refused(
    vendor: Vendor, customer: Customer, served: Served
) -> None:
    vendor.publish("2.0.0-beta.1", channel="beta")
    beta = vendor.repository.read_target(latest_path("beta", PLATFORM))
    assert beta is not None
    served.answers["/channels/stable/"] = body(beta)
    assert refused(customer) in {UpdateCode.TAMPERED, UpdateCode.TOO_LARGE}


def test_a_release_signed_under_the_name_of_another_channel_is_refused(
    vendor: Vendor, customer: Customer
) -> None:
    """A vendor's mistake: beta's words in the place of stable's."""
    vendor.publish("2.0.0-beta.1", channel="beta")
    beta = vendor.repository.read_target(latest_path("beta", PLATFORM))
    assert beta is not None
    vendor.repository.publish(vendor.keys, {latest_path("stable", PLATFORM): beta})
    assert refused(customer) is UpdateCode.WRONG_CHANNEL


def test_the_release_of_another_program_of_the_same_vendor_is_refused(
    vendor: Vendor, customer: Customer
) -> None:
    place = latest_path("stable", PLATFORM)
    found = vendor.repository.read_target(place)
    assert found is not None
    other = found.replace(b"lime-desktop", b"other-thing")
    vendor.repository.publish(vendor.keys, {place: other})
    assert refused(customer) is UpdateCode.WRONG_PRODUCT


@pytest.mark.parametrize(
    "part",
    ["timestamp.json", ".root.json", ".snapshot.json", ".targets.json", "latest.json", "/blobs/"],
)
def test_data_without_end_are_cut_off(customer: Customer, served: Served, part: str) -> None:
    served.answers[part] = endless
    assert refused(customer) is UpdateCode.TOO_LARGE


@pytest.mark.parametrize("part", ["timestamp.json", "latest.json", "/blobs/"])
def test_data_that_drip_are_given_up(customer: Customer, served: Served, part: str) -> None:
    served.answers[part] = dripping
    assert refused(customer, IMPATIENT) is UpdateCode.TOO_SLOW


def test_a_server_that_is_not_there_is_said_to_be(customer: Customer) -> None:
    customer.url = "http://127.0.0.1:9"
    found = customer.updates().check()
    assert isinstance(found, Refused)
    assert found.code is UpdateCode.UNREACHABLE


def test_a_redirect_is_not_followed(customer: Customer, served: Served) -> None:
    def away(handler: SimpleHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", f"{served.url}/metadata/1.root.json")
        handler.end_headers()

    served.answers["timestamp.json"] = away
    assert refused(customer) is UpdateCode.UNREACHABLE


def test_updates_come_by_https_alone_unless_from_the_own_network() -> None:
    with pytest.raises(UpdateRefused) as found:
        HttpSource("http://updates.example.com/")
    assert found.value.code is UpdateCode.NO_SOURCE


def test_a_channel_never_goes_back_and_a_version_never_changes(
    vendor: Vendor, customer: Customer
) -> None:
    """What clients would refuse is not published."""
    del customer
    with pytest.raises(UpdateRefused, match=r"1\.1\.0 already"):
        vendor.publish("1.0.0")
    changed = vendor.tree("1.1.1", {"version": b"1.1.0 with something else"})
    with pytest.raises(UpdateRefused, match="never changes"):
        vendor.publish("1.1.0", changed)


def test_a_tree_that_trusts_other_keys_is_not_published(vendor: Vendor, tmp_path: Path) -> None:
    """Whoever had it could never have the next."""
    other = KeyFolder(tmp_path / "other")
    other.create()
    offer = Offer("1.0.0", "stable", PLATFORM)
    with pytest.raises(UpdateRefused, match="other keys"):
        publish_shell(vendor.tree("1.0.0"), Repository(tmp_path / "web2"), other, offer)
