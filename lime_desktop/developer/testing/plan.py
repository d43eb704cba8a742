"""Which tests of a page does a package hold, and how are they to be run?

Imports nothing of weight: the first frame needs it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from lime_desktop.developer.testing.outcomes import TestOutcome
    from lime_desktop.host.app_server_client.calling import CallServer

    CheckServer: TypeAlias = Callable[[CallServer, str], AsyncIterator[TestOutcome]]

TESTS_FOLDER = "tests"
PAGE_TESTS = "*.page.js"
"""Tests for Node lie beside them under other names."""
RUNNER = "testing/runner.js"
ENGINE_SCRIPTS = "tests/engine.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan:
    """What is run, and where pictures go."""

    __test__ = False  # not a test itself, whatever pytest makes of its name

    package: Path
    pictures: Path
    """Where the window of a test that failed is drawn."""
    only: str = ""
    """Run only tests with this in their file or name."""
    patience_s: float = 60.0
    """How long one test may take."""
    command: tuple[str, ...] = ()
    """A program that tests the app from outside, instead of the package's own tests."""
    behind: "CheckServer | None" = None
    """Tries something on the App Server that the app ran before, once its pages' tests are over."""

    @property
    def files(self) -> tuple[str, ...]:
        """The test files, by their path in the package's folder of tests."""
        folder = self.package / TESTS_FOLDER
        return tuple(
            sorted(path.relative_to(folder).as_posix() for path in folder.rglob(PAGE_TESTS))
        )

    @property
    def knowledge(self) -> Path:
        """What the app's knowledge is bound to while it is tested."""
        return self.package / TESTS_FOLDER / "knowledge"

    def served(self, resources: Path) -> Mapping[str, bytes]:
        """What runs the tests and everything they may import, by the name below `/__lime__/`."""
        folder = self.package / TESTS_FOLDER
        scripts = {
            f"tests/{path.relative_to(folder).as_posix()}": path.read_bytes()
            for path in sorted(folder.rglob("*.js"))
        }
        return {RUNNER: (resources / "view/page_test_runner.js").read_bytes(), **scripts}

    def fixture(self, name: str) -> Path | None:
        """A file or a folder of the folder of tests; None for what is not in it."""
        folder = (self.package / TESTS_FOLDER).resolve()
        path = (folder / name).resolve()
        return path if folder in path.parents and path.exists() else None
