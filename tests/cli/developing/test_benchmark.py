"""`lime-desktop benchmark` (ours): real tasks of an installed app, in a real App Server, on a model server of the test."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.cli.main import main
from lime_desktop.protocol.calls.model_providers import (
    LIST_PROVIDERS,
    UPDATE_PROVIDER,
    ListProvidersParams,
    UpdateProviderParams,
)
from lime_desktop.protocol.calls.models import TokenPrice
from tests.app_server.model_server import Asked, ModelServer, Reply, text, tool_calls
from tests.app_server.twin import server_twin
from tests.host.app_center.packages import make_package

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]

MORE = """
evals:
- { key: polite, kind: quality, path: evals/polite.yaml }
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
"""
POLITE = "checks: [{check: policy, always: [please]}]\n"
SUITE = """\
name: answers
version: 1
timeoutSeconds: 30
tasks:
  - key: ferry
    prompt: When does the ferry leave?
    checks: [{ check: policy, always: ["08:15"] }]
  - key: manners
    prompt: Ask me for a coat.
    gates: [polite]
"""


class Bench:
    """An installed app, a provider with two models, and a suite."""

    def __init__(self, folder: Path, server: ModelServer) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.server = server
        self.answers = {
            "ferry": text("It leaves at 08:15.", read=100, written=20),
            "coat": text("A coat, please.", read=50, written=10),
        }
        server.otherwise = self._answer
        self.suite = folder / "suite.yaml"
        self.suite.write_text(SUITE)
        package = make_package(folder, more=MORE, files={"evals/polite.yaml": POLITE})
        manifest = package / "APP.md"
        written = manifest.read_text().replace("lime.ui:", 'lime.agent: "*", lime.ui:')
        manifest.write_text(written)
        where = ("--data-dir", str(self.data))
        agreed = ("--yes", "--accept-unsigned", "--grant-suggested")
        self._done("install", str(package), *agreed, *where)
        models = ("--model", "m1", "--model", "m2", "--without-key")
        at = ("--data-dir", str(self.data / "app-server"))
        self._done("providers", "add", "near", "--base-url", server.url, *models, *at)

    def _answer(self, asked: Asked) -> Reply:
        said = json.dumps(asked.messages)
        return next(reply for word, reply in self.answers.items() if word in said)

    def _done(self, *arguments: str) -> None:
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output

    def price(self, usd: float) -> None:
        """What a million tokens cost from now on, as a person sets it."""

        async def whole() -> None:
            async with server_twin(self.data / "app-server") as server:
                [near] = (await server(LIST_PROVIDERS, ListProvidersParams())).providers
                price = TokenPrice(input_usd=usd, output_usd=usd)
                models = tuple(
                    each.model_copy(update={"price": price}) for each in near.settings.models
                )
                settings = near.settings.model_copy(update={"models": models})
                changed = UpdateProviderParams(provider_id=near.provider_id, settings=settings)
                await server(UPDATE_PROVIDER, changed)

        asyncio.run(whole())

    def govern(self, rule: str) -> None:
        """Work in a folder that brings a rule."""
        rules = self.folder / "project/.lime/policy.yaml"
        rules.parent.mkdir(parents=True)
        rules.write_text(f"version: 1\nname: House\nrules: [{rule}]\n")
        where = ("--data-dir", str(self.data))
        self._done("workspace", "open", str(self.folder / "project"), *where)

    def arguments(self, *more: str | Path) -> list[str]:
        where = ["--suite", str(self.suite), "--data-dir", str(self.data)]
        return ["benchmark", "notes", *where, *map(str, more)]

    def run(self, *more: str | Path) -> Result:
        return CliRunner().invoke(main, self.arguments("--model", "near/m1", *more))

    def report(self, *more: str | Path, expected: int) -> dict[str, Any]:
        done = self.run("--json", *more)
        assert done.exit_code == expected, done.output
        return json.loads(done.stdout)

    def export(self, session: str) -> dict[str, Any]:
        """The pack of a run, as a person exports it."""
        into = self.folder / "exports"
        into.mkdir(exist_ok=True)
        where = ("--into", str(into), "--data-dir", str(self.data), "--json")
        done = CliRunner().invoke(main, ["evidence", "export", session, *where])
        assert done.exit_code == 0, done.output
        return json.loads((Path(json.loads(done.stdout)["path"]) / "pack.json").read_text())

    def trials(self) -> list[dict[str, Any]]:
        """The runs of all trials, the newest first."""
        done = CliRunner().invoke(
            main, ["evidence", "runs", "--json", "--data-dir", str(self.data)]
        )
        runs = json.loads(done.stdout)["runs"]
        return [each for each in runs if each["businessObjectRef"]["kind"] == "benchmark-trial"]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    # No weights: no other model may step in for the test's own.
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)
    with ModelServer() as server:
        yield Bench(tmp_path, server)


TEN = (
    *("datasetId", "datasetVersion", "harborJobRef", "harborTrialRef", "taskId"),
    *("configurationId", "trialId", "trajectoryRef", "rewardRef", "rewardDetailsRef"),
    *("artifactManifestRef", "agentQcReportRef"),
)


@pytest.mark.requirement("RT-54", "RT-55", "RT-56")
def test_tasks_are_measured_kept_and_held_against_the_baseline(bench: Bench) -> None:
    first = bench.run("--keep-baseline")
    assert first.exit_code == 0, first.output
    assert first.stderr.count("passed  ") == 2
    assert "2 of 2 trials passed, nothing to compare with" in first.stdout
    assert "Kept as the baseline." in first.stdout
    # Without a flag the same again is compared, and is no worse; it says so in its table.
    same = bench.report(expected=0)
    assert [each["worse"] for each in same["rows"]] == [[], []]
    assert [each["now"]["tokens"] for each in same["rows"]] == [120, 60]
    earlier = bench.folder / "earlier.json"
    earlier.write_text(json.dumps(same))
    # One answers wrongly now, the other at twice the tokens.
    bench.answers = {
        "ferry": text("I do not know."),
        "coat": text("A coat, please.", read=150, written=10),
    }
    worse = bench.report(expected=4)
    rows = {each["task"]: each for each in worse["rows"]}
    assert rows["ferry"]["worse"] == ["successRate"]
    assert rows["ferry"]["now"]["failures"] == {"gate-failed": 1}
    assert (rows["manners"]["worse"], rows["manners"]["now"]["tokens"]) == (["tokens"], 160)
    tolerant = ("--tolerance", "successRate=1", "--tolerance", "tokens=5")
    assert bench.report("--baseline", earlier, *tolerant, expected=0)["baselineId"] == same["jobId"]
    shown = bench.run()
    assert (shown.exit_code, "1/1 → 0/1" in shown.stdout) == (4, True)
    assert "worse: fewer succeed" in shown.stdout
    assert "2 worse than the baseline" in shown.stdout
    # Each trial is a run whose evidence names what proves it.
    pack = bench.export(bench.trials()[0]["sessionId"])
    [trial] = pack["benchmark_trials"]
    assert [name for name in TEN if not trial.get(name)] == []
    assert (trial["missing"], trial["status"]) == ([], "completed")
    assert (trial["datasetId"], trial["taskId"]) == ("answers", "manners")
    assert trial["configurationId"] == "near/m1"
    job = bench.export(worse["jobId"])
    assert job["event_count"] > 0


def test_a_cost_that_grew_ends_with_4_although_nothing_else_is_worse(bench: Bench) -> None:
    """The issue: worse than the baseline is worse, also where only the price rose."""
    # The computer may be slower or quicker meanwhile: that is not what is shown here.
    any_speed = ("--tolerance", "seconds=100")
    bench.price(10)
    first = bench.report("--keep-baseline", expected=0)
    assert [each["now"]["cost"] for each in first["rows"]] == [0.0012, 0.0006]
    bench.price(11)
    assert [each["worse"] for each in bench.report(*any_speed, expected=0)["rows"]] == [[], []]
    bench.price(20)
    dearer = bench.report(*any_speed, expected=4)
    assert [each["worse"] for each in dearer["rows"]] == [["cost"], ["cost"]]
    assert [each["now"]["cost"] for each in dearer["rows"]] == [0.0024, 0.0012]
    bench.report(*any_speed, "--tolerance", "cost=1", expected=0)


def test_models_stand_side_by_side(bench: Bench) -> None:
    """The issue: chosen models, each task on each."""
    report = bench.report("--model", "near/m2", expected=0)
    tried = [(each["task"], each["model"]) for each in report["rows"]]
    assert tried == [
        (task, model) for model in ("near/m1", "near/m2") for task in ("ferry", "manners")
    ]
    assert [each.body["model"] for each in bench.server.asked] == ["m1", "m1", "m2", "m2"]


def test_a_model_that_never_answers_has_failed_when_its_time_is_up(bench: Bench) -> None:
    """The issue: bounded, and counted with its reason."""
    bench.answers["ferry"] = Reply(end="hang")
    bench.suite.write_text(SUITE.replace("key: ferry", "key: ferry\n    timeoutSeconds: 2"))
    report = bench.report(expected=1)
    ferry, manners = (each["now"] for each in report["rows"])
    assert (ferry["passed"], ferry["timedOut"], ferry["failures"]) == (0, 1, {"timed-out": 1})
    assert manners["passed"] == 1
    bench.server.wait_for_disconnects()
    failed = bench.export(bench.trials()[-1]["sessionId"])["benchmark_trials"][0]
    assert (failed["status"], failed["missing"]) == ("failed", [])


def test_a_task_that_is_refused_is_a_failed_trial_with_its_references(
    bench: Bench,
) -> None:
    """Ours: what a page could not ask for, a suite can't either. It has no run of its own, and is told in the benchmark's."""
    needs = "key: ferry\n    tools: [{ key: nowhere, required: true }]"
    bench.suite.write_text(SUITE.replace("key: ferry", needs))
    done = bench.run("--json")
    assert "The manifest does not declare the tool nowhere" in done.stderr
    report = json.loads(done.stdout)
    ferry, manners = (each["now"] for each in report["rows"])
    assert (ferry["failures"], manners["passed"]) == ({"not-started": 1}, 1)
    [trial] = bench.export(report["jobId"])["benchmark_trials"]
    assert (trial["taskId"], trial["status"], trial["missing"]) == ("ferry", "failed", [])
    # What policy has nothing against, the runtime may still refuse: that trial has a session.
    needs = "key: ferry\n    expectedOutput: { outputFormat: { schemaRef: nowhere.json } }"
    bench.suite.write_text(SUITE.replace("key: ferry", needs))
    report = bench.report(expected=1)
    assert report["rows"][0]["now"]["failures"] == {"not-started": 1}
    begun = [each for each in bench.trials() if each["businessObjectRef"]["id"] == "ferry"]
    [trial] = bench.export(begun[0]["sessionId"])["benchmark_trials"]
    assert (trial["taskId"], trial["status"], trial["missing"]) == ("ferry", "failed", [])


def test_what_an_agent_asks_is_answered_with_no(bench: Bench) -> None:
    """Ours: nobody is there, and silence is never a yes."""
    bench.govern("{id: house, effect: ask, text: Ask., when: {capabilities: [lime.storage]}}")
    bench.server.replies = [tool_calls(("c1", "storage_set", {"key": "city", "value": "Rome"}))]
    report = bench.report(expected=0)
    assert report["rows"][0]["now"]["passed"] == 1
    asked = json.dumps(bench.server.asked[1].messages)
    assert "nobody is there to be asked" in asked


WRONG = """\
name: answers
version: 1
tasks:
  - key: ferry
    promt: When does the ferry leave?
  - key: ferry
    prompt: When?
    entry: nowhere
    gates: [rude]
  - key: Coat
    prompt: Coat?
