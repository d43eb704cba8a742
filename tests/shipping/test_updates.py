"""From a published tree to a new version on disk, over a real server (ours)."""

import pytest

from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.release import Release
from lime_desktop.shipping.states import (
    Available,
    NotYet,
    Paused,
    Progress,
    Ready,
    Refused,
    UpToDate,
)
from tests.shipping.vendors import PLATFORM, PRODUCT, Served, Vendor, read_tree, steady_bytes


def test_the_newest_version_is_up_to_date(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    assert vendor.install("1.0.0").updates().check() == UpToDate("1.0.0")


def test_a_newer_version_is_offered_with_its_notes_and_its_size(
    vendor: Vendor, served: Served
) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", notes={"en": "Faster.", "zh-CN": "更快。"})
    found = customer.updates().check()
    assert isinstance(found, Available)
    assert found.release == Release(
        format=1,
        product=PRODUCT,
        platform=PLATFORM,
        channel="stable",
        version="1.1.0",
        rollout=100,
        paused=False,
        minimum_version="0.0.0",
        notes={"en": "Faster.", "zh-CN": "更快。"},
    )
    assert found.release.notes_in("zh-CN") == "更快。"
    assert found.release.notes_in("de") == "Faster."
    assert 0 < found.download_bytes < 1_000
    assert served.blobs() == []


def test_only_what_changed_travels_and_the_tree_is_the_vendors(
    vendor: Vendor, served: Served
) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    tree = vendor.tree("1.1.0", {"_internal/new.bin": steady_bytes(5_000, seed=3)})
    vendor.publish("1.1.0", tree)
    heard: list[Progress] = []
    assert customer.updates().apply(notify=heard.append) == Ready("1.1.0")
    assert customer.tree_of("1.1.0") == read_tree(tree)
    assert len(served.blobs()) == 2, "the version's name and the new file"
    assert heard[-1].done_bytes == heard[-1].total_bytes > 0
    old, new = (customer.installation.version_folder(each) for each in ("1.0.0", "1.1.0"))
    assert (old / "_internal/steady.bin").samefile(new / "_internal/steady.bin")
    assert customer.installation.current == "1.0.0", "it is switched at a restart"


def test_one_changed_module_in_a_large_file_moves_little_of_it(
    vendor: Vendor, served: Served
) -> None:
    """Our modules lie in one file of the frozen tree, and one that grows moves all behind it."""
    large = steady_bytes(12_000_000, seed=4)
    tree = vendor.tree("1.0.0", {"_internal/modules.bin": large})
    vendor.publish("1.0.0", tree)
    customer = vendor.install("1.0.0")
    changed = large[:5_000_000] + b"a module that grew" + large[5_000_100:]
    published = vendor.publish("1.1.0", vendor.tree("1.1.0", {"_internal/modules.bin": changed}))
    served.sent = 0
    customer.updates().apply()
    assert customer.tree_of("1.1.0") == read_tree(vendor.folder / "trees/1.1.0")
    assert published.added_bytes < len(large) * 0.06
    assert served.sent < len(large) * 0.06


def test_a_file_that_moved_does_not_travel(vendor: Vendor, served: Served) -> None:
    library = steady_bytes(400_000, seed=5)
    vendor.publish("1.0.0", vendor.tree("1.0.0", {"lib/a.so": library}))
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", vendor.tree("1.1.0", {"plugins/b.so": library}))
    customer.updates().apply()
    assert len(served.blobs()) == 1, "the version's name"
    assert customer.tree_of("1.1.0") == read_tree(vendor.folder / "trees/1.1.0")


def test_a_file_of_the_current_version_that_was_changed_is_not_taken_over(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0")
    steady = customer.installation.version_folder("1.0.0") / "_internal/steady.bin"
    steady.write_bytes(steady_bytes(300_000, seed=99))
    customer.updates().apply()
    assert customer.tree_of("1.1.0") == read_tree(vendor.folder / "trees/1.1.0")


def test_a_paused_version_is_held_back_and_comes_when_it_is_let_go(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", is_paused=True)
    assert customer.updates().check() == Paused("1.1.0")
    with pytest.raises(UpdateRefused, match="held back"):
        customer.updates().apply()
    vendor.publish("1.1.0")
    assert isinstance(customer.updates().check(), Available)


def test_a_rollout_reaches_some_first_and_then_everybody(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", rollout=0)
    assert customer.updates().check() == NotYet("1.1.0", 0)
    with pytest.raises(UpdateRefused) as refused:
        customer.updates().apply()
    assert refused.value.code is UpdateCode.NOTHING_NEW
    assert customer.updates().apply(by_hand=True) == Ready("1.1.0")


def test_the_installs_own_name_is_never_sent(vendor: Vendor, served: Served) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", rollout=50)
    customer.updates().check()
    name = (customer.installation.update_folder / "install-id").read_text().strip()
    assert len(name) == 32
    assert all(name not in path for path in served.asked)


def test_a_withdrawn_version_does_not_wait_for_its_turn(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", rollout=0, minimum_version="1.0.5")
    assert isinstance(customer.updates().check(), Available)


def test_another_channel_is_followed_when_it_is_chosen(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    vendor.publish("2.0.0-beta.1", channel="beta")
    customer = vendor.install("1.0.0")
    updates = customer.updates()
    assert updates.check() == UpToDate("1.0.0")
    updates.choose_channel("beta")
    found = updates.check()
    assert isinstance(found, Available)
    assert found.release.version == "2.0.0-beta.1"
    updates.choose_channel("nightly")
    assert _refusal(updates.check()) is UpdateCode.WRONG_CHANNEL


def test_a_version_that_waits_is_said_to_be_ready(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0")
    customer.updates().apply()
    assert customer.updates().check() == Ready("1.1.0")
    assert customer.updates().status().pending == "1.1.0"


def test_what_was_stopped_goes_on_where_it_was(vendor: Vendor, served: Served) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    files = {f"new/{number}.bin": steady_bytes(9_000, seed=number) for number in range(10, 20)}
    vendor.publish("1.1.0", vendor.tree("1.1.0", files))
    came: list[Progress] = []
    with pytest.raises(UpdateRefused) as refused:
        customer.updates().apply(notify=came.append, is_cancelled=lambda: len(came) >= 4)
    assert refused.value.code is UpdateCode.CANCELLED
    assert customer.installation.complete_versions() == ("1.0.0",)
    before = len(served.blobs())
    customer.updates().apply()
    assert customer.tree_of("1.1.0") == read_tree(vendor.folder / "trees/1.1.0")
    assert len(served.blobs()) - before == 11 - 4


def test_what_another_update_left_is_swept(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0")
    left = customer.installation.versions_folder / ".0.9.0.partial"
    (left / "half").mkdir(parents=True)
    stranger = customer.installation.versions_folder / ".1.1.0.partial/stranger"
    stranger.parent.mkdir()
    stranger.write_text("of another try")
    customer.updates().apply()
    assert not left.exists()
    assert customer.tree_of("1.1.0") == read_tree(vendor.folder / "trees/1.1.0")


def _refusal(result: object) -> UpdateCode | None:
    return result.code if isinstance(result, Refused) else None
