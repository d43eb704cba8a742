"""What the computer is on, as far as Linux tells (ours)."""

from pathlib import Path

import pytest

from lime_desktop.app_server.workflows.schedules.power import PowerSupplies
from tests.app_server.workflows.power_supplies import supply


@pytest.mark.parametrize(("online", "expected"), [("0", {"battery"}), ("1", set[str]())])
def test_a_notebook_is_on_its_battery_while_no_mains_are(
    tmp_path: Path, online: str, expected: set[str]
) -> None:
    supply(tmp_path, "AC", type="Mains", online=online)
    supply(tmp_path, "BAT0", type="Battery", scope="System", status="Discharging")
    assert PowerSupplies(tmp_path).told() == {"battery"}
    assert PowerSupplies(tmp_path).holds() == expected


def test_the_battery_of_a_mouse_is_not_the_computers(tmp_path: Path) -> None:
    supply(tmp_path, "hid-mouse", type="Battery", scope="Device")
    assert PowerSupplies(tmp_path).told() == set()
    assert PowerSupplies(tmp_path).holds() == set()


def test_a_computer_that_tells_nothing_is_on_nothing_that_is_known(tmp_path: Path) -> None:
    """Other systems have no such folder: nothing is said of them."""
    assert PowerSupplies(tmp_path / "none").told() == set()
    assert PowerSupplies(tmp_path / "none").holds() == set()
