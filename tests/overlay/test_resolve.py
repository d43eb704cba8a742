"""The standard: workspace over user over tenant over app over host; locks and sources visible; no secrets."""

import pytest

from lime_desktop.overlay.layers import LayerName, Orphan, OverlayLayer, Refusal
from lime_desktop.overlay.resolve import HeldBack, Override, Resolved, ResolvedValue, resolve
from lime_desktop.overlay.surface import OverlaySurface, Template

SURFACE = OverlaySurface(
    entries=frozenset({"home", "admin.page"}),
    knowledge=frozenset({"docs"}),
    tools=frozenset({"crm"}),
    workflows=frozenset({"publish"}),
    evals=frozenset({"tone"}),
    templates=(
        Template(key="tenant_defaults", scope="tenant"),
        Template(key="mine", scope="user"),
        Template(key="team", scope="workspace"),
    ),
)


def layer(name: LayerName, *locks: str, **values: object) -> OverlayLayer:
    return OverlayLayer(
        name=name,
        values={key.replace("__", "."): value for key, value in values.items()},  # pyright: ignore[reportArgumentType] - literals below
        locks=frozenset(locks),
    )


def resolved(*layers: OverlayLayer) -> Resolved:
    return resolve(layers, SURFACE)


def test_the_strongest_layer_wins_and_the_others_are_remembered() -> None:
    found = resolved(
        layer("user", model__default="u"),
        layer("host", model__default="h"),
        layer("workspace", model__default="w"),
        layer("tenant", model__default="t"),
        layer("app", model__default="a"),
    )
    assert dict(found.values) == {
        "model.default": ResolvedValue(
            key="model.default",
            value="w",
            source="workspace",
            overrides=tuple(
                Override(source=name, value=name[0]) for name in ("host", "app", "tenant", "user")
            ),
        )
    }
    assert found.value("model.default") == "w"
    assert found.value("budget.monthly") is None


def test_the_wire_form_is_the_standards() -> None:
    found = resolved(layer("tenant", "model", model__default="t"))
    assert found.values["model.default"].model_dump(by_alias=True, exclude_defaults=True) == {
        "key": "model.default",
        "value": "t",
        "source": "tenant",
        "lockedByPolicy": True,
        "lockedBy": "tenant",
    }


def test_a_locked_key_keeps_its_value_against_stronger_layers() -> None:
    found = resolved(
        layer("tenant", "budget", budget__monthly=10),
        layer("user", budget__monthly=99),
        layer("workspace", budget__monthly=500),
    )
    value = found.values["budget.monthly"]
    assert (value.value, value.source, value.locked_by) == (10, "tenant", "tenant")
    assert value.held_back == (
        Override(source="user", value=99),
        Override(source="workspace", value=500),
    )


def test_the_weakest_lock_counts() -> None:
    found = resolved(
        layer("host", "model", model__default="h"), layer("tenant", "model", model__default="t")
    )
    assert found.values["model.default"].locked_by == "host"
    assert found.value("model.default") == "h"


def test_a_key_locked_with_no_value_stays_without_one() -> None:
    found = resolved(layer("tenant", "network.deny"), layer("user", network__deny=["a.example"]))
    assert not found.values
    assert found.held_back == (HeldBack("network.deny", "tenant", ("user",)),)


@pytest.mark.parametrize("name", ["app", "user", "workspace"])
def test_only_who_governs_may_lock(name: LayerName) -> None:
    found = resolved(layer(name, "model", model__default="x"), layer("tenant", model__default="t"))
    assert [refusal.code for refusal in found.refusals] == ["LOCK_NOT_ALLOWED"]
    assert not any(value.locked_by_policy for value in found.values.values())


def test_a_lock_that_could_never_hold_is_reported() -> None:
    found = resolved(layer("tenant", "modle.default"))
    assert [refusal.code for refusal in found.refusals] == ["LOCK_UNKNOWN"]


def test_nested_and_dotted_writing_mean_the_same() -> None:
    nested = OverlayLayer(
        name="user",
        values={
            "entries": {"admin.page": {"disabled": True}},
            "knowledge": {"docs": {"binding": "pack", "retrieval": {"topK": 5}}},
            "content": {"bannedWords": ["x"]},
            "industry": {"rule": {"deep": {"object": 1}}},
            "ui": {},
        },
    )
    dotted = OverlayLayer(
        name="user",
        values={
            "entries.admin.page.disabled": True,
            "knowledge.docs.binding": "pack",
            "knowledge.docs.retrieval.topK": 5,
            "content.bannedWords": ["x"],
            "industry.rule": {"deep": {"object": 1}},
        },
    )
    assert resolved(nested) == resolved(dotted)
    assert not resolved(nested).refusals
    assert len(resolved(nested).values) == 5


