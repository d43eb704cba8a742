"""Skills that an app refers to: found by id and range among those installed here, and switched on by a person (the standard)."""

from pathlib import Path

import pytest

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_server.skills.installed import InstalledSkills
from lime_desktop.app_server.skills.library import AppSkill, SkillLibrary
from lime_desktop.app_server.skills.switches import SkillSwitches
from lime_desktop.protocol.errors import InvalidInput
from tests.app_server.apps.packages import write_app


def library(folder: Path) -> SkillLibrary:
    return SkillLibrary(InstalledSkills(folder / "own"), SkillSwitches(folder / "switches"))


def skill_folder(folder: Path, head: str) -> Path:
    folder.mkdir(parents=True)
    text = f"---\n{head}\ndescription: Find words.\n---\n# SEO\n\nHow it is done.\n"
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    return folder


def referring(folder: Path, reference: str) -> AppPackage:
    package = load_package(
        open_package(write_app(folder, more=f"skills: {{references: [{reference}]}}"))
    )
    assert package.is_valid, package.problems
    return package


def only(skills: tuple[AppSkill, ...]) -> AppSkill:
    [skill] = skills
    return skill


@pytest.mark.parametrize(
    ("head", "demand", "absence"),
    [
        ("name: seo\nid: maker/pack/seo\nversion: 1.4.0", "^1.2.0", None),
        ("name: seo\nid: maker/pack/seo\nmetadata: {version: 1.4.0}", "^1.2.0", None),
        ("name: seo\nid: maker/pack/seo\nversion: 2.0.0", "^1.2.0", "version_unfit"),
        ("name: seo\nid: maker/pack/seo\nversion: new", "^1.2.0", "version_unfit"),
        ("name: seo\nid: maker/pack/seo", "^1.2.0", "version_unfit"),
        ("name: seo\nid: maker/pack/seo", "*", None),
        ("name: seo\nid: another/pack/seo\nversion: 1.4.0", "^1.2.0", "not_installed"),
    ],
)
def test_a_reference_is_found_by_id_and_range(
    tmp_path: Path, head: str, demand: str, absence: str | None
) -> None:
    skills = library(tmp_path)
    skills.installed.install(skill_folder(tmp_path / "given/seo", head))
    package = referring(tmp_path, f"{{id: maker/pack/seo, version: '{demand}', activation: auto}}")
    found = only(skills.skills_of(package))
    assert (found.absence, found.is_enabled) == (absence, absence is None)
    assert (found.read() is not None) == (absence is None)


def test_a_newer_version_takes_the_place_of_the_one_that_is_there(tmp_path: Path) -> None:
    skills = library(tmp_path)
    for version in ("1.0.0", "2.0.0"):
        head = f"name: seo\nversion: {version}"
        skills.installed.install(skill_folder(tmp_path / version / "seo", head))
    assert [each.version for each in skills.installed.all()] == ["2.0.0"]


def test_what_is_no_skill_or_leads_elsewhere_is_not_installed(tmp_path: Path) -> None:
    """Ours: nothing is read from outside the folder that a person chose."""
    skills = library(tmp_path)
    (tmp_path / "empty").mkdir()
    linked = skill_folder(tmp_path / "linked", "name: linked")
    (linked / "more.md").symlink_to(tmp_path / "secret.txt")
    for folder in (tmp_path / "empty", linked, tmp_path / "nowhere"):
        with pytest.raises(InvalidInput):
            skills.installed.install(folder)
    assert skills.installed.all() == ()


def test_a_manual_skill_is_on_once_it_was_switched_on_and_stays_so(tmp_path: Path) -> None:
    files = {"skills/seo/SKILL.md": "---\nname: seo\ndescription: Words.\n---\nText.\n"}
    more = "skills: {bundled: [{path: skills/seo, activation: manual}]}"
    package = load_package(open_package(write_app(tmp_path, more=more, files=files)))
    skills = library(tmp_path)
    assert not only(skills.skills_of(package)).is_enabled
    skills.switches.turn("notes", "seo", is_on=True)
    assert only(library(tmp_path).skills_of(package)).is_enabled
    skills.switches.turn("notes", "seo", is_on=False)
    assert not only(library(tmp_path).skills_of(package)).is_enabled
