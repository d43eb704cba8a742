"""New apps (ours): whole from the first moment, and a help to whoever writes them."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.developer.new_app import BadName, FolderTaken, new_app, title_of_name
from lime_desktop.developer.template import Template
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.resources import resources_folder
from tests.sdk.test_sdk import run_node

RESOURCES = resources_folder()


def read_yaml(text: str) -> object:
    return YAML(typ="safe").load(text)  # pyright: ignore[reportUnknownMemberType] - it has no types


@pytest.fixture(params=list(Template), scope="module")
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    template: Template = request.param
    folder = tmp_path_factory.mktemp(template) / "my-notes"
    new_app(folder, template, RESOURCES)
    return folder


def test_a_new_app_has_no_problem_of_any_kind(app: Path) -> None:
    package = load_package(open_package(app))
    assert package.problems == ()
    assert (package.manifest.name, package.manifest.title) == ("my-notes", "My Notes")


def test_it_can_start_with_what_it_asks_for(app: Path) -> None:
    registry = AppRegistry("en")
    [placed] = registry.add([app])
    for permission in placed.package.manifest.permissions:
        registry.grant(placed.app_id, permission.key)
    judged = registry.app("my-notes")
    assert judged is not None
    assert [each.entry_key for each in judged.readiness.entries if not each.ok] == []


def test_its_yaml_files_name_a_schema_that_takes_them_and_refuses_others(app: Path) -> None:
    files = [path for path in app.rglob("*.yaml") if ".lime" not in path.parts]
    assert files
    for path in files:
        text = path.read_text("utf-8")
        found = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
        assert found, path
        schema: dict[str, Any] = json.loads((path.parent / found[1]).read_text("utf-8"))
        checker = jsonschema_rs.validator_for(schema)
        assert checker.is_valid(read_yaml(text)), path
        [first, *_] = schema["properties"]
        assert not checker.is_valid({first: 7}), path


@pytest.mark.system
def test_its_own_tests_pass(app: Path) -> None:
    run = run_node(app, "--test")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# pass 0" not in run.stdout


@pytest.mark.system
def test_the_tests_of_a_new_backend_pass(tmp_path: Path) -> None:
    new_app(tmp_path / "words", Template.BACKEND_PYTHON, RESOURCES)
    command = [sys.executable, "-m", "unittest", "discover", "-s", "services/engine"]
    run = subprocess.run(  # noqa: S603 - our own code
        command, cwd=tmp_path / "words", capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "Ran 5 tests" in run.stderr


@pytest.mark.system
def test_the_typescript_app_ships_what_its_compiler_writes(
    repository: Path, tmp_path: Path
) -> None:
    new_app(tmp_path / "typed", Template.TYPESCRIPT, RESOURCES)
    shipped = {path.name: path.read_text() for path in (tmp_path / "typed/dist/ui").glob("*.js")}
    compiler = repository / ".bootstrap/node/node_modules/typescript/bin/tsc"
    if not compiler.exists():
        pytest.skip("no TypeScript compiler: `packaging/bootstrap.py test` brings it")
    run = run_node(tmp_path / "typed", compiler, "--outDir", tmp_path / "built")
    assert run.returncode == 0, run.stdout
    assert {path.name: path.read_text() for path in (tmp_path / "built").glob("*.js")} == shipped


@pytest.mark.system
@pytest.mark.parametrize("template", [Template.PLAIN, Template.CHAT, Template.REACT])
def test_an_editor_finds_the_sdks_types_wherever_the_app_lies(
    repository: Path, tmp_path: Path, template: Template
) -> None:
    compiler = repository / ".bootstrap/node/node_modules/typescript/bin/tsc"
    if not compiler.exists():
        pytest.skip("no TypeScript compiler: `packaging/bootstrap.py test` brings it")
    folder = tmp_path / "far" / "away" / "my-notes"
    new_app(folder, template, RESOURCES)
    [settings] = [*folder.glob("jsconfig.json"), *folder.glob("tsconfig.json")]
    # The libraries of a bundler's app come with npm; its own part that talks to the host needs none of them.
    probe = folder / "src" / "probe.ts"
    probe.parent.mkdir(exist_ok=True)
    probe.write_text(
        'import { getLimeRuntime } from "@lime/app-sdk";\n'
        "const lime = await getLimeRuntime();\n"
        "const wrong: number = lime.snapshot.host.locale;\n"
    )
    own: dict[str, Any] = json.loads(settings.read_text())
    options: dict[str, Any] = {**own["compilerOptions"], "types": [], "noEmit": True}
    (folder / "probe.json").write_text(
        json.dumps({"compilerOptions": options, "files": ["src/probe.ts"]})
    )
    run = run_node(folder, compiler, "-p", "probe.json")
    assert [line.partition(": ")[2] for line in run.stdout.splitlines()] == [
        "error TS2322: Type 'string' is not assignable to type 'number'."
    ]


@pytest.mark.parametrize("name", ["My Notes", "-x", "a/..", "x" * 64, "näh", "a_b", ".hidden"])
def test_a_name_that_no_app_can_have_is_refused_before_anything_is_written(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(BadName):
        new_app(tmp_path / name, Template.PLAIN, RESOURCES)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_ever_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "my-notes"
    folder.mkdir()
    new_app(folder, Template.PLAIN, RESOURCES)  # an empty folder is no loss
    (folder / "APP.md").write_text("mine")
    with pytest.raises(FolderTaken):
        new_app(folder, Template.PLAIN, RESOURCES)
    assert (folder / "APP.md").read_text() == "mine"


@pytest.mark.parametrize("name", ["123", "null", "1e3", "on"])
def test_a_name_that_yaml_would_take_for_something_else_is_still_a_name(
    tmp_path: Path, name: str
) -> None:
    new_app(tmp_path / name, Template.PLAIN, RESOURCES)
    package = load_package(open_package(tmp_path / name))
    assert (package.problems, package.manifest.name) == ((), name)


@given(st.from_regex(r"[a-z0-9][a-z0-9-]{0,62}", fullmatch=True))
def test_a_title_is_never_empty(name: str) -> None:
    assert title_of_name(name).strip()
