"""An update that ends in the middle, by kill -9 or a full disk: always a working version, old or new (ours)."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.states import Ready
from tests.shipping.launching import launch
from tests.shipping.vendors import Customer, Vendor, read_tree, steady_bytes

ROOT = Path(__file__).parents[2]
POINTS = 50


@pytest.fixture
def customer(vendor: Vendor) -> Customer:
    """1.0.0 is installed; 1.1.0 has new files, a changed one and one less."""
    large = steady_bytes(600_000, seed=8)
    old = {"_internal/large.bin": large, "gone.txt": b"was here", "lib/kept.py": b"kept"}
    vendor.publish("1.0.0", vendor.tree("1.0.0", old))
    customer = vendor.install("1.0.0")
    new = {f"lib/new-{number}.py": f"new {number}".encode() for number in range(6)}
    new |= {"_internal/large.bin": large[:300_000] + b"grew" + large[300_000:]}
    vendor.publish("1.1.0", vendor.tree("1.1.0", {**new, "lib/kept.py": b"kept"}))
    return customer


class FailingDisk(Disk):
    """Has no room from a step on."""

    def __init__(self, fails_at: int) -> None:
        self.steps = 0
        self.fails_at = fails_at

    def step(self, what: str) -> None:
        self.steps += 1
        is_writing = what.startswith(("create", "write", "make", "link", "sync"))
        if self.steps >= self.fails_at and is_writing:
            raise OSError(errno.ENOSPC, "No space left on device")


def count_steps(customer: Customer) -> int:
    """How many steps an update has; it is undone."""
    here, kept = customer.installation.root, customer.installation.root.with_name("before")
    shutil.copytree(here, kept, symlinks=True)
    disk = FailingDisk(1_000_000)
    customer.updates(disk).apply()
    put_back(customer)
    return disk.steps


def put_back(customer: Customer) -> None:
    here, kept = customer.installation.root, customer.installation.root.with_name("before")
    shutil.rmtree(here)
    shutil.copytree(kept, here, symlinks=True)


def needs_working_version(vendor: Vendor, customer: Customer) -> str:
    """What the launcher starts is whole, and is the old version or the new one."""
    done = launch(customer)
    assert done.code == 0
    assert customer.installation.current == done.version
    assert customer.tree_of(done.version) == read_tree(vendor.folder / "trees" / done.version)
    return done.version


@pytest.mark.timeout(600)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
def test_a_kill_at_any_of_fifty_points_leaves_a_working_version(
    vendor: Vendor, customer: Customer
) -> None:
    steps = count_steps(customer)
    assert steps >= POINTS
    points = sorted({1 + number * (steps - 1) // (POINTS - 1) for number in range(POINTS)})
    assert len(points) == POINTS
    with subprocess.Popen(  # noqa: S603 - our own module
        [
            sys.executable,
            "-m",
            "tests.shipping.dying_updater",
            str(customer.installation.root),
            customer.url,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        started = set[str]()
        for number, point in enumerate(points):
            put_back(customer)
            child.stdin.write(f"{point}\n")
            child.stdin.flush()
            assert child.stdout.readline().split() == [str(-signal.SIGKILL), "0"], point
            started.add(needs_working_version(vendor, customer))
            if customer.installation.current == "1.0.0" and number % 5 == 0:
                # What it left is no hindrance: the next one ends well.
                assert customer.updates().apply() == Ready("1.1.0")
                assert needs_working_version(vendor, customer) == "1.1.0"
        child.stdin.close()
    assert "1.0.0" in started


def test_a_full_disk_at_any_point_leaves_the_old_version_and_a_code(
    vendor: Vendor, customer: Customer
) -> None:
    steps = count_steps(customer)
    for point in range(1, steps, 2):
        put_back(customer)
        with pytest.raises(UpdateRefused) as refused:
            customer.updates(FailingDisk(point)).apply()
        assert refused.value.code is UpdateCode.DISK_FULL
        assert customer.installation.current == "1.0.0"
        assert needs_working_version(vendor, customer) in {"1.0.0", "1.1.0"}


FILE_LIMIT = """
import resource, signal, sys
from pathlib import Path
from lime_desktop.shipping.installation import Installation
from lime_desktop.shipping.refusals import UpdateRefused
from lime_desktop.shipping.sources import HttpSource
from lime_desktop.shipping.updates import Updates
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    Updates(Installation(Path(sys.argv[1])), HttpSource(sys.argv[2]), platform=sys.argv[3]).apply()
except UpdateRefused as refused:
    print(refused.code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_limit_of_the_system_is_a_full_disk_and_leaves_no_rubbish(
    vendor: Vendor, customer: Customer
) -> None:
    """A real refusal of the kernel's in the middle of a file, not one of ours."""
    where = customer.installation
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", FILE_LIMIT, str(where.root), customer.url, "linux-x86_64"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == (UpdateCode.DISK_FULL, "")
    assert [path.name for path in where.versions_folder.iterdir()] == ["1.0.0"]
    assert needs_working_version(vendor, customer) == "1.0.0"
