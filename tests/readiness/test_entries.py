"""Each entry has its own answer, made of only what it needs."""

import pytest

from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.readiness.assess import assess
from tests.projection.stand_in import projection_of
from tests.readiness.scenes import codes_of, facts_of, readiness_of


def page(key: str, **fields: object) -> dict[str, object]:
    return {"key": key, "kind": "page", "title": key, "route": f"/{key}", **fields}


def statuses(fields: dict[str, object], **facts: object) -> dict[str, str]:
    readiness = readiness_of(fields, **facts)
    return {"app": str(readiness.status)} | {e.entry_key: str(e.status) for e in readiness.entries}


def test_entry_that_lists_its_permissions_needs_only_those() -> None:
    fields: dict[str, object] = {
        "permissions": [
            {"key": "net", "scope": "network", "required": True},
            {"key": "files", "scope": "filesystem"},
        ],
        "entries": [page("plain"), page("own", permissions=["files"])],
    }
    assert statuses(fields, granted_permissions={"files"})["own"] == "ready"


def test_taking_back_an_optional_permission_degrades_only_the_entries_that_use_it() -> None:
    """A bug: an entry that named one could not be opened without it, and the app did not say which part was off."""
    fields: dict[str, object] = {
        "permissions": [
            {"key": "net", "scope": "network", "required": True},
            {"key": "files", "scope": "filesystem"},
        ],
        "entries": [page("plain"), page("own", permissions=["files"])],
    }
    assert statuses(fields, granted_permissions={"net"}) == {
        "app": "ready-degraded",
        "plain": "ready",
        "own": "ready-degraded",
    }
    [warning] = readiness_of(fields, granted_permissions={"net"}).warnings
    assert warning == "Without the permission “use files”, a part of the app is off in: own."


def test_permission_that_names_its_entries_concerns_only_them() -> None:
    fields: dict[str, object] = {
        "permissions": [{"key": "net", "scope": "network", "required": True, "entries": ["b"]}],
        "entries": [page("a"), page("b")],
    }
    assert statuses(fields) == {"app": "needs-setup", "a": "ready", "b": "needs-setup"}


def test_app_is_degraded_while_some_entry_cannot_start_and_blocked_when_none_can() -> None:
    missing = page("b", requiredCapabilities=["lime.teleport"])
    some: dict[str, object] = {"entries": [page("a"), missing]}
    none: dict[str, object] = {"entries": [missing]}
    assert statuses(some) == {"app": "ready-degraded", "a": "ready", "b": "blocked"}
    assert statuses(none) == {"app": "blocked", "b": "blocked"}
    assert codes_of(readiness_of(some)) == ["ENTRY_UNAVAILABLE"]


def test_app_is_as_stuck_as_its_best_entry() -> None:
    fields: dict[str, object] = {
        "entries": [page("a", permissions=["x"]), page("b", requiredCapabilities=["lime.teleport"])]
    }
    assert statuses(fields) == {"app": "needs-setup", "a": "needs-setup", "b": "blocked"}


def test_what_the_app_already_says_is_not_repeated_for_each_entry() -> None:
    fields: dict[str, object] = {
        "permissions": [{"key": "net", "scope": "network", "required": True}],
        "entries": [page("a"), page("b")],
    }
    assert codes_of(readiness_of(fields)) == ["PERMISSION_REQUIRED"]


def test_knowledge_that_names_its_entries_concerns_only_them() -> None:
    template = {"key": "k", "standard": "agentknowledge", "type": "t", "required": True}
    fields: dict[str, object] = {
        "knowledgeTemplates": [{**template, "entries": ["b"]}],
        "entries": [page("a"), page("b")],
    }
    assert statuses(fields) == {"app": "needs-setup", "a": "ready", "b": "needs-setup"}


def test_settings_page_opens_while_the_rest_waits_for_setup() -> None:
    fields: dict[str, object] = {
        "secrets": [{"key": "api", "required": True}],
        "entries": [page("desk"), {"key": "setup", "kind": "settings", "title": "Setup"}],
    }
    assert statuses(fields) == {"app": "needs-setup", "desk": "needs-setup", "setup": "ready"}


