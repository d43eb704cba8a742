"""Benchmarks run where the program runs: with what `bootstrap.py run` installs, without the tools of the tests (ours)."""

import importlib.metadata
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
IMPORT = """
import importlib, sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
for name in sys.argv[2:]:
    importlib.import_module(f"tests.benchmarks.{name}")
"""


def test_no_benchmark_needs_the_tools_of_the_tests() -> None:
    names = [path.stem for path in sorted((ROOT / "tests/benchmarks").glob("bench_*.py"))]
    done = subprocess.run(  # noqa: S603 - our own modules
        [sys.executable, "-c", IMPORT, ",".join(sorted(_modules_of_dev())), *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def _modules_of_dev() -> set[str]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    rows: list[str] = tomllib.loads(text)["project"]["optional-dependencies"]["dev"]
    wanted = {canonicalize_name(Requirement(row).name) for row in rows}
    owners = importlib.metadata.packages_distributions()
    found = {
        module
        for module, distributions in owners.items()
        if wanted & {canonicalize_name(each) for each in distributions}
    }
    assert "pytest" in found
    return found
