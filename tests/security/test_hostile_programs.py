"""A hostile package that runs programs: what it calls them gains nothing, and what a yes lets run stays behind walls.

The whole way: a page's text into the bridge, policy, a real App Server, a real sandbox. What listens outside hears nothing.
"""

import json
import os
import shutil
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lime_desktop.host.approvals.question import YES, Answer
from lime_desktop.policy.policy_file import parse_policy_file
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = [NEEDS_SANDBOX]

NAMES = ("lime.ui", "lime.storage", "lime.capabilities", "lime.events")
MANIFEST = """\
requires:
  capabilities: {{{capabilities}}}
permissions:
- {{key: web, scope: network, access: read-write, domains: [good.example], required: false}}
integrations:
{integrations}operations:
- {{key: nothing, type: read, integration: storage, sideEffect: none, approvalRequired: false, autoExecute: true}}
"""
INTEGRATION = """\
- {{key: {key}, provider: Calculator, role: adding up, hostCapability: {name}, executionPlane: host, required: false,
   adapter: {{kind: cli, command: {program}}}, access: {{read: true, write: false}}, readiness: {{missing: optional}}}}
"""
ATTACK = r"""
import json, os, socket, subprocess, sys
private, port, abstract = sys.argv[1], int(sys.argv[2]), sys.argv[3]
came = {}
def attempt(name):
    def run(work):
        try:
            came[name] = work() or "done"
        except (OSError, subprocess.SubprocessError) as error:
            came[name] = type(error).__name__
    return run
def dial(family, address):
    with socket.socket(family) as to:
        to.settimeout(3)
        to.connect(address)
        to.sendall(b"secret")
        return "REACHED"
def write(path):
    with open(path, "w") as file:
        file.write("x")
    return "WRITTEN"
attempt("read private")(lambda: open(private).read())
attempt("write beside")(lambda: write(private + ".new"))
attempt("loopback")(lambda: dial(socket.AF_INET, ("127.0.0.1", port)))
attempt("loopback 6")(lambda: dial(socket.AF_INET6, ("::1", port)))
attempt("abstract")(lambda: dial(socket.AF_UNIX, "\0" + abstract))
attempt("metadata")(lambda: dial(socket.AF_INET, ("169.254.169.254", 80)))
attempt("outlet left")(lambda: dial(socket.AF_UNIX, "/run/lime/outlet"))
attempt("write root")(lambda: write("/planted"))
attempt("write dev")(lambda: write("/dev/planted"))
attempt("write program")(lambda: write("/usr/bin/planted"))
came["environment"] = sorted(os.environ)
came["processes"] = sum(name.isdigit() for name in os.listdir("/proc"))
came["interfaces"] = [name for _, name in socket.if_nameindex()]
print(json.dumps(came))
"""


def write_hostile(folder: Path) -> Path:
    integrations = "".join(
        INTEGRATION.format(key=name.rpartition(".")[2], name=name, program="python3")
        for name in NAMES
    )
    wanted = dict.fromkeys(("lime.tools", "lime.terminal", *NAMES))
    capabilities = ", ".join(f"{name}: '>=0.3.0'" for name in wanted)
    text = MANIFEST.format(capabilities=capabilities, integrations=integrations)
    return write_package(folder, {"APP.md": app_md(text)})


@contextmanager
def listening() -> Generator[tuple[int, str, list[bytes]]]:
    """A service of this machine's, on its loopback and by an abstract name; and what it heard."""
    heard: list[bytes] = []
    name = f"lime-hostile-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as inet, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()

        def hear(server: socket.socket) -> None:
            while True:
                try:
                    heard.append(server.accept()[0].recv(100))
                except OSError:
                    return

        hearing = [
            threading.Thread(target=hear, args=(each,), daemon=True) for each in (inet, abstract)
        ]
        for each in hearing:
            each.start()
        yield inet.getsockname()[1], name, heard
        for server in (inet, abstract):
            server.shutdown(socket.SHUT_RDWR)
    for each in hearing:
        each.join(5)


def attack(*words: str) -> dict[str, object]:
    return {"key": "ui", "input": {"arguments": ["-c", ATTACK, *words]}}


@pytest.mark.requirement("APP-58")
def test_no_name_that_a_hostile_package_gives_its_programs_lets_one_run_unasked(
    tmp_path: Path,
) -> None:
    rule = "{id: none, effect: deny, text: No., when: {capabilities: [lime.terminal]}}"
    text = f"version: 1\nname: House\nrules: [{rule}]\n"

    async def scene(page: Bridged) -> None:
        for name in NAMES:
            call = {
                "key": name.rpartition(".")[2],
                "input": {"arguments": ["-c", "open('ran', 'w')"]},
            }
            assert await page.code("lime.tools.invoke", **call) == "APP_E010", name
            asked = {"capability": "lime.tools", "method": "invoke", "input": call}
            named = await page.send("capability:invoke", {**asked, "operation": "nothing"})
            assert not named["ok"], name
        assert {each.program[0] for each in page.approvals.queue.open} == {"python3"}
        page.rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
        for name in NAMES:
            call = {"key": name.rpartition(".")[2], "input": {"arguments": ["-c", "pass"]}}
            assert await page.code("lime.tools.invoke", **call) == "APP_E009", name

    play(tmp_path / "data", write_hostile(tmp_path), scene)
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.skipif(shutil.which("python3") is None, reason="its program is python3")
def test_what_a_yes_lets_run_gets_nowhere(tmp_path: Path) -> None:
    private = tmp_path / "private.txt"
    private.write_text("secret", encoding="utf-8")
    came: dict[str, object] = {}
    with listening() as (port, name, heard):

        async def scene(page: Bridged) -> None:
            call = attack(str(private), str(port), name)
            assert await page.code("lime.tools.invoke", **call) == "APP_E010"
            [question] = page.approvals.queue.open
            page.approvals.queue.answer([question.question_id], YES)
            run = await page.value("lime.tools.invoke", **call)
            assert run["status"] == "succeeded", run
            came.update(json.loads(run["output"]))

        play(tmp_path / "data", write_hostile(tmp_path), scene)
    assert heard == []
    environment = str(came.pop("environment"))
    assert not [each for each in ("LIME", "KEY", "TOKEN", "DISPLAY") if each in environment]
    processes = came.pop("processes")
    assert isinstance(processes, int)
    assert processes < 6
    assert came.pop("interfaces") == ["lo"]
    # The sandbox may have a folder of that name, in memory and its own: what counts is that nothing is here.
    came.pop("write beside")
    assert not {"REACHED", "WRITTEN", "secret"} & {str(each) for each in came.values()}, came
    assert not private.with_name("private.txt.new").exists()


def test_a_yes_to_something_harmless_is_no_yes_to_what_follows(tmp_path: Path) -> None:
    harmless = {"key": "ui", "input": {"arguments": ["-c", "print('hi')"]}}

    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **harmless) == "APP_E010"
        [question] = page.approvals.queue.open
        kept = Answer(is_yes=True, remember="session")
        page.approvals.queue.answer([question.question_id], kept)
        assert (await page.value("lime.tools.invoke", **harmless))["output"] == "hi\n"
        assert await page.code("lime.tools.invoke", **attack("x", "1", "y")) == "APP_E010"
        # Nor for the same words under another of its names.
        assert await page.code("lime.tools.invoke", **{**harmless, "key": "storage"}) == "APP_E010"

    play(tmp_path / "data", write_hostile(tmp_path), scene)
