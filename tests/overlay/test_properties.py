from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from lime_desktop.overlay.layers import LAYERS, OverlayLayer
from lime_desktop.overlay.resolve import resolve
from lime_desktop.overlay.surface import OverlaySurface, Template

SURFACE = OverlaySurface(
    entries=frozenset({"home"}),
    tools=frozenset({"crm"}),
    templates=(Template(key="mine", scope="user"),),
)
SECRET = "ghp_" + "k7Qz" * 9
KEYS: tuple[str, ...] = (
    "model.default",
    "budget.monthly",
    "network.deny",
    "entries.home.disabled",
    "entries.gone.disabled",
    "templates.mine.x",
    "tools.crm.credential",
    "industry.rule",
    "capabilities",
    "nonsense",
)
VALUES: st.SearchStrategy[JsonValue] = st.sampled_from(
    ("text", 5, True, ["a"], {"x": 1}, "secret:ref", SECRET, {"password": SECRET}, [SECRET])
)


@st.composite
def layer_lists(draw: st.DrawFn) -> list[OverlayLayer]:
    names = draw(st.lists(st.sampled_from(LAYERS), unique=True))
    return [
        OverlayLayer(
            name=name,
            values=draw(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4)),
            locks=frozenset(
                draw(st.sets(st.sampled_from(("model", "budget.monthly", "network", "x"))))
            ),
        )
        for name in names
    ]


@given(layer_lists(), st.randoms(use_true_random=False))
def test_order_of_layers_does_not_matter(layers: list[OverlayLayer], random: Random) -> None:
    shuffled = random.sample(layers, len(layers))
    assert resolve(shuffled, SURFACE) == resolve(layers, SURFACE)


@given(layer_lists(), VALUES)
def test_a_locked_value_always_wins(layers: list[OverlayLayer], other: JsonValue) -> None:
    """Whatever stronger layers say, a locked key keeps its value."""
    found = resolve(layers, SURFACE)
    for key, value in found.values.items():
        if value.locked_by is not None:
            weaker = [
                layer
                for layer in layers
                if LAYERS.index(layer.name) <= LAYERS.index(value.locked_by)
            ]
            loud = [
                OverlayLayer(name=name, values={key: other})
                for name in LAYERS[LAYERS.index(value.locked_by) + 1 :]
            ]
            again = resolve([*weaker, *loud], SURFACE).values[key]
            assert (again.value, again.source) == (value.value, value.source)


@given(layer_lists())
def test_resolving_what_was_resolved_changes_nothing(layers: list[OverlayLayer]) -> None:
    found = resolve(layers, SURFACE)
    again = resolve(found.as_layers(), SURFACE)
    assert {key: (each.value, each.source) for key, each in again.values.items()} == {
        key: (each.value, each.source) for key, each in found.values.items()
    }
    assert not again.refusals
    assert not again.orphans


@pytest.mark.requirement("APP-18")
@given(layer_lists())
def test_nothing_secret_is_in_any_output(layers: list[OverlayLayer]) -> None:
    assert SECRET not in repr(resolve(layers, SURFACE))


@given(layer_lists())
def test_every_written_key_is_used_or_listed(layers: list[OverlayLayer]) -> None:
    """Nothing is dropped in silence."""
    found = resolve(layers, SURFACE)
    listed = {
        *((value.source, key) for key, value in found.values.items()),
        *((each.source, key) for key, value in found.values.items() for each in value.overrides),
        *((each.source, key) for key, value in found.values.items() for each in value.held_back),
        *((name, each.key) for each in found.held_back for name in each.layers),
        *((each.layer, each.key) for each in found.orphans),
        *((each.layer, each.key) for each in found.refusals),
    }
    for layer in layers:
        mine = {key for name, key in listed if name == layer.name}
        for key in layer.values:
            # A mapping is listed by what it opens up to.
            assert any(each == key or each.startswith(f"{key}.") for each in mine)