"""


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (
            WRONG,
            [
                ("SUITE_KEY_UNKNOWN", 5, "tasks[0].promt"),
                ("SUITE_VALUE_INVALID", 10, "tasks[2].key"),
            ],
        ),
        (
            WRONG.replace("promt", "prompt").replace("Coat\n", "coat\n"),
            [
                ("SUITE_TASK_TWICE", 6, "tasks[1].key"),
                ("SUITE_NAME_UNKNOWN", 8, "tasks[1].entry"),
                ("SUITE_NAME_UNKNOWN", 9, "tasks[1].gates[0]"),
            ],
        ),
        ("name: answers\nversion: 1\n", [("SUITE_VALUE_MISSING", 1, "tasks")]),
        (
            "name: answers\nversion: 1\ntasks: [{key: a}]\n",
            [("SUITE_VALUE_INVALID", 3, "tasks[0]")],
        ),
        ("- ferry\n", [("SUITE_UNREADABLE", 1, None)]),
    ],
    ids=["misspelt", "unknown names", "no tasks", "nothing asked", "a list"],
)
def test_a_suite_is_checked_before_anything_is_asked(
    bench: Bench, written: str, found: list[tuple[str, int, str | None]]
) -> None:
    """The issue: with file, line and remedy."""
    bench.suite.write_text(written)
    report = bench.report(expected=1)
    told = [(each["code"], each["line"], each.get("keyPath")) for each in report["problems"]]
    assert told == found
    assert all(each["file"] == "suite.yaml" and each["fix"] for each in report["problems"])
    assert bench.server.asked == []


def test_an_app_that_may_start_no_tasks_is_not_benchmarked(bench: Bench) -> None:
    """Ours: a no of whoever governs holds at the command line as it does in the window."""
    bench.govern(
        "{id: house, effect: deny, text: No agents here., when: {capabilities: [lime.agent]}}"
    )
    refused = bench.report(expected=1)
    assert (refused["ok"], refused["stableCode"]) == (False, "policy_denied")
    assert bench.server.asked == []


def test_what_cannot_be_run_is_refused_with_its_code(bench: Bench) -> None:
    assert bench.run("--model", "near/m9").exit_code == 2
    assert bench.run("--tolerance", "tokens=much").exit_code == 2
    bench.suite.write_text(SUITE)
    where = ["--suite", str(bench.suite), "--data-dir", str(bench.data), "--json"]
    missing = CliRunner().invoke(main, ["benchmark", "nobody", *where])
    assert (missing.exit_code, json.loads(missing.stdout)["ok"]) == (1, False)
    (bench.folder / "none.json").write_text("{}")
    assert "is not a baseline" in bench.run("--baseline", bench.folder / "none.json").stderr
    assert bench.server.asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group are POSIX's")
def test_ctrl_c_keeps_the_trials_that_had_finished(bench: Bench) -> None:
    """The issue: it stops cleanly; a terminal sends the signal to everything that it started."""
    bench.answers["coat"] = Reply(end="hang")
    command = [sys.executable, "-m", "lime_desktop"]
    # Tests that run in a shell's background are born deaf to it, and so would be whoever they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(  # noqa: S603 - our own command
        [*command, *bench.arguments("--model", "near/m1", "--json")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        signal.signal(signal.SIGINT, before)
        bench.server.wait_for_requests(2)
        os.killpg(process.pid, signal.SIGINT)
        told, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors.decode()
    report = json.loads(told)
    assert report["isComplete"] is False
    assert [(each["task"], each["now"]["passed"]) for each in report["rows"]] == [("ferry", 1)]
    bench.server.wait_for_disconnects()
    statuses = [each["status"] for each in bench.trials()]
    assert statuses == ["canceled", "completed"]
    trial = bench.export(bench.trials()[0]["sessionId"])["benchmark_trials"][0]
    assert (trial["taskId"], trial["status"]) == ("manners", "failed")
