"""The wheel: the program with its resources and sample apps inside."""

import shutil
import subprocess
from pathlib import Path

from newcomer.console import StoppedError

from release.checkout import Checkout, export_sources
from release.environment import ReleaseEnvironment, clean_environment


def build_wheel(checkout: Checkout, environment: ReleaseEnvironment, out: Path) -> Path:
    """Build it from the project's own files alone; the same sources give the same bytes.

    Raises:
        StoppedError: the build failed.
    """
    sources = environment.work / "sources"
    export_sources(checkout, sources)
    built = environment.work / "wheel"
    shutil.rmtree(built, ignore_errors=True)
    done = subprocess.run(
        [environment.python, "-m", "hatchling", "build", "-t", "wheel", "-d", built],
        cwd=sources,
        env=clean_environment(SOURCE_DATE_EPOCH=str(checkout.epoch)),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise StoppedError(f"The wheel could not be built:\n{done.stdout}{done.stderr}")
    made = next(built.glob("*.whl"))
    out.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(made, out / made.name))
