from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.overlay.surface import OverlaySurface, Template
from lime_desktop.overlay.template_diff import OverlayChange, diff_templates

OLD = OverlaySurface(
    entries=frozenset({"home"}),
    templates=(
        Template(key="gone", scope="user"),
        Template(key="same", scope="user"),
        Template(key="rules", scope="workspace", schema="a.json"),
        Template(key="wide", scope="user"),
    ),
)
NEW = OverlaySurface(
    templates=(
        Template(key="same", scope="user"),
        Template(key="rules", scope="tenant", schema="b.json", required=True),
        Template(key="wide", scope="workspace", description="New words."),
        Template(key="fresh", scope="user", required=True),
        Template(key="extra", scope="tenant"),
    ),
)


def test_every_change_between_two_versions_is_named() -> None:
    """Shown before an update: new, removed, changed, now in the administrator's hands."""
    assert diff_templates(OLD, NEW) == (
        OverlayChange("changed", "rules", "Changed: schema, now required."),
        OverlayChange("changed", "wide", "Changed: scope from user to workspace, description."),
        OverlayChange("new", "extra", "The tenant may fill it."),
        OverlayChange("new", "fresh", "The user must fill it."),
        OverlayChange(
            "now-locked", "rules", "The workspace filled it; from now on only the tenant does."
        ),
        OverlayChange("removed", "gone", "Values set for it are kept for review."),
    )


def test_a_requirement_that_is_dropped_is_named() -> None:
    before = OverlaySurface(templates=(Template(key="a", scope="user", required=True),))
    after = OverlaySurface(templates=(Template(key="a", scope="user"),))
    assert diff_templates(before, after) == (
        OverlayChange("changed", "a", "Changed: no longer required."),
    )


def test_values_that_the_new_version_no_longer_takes_are_named() -> None:
    layers = [
        OverlayLayer(
            name="workspace",
            values={"templates.rules.x": 1, "entries.home.disabled": True, "model.default": "m"},
        ),
        OverlayLayer(name="user", values={"templates.gone.x": 1}),
    ]
    touched = [
        (change.kind, change.layer, change.key)
        for change in diff_templates(OLD, NEW, layers)
        if change.layer
    ]
    assert touched == [
        ("invalid", "workspace", "templates.rules.x"),
        ("orphaned", "workspace", "entries.home.disabled"),
        ("orphaned", "user", "templates.gone.x"),
    ]


def test_two_equal_versions_differ_in_nothing() -> None:
    assert diff_templates(OLD, OLD) == ()
