"""Every connection to elsewhere is judged in one place (ours): who dials by themselves is named here, with the reason."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent / "lime_desktop"
DIALLERS = {
    "AsyncClient",
    "AsyncConnectionPool",
    "AsyncHTTPProxy",
    "AsyncHTTPTransport",
    "Client",
    "ConnectionPool",
    "HTTPConnection",
    "HTTPSConnection",
    "HTTPTransport",
    "create_connection",
    "getaddrinfo",
    "open_connection",
    "urlopen",
}
LIBRARIES = {
    "asyncio",
    "get_running_loop",
    "http",
    "httpcore",
    "httpx",
    "httpx2",
    "request",
    "socket",
    "urllib",
}
KNOWN = {
    "network/http.py": "judges",
    "network/async_http.py": "judges",
    "network/destinations.py": "judges",
    "host/proxy/server.py": "dials what `find_addresses` judged",
    "app_server/providers/network.py": "its client has the judged transport",
    "app_server/tools/mcp/conversation.py": "its client has the judged transport",
    "app_server/tools/proxied_http.py": "knows the host's proxy alone",
    "app_server/tools/commands/outlet.py": "knows the host's proxy alone",
    "app_server/execution/embedded/completions.py": "talks with a child of its own on this machine",
    "developer/served_pages.py": "a developer's own server; `dev_server` takes this machine alone",
    "developer/dev_server.py": "looks for a developer's server on this machine alone",
    "shell/developer/testing/outside.py": "our own engine on this machine",
    "host/startup/single_instance.py": "a local socket of this user, whose other end is checked",
    "host/startup/running_desktop.py": "goes on with the socket that `single_instance` opened and checked",
}


def dials(path: Path) -> bool:
    """Whether a module opens connections with one of the libraries for it; to name a client's class is not to make one."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(_calls_dialler(node) or _imports_dialler(node) for node in ast.walk(tree))


def _calls_dialler(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    owner = node.func.value
    owner = owner.func if isinstance(owner, ast.Call) else owner
    library = getattr(owner, "attr", getattr(owner, "id", ""))
    return node.func.attr in DIALLERS and library in LIBRARIES


def _imports_dialler(node: ast.AST) -> bool:
    if not (isinstance(node, ast.ImportFrom) and node.module):
        return False
    is_library = node.module.split(".")[0] in LIBRARIES
    return is_library and any(each.name in DIALLERS for each in node.names)


def test_only_known_modules_open_connections() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if dials(path)}
    assert found == set(KNOWN)


def test_clients_of_elsewhere_have_the_judged_transport() -> None:
    for name in ("app_server/providers/network.py", "app_server/tools/mcp/conversation.py"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert text.count("AsyncClient(\n        transport=JudgedAsyncTransport(") == 1
