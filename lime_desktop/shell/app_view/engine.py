"""How the web engine is started: the scheme of apps and the flags that close what no page setting can.

Both must be in place before the first profile exists, so `prepare_engine` runs once, first.
"""

import os

from PySide6.QtNetwork import QNetworkProxy
from PySide6.QtWebEngineCore import (
    QWebEngineUrlScheme,
    qWebEngineChromiumSecurityPatchVersion,
    qWebEngineChromiumVersion,
)

from lime_desktop.host.web_content.origin import SCHEME

PROXY_HOST = "proxy.lime-desktop.invalid"
"""A name that only the engine knows. By its address it could not be told from this machine, which no page may reach:
for that the engine would leave the proxy out, and a preconnect hint was enough to open a connection."""
_NOBODY = 9
"""A port where nobody answers: until the proxy runs, there is no way out at all."""
_RULES = f"MAP {PROXY_HOST} 127.0.0.1 , MAP * ~NOTFOUND"
"""No name or address but the proxy's leads anywhere: preconnect and prefetch hints pass both CSP and the interceptor."""
_FLAGS = (
    # WebRTC ignores CSP; with a proxy that carries no UDP this leaves it no way out.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Hiding local addresses behind mDNS names would announce them on the local network.
    "--disable-features=WebRtcHideLocalIpsWithMdns",
)


def prepare_engine(reachable: str = "") -> None:
    """Register the apps' scheme and set the engine's flags, before anything of the engine is used.

    `reachable` opens one way more, as `MAP localhost:5173 127.0.0.1`: for a dev server, which the engine would never
    look for behind the proxy.
    """
    carry_network_through(_NOBODY)
    given = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    rules = f"{reachable} , {_RULES}" if reachable else _RULES
    wanted = (f'--host-resolver-rules="{rules}"', *_FLAGS)
    missing = [flag for flag in wanted if flag not in given]
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = " ".join([given, *missing]).strip()
    if QWebEngineUrlScheme.schemeByName(SCHEME.encode()).name() == SCHEME.encode():
        return
    scheme = QWebEngineUrlScheme(SCHEME.encode())
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    # Never ServiceWorkersAllowed: a worker of the app could answer its pages without our headers.
    scheme.setFlags(
        QWebEngineUrlScheme.Flag.SecureScheme
        | QWebEngineUrlScheme.Flag.CorsEnabled
        | QWebEngineUrlScheme.Flag.FetchApiAllowed
    )
    QWebEngineUrlScheme.registerScheme(scheme)


def carry_network_through(port: int) -> None:
    """Send everything that leaves the engine to the host's proxy, on this port of this machine."""
    QNetworkProxy.setApplicationProxy(
        QNetworkProxy(QNetworkProxy.ProxyType.HttpProxy, PROXY_HOST, port)
    )


def engine_versions() -> tuple[str, str]:
    """Chromium's version, and the newest version whose security fixes are in it."""
    versions = (qWebEngineChromiumVersion(), qWebEngineChromiumSecurityPatchVersion())
    engine, patch = (each if isinstance(each, str) else bytes(each).decode() for each in versions)
    return engine, patch
