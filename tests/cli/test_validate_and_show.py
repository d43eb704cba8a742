"""validate and show as a person, a script or a code host calls them."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from lime_desktop.cli.main import main

PACKAGES = Path(__file__).parents[1] / "app_package" / "packages"
GOOD, BAD, WARNED = (
    str(PACKAGES / case / "app") for case in ("manifest-0.10", "enums", "layers-that-disagree")
)
PLAIN, IGNORING = (str(PACKAGES / case / "app") for case in ("minimal", "fields-that-do-nothing"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_validate_says_valid_and_exits_0() -> None:
    result = run("validate", PLAIN)
    assert (result.exit_code, result.stdout) == (0, f"{PLAIN}  valid\n1 package: no problems\n")


def test_a_field_that_does_nothing_here_is_told_with_its_place_and_fails_nothing() -> None:
    """Ours: a declaration has an effect, or its author hears that it has none."""
    result = run("validate", "--strict", IGNORING)
    assert result.exit_code == 0
    told = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert (
        "11 note FIELD_IGNORED This host ignores operations[0].type. "
        "What an operation does is its `sideEffect`."
    ) in told


def test_validate_groups_problems_by_file_with_line_code_and_remedy() -> None:
    result = run("validate", BAD)
    lines = result.stdout.splitlines()
    assert (result.exit_code, lines[0], lines[1]) == (1, f"{BAD}  invalid", "  APP.md")
    assert lines[2].split()[:3] == ["6", "error", "VALUE_NOT_ALLOWED"]
    assert lines[3].strip() == "Use one of the allowed values."
    assert lines[-1] == "1 package: 4 errors, 5 warnings"


def test_warnings_fail_only_when_asked() -> None:
    assert run("validate", WARNED).exit_code == 0
    assert run("validate", "--strict", WARNED).exit_code == 1


def test_validate_json_has_the_promised_shape() -> None:
    result = run("validate", "--json", BAD)
    document = json.loads(result.stdout)
    assert list(document) == ["ok", "path", "problems"]
    assert (document["ok"], document["path"]) == (False, BAD)
    assert document["problems"][0] == {
        "code": "VALUE_NOT_ALLOWED",
        "severity": "error",
        "message": "status must be 'draft', 'ready', 'needs-review', 'deprecated' or 'archived'.",
        "file": "APP.md",
        "line": 6,
        "keyPath": "status",
        "fix": "Use one of the allowed values.",
    }


def test_validate_json_of_several_packages_is_one_object_per_line() -> None:
    result = run("validate", "--json", GOOD, BAD)
    assert [json.loads(line)["ok"] for line in result.stdout.splitlines()] == [True, False]
    assert result.exit_code == 1


def test_validate_sarif_names_rules_levels_and_places() -> None:
    result = run("validate", "--sarif", BAD)
    log = json.loads(result.stdout)
    (single,) = log["runs"]
    rules = single["tool"]["driver"]["rules"]
    first = single["results"][0]
    assert log["version"] == "2.1.0"
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "VALUE_NOT_ALLOWED"
    assert {result["level"] for result in single["results"]} == {"error", "warning"}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": f"{BAD}/APP.md"},
                "region": {"startLine": 6},
            },
            "logicalLocations": [{"fullyQualifiedName": "status"}],
        }
    ]
    assert all({"id", "shortDescription", "help"} <= rule.keys() for rule in rules)


def test_usage_errors_exit_2() -> None:
    assert run("validate").exit_code == 2
    assert run("validate", "no-such-folder").exit_code == 2
    assert run("validate", "--json", "--sarif", GOOD).exit_code == 2


def test_a_file_that_is_no_archive_is_explained() -> None:
    result = run("validate", "--json", __file__)
    document = json.loads(result.stdout)
    assert (result.exit_code, len(document["problems"])) == (1, 1)


def test_show_prints_each_value_with_its_file_and_line_and_flags_conflicts() -> None:
    result = run("show", WARNED)
    rows = [line.split("  ") for line in result.stdout.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["entries[0].title", '"From YAML"', "app.entries.yaml:3"] in cells
    assert ["entries[0].route", '"/dashboard"', "APP.md:9"] in cells
    assert (
        'entries[0].title: app.entries.yaml:3 wins over app.manifest.json:3, which says "From JSON"'
        in result.stdout
    )


def test_show_json_carries_values_origins_and_conflicts() -> None:
    document = json.loads(run("show", "--json", WARNED).stdout)
    assert document["effective"]["entries"][0]["title"] == "From YAML"
    assert document["origins"]["entries[0].title"] == {"file": "app.entries.yaml", "line": 3}
    assert document["conflicts"][0] == {
        "keyPath": "entries[0].title",
        "kept": {"file": "app.manifest.json", "line": 3},
        "dropped": {"file": "APP.md", "line": 9},
        "droppedValue": "From APP.md",
    }
    assert document["effective"]["capabilityConfig"] == {"lime.ui": {"features": ["theme"]}}


def test_show_shows_an_invalid_package_too() -> None:
    result = run("show", BAD)
    assert result.exit_code == 1
    assert '"developer-tool"' in result.stdout


def test_show_json_lists_the_skills_that_the_package_brings() -> None:
    package = Path(__file__).parents[1] / "projection/packages/content-studio"
    result = run("show", str(package), "--json")
    skills = json.loads(result.output)["skills"]
    assert [(each["name"], each["activation"]) for each in skills] == [("copywriting", "on-demand")]


WORKFLOWS = str(PACKAGES / "workflow-definitions" / "app")


def test_a_workflow_is_drawn_with_its_ways_back_and_said_to_be_executable() -> None:
    """Ours: the picture of the state machine, at 80 columns."""
    result = run("show", WORKFLOWS, "--workflow", "whole")
    assert result.exit_code == 1  # another workflow of the package has errors
    assert result.stdout.splitlines()[3:] == [
        "  whole  (workflows/whole.yaml)",
        "    1  write   agent-task",
        "       └─▶ review",
        "    2  review  human-review",
        "       ├─▶ print  approve",
        "       ├─↑ write  modify (back)",
        "       └─▶ end  reject",
        "    3  print   tool-call",
        "       └─▶ end",
        "    4  end     end",
        "  It is executable as written.",
    ]


def test_a_table_of_kinds_is_said_to_be_described_with_what_is_missing() -> None:
    result = run("show", str(PACKAGES / "workflows" / "app"), "--workflow", "table")
    assert "  Described, not executable:\n" in result.stdout
    assert "workflows/table.workflow.md:5  `collect` needs `uses` with one tool.\n" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[2:])


def test_workflows_as_json_have_states_transitions_and_flaws() -> None:
    document = json.loads(run("show", WORKFLOWS, "--workflow", "--json").stdout)
    whole, flawed = document["workflows"]
    assert (whole["key"], whole["isExecutable"], whole["flaws"]) == ("whole", True, [])
    assert whole["states"][0] == {
        "key": "write",
        "kind": "agent-task",
        "title": None,
        "rank": 0,
        "lane": 0,
        "isReached": True,
    }
    assert {
        "from": "review",
        "to": "write",
        "kind": "modify",
        "when": None,
        "isBack": True,
        "isLost": False,
    } in whole["transitions"]
    assert flawed["isExecutable"] is False
    assert {
        "kind": "expression-invalid",
        "message": "`input`: '+' has no meaning here (column 29).",
        "state": "read",
        "preventsRunning": True,
        "file": "workflows/flawed.yaml",
        "line": 17,
    } in flawed["flaws"]


def test_a_workflow_that_is_not_there_is_a_usage_error_that_names_those_that_are() -> None:
    result = run("show", WORKFLOWS, "--workflow", "hole")
    assert result.exit_code == 2
    assert "Did you mean whole? There are: flawed, whole." in result.stderr


def test_a_package_without_a_workflow_says_so() -> None:
    result = run("show", PLAIN, "--workflow")
    assert (result.exit_code, "It has no workflow." in result.stdout) == (0, True)