def test_no_entry_outlives_its_app() -> None:
    fields: dict[str, object] = {
        "endOfLifeAt": "2020-01-01",
        "entries": [{"key": "setup", "kind": "settings", "title": "Setup"}],
    }
    assert statuses(fields) == {"app": "blocked", "setup": "blocked"}


def test_disabled_entry_is_blocked_without_degrading_the_app() -> None:
    fields: dict[str, object] = {"entries": [page("a"), page("b")]}
    assert statuses(fields, disabled_entries={"b"}) == {
        "app": "ready",
        "a": "ready",
        "b": "blocked",
    }
    assert statuses(fields, disabled_entries={"a", "b"})["app"] == "blocked"


@pytest.mark.parametrize(
    ("entry", "fields", "files", "missing"),
    [
        (page("e", requiredCapabilities=["lime.x"]), {}, (), ["lime.x"]),
        (page("e", permissions=["p"]), {}, (), ["p"]),
        (page("e", service="s"), {}, (), ["s"]),
        (page("e", service="s"), {"services": [{"key": "s", "kind": "worker"}]}, (), ["s"]),
        (
            page("e", service="s"),
            {"services": [{"key": "s", "kind": "worker", "protocol": "wasm"}]},
            (),
            ["s"],
        ),
        (page("e", artifactTypes=["deck"]), {}, (), ["deck"]),
        (page("e", artifactTypes=["deck"]), {"artifactTypes": [{"key": "deck"}]}, (), []),
        (page("e", visibility="workspace"), {}, (), ["workspace"]),
        (page("e", route="https://evil.example"), {}, (), ["e", "package"]),
        (
            {"key": "e", "kind": "expert-chat", "title": "E", "persona": "./agents/e.md"},
            {},
            (),
            ["./agents/e.md"],
        ),
        (
            {"key": "e", "kind": "expert-chat", "title": "E", "persona": "./agents/e.md"},
            {},
            ("agents/e.md",),
            [],
        ),
        (
            {"key": "e", "kind": "expert-chat", "title": "E", "persona": "A friendly helper"},
            {},
            (),
            [],
        ),
        ({"key": "e", "kind": "workflow", "title": "E", "workflow": "w"}, {}, (), ["w"]),
        (
            {"key": "e", "kind": "workflow", "title": "E", "workflow": "w"},
            {"workflows": [{"key": "w"}]},
            (),
            [],
        ),
        (
            {"key": "e", "kind": "workflow", "title": "E", "workflow": "w"},
            {"workflows": [{"key": "w", "path": "./workflows/w.md"}]},
            (),
            ["w"],
        ),
        ({"key": "e", "kind": "workflow", "title": "E", "workflow": "./w.md"}, {}, ("w.md",), []),
    ],
)
def test_entry_names_what_it_misses(
    entry: dict[str, object], fields: dict[str, object], files: tuple[str, ...], missing: list[str]
) -> None:
    answer = readiness_of({**fields, "entries": [entry]}, files).entry("e")
    assert answer is not None
    assert list(answer.missing) == missing
    assert answer.ok == (not missing)
    assert bool(answer.setup_actions) == bool(missing)


def test_kind_of_entry_implies_its_capability() -> None:
    fields: dict[str, object] = {
        "entries": [{"key": "e", "kind": "expert-chat", "title": "E", "persona": "Kind"}]
    }
    down = {"lime.agent": "no App Server"}
    assert statuses(fields, unavailable_capabilities=down)["e"] == "needs-setup"


def test_invalid_package_fails_before_every_other_question() -> None:
    problem = Problem(code="X", severity=Severity.ERROR, message="No name.")
    projection = projection_of({"status": "archived", "entries": [page("a")]}, problems=(problem,))
    readiness = assess(projection, facts_of())
    assert str(readiness.status) == "failed"
    assert readiness.blockers[0] == "The package is not valid: No name."
    assert str(readiness.entries[0].status) == "failed"
