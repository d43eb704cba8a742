"""Only references stand for secrets; the planted values here are made up."""

import pytest

from lime_desktop.overlay.layers import OverlayLayer
from lime_desktop.overlay.resolve import resolve
from lime_desktop.overlay.surface import OverlaySurface

SURFACE = OverlaySurface(tools=frozenset({"crm"}), workflows=frozenset({"w"}))
TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.requirement("APP-18")
@pytest.mark.parametrize(
    "values",
    [
        {"tools.crm.credential": "hunter2"},
        {"tools.crm.credential": TOKEN},
        {"content.brandTone": f"friendly {TOKEN}"},
        {"content.bannedWords": ["x", TOKEN]},
        {"industry": {"apiKey": "abc"}},
        {"industry": {"rule": {"client_secret": "abc"}}},
        {"industry": {"rule": [{"password": 12345678}]}},
        {"industry": {"rule": {TOKEN: 1}}},
        {f"industry.{TOKEN}": 1},
        {"workflows.w.defaults.header": "Bearer abc.def"},
        {"workflows.w.defaults.url": "https://me:hunter22@example.net/"},
        {"export.key": "q" + "Zx8" * 12},
        {"templates.gone.accessToken": "abc"},
        {"unknown.password": "hunter2"},
    ],
)
def test_a_credential_is_refused_and_never_repeated(values: dict[str, object]) -> None:
    found = resolve((OverlayLayer(name="user", values=values),), SURFACE)  # pyright: ignore[reportArgumentType] - literals
    assert [refusal.code for refusal in found.refusals] == ["SECRET_IN_OVERLAY"]
    assert not found.values
    assert not found.orphans
    assert TOKEN not in repr(found)
    assert "hunter2" not in repr(found)


@pytest.mark.parametrize(
    "values",
    [
        {"tools.crm.credential": "secret:crm_token"},
        {"industry": {"apiKey": "secret:api/key-1"}},
        {"workflows.w.defaults.maxTokens": 4096},
        {"workflows.w.defaults.tokenLimit": 10},
        {"workflows.w.defaults.keepSecret": True},
        {"model.default": "some-model-sonnet-20241022-with-a-rather-long-name"},
        {"industry.pack": "sha256:" + "0f" * 32},
        {"content.brandTone": "warm, plain, and never more than twenty-four words at a time"},
    ],
)
def test_references_and_ordinary_values_pass(values: dict[str, object]) -> None:
    found = resolve((OverlayLayer(name="user", values=values),), SURFACE)  # pyright: ignore[reportArgumentType] - literals
    assert not found.refusals
    assert len(found.values) == 1
