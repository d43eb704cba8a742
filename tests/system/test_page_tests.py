"""`lime-desktop test` as a developer and as CI run it: a real process, a real page, a real App Server (ours)."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.developer.new_app import new_app
from lime_desktop.developer.template import Template
from lime_desktop.host.apps.registry import find_packages
from lime_desktop.resources import resources_folder

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
SAMPLES = find_packages(ROOT / "sample_apps")


def run(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "lime_desktop", "test", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=360,
    )


def reports_of(ran: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    assert ran.stdout, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def report_of(ran: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.timeout(400)
def test_a_sample_and_every_new_app_pass_their_own_tests_in_one_window(tmp_path: Path) -> None:
    """The tests of the other samples are run by `conformance` (RUN-06), in test_conformance.py."""
    # A bundler's app has no page before npm has built it, and npm is not here.
    templates = [template for template in Template if not template.is_built]
    new_apps = [tmp_path / f"new-{template}" for template in templates]
    for app, template in zip(new_apps, templates, strict=True):
        new_app(app, template, resources_folder())
    apps = [SAMPLES[0], *new_apps]
    ran = run(*apps, "--json", "--pictures", tmp_path / "pictures")
    reports = reports_of(ran)
    assert [each["package"] for each in reports] == [str(each) for each in apps]
    for report in reports:
        assert report["failed"] == 0, report
        assert report["passed"] > 0, report
        logged = {each["name"]: each["console"] for each in report["tests"] if each["console"]}
        assert not logged, logged
    assert ran.returncode == 0


def test_what_fails_is_told_drawn_and_written_for_ci(tmp_path: Path) -> None:
    app = shutil.copytree(ROOT / "sample_apps/hello-lime", tmp_path / "hello-lime")
    (app / "tests/greeting.page.js").write_text(
        'import { page, test } from "/__lime__/sdk/page_testing.js";\n'
        'test("fails", async () => { await page.label("Your greeting").choose("none"); });\n'
        'test("passes", async () => { await page.label("Your greeting").waitFor(); });\n'
    )
    (app / "tests/broken.page.js").write_text("import './missing.js';")
    junit, pictures = tmp_path / "junit.xml", tmp_path / "pictures"
    ran = run(app, "--json", "--junit", junit, "--pictures", pictures)
    report = report_of(ran)
    assert ran.returncode == 1
    failed = {each["name"]: each for each in report["tests"] if each["problem"]}
    assert set(failed) == {"the file loads", "fails"}
    assert "tests/greeting.page.js:2" in failed["fails"]["problem"]
    assert Path(failed["fails"]["picture"]).stat().st_size > 0
    assert 'failures="1"' in junit.read_text()


FROM_OUTSIDE = """
import json, os, urllib.request
from websockets.sync.client import connect

pages = json.load(urllib.request.urlopen(os.environ["LIME_CDP_URL"] + "/json"))
assert any(each["url"].startswith("lime-app://") for each in pages), pages

# As Playwright begins: it gives up where a browser refuses the first of these.
with connect(os.environ["LIME_CDP_BROWSER_URL"], max_size=None) as browser:
    for number, method in enumerate(["Browser.setDownloadBehavior", "Target.getTargets"]):
        browser.send(json.dumps({"id": number, "method": method, "params": {}}))
        answer = json.loads(browser.recv(60))
        assert answer["id"] == number and "error" not in answer, answer
    targets = answer["result"]["targetInfos"]
    assert any(each["url"].startswith("lime-app://") for each in targets), targets
"""


def test_a_program_from_outside_reaches_the_page_by_the_debugging_port(tmp_path: Path) -> None:
    script = tmp_path / "outside.py"
    script.write_text(FROM_OUTSIDE)
    ran = run(ROOT / "sample_apps/hello-lime", "--json", "--", sys.executable, script)
    assert report_of(ran)["failed"] == 0, ran.stderr
    assert ran.returncode == 0


def test_an_app_without_tests_is_told_how_to_get_one(tmp_path: Path) -> None:
    app = shutil.copytree(ROOT / "sample_apps/hello-lime", tmp_path / "hello-lime")
    shutil.rmtree(app / "tests")
    ran = run(app)
    assert ran.returncode == 2
    assert "tests/*.page.js" in ran.stderr


def test_where_no_test_fits_it_says_why_none_was_run(tmp_path: Path) -> None:
    """A bug: it said "No test was run." and nothing more."""
    app = ROOT / "sample_apps/hello-lime"
    ran = run(app, "--only", "no such test", "--pictures", tmp_path / "pictures")
    assert ran.returncode == 1
    why = "None has “no such test” in its file or name: letters count as they are written."
    assert ran.stdout.splitlines()[-1] == f"No test was run. {why}"
