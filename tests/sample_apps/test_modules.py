"""The modules of the samples, by Node and the SDK's mock host: the tests that an app's author would write."""

from pathlib import Path

import pytest

from tests.sdk.test_sdk import run_node

pytestmark = pytest.mark.system

SUITES = sorted(Path(__file__).parent.glob("*.test.mjs"))


def test_the_modules_of_every_sample_do_what_they_promise(repository: Path) -> None:
    run = run_node(repository, "--test", "--test-reporter=spec", *SUITES)
    assert run.returncode == 0, run.stdout + run.stderr
