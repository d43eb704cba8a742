"""How commands print: for people, for programs, and as exit codes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.cli.terminal import output


@dataclass(frozen=True)
class Shown:
    code: str
    severity: str
    message: str
    file: str | None = None
    line: int | None = None
    fix: str | None = None
    key_path: str | None = None


def printed(action: Callable[[], None], *, color: bool = False) -> str:
    @click.command()
    def command() -> None:
        action()

    return CliRunner().invoke(command, color=color, catch_exceptions=False).output


def test_problems_are_aligned_under_their_file_with_the_fix_below() -> None:
    problems = [
        Shown("FIELD_MISSING", "error", "version is missing", "APP.md", 1, "Add a version"),
        Shown("KEY_TWICE", "warning", "two entries are called home", "APP.md", 120),
        Shown("NO_ICON", "note", "there is no icon"),
    ]
    assert printed(lambda: output.print_problems(problems)) == (
        "  (package)\n"
        "         note     NO_ICON        there is no icon\n"
        "  APP.md\n"
        "      1  error    FIELD_MISSING  version is missing\n"
        "                                 Add a version\n"
        "    120  warning  KEY_TWICE      two entries are called home\n"
    )


def test_a_message_that_does_not_name_its_value_comes_after_the_key_path() -> None:
    problems = [
        Shown("FILE_NOT_FOUND", "error", "No such file.", "APP.md", 3, key_path="ui.path"),
        Shown("FIELD_MISSING", "error", "ui.path is missing.", "APP.md", 4, key_path="ui.path"),
    ]
    assert printed(lambda: output.print_problems(problems)) == (
        "  APP.md\n"
        "    3  error    FILE_NOT_FOUND  ui.path: No such file.\n"
        "    4  error    FIELD_MISSING   ui.path is missing.\n"
    )


def test_colour_is_there_for_a_terminal_only() -> None:
    problems = [Shown("FIELD_MISSING", "error", "version is missing")]
    assert "\x1b[31m" in printed(lambda: output.print_problems(problems), color=True)
    assert "\x1b" not in printed(lambda: output.print_problems(problems))


def test_one_object_is_indented_and_several_are_one_per_line() -> None:
    assert printed(lambda: output.print_json([{"名": 1}])) == '{\n  "名": 1\n}\n'
    assert printed(lambda: output.print_json([{"a": 1}, {"b": 2}])) == '{"a": 1}\n{"b": 2}\n'


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_printed_as_json_that_reads_back(text: str) -> None:
    """File names may hold lone surrogates, which UTF-8 cannot carry."""
    assert json.loads(printed(lambda: output.print_json([text]))) == text


@pytest.mark.parametrize(
    ("severities", "line"),
    [
        ([], "1 package: no problems\n"),
        (["note", "error", "error"], "1 package: 2 errors, 1 note\n"),
        (["warning"], "1 package: 1 warning\n"),
    ],
)
def test_the_summary_counts_by_severity(severities: list[str], line: str) -> None:
    assert printed(lambda: output.print_summary(severities, packages=1)) == line


def test_only_errors_make_a_command_fail() -> None:
    assert output.exit_code(["warning", "note"]) == 0
    assert output.exit_code(["warning", "error"]) == 1


def test_text_of_a_package_cannot_drive_the_terminal() -> None:
    assert output.printable("a\x1b[2Jb\u202ec\r") == "a\\x1b[2Jb\\u202ec\\r"
    assert output.printable("写作\u3000助手") == "写作\u3000助手"


@click.command()
@output.packages_argument
@output.json_option
def name_packages(packages: tuple[Path, ...], *, as_json: bool) -> None:
    click.echo(f"{[p.name for p in packages]} {as_json}")


def test_packages_and_the_json_flag_reach_the_command(tmp_path: Path) -> None:
    result = CliRunner().invoke(name_packages, [str(tmp_path), "--json"])
    assert result.output == f"['{tmp_path.name}'] True\n"


def test_a_missing_path_is_a_usage_error_that_names_it(tmp_path: Path) -> None:
    result = CliRunner().invoke(name_packages, [str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "nowhere does not exist" in result.output


def test_naming_app_md_says_to_name_the_folder(tmp_path: Path) -> None:
    (tmp_path / "APP.md").write_text("---\n---\n", encoding="utf-8")
    result = CliRunner().invoke(name_packages, [str(tmp_path / "APP.md")])
    assert result.exit_code == 2
    assert f"Name its folder: {tmp_path}" in result.output


def test_no_path_at_all_is_a_usage_error() -> None:
    assert CliRunner().invoke(name_packages, []).exit_code == 2


def test_fields_and_tables_are_aligned() -> None:
    assert printed(lambda: output.print_fields({"a": "1", "long": "2"})) == "a     1\nlong  2\n"
    assert printed(lambda: output.print_table([("中", "b"), ("c", "d")])) == "中  b\nc   d\n"
