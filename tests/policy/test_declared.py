import pytest

from lime_desktop.policy.call import Target
from lime_desktop.policy.declared import DeclaredPermission


def test_a_name_that_can_not_be_read_covers_nothing() -> None:
    """An author's slip must not open more than was meant."""
    network = DeclaredPermission(key="k", scope="network", domains=("https://a.example/",))
    files = DeclaredPermission(key="k", scope="filesystem", paths=("../..",))
    assert not network.covers_target(Target("domain", "a.example"))
    assert not files.covers_target(Target("path", "a"))


def test_a_permission_for_places_says_nothing_of_tools() -> None:
    permission = DeclaredPermission(key="k", scope="network")
    assert not permission.covers_target(Target("tool", "fetch"))


@pytest.mark.parametrize(("scope", "may_write"), [("filesystem", False), ("storage", True)])
def test_files_that_were_not_said_to_be_changed_may_only_be_read(
    scope: str, *, may_write: bool
) -> None:
    permission = DeclaredPermission(key="k", scope=scope)  # pyright: ignore[reportArgumentType] - drawn from the table
    assert permission.covers_access("read")
    assert permission.covers_access("write") is may_write


def test_access_is_what_was_declared() -> None:
    both = DeclaredPermission(key="k", scope="filesystem", access="read-write")
    assert both.covers_access("write")
    assert not both.covers_access("execute")
