"""`storage.retention` holds once a person agreed to it: what is older goes, with a fact of how much, and nothing else does (the standard)."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lime_desktop.database.connection import open_for_writing
from lime_desktop.host.app_center.records.records import now_ms
from lime_desktop.host.app_center.review.contents import data_boundaries
from lime_desktop.host.app_center.review.declared_retention import declared_terms
from lime_desktop.host.apps.retention import EVERY_S, DueRemoval, RetentionRounds
from lime_desktop.protocol.calls.app_data import RetentionTerms
from lime_desktop.protocol.capability_calls.evidence import LIST_EVIDENCE
from tests.app_server.for_apps import ask
from tests.conformance.packages import answer_of, app_md, write_package
from tests.host.app_center.opened import consent_to
from tests.host.bridged import Bridged, play

TERMS = "{values: 90d, tables: {visits: 30d}, artifacts: {report: 7d}}"
MANIFEST = """\
requires: {{capabilities: {{lime.storage: '>=0.3.0', lime.artifacts: '>=0.3.0'}}}}
artifactTypes: [{{key: report}}, {{key: letter}}]
permissions: [{{key: keep, scope: storage, access: read-write}}]
storage: {{namespace: notes, schema: ./storage/schema.json, retention: {terms}}}
"""
SCHEMA = {"namespace": "notes", "tables": [{"name": "visits"}, {"name": "people"}]}


def files(terms: str = TERMS, version: str = "1.0.0") -> dict[str, str]:
    manifest = app_md(MANIFEST.format(terms=terms)).replace("version: 1.0.0", f"version: {version}")
    return {"APP.md": manifest, "storage/schema.json": json.dumps(SCHEMA)}


def age(page: Bridged, days: int) -> None:
    """Have everything that is kept look as if nobody had touched it for so long."""
    then = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    stamp = then.replace("+00:00", "Z")
    [storage] = (page.folder / "data/apps").glob("*.db")
    with closing(open_for_writing(storage, trusts_schema=True)) as database:
        for table in ("lime_entry", "visits", "people"):
            database.execute(f"UPDATE {table} SET updated_at = ?", (stamp,))  # noqa: S608 - named above
    with closing(open_for_writing(page.folder / "data/artifacts.db")) as database:
        database.execute("UPDATE version SET created_at = ?", (stamp,))


async def fill(page: Bridged, mark: str) -> None:
    await page.value("lime.storage.set", key=mark, value="x")
    for table in ("visits", "people"):
        await page.value("lime.storage.tableInsert", table=table, row={"id": mark})
    for kind in ("report", "letter"):
        await page.value("lime.artifacts.create", kind=kind, title=mark, content={"body": mark})


async def left(page: Bridged) -> dict[str, list[str]]:
    rows = {
        table: [
            each["id"]
            for each in (await page.value("lime.storage.tableQuery", table=table))["rows"]
        ]
        for table in ("visits", "people")
    }
    listed = await page.value("lime.artifacts.list")
    documents = [(each["kind"], each["title"]) for each in listed]
    return {
        "values": [each["key"] for each in await page.value("lime.storage.list")],
        **rows,
        "reports": [title for kind, title in documents if kind == "report"],
        "letters": [title for kind, title in documents if kind == "letter"],
    }


async def go_round(page: Bridged, *, days_later: int = 0) -> list[DueRemoval]:
    """Go round as the window does at its start and daily, and give what it says will go."""
    assert page.center is not None
    told: list[DueRemoval] = []
    rounds = RetentionRounds(page.center, lambda: now_ms() + int(days_later * EVERY_S * 1_000))
    rounds.due.subscribe(told.append)
    await rounds.hold_all()
    return told


async def hold(page: Bridged) -> list[str]:
    """Go round today and tomorrow, and give the facts that are kept of it."""
    for days_later in range(2):
        await go_round(page, days_later=days_later)
    listed = await ask(page.connection.call, "notes", LIST_EVIDENCE, kind="retention")
    return [each.message for each in listed.root]


def test_what_is_older_than_agreed_goes_and_everything_else_stays(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await fill(page, "old")
        age(page, 31)
        await fill(page, "new")
        assert await hold(page) == ["Removed by age: 0 values, 1 rows, 1 documents."]
        assert await left(page) == {
            "values": ["new", "old"],
            "visits": ["new"],
            "people": ["new", "old"],
            "reports": ["new"],
            "letters": ["new", "old"],
        }

    async def later(page: Bridged) -> None:
        """After a restart it still holds."""
        age(page, 91)
        facts = await hold(page)
        assert "Removed by age: 2 values, 1 rows, 1 documents." in facts
        assert await left(page) == {
            "values": [],
            "visits": [],
            "people": ["new", "old"],
            "reports": [],
            "letters": ["new", "old"],
        }

    package = write_package(tmp_path, files())
    play(tmp_path / "data", package, scene, is_installed=True)
    play(tmp_path / "data", package, later, is_installed=True)


def test_before_anything_goes_for_the_first_time_it_is_said_and_can_be_stopped(
    tmp_path: Path,
) -> None:
    """A bug: what could not be brought back went at a start, and nobody had been told how much."""

    async def scene(page: Bridged) -> None:
        assert page.center is not None
        await fill(page, "old")
        assert await go_round(page) == []
        age(page, 31)
        await fill(page, "new")
        before = await left(page)
        assert await go_round(page) == [DueRemoval("notes", 2)]
        assert await left(page) == before
        # Another start on the same day says nothing again, and removes nothing.
        assert await go_round(page) == []
        assert await left(page) == before
        await page.center.permissions.agree_to_retention("notes", None)
        assert await hold(page) == []
        assert await left(page) == before
        # Who agrees anew is told anew.
        terms = declared_terms(page.app().package.manifest)
        await page.center.permissions.agree_to_retention("notes", terms)
        assert await go_round(page, days_later=1) == [DueRemoval("notes", 2)]
        assert await go_round(page, days_later=2) == []
        assert (await left(page))["visits"] == ["new"]
        # From then on it goes as it gets old.
        age(page, 31)
        assert await go_round(page, days_later=3) == []
        assert (await left(page))["visits"] == []

    play(tmp_path / "data", write_package(tmp_path, files()), scene, is_installed=True)


def test_nothing_goes_while_it_is_off_and_other_terms_of_an_update_are_not_agreed_to(
    tmp_path: Path,
) -> None:
    async def scene(page: Bridged) -> None:
        assert page.center is not None
        agreed = page.center.installed()[0].agreed_retention
        assert agreed == RetentionTerms(values=90, tables={"visits": 30}, artifacts={"report": 7})
        await fill(page, "old")
        age(page, 400)
        await page.center.permissions.agree_to_retention("notes", None)
        assert await hold(page) == []
        await page.center.permissions.agree_to_retention("notes", agreed)
        shorter = write_package(tmp_path / "next", files("{values: 1d}", "1.1.0"))
        review = await page.center.review(shorter)
        await page.center.install(review, consent_to(review, "keep"))
        assert page.center.installed()[0].agreed_retention is None
        assert await hold(page) == []
        assert (await left(page))["values"] == ["old"]

    play(tmp_path / "data", write_package(tmp_path, files()), scene, is_installed=True)


def test_a_clock_that_went_back_removes_nothing(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await fill(page, "old")
        age(page, 400)
        clock = page.folder / "data/retention-clock"
        ahead = datetime.now(UTC) + timedelta(days=2)
        clock.write_text(str(int(ahead.timestamp() * 1_000)))
        assert await hold(page) == []
        assert (await left(page))["visits"] == ["old"]
        clock.unlink()
        assert await hold(page) == ["Removed by age: 1 values, 1 rows, 1 documents."]

    play(tmp_path / "data", write_package(tmp_path, files()), scene, is_installed=True)


def test_the_review_says_what_would_go(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        said = [(each.key, each.values) for each in data_boundaries(page.app().package.manifest)]
        assert ("review.retention.table", {"name": "visits", "days": "30"}) in said
        assert ("review.retention.values", {"days": "90"}) in said
        assert ("review.retention.artifact", {"name": "report", "days": "7"}) in said
        assert said[-1] == ("review.retention.off", {})

    play(tmp_path / "data", write_package(tmp_path, files()), scene)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ("{values: 30}", "RETENTION_UNFIT"),
        ("{values: 0d}", "RETENTION_UNFIT"),
        ("{values: a month}", "RETENTION_UNFIT"),
        ("{values: 36h}", "RETENTION_UNFIT"),
        ("{values: 999999999999999999.999999999 weeks}", "RETENTION_UNFIT"),
        ("{tables: 30d}", "RETENTION_UNFIT"),
        ("{tables: {vists: 30d}}", "REFERENCE_UNKNOWN"),
        ("{artifacts: {report: 99999d}}", "RETENTION_UNFIT"),
        ("{mode: forever}", "RETENTION_IGNORED"),
    ],
)
def test_what_says_no_days_is_told_with_its_line(tmp_path: Path, terms: str, code: str) -> None:
    told = answer_of("validate", write_package(tmp_path, files(terms)))["problems"]
    [found] = [each for each in told if each["code"] == code]
    assert found["file"] == "APP.md"
    assert found["line"] == 11


def test_weeks_are_days_as_everywhere_a_time_is_written(tmp_path: Path) -> None:
    package = write_package(tmp_path, files("{values: 2 weeks, tables: {visits: 48h}}"))
    assert answer_of("validate", package)["problems"] == []

    async def scene(page: Bridged) -> None:
        said = [(each.key, each.values) for each in data_boundaries(page.app().package.manifest)]
        assert ("review.retention.values", {"days": "14"}) in said
        assert ("review.retention.table", {"name": "visits", "days": "2"}) in said

    play(tmp_path / "data", package, scene)
