"""Whole packages of every manifest version, held against the standard's published schemas."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, cast

import jsonschema_rs
import pytest

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import load_package
from lime_desktop.projection.document import to_document, to_json
from lime_desktop.projection.host_profile import CONTRACT_VERSIONS, THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from tests.app_package.trees import MemoryTree

PACKAGES = sorted((Path(__file__).parent / "packages").iterdir())
NAMES = [path.name for path in PACKAGES]
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def refuse(uri: str) -> NoReturn:
    raise LookupError(f"a test may not fetch {uri}")


@cache
def published(upstream_data: Path, name: str) -> jsonschema_rs.Draft202012Validator:
    text = (upstream_data / "agentapp" / "schemas" / f"{name}.schema.json").read_text("utf-8")
    schema = cast("dict[str, Any]", json.loads(text))
    return jsonschema_rs.Draft202012Validator(schema, retriever=refuse, validate_formats=True)


def projected(path: Path) -> Projection:
    return project(load_package(open_folder(path)), THIS_HOST)


def test_the_packages_cover_every_manifest_version() -> None:
    found = {projected(path).provenance.standard_version for path in PACKAGES}
    assert found == set(CONTRACT_VERSIONS)


@pytest.mark.parametrize("path", PACKAGES, ids=NAMES)
def test_projection_of_a_valid_package_has_the_published_shape(
    path: Path, upstream_data: Path
) -> None:
    document = to_document(projected(path))
    published(upstream_data, "app-projection").validate(document)
    assert document["ok"] is True


@pytest.mark.parametrize("path", PACKAGES, ids=NAMES)
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_readiness_of_a_valid_package_has_the_published_shape(
    path: Path, locale: str, upstream_data: Path
) -> None:
    readiness = assess(projected(path), ReadinessFacts(now=NOW, locale=locale))
    validator = published(upstream_data, "app-readiness")
    validator.validate(readiness.to_wire())
    for entry in readiness.entries:
        validator.validate(entry.to_wire())


@pytest.mark.parametrize(
    "app_md",
    [
        b"",
        b"no frontmatter at all",
        b"---\nname: [1, 2]\nentries: nonsense\nmanifestVersion: '9.0.0'\n---\n",
        b"---\nname: x\nentries: [{key: a, kind: page, title: A, route: 'https://x.example'}]\n---\nx\n",
    ],
)
def test_invalid_package_keeps_the_published_shapes(app_md: bytes, upstream_data: Path) -> None:
    """It is shown and explained: ok is false, the problems are beside what could be read."""
    projection = project(load_package(MemoryTree({"APP.md": app_md})), THIS_HOST)
    document = to_document(projection)
    published(upstream_data, "app-projection").validate(document)
    assert document["ok"] is False
    assert document["problems"]
    readiness = assess(projection, ReadinessFacts(now=NOW))
    published(upstream_data, "app-readiness").validate(readiness.to_wire())
    assert (readiness.ok, str(readiness.status)) == (False, "failed")


def test_package_without_any_file_is_still_projected(upstream_data: Path) -> None:
    projection = project(load_package(MemoryTree({})), THIS_HOST)
    published(upstream_data, "app-projection").validate(to_document(projection))


@pytest.mark.requirement("APP-11")
@pytest.mark.parametrize("path", PACKAGES, ids=NAMES)
def test_every_object_of_a_projection_carries_its_provenance(path: Path) -> None:
    """The standard: appName, appVersion, packageHash, manifestHash, standard, standardVersion."""
    document = to_document(projected(path))
    closed_by_the_schema = {"triggers", "skills", "provenance", "problems", "author"}
    for name, section in document.items():
        if name in closed_by_the_schema:
            continue
        for item in section if isinstance(section, list) else [section]:
            if isinstance(item, dict):
                assert item["provenance"] == document["provenance"], name


@pytest.mark.parametrize("path", PACKAGES, ids=NAMES)
def test_projecting_twice_gives_the_same_bytes(path: Path) -> None:
    assert to_json(projected(path)) == to_json(projected(path))


@pytest.mark.requirement("APP-09")
def test_self_declared_verification_is_not_passed_on() -> None:
    """The standard: publisher.verified is for the registry to say."""
    document = to_document(projected(PACKAGES[NAMES.index("content-studio")]))
    assert "verified" not in cast("dict[str, object]", document["publisher"])


def test_unreadable_file_leaves_the_hash_blank_instead_of_failing() -> None:
    class Unreadable(MemoryTree):
        def pieces(self, path: str) -> Iterator[bytes]:
            raise PermissionError(path)

    projection = project(load_package(Unreadable({"APP.md": b"x"})), THIS_HOST)
    assert projection.provenance.package_hash == ""
