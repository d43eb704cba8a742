from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.overlay.app_defaults import app_defaults
from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.overlay.resolve import resolve
from lime_desktop.overlay.surface import OverlaySurface, Template, surface_of

IDENTITY = {
    "name": "notes",
    "description": "Takes notes.",
    "version": "1.0.0",
    "status": "ready",
    "appType": "agent-app",
}
MANIFEST = Manifest.model_validate(
    {
        **IDENTITY,
        "policy": {"defaultModel": "small", "costLimit": {"monthly": "20 USD"}},
        "capabilityConfig": {"lime.agent": {"costLimit": {"monthly": 5, "perTask": 1}}},
        "entries": [
            {
                "key": "admin",
                "kind": "page",
                "title": "Admin",
                "route": "/",
                "enabledByDefault": False,
            },
            {"key": "home", "kind": "page", "title": "Home", "route": "/home"},
        ],
        "evals": [{"key": "tone", "threshold": 0.8}, {"key": "facts"}],
        "knowledgeTemplates": [{"key": "docs", "standard": "agentknowledge", "type": "t"}],
        "toolRefs": [{"key": "search", "provider": "host"}],
        "integrations": [{"key": "crm", "provider": "p", "role": "r"}],
        "workflows": [{"key": "flow"}],
        "overlayTemplates": [
            {"key": "mine", "scope": "user", "schema": "s.json", "required": True},
            {"key": "ours", "scope": "tenant", "description": "House rules."},
        ],
    }
)


def test_the_manifests_defaults_are_the_apps_layer() -> None:
    assert app_defaults(MANIFEST) == OverlayLayer(
        name="app",
        values={
            "budget.monthly": "20 USD",
            "budget.perTask": 1,
            "model.default": "small",
            "entries.admin.disabled": True,
            "evals.tone.threshold": 0.8,
        },
    )


def test_a_manifest_without_defaults_gives_an_empty_layer() -> None:
    assert app_defaults(Manifest.model_validate(IDENTITY)) == OverlayLayer(name="app")


def test_the_surface_is_what_the_manifest_names() -> None:
    assert surface_of(MANIFEST) == OverlaySurface(
        entries=frozenset({"admin", "home"}),
        knowledge=frozenset({"docs"}),
        tools=frozenset({"search", "crm"}),
        workflows=frozenset({"flow"}),
        evals=frozenset({"tone", "facts"}),
        templates=(
            Template(key="mine", scope="user", schema="s.json", required=True),
            Template(key="ours", scope="tenant", description="House rules."),
        ),
    )


def test_every_default_of_an_app_is_one_that_overlays_may_change() -> None:
    found = resolve((app_defaults(MANIFEST),), surface_of(MANIFEST))
    assert not found.refusals
    assert not found.orphans
