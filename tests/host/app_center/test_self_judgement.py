"""No line of a manifest makes an app look smaller in its review than it is."""

from typing import Any

import pytest

from lime_desktop.app_package.manifest import Permission
from lime_desktop.host.app_center.review.asking import is_broad


@pytest.mark.parametrize(
    ("permission", "reaches_far"),
    [
        ({"scope": "network", "domains": ["*"]}, True),
        ({"scope": "network"}, True),
        ({"scope": "network", "domains": ["*.com"]}, True),
        ({"scope": "network", "domains": ["api.example.com", "*.org"]}, True),
        ({"scope": "network", "domains": ["*.example.com", "localhost"]}, False),
        ({"scope": "filesystem", "paths": ["/home/**"]}, True),
        ({"scope": "filesystem", "paths": ["/etc"]}, True),
        ({"scope": "filesystem", "paths": ["~/**"]}, True),
        ({"scope": "filesystem", "paths": ["**/*.md"]}, True),
        ({"scope": "filesystem", "paths": ["~/Documents/notes/**"]}, False),
        ({"scope": "filesystem", "paths": ["notes"]}, False),
    ],
)
def test_a_permission_that_names_next_to_nothing_is_not_ticked_beforehand(
    permission: dict[str, Any],
    reaches_far: bool,  # noqa: FBT001 - a row of the table
) -> None:
    """A hole: `*.com` and `/home/**` counted as narrow, and were suggested."""
    asked = Permission.model_validate({"key": "x", **permission})
    assert is_broad(asked) is reaches_far
