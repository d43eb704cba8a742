"""capability/list names whatever can be called."""

from lime_desktop.app_server.server.capability_listing import RESOURCE_TITLES
from lime_desktop.protocol.methods import METHODS


def test_every_resource_of_the_protocol_has_a_title() -> None:
    """A bug: one new resource without a title made the list fail as a whole, and turns for a capability with it."""
    resources = {method.name.split("/")[0] for method in METHODS if "/" in method.name}
    assert resources == RESOURCE_TITLES.keys()
