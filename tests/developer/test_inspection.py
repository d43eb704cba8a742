"""What a developer sees of a bridge: joined rows, filters, archives, remedies; never a credential (ours)."""

import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.developer.inspection.exchanges import Exchange, Exchanges, matches
from lime_desktop.developer.inspection.export import to_har
from lime_desktop.developer.inspection.violations import (
    Remedy,
    Violation,
    read_kept_line,
    read_violation,
    remedy_for,
)
from lime_desktop.developer.redaction import redact
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from tests.host.requests.test_app_requests import Page

GITHUB_TOKEN = "ghp_" + "aB3" * 12
MANIFEST = """---
manifestVersion: 0.10.0
name: reaching
description: Reaches out.
version: 1.0.0
status: draft
appType: agent-app
permissions:
  - key: weather
    scope: network
    domains: [api.weather.example]
---
"""


class Looked:
    """Hello Lime's bridge with somebody looking at it."""

    def __init__(self) -> None:
        self.page = Page()
        bridge = self.page.bridge
        self.exchanges = Exchanges(bridge.session.timeline, bridge.decisions)

    @property
    def row(self) -> Exchange:
        return self.exchanges.rows[-1]


@pytest.fixture
def looked() -> Looked:
    return Looked()


def test_a_call_its_decision_and_its_answer_are_one_row(looked: Looked) -> None:
    refused = looked.page.invoke("lime.secrets", "getRef", key="crm")
    [row] = looked.exchanges.rows
    assert (row.name, row.direction) == ("lime.secrets.getRef", "from-app")
    assert (row.decision, row.outcome) == ("deny", refused["stableCode"])
    assert row.rule is not None
    assert row.rule.id == refused["details"]["rule"]
    assert row.duration_ms is not None
    assert row.trace_id == refused["traceId"]


def test_what_the_host_says_by_itself_is_a_row_of_its_own(looked: Looked) -> None:
    looked.page.say("app:ready", {}, None)
    looked.page.bridge.session.push_theme()
    assert [(row.type, row.direction) for row in looked.exchanges.rows] == [
        ("app:ready", "from-app"),
        ("theme:update", "to-app"),
    ]


def test_nobody_is_told_of_what_comes_after_the_looking(looked: Looked) -> None:
    looked.exchanges.close()
    looked.page.invoke("lime.ui", "getLocale")
    assert looked.exchanges.rows == ()


def test_credentials_are_stars_in_whatever_is_shown_or_exported(looked: Looked) -> None:
    looked.page.invoke(
        "lime.secrets", "getRef", key="note", value=f"use {GITHUB_TOKEN}", apiKey="plain-words"
    )
    shown = json.dumps([looked.row.message, looked.row.answer])
    assert GITHUB_TOKEN not in shown
    assert "plain-words" not in shown
    assert GITHUB_TOKEN not in to_har("hello-lime", looked.exchanges.rows)


def test_what_only_points_at_a_secret_or_counts_tokens_stays() -> None:
    told = {"token": "secret:crm", "maxTokens": 40, "note": "my password is long"}
    assert redact({**told}) == told


@pytest.mark.parametrize(
    ("wanted", "is_shown"),
    [
        ("", True),
        ("secrets", True),
        ("is:refused rule:capability", True),
        ("is:open", False),
        ("is:pushed", False),
        ("crm getRef", True),
        ("storage", False),
    ],
)
def test_a_filter_shows_rows_that_have_every_word(
    looked: Looked, wanted: str, *, is_shown: bool
) -> None:
    looked.page.invoke("lime.secrets", "getRef", key="crm")
    assert matches(looked.row, wanted) is is_shown


def test_an_archive_holds_one_entry_per_row_with_rule_and_trace(looked: Looked) -> None:
    looked.page.invoke("lime.secrets", "getRef", key="crm")
    archive: dict[str, Any] = json.loads(to_har("hello-lime", looked.exchanges.rows))
    [entry] = archive["log"]["entries"]
    assert entry["request"]["url"] == "lime-app://hello-lime/__bridge__/lime.secrets.getRef"
    assert json.loads(entry["request"]["postData"]["text"])["payload"]["input"] == {"key": "crm"}
    assert entry["response"]["statusText"] == looked.row.outcome
    assert entry["_bridge"]["traceId"] == looked.row.trace_id


def reaching(tmp_path: Path, *, granted: bool = False) -> RegisteredApp:
    (tmp_path / "APP.md").write_text(MANIFEST)
    registry = AppRegistry("en")
    [app] = registry.add([tmp_path])
    if granted:
        registry.grant(app.app_id, "weather")
    return app


@pytest.mark.parametrize(
    ("directive", "address", "expected"),
    [
        ("connect-src", "https://api.weather.example/now", ("grant", 11, "weather")),
        ("img-src", "https://pictures.example/a.png", ("add-domain", 11, "pictures.example")),
        ("connect-src", "http://api.weather.example/", ("use-https", None, "")),
        ("script-src", "https://cdn.example/lib.js", ("bundle-it", None, "")),
        ("script-src", "", ("never", None, "")),
    ],
)
def test_a_violation_names_the_manifest_line_that_would_allow_it(
    tmp_path: Path, directive: str, address: str, expected: tuple[str, int | None, str]
) -> None:
    quoted = f"'{address}'" if address else "inline script"
    said = f"Refused to load {quoted} because it violates the following Content Security Policy directive: \"{directive} 'self'\"."
    violation = read_violation(said, "app.js", 3)
    assert violation is not None
    remedy = remedy_for(violation, reaching(tmp_path))
    line = remedy.place.line if remedy.place else None
    assert (remedy.kind, line, remedy.subject) == expected


def test_without_a_network_permission_the_remedy_is_the_lines_to_write(tmp_path: Path) -> None:
    (tmp_path / "APP.md").write_text(MANIFEST.split("permissions:", maxsplit=1)[0] + "---\n")
    [app] = AppRegistry("en").add([tmp_path])
    violation = read_violation(
        "Connecting to 'wss://live.example/x' violates the following Content Security Policy"
        " directive: \"connect-src 'self'\".",
        "",
        0,
    )
    assert violation is not None
    remedy: Remedy = remedy_for(violation, app)
    assert remedy.kind == "declare"
    assert "domains: [live.example]" in remedy.subject


def test_what_was_refused_before_anybody_looked_is_read_as_well() -> None:
    said = "Refused to connect to 'https://a.example/' because it violates the following Content Security Policy directive: \"connect-src 'self'\"."
    kept = read_kept_line(f"lime-app://reaching/app.js:14  {said}")
    assert kept == Violation("connect-src", "https://a.example/", "lime-app://reaching/app.js", 14)


def test_other_lines_of_the_console_are_no_violations() -> None:
    assert read_violation("Uncaught TypeError: x is not a function", "app.js", 3) is None
