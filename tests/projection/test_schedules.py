"""Which of an app's services are schedules that this host keeps (ours): no other one may be said to be ready."""

from pathlib import Path

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import load_package
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import project

PACKAGE = Path(__file__).parents[1] / "app_package/packages/schedules/app"


def test_only_a_sound_schedule_is_one_that_is_kept() -> None:
    projected = project(load_package(open_folder(PACKAGE)), THIS_HOST)
    assert projected.schedules == {"sound", "often"}
