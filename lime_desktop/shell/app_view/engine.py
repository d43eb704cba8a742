"""How the web engine is started: the scheme of apps and the flags that close what no page setting can.

Both must be in place before the first profile exists, so `prepare_engine` runs once, first.
"""

import os

from PySide6.QtWebEngineCore import (
    QWebEngineUrlScheme,
    qWebEngineChromiumSecurityPatchVersion,
    qWebEngineChromiumVersion,
)

from lime_desktop.host.app_origin import SCHEME

_FLAGS = (
    # No name is ever looked up by the engine: preconnect and prefetch hints pass both CSP and the interceptor.
    '--host-resolver-rules="MAP * ~NOTFOUND"',
    # WebRTC ignores CSP; without a proxy that carries UDP this leaves it no way out.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Hiding local addresses behind mDNS names would announce them on the local network.
    "--disable-features=WebRtcHideLocalIpsWithMdns",
)


def prepare_engine() -> None:
    """Register the apps' scheme and set the engine's flags, before anything of the engine is used."""
    given = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    missing = [flag for flag in _FLAGS if flag not in given]
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


def engine_versions() -> tuple[str, str]:
    """Chromium's version, and the newest version whose security fixes are in it."""
    versions = (qWebEngineChromiumVersion(), qWebEngineChromiumSecurityPatchVersion())
    engine, patch = (each if isinstance(each, str) else bytes(each).decode() for each in versions)
    return engine, patch
