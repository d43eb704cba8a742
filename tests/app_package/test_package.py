from pathlib import Path

import pytest

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import AppPackage, load_package

APP_MD = """---
manifestVersion: "0.10.0"
name: demo
description: A demo
version: "1.0.0"
status: ready
appType: agent-app
entries:
- key: home
  kind: page
  title: Home
  route: /home
---
# Demo

Hello.
"""


def package_of(folder: Path, **files: str) -> AppPackage:
    folder = folder / "demo"
    for name, text in {"APP.md": APP_MD, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return load_package(open_folder(folder))


def codes(package: AppPackage) -> list[str]:
    return [problem.code for problem in package.problems]


def test_a_sound_package_has_no_problems_and_a_typed_manifest(tmp_path: Path) -> None:
    package = package_of(tmp_path)
    assert package.problems == ()
    assert package.is_valid
    assert package.manifest.entries[0].route == "/home"


def test_what_the_author_wrote_comes_back_unchanged(tmp_path: Path) -> None:
    package = package_of(tmp_path)
    dumped = package.manifest.model_dump(by_alias=True, exclude_unset=True, mode="json")
    assert dumped == package.effective


def test_a_file_that_breaks_off_is_told_and_nothing_is_made_up_about_its_end(
    tmp_path: Path,
) -> None:
    manifest = APP_MD.replace(
        "entries:\n- key: home\n  kind: page\n  title: Home\n  route: /home\n", ""
    )
    manifest = manifest.replace(
        "appType: agent-app", "appType: agent-app\nquickstart: {entry: home}"
    )
    whole = "entries: [{key: home, kind: page, title: Home, route: /home}]\n"
    files = {"APP.md": manifest, "app.entries.yaml": whole}
    assert codes(package_of(tmp_path / "whole", **files)) == []
    files["app.entries.yaml"] = "entries:\n  - key: [\n"
    assert codes(package_of(tmp_path / "broken", **files)) == ["SYNTAX_INVALID"]


@pytest.mark.requirement("APP-03")
def test_a_layered_file_wins_field_by_field_and_both_places_are_known(tmp_path: Path) -> None:
    """The specification: the separate file has precedence over the frontmatter."""
    package = package_of(
        tmp_path,
        **{"app.entries.yaml": "entries:\n  - key: home\n    title: Start\n  - key: x\n"},
    )
    assert package.manifest.entries[0].title == "Start"
    assert package.manifest.entries[0].route == "/home"
    assert package.origins["entries[0].title"] == ("app.entries.yaml", 3)
    assert package.origins["entries[0].route"] == ("APP.md", 12)
    assert [(c.key_path, c.dropped, c.dropped_value) for c in package.conflicts] == [
        ("entries[0].title", ("APP.md", 11), "Home")
    ]
    assert codes(package) == ["LAYERS_DISAGREE", "FIELD_MISSING", "FIELD_MISSING"]


def test_an_invalid_package_is_still_shown(tmp_path: Path) -> None:
    text = APP_MD.replace("status: ready", "status: shiny").replace("title: Home", "title: [1]")
    package = package_of(tmp_path, **{"APP.md": text})
    assert codes(package) == ["VALUE_NOT_ALLOWED", "FIELD_WRONG_TYPE"]
    assert not package.is_valid
    assert (package.manifest.name, package.manifest.status) == ("demo", "draft")
    assert package.manifest.entries == ()
    assert package.effective["status"] == "shiny"


@pytest.mark.requirement("APP-01")
def test_a_folder_that_is_no_package_says_only_that(tmp_path: Path) -> None:
    (tmp_path / "Some Folder").mkdir()
    package = load_package(open_folder(tmp_path / "Some Folder"))
    assert codes(package) == ["APP_MD_MISSING"]
    assert package.name == "some-folder"


def test_locales_are_read_into_the_typed_manifest(tmp_path: Path) -> None:
    """A bug: the field was looked for as `i18N`, so nothing of it was ever read or checked."""
    written = "i18n: {defaultLocale: en-US, supportedLocales: [en-US]}\n"
    package = package_of(tmp_path, **{"app.i18n.yaml": written})
    assert package.manifest.i18n is not None
    assert package.manifest.i18n.default_locale == "en-US"


def test_locales_of_the_wrong_type_are_a_problem(tmp_path: Path) -> None:
    package = package_of(tmp_path, **{"app.i18n.yaml": "i18n: 3\n"})
    assert codes(package) == ["FIELD_WRONG_TYPE"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("app.operations.yaml", "operations: [{key: a, type: b, sideEffect: {c: d}}]"),
        (
            "app.operations.yaml",
            "operations: [{key: a, type: b, sideEffect: external_write, integration: [c]}]",
        ),
        (
            "app.manifest.json",
            '{"services": [{"key": "a", "executionPlane": "cloud-remote", "protocol": ["b"]}]}',
        ),
        ("storage/schema.json", '{"tables": [{"name": "a"}], "indexes": [{"table": ["a"]}]}'),
    ],
)
def test_an_object_where_a_word_belongs_is_a_problem(tmp_path: Path, file: str, text: str) -> None:
    """A bug: the checks looked such a value up in a set, which no list or object can be."""
    assert not package_of(tmp_path, **{file: text}).is_valid


def test_a_state_that_leads_nowhere_is_named_and_leaves_the_app_valid(tmp_path: Path) -> None:
    """The specification's own example ends in a state that it does not list."""
    save = "{key: save, kind: storage-write, storageKey: a, value: 1, next: record}"
    text = f"states: [{save}]\nrecovery: {{maxRetries: 1}}\n"
    package = package_of(tmp_path, **{"workflows/a.yaml": text})
    (problem,) = package.problems
    assert problem.message == "'save' leads to 'record', which is no state here."
    assert package.is_valid
