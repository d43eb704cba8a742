"""Which copies update themselves, and which are somebody else's affair (ours)."""

import os
import sys
from pathlib import Path

import pytest

from lime_desktop.shipping.health import confirm_this_version
from lime_desktop.shipping.installation import find_installation, own_installation
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from tests.shipping.launching import launch
from tests.shipping.vendors import Vendor


def refused(executable: Path | None) -> UpdateCode:
    with pytest.raises(UpdateRefused) as found:
        find_installation(executable)
    return found.value.code


def test_a_persons_own_installation_updates_itself(vendor: Vendor) -> None:
    here = vendor.install("1.0.0").installation
    program = here.root / "current/lime-desktop"
    assert find_installation(program).root == here.root.resolve()
    assert find_installation(program).current == "1.0.0"


def test_a_copy_from_source_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(sys, "frozen", raising=False)
    assert refused(None) is UpdateCode.NOT_INSTALLED


def test_a_copy_for_the_whole_computer_is_its_package_managers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "opt/lime-desktop/lime-desktop"
    program.parent.mkdir(parents=True)
    program.touch()
    assert refused(program) is UpdateCode.NO_SOURCE, "a person's own, without versions"
    monkeypatch.setattr(os, "getuid", lambda: 54_321)
    assert refused(program) is UpdateCode.SYSTEM_PACKAGE


def test_the_installation_of_another_user_is_left_alone(
    vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = vendor.install("1.0.0").installation
    monkeypatch.setattr(os, "getuid", lambda: 54_321)
    with pytest.raises(UpdateRefused) as found:
        own_installation(here.root)
    assert found.value.code is UpdateCode.SYSTEM_PACKAGE


def test_two_updates_at_once_do_not_meet(vendor: Vendor) -> None:
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0")
    with customer.installation.locked(), pytest.raises(UpdateRefused) as found:
        customer.updates().apply()
    assert found.value.code is UpdateCode.BUSY


def test_a_version_that_works_brings_its_launcher(
    vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What starts versions is updated with them, once one has shown that it works."""
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    vendor.publish("1.1.0", vendor.tree("1.1.0", is_healthy=False))
    customer.updates().apply()
    assert launch(customer).version == "1.1.0"
    here = customer.installation
    launcher = here.root / "bin/lime-desktop"
    good = launcher.read_bytes()
    launcher.write_bytes(good + b"# of before\n")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(here.version_folder("1.1.0") / "lime-desktop"))
    confirm_this_version()
    assert launcher.read_bytes() == good
    assert here.pending is None
    assert here.state().previous == "1.0.0"
    assert launch(customer).version == "1.1.0"


def test_what_cannot_be_confirmed_does_not_keep_the_program_from_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(sys, "frozen", raising=False)
    confirm_this_version()
