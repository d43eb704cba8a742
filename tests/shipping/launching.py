"""Start the real launcher, as a double click does."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from tests.shipping.vendors import Customer


@dataclass(frozen=True)
class Launched:
    """What came of a start."""

    code: int
    version: str
    """The version that had the last word."""
    output: str
    complaints: str


def launch(
    customer: Customer, *arguments: str, environment: Mapping[str, str] | None = None
) -> Launched:
    """Run the launcher to its end."""
    done = subprocess.run(  # noqa: S603 - our own launcher
        [str(customer.installation.root / "bin/lime-desktop"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "QT_QPA_PLATFORM": "offscreen", **(environment or {})},
        timeout=60,
    )
    lines = done.stdout.split()
    return Launched(done.returncode, lines[-1] if lines else "", done.stdout, done.stderr)
