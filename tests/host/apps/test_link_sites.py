"""A site is asked about once per app (ours)."""

from lime_desktop.host.apps.app_access import agreed_sites, is_agreed


def test_a_site_is_remembered_for_the_app_it_was_agreed_for() -> None:
    sites = agreed_sites((), "notes", "https://example.com/a?b")
    assert is_agreed(sites, "notes", "http://Example.com/other")
    assert not is_agreed(sites, "mail", "https://example.com/")
    assert not is_agreed(sites, "notes", "https://www.example.com/")


def test_a_link_that_reads_two_ways_is_never_remembered() -> None:
    sites = agreed_sites(("notes example.com",), "notes", "https://example.com@evil.test/")
    assert sites == ("notes example.com",)
    assert not is_agreed(sites, "notes", "https://example.com@evil.test/")


def test_agreeing_twice_changes_nothing() -> None:
    sites = agreed_sites((), "notes", "https://example.com/")
    assert agreed_sites(sites, "notes", "https://example.com/b") == sites
