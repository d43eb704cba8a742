"""How long do 1,000 packages take? Run by hand: ``python -m tests.benchmarks.bench_packages``.

Loads, validates, projects and assesses packages generated from the test packages, in one process, and
compares with reading and parsing the same YAML with a bare ruamel safe loader: what no reader can avoid.
"""

import shutil
import statistics
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol, cast

from ruamel.yaml import YAML

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.projection.document import to_json
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import project
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts

TEMPLATES = sorted((Path(__file__).parents[1] / "projection" / "packages").iterdir())
COUNT = 1000
FACTS = ReadinessFacts(now=datetime.now(UTC))


class Loader(Protocol):
    """The one call that is made of ruamel, which has no types of its own."""

    def load(self, stream: str) -> object: ...


class Figures(NamedTuple):
    """Seconds per package, for each way of reading it."""

    bare: list[float]
    validated: list[float]
    projected: list[float]
    assessed: list[float]


def generate(folder: Path) -> list[Path]:
    """Copy the templates in turn, each with a name and entries of its own."""
    made: list[Path] = []
    for number in range(COUNT):
        template = TEMPLATES[number % len(TEMPLATES)]
        package = folder / f"{template.name}-{number}"
        shutil.copytree(template, package)
        app_md = package / "APP.md"
        text = app_md.read_text("utf-8")
        text = text.replace(f"name: {template.name}", f"name: {package.name}", 1)
        app_md.write_text(text, "utf-8")
        made.append(package)
    return made


def parse_bare(package: Path) -> None:
    """Read and parse every YAML of the package, and do nothing with it."""
    loader = cast("Loader", YAML(typ="safe"))
    frontmatter = (package / "APP.md").read_text("utf-8").split("---", 2)[1]
    loader.load(frontmatter)
    for path in package.rglob("*.yaml"):
        loader.load(path.read_text("utf-8"))


def validate(package: Path) -> None:
    """What `lime-desktop validate` does."""
    load_package(open_package(package))


def validate_and_project(package: Path) -> None:
    """What `lime-desktop project --json` does."""
    to_json(project(load_package(open_package(package)), THIS_HOST))


def validate_project_and_assess(package: Path) -> None:
    """What `lime-desktop readiness --json` does."""
    projection = project(load_package(open_package(package)), THIS_HOST)
    assess(projection, FACTS).to_wire()


def timed(step: Callable[[Path], None], package: Path) -> float:
    """Seconds that one step takes on one package."""
    start = perf_counter()
    step(package)
    return perf_counter() - start


def measure(packages: list[Path]) -> Figures:
    """Interleave the steps package by package, so that a busy machine slows all of them alike."""
    steps = (parse_bare, validate, validate_and_project, validate_project_and_assess)
    for package in packages[: len(TEMPLATES)]:
        for step in steps:
            step(package)
    rows = [[timed(step, package) for step in steps] for package in packages]
    return Figures(*(list(column) for column in zip(*rows, strict=True)))


def report(figures: Figures) -> None:
    """Print milliseconds per package and the ratio to bare parsing."""
    bare = statistics.fmean(figures.bare)
    for name, seconds in figures._asdict().items():
        mean, median = statistics.fmean(seconds), statistics.median(seconds)
        print(
            f"{name:<10} {mean * 1000:7.2f} ms mean  {median * 1000:7.2f} ms median"
            f"  {mean / bare:5.2f} × bare  {sum(seconds):6.2f} s for {len(seconds)}"
        )


def main() -> None:
    """Generate, measure, print."""
    with tempfile.TemporaryDirectory() as folder:
        report(measure(generate(Path(folder))))


if __name__ == "__main__":
    main()