def test_lists_and_objects_are_replaced_whole() -> None:
    found = resolved(
        layer("app", content__bannedWords=["a"], industry__rule={"x": 1}),
        layer("user", content__bannedWords=["b"], industry__rule={"y": 2}),
    )
    assert found.value("content.bannedWords") == ["b"]
    assert found.value("industry.rule") == {"y": 2}


@pytest.mark.requirement("APP-47")
def test_values_for_what_the_app_no_longer_has_are_kept_for_review() -> None:
    found = resolved(layer("user", entries__gone__disabled=True, templates__old__x=1))
    assert not found.values
    assert found.orphans == (
        Orphan("entries.gone.disabled", "user", value=True, refers_to="gone"),
        Orphan("templates.old.x", "user", 1, "old"),
    )


@pytest.mark.parametrize(
    "key",
    ["capabilities", "permissions.api.granted", "packageHash", "signature.x", "provenance.hide"],
)
def test_what_is_not_for_overlays_is_refused_with_the_reason(key: str) -> None:
    """No undeclared capability, no other hash, no hidden provenance."""
    found = resolve((OverlayLayer(name="tenant", values={key: ["lime.terminal"]}),), SURFACE)
    assert not found.values
    assert [(refusal.code, refusal.key) for refusal in found.refusals] == [("FORBIDDEN_KEY", key)]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model.default", 5),
        ("model.default", ""),
        ("budget.monthly", -1),
        ("budget.monthly", "ten"),
        ("budget.monthly", True),
        ("budget.perTask", float("nan")),
        ("network.deny", "a.example"),
        ("network.offline", "yes"),
        ("entries.home.disabled", 1),
        ("evals.tone.threshold", "high"),
        ("content.bannedWords", [1]),
        ("industry.rule", None),
        ("knowledge.docs.retrieval.topK", [5]),
        ("model.default", {"name": "m"}),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(key: str, value: object) -> None:
    found = resolve((OverlayLayer(name="user", values={key: value}),), SURFACE)  # pyright: ignore[reportArgumentType] - wrong on purpose
    assert [refusal.code for refusal in found.refusals] == ["WRONG_VALUE"]
    assert not found.values


def test_unknown_keys_are_refused_and_not_passed_on() -> None:
    found = resolved(layer("user", model__fast="x", colour="red"))
    assert [refusal.code for refusal in found.refusals] == ["UNKNOWN_KEY", "UNKNOWN_KEY"]


def test_a_key_written_twice_in_one_layer_is_refused() -> None:
    values = {"model.default": "a", "model": {"default": "b"}}
    found = resolve((OverlayLayer(name="user", values=values),), SURFACE)  # pyright: ignore[reportArgumentType] - literals
    assert found.refusals == (
        Refusal("model.default", "user", "REPEATED_KEY", "The layer sets this key twice."),
    )
    assert not found.values


@pytest.mark.parametrize(
    ("template", "allowed"),
    [
        ("tenant_defaults", {"host", "app", "tenant"}),
        ("mine", {"host", "app", "tenant", "user"}),
        ("team", {"host", "app", "tenant", "workspace"}),
    ],
)
def test_a_template_is_filled_by_the_layers_its_scope_names(
    template: str, allowed: set[LayerName]
) -> None:
    names: tuple[LayerName, ...] = ("host", "app", "tenant", "user", "workspace")
    for name in names:
        found = resolve((OverlayLayer(name=name, values={f"templates.{template}.x": 1}),), SURFACE)
        assert bool(found.values) is (name in allowed)
        assert [refusal.code for refusal in found.refusals] == (
            [] if name in allowed else ["WRONG_LAYER"]
        )


def test_a_layer_given_twice_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="once"):
        resolved(layer("user"), layer("user"))


def test_a_value_nested_without_end_is_refused() -> None:
    deep: list[object] = []
    for _ in range(2_000):
        deep = [deep]
    objects: dict[str, object] = {}
    for _ in range(500):
        objects = {"a": objects}
    found = resolved(layer("user", industry__lists=deep, model=objects))
    assert {refusal.code for refusal in found.refusals} == {"WRONG_VALUE"}
    assert not found.values
