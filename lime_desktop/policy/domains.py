"""Match a host against a domain pattern.

Patterns, in full:

- ``example.com``: this host, and no other (neither ``www.example.com`` nor ``evil-example.com``);
- ``*.example.com``: every host below it, at any depth, but not ``example.com`` itself;
- ``*``: every host. As a permission it leaves out hosts of the own machine or network, which must be named one by one.

Upper and lower case, one trailing dot, ports, and Unicode or punycode spelling make no difference. A pattern has no scheme, port or path.
"""

from functools import lru_cache

from lime_desktop.network.hosts import is_local, parse_host


@lru_cache(maxsize=1024)
def parse_domain_pattern(text: str) -> str | None:
    """Give a pattern in its plain form, or None where it can't be read."""
    if text == "*":
        return text
    below, name = ("*.", text[2:]) if text.startswith("*.") else ("", text)
    if set(name) & set(":/*?#["):
        return None
    host = parse_host(name)
    return None if host is None else below + host


def domain_matches(pattern: str, host: str, *, star_is_public: bool) -> bool:
    """Match a host with a pattern, both in plain form; a public star leaves out hosts of the own network."""
    if pattern == "*":
        return not (star_is_public and is_local(host))
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return host == pattern
