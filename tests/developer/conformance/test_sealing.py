"""A signed report shows that it was changed, and where (ours)."""

import re
from pathlib import Path
from typing import cast

import pytest
from pydantic import JsonValue

from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.trust.signing_key import SigningKey
from lime_desktop.developer.conformance.html_page import html_page
from lime_desktop.developer.conformance.report import Verdict
from lime_desktop.developer.conformance.sealing import check_seal, own_key, seal
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.resources import resources_folder
from tests.developer.conformance.conftest import Examine


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    made = own_key(tmp_path / "data")
    assert not isinstance(made, Problem)
    return made


@pytest.fixture
def document(examined: Examine, key: SigningKey) -> JsonObject:
    return seal(examined(), key).to_wire()


def judgements(document: JsonObject) -> list[JsonObject]:
    return cast("list[JsonObject]", document["judgements"])


def test_an_untouched_report_is_whole_and_names_its_key(
    document: JsonObject, key: SigningKey
) -> None:
    check = check_seal(document)
    assert (check.is_whole, check.key) == (True, key.public_key.text)


def test_a_changed_verdict_is_named(document: JsonObject) -> None:
    [row] = [each for each in judgements(document) if each["id"] == "APP-57"]
    row["verdict"] = "fails"
    check = check_seal(document)
    assert (check.is_whole, check.changed, check.problem) == (False, ("APP-57",), "")


def test_a_field_nobody_knows_is_a_change_too(document: JsonObject) -> None:
    judgements(document)[0]["remark"] = "not from us"
    assert check_seal(document).changed == ("PKG-01",)


def test_what_was_taken_out_put_in_or_said_of_another_app_is_named(document: JsonObject) -> None:
    rows = judgements(document)
    taken = rows.pop(4)
    rows.append({**rows[0]})
    cast("JsonObject", document["app"])["name"] = "another"
    check = check_seal(document)
    assert (check.changed, check.missing, check.added) == (
        ("report",),
        (taken["id"],),
        ("PKG-01'",),
    )


@pytest.mark.parametrize("broken", [None, {}, {"key": "ed25519:AAAA"}])
def test_a_report_without_a_seal_is_not_signed(document: JsonObject, broken: JsonValue) -> None:
    document["seal"] = broken
    assert check_seal(document).problem == "The report is not signed."


def test_new_digests_under_an_old_signature_are_found(document: JsonObject) -> None:
    sealed = cast("JsonObject", document["seal"])
    cast("JsonObject", sealed["digests"])["APP-57"] = "sha256:0"
    assert check_seal(document).problem == "The signature does not belong to this report."


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path, key: SigningKey) -> None:
    file = tmp_path / "data" / "conformance-key.pem"
    assert file.stat().st_mode & 0o077 == 0
    again = own_key(tmp_path / "data")
    assert not isinstance(again, Problem)
    assert again.public_key == key.public_key


def test_the_page_shows_every_demand_and_runs_nothing(
    package: Path, examined: Examine, key: SigningKey
) -> None:
    app_md = package / "APP.md"
    title = "displayName: '<script>alert(1)</script>'\n"
    app_md.write_text(app_md.read_text("utf-8").replace("---\n", f"---\n{title}", 1), "utf-8")
    report = seal(examined(), key)
    page = html_page(report, resources_folder())
    assert "<script" not in page
    assert all(f'id="{each.id}"' in page for each in report.judgements)
    assert key.public_key.text in page


def test_the_page_shows_what_fails_first_and_can_show_nothing_else(
    package: Path, examined: Examine
) -> None:
    (package / "APP.md").unlink()
    report = examined()
    page = html_page(report, resources_folder())
    verdicts = re.findall(r'<article class="([\w-]+)"', page.partition("<h2>This host")[0])
    assert verdicts.index("fails") < verdicts.index("holds")
    assert re.search(r'id="show-fails" checked', page)
    styles = (resources_folder() / "conformance/report.css").read_text("utf-8")
    assert all(f"#show-{each}:checked" in styles for each in Verdict)
