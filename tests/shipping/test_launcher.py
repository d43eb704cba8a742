"""The launcher starts what works: it switches, watches, and goes back by itself (ours)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.states import Available, Ready
from tests.shipping.launching import launch
from tests.shipping.vendors import Customer, Vendor

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a script of a POSIX shell")


def updated(vendor: Vendor, *, code: int = 0, is_healthy: bool = True) -> Customer:
    """Somebody with 1.0.0, for whom 1.1.0 waits for a restart."""
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", vendor.tree("1.1.0", code=code, is_healthy=is_healthy))
    assert customer.updates().apply() == Ready("1.1.0")
    return customer


def test_the_current_version_starts_with_its_arguments(vendor: Vendor) -> None:
    customer = vendor.install("1.0.0")
    assert launch(customer, "open", "some app.lapp").output == "1.0.0\n"
    started = (customer.installation.root / "started").read_text()
    assert started == "1.0.0 open some app.lapp\n"


def test_a_link_to_the_launcher_will_do(vendor: Vendor, tmp_path: Path) -> None:
    customer = vendor.install("1.0.0")
    (tmp_path / "a").mkdir()
    (tmp_path / "a/lime").symlink_to(customer.installation.root / "bin/lime-desktop")
    (tmp_path / "started-here").symlink_to("a/lime")
    done = subprocess.run([str(tmp_path / "started-here")], capture_output=True, check=True)  # noqa: S603
    assert done.stdout == b"1.0.0\n"


def test_a_restart_switches_to_the_new_version_and_keeps_the_old(vendor: Vendor) -> None:
    customer = updated(vendor)
    assert launch(customer).version == "1.1.0"
    assert customer.installation.current == "1.1.0"
    assert launch(customer).output == "1.1.0\n"
    assert customer.installation.complete_versions() == ("1.1.0", "1.0.0")


def test_a_command_of_the_terminal_switches_nothing(vendor: Vendor) -> None:
    """It shows no window, and so cannot show that a version works."""
    customer = updated(vendor)
    assert launch(customer, "apps", "list").version == "1.0.0"
    assert customer.updates().status().pending == "1.1.0"


def test_without_a_screen_no_version_is_tried(vendor: Vendor) -> None:
    customer = updated(vendor, code=1, is_healthy=False)
    assert launch(customer, environment={"QT_QPA_PLATFORM": ""}).version == "1.0.0"
    assert customer.updates().status().pending == "1.1.0"


@pytest.mark.parametrize("code", [1, 127, 134, 139])
def test_a_version_that_does_not_come_up_is_left_in_the_same_start(
    vendor: Vendor, code: int
) -> None:
    customer = updated(vendor, code=code, is_healthy=False)
    done = launch(customer, "open", "my.lapp")
    assert (done.code, done.output) == (0, "1.1.0\n1.0.0\n")
    assert "1.1.0 did not start; 1.0.0 is back" in done.complaints
    started = (customer.installation.root / "started").read_text().splitlines()
    assert started == ["1.1.0 open my.lapp", "1.0.0 open my.lapp"]
    status = customer.updates().status()
    assert (status.version, status.returned, status.pending) == ("1.0.0", "1.1.0", None)


def test_a_program_that_is_missing_or_cannot_run_is_left(vendor: Vendor) -> None:
    customer = updated(vendor)
    new = customer.installation.version_folder("1.1.0") / "lime-desktop"
    new.unlink()
    new.write_text("#!/nonexistent/interpreter\n")
    new.chmod(0o755)
    assert launch(customer).output == "1.0.0\n"
    assert customer.updates().status().returned == "1.1.0"


def test_a_version_that_never_shows_its_window_is_left_after_two_tries(vendor: Vendor) -> None:
    """It hangs, and somebody ends it: that is counted, and nobody waits for a clock."""
    customer = updated(vendor, code=137, is_healthy=False)
    assert [launch(customer).version for _ in range(3)] == ["1.1.0", "1.1.0", "1.0.0"]
    assert customer.updates().status().returned == "1.1.0"


def test_a_version_that_did_not_come_up_is_offered_no_more_by_itself(vendor: Vendor) -> None:
    customer = updated(vendor, code=1, is_healthy=False)
    launch(customer)
    customer.confirm()
    found = customer.updates().check()
    assert isinstance(found, Available)
    assert found.was_left
    vendor.publish("1.1.1")
    found = customer.updates().check()
    assert isinstance(found, Available)
    assert not found.was_left


def test_a_second_start_speaks_to_the_window_that_is_open(vendor: Vendor) -> None:
    """It is no try of the version that waits for that window to close."""
    customer = updated(vendor)
    note = customer.installation.update_folder / "running"
    start = Path(f"/proc/{os.getpid()}/stat")
    since = start.read_text().rpartition(")")[2].split()[19] if start.exists() else "-"
    note.write_text(f"{os.getpid()} {since} 1.0.0\n")
    assert launch(customer, "open", "my.lapp").version == "1.0.0"
    assert customer.updates().status().pending == "1.1.0"
    note.write_text(f"{os.getpid()} 12345 1.0.0\n")
    if start.exists():
        assert launch(customer).version == "1.1.0", "another process has its number"


def test_confirming_trusts_a_version_and_keeps_the_last_two(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    for version in ("1.1.0", "1.2.0"):
        vendor.publish(version, vendor.tree(version, is_healthy=False))
        customer.updates().apply()
        assert launch(customer).version == version
        assert customer.updates().status().on_trial
        customer.confirm()
        assert not customer.updates().status().on_trial
    assert customer.installation.complete_versions() == ("1.2.0", "1.1.0")
    assert customer.updates().status().previous == "1.1.0"


def test_going_back_by_hand_starts_the_version_before_and_does_not_offer_the_other(
    vendor: Vendor,
) -> None:
    vendor.tree("1.0.0", is_healthy=False)
    customer = updated(vendor, is_healthy=False)
    launch(customer)
    customer.confirm()
    assert customer.updates().roll_back() == "1.0.0"
    assert launch(customer).version == "1.0.0"
    customer.confirm()
    found = customer.updates().check()
    assert isinstance(found, Available)
    assert found.was_left
    assert customer.updates().roll_back() == "1.1.0", "and forward again"


def test_going_back_takes_back_what_waits_for_a_restart(vendor: Vendor) -> None:
    customer = updated(vendor)
    assert customer.updates().roll_back() == "1.0.0"
    assert launch(customer).version == "1.0.0"


def test_nobody_goes_back_to_what_is_not_there_or_was_withdrawn(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    with pytest.raises(UpdateRefused) as refused:
        customer.updates().roll_back()
    assert refused.value.code is UpdateCode.NO_EARLIER
    tree = vendor.tree("1.1.0", is_healthy=False)
    vendor.publish("1.1.0", tree, minimum_version="1.1.0")
    customer.updates().apply()
    launch(customer)
    customer.confirm()
    with pytest.raises(UpdateRefused) as refused:
        customer.updates().roll_back()
    assert refused.value.code is UpdateCode.WITHDRAWN


def test_a_link_that_leads_nowhere_is_mended(vendor: Vendor) -> None:
    customer = vendor.install("1.0.0")
    link = customer.installation.root / "current"
    link.unlink()
    link.symlink_to("versions/9.9.9")
    assert launch(customer).version == "1.0.0"
    assert customer.installation.current == "1.0.0"


def test_with_no_version_at_all_it_says_what_to_do(vendor: Vendor) -> None:
    customer = vendor.install("1.0.0")
    shutil.rmtree(customer.installation.versions_folder)
    done = launch(customer)
    assert done.code == 1
    assert "Install it again" in done.complaints


# Stands before a command in the path, and ends the launcher at the n-th of them.
DYING = """#!/bin/sh
echo x >> "$COUNTED"
if [ "$(wc -l < "$COUNTED")" -eq "$DIES_AT" ]; then kill -9 "$PPID"; exit 1; fi
exec {command} "$@"
"""


@pytest.mark.parametrize("is_healthy", [True, False])
def test_a_launcher_that_is_killed_between_any_two_steps_is_no_harm(
    vendor: Vendor, tmp_path: Path, *, is_healthy: bool
) -> None:
    customer = updated(vendor, code=0 if is_healthy else 1, is_healthy=is_healthy)
    here, kept = customer.installation.root, tmp_path / "kept"
    shutil.copytree(here, kept, symlinks=True)
    traps = tmp_path / "traps"
    traps.mkdir()
    for name in ("ln", "mv", "rm"):
        (traps / name).write_text(DYING.replace("{command}", str(shutil.which(name))))
        (traps / name).chmod(0o755)
    environment = {"PATH": f"{traps}:{os.environ['PATH']}", "COUNTED": str(tmp_path / "counted")}
    for point in range(1, 20):
        shutil.rmtree(here)
        shutil.copytree(kept, here, symlinks=True)
        (tmp_path / "counted").unlink(missing_ok=True)
        ended = launch(customer, environment={**environment, "DIES_AT": str(point)})
        if ended.code == 0:
            break
        assert ended.code == -9
        done = launch(customer)
        assert done.code == 0
        assert done.version == ("1.1.0" if is_healthy else "1.0.0")
    else:
        pytest.fail("there is no end of steps")
    assert point > 3
