"""Why a page never started, from what the host saw (ours)."""

from lime_desktop.host.view.diagnosis import Diagnosis, ViewTrouble, diagnose


def trouble(*lines: str, missing: tuple[str, ...] = ()) -> ViewTrouble:
    found = ViewTrouble()
    for line in lines:
        found.add_line(line, "/app.js", 3)
    for path in missing:
        found.add_missing(path)
    return found


def test_a_missing_file_comes_before_the_errors_it_causes() -> None:
    found = trouble("Failed to load module script: no", missing=("/gone.js",))
    assert diagnose(found) == Diagnosis("missing-file", "/gone.js")


def test_files_that_engines_look_for_themselves_are_no_cause() -> None:
    assert diagnose(trouble(missing=("/favicon.ico", "/app.js.map"))) == Diagnosis("nothing")


def test_a_refusal_by_the_policy_comes_before_the_error_it_causes() -> None:
    refusal = "Refused to load it: it violates the Content Security Policy"
    found = diagnose(trouble("Uncaught TypeError: x", refusal))
    assert (found.cause, refusal in found.subject) == ("policy-block", True)


def test_a_script_error_is_named_with_its_place() -> None:
    assert diagnose(trouble("a warning", "Uncaught Error: broken")) == Diagnosis(
        "script-error", "/app.js:3  Uncaught Error: broken"
    )


def test_only_the_latest_lines_are_kept() -> None:
    assert len(trouble(*(f"line {number}" for number in range(80))).lines) == 50
