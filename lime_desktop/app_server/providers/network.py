"""The way to a provider: its proxy, the certificates to trust, how long to wait. Knows no protocol."""

import ssl
from pathlib import Path

import httpx2

from lime_desktop.app_server.providers.bounded_answers import bound_answers
from lime_desktop.network.async_http import JudgedAsyncTransport
from lime_desktop.protocol.calls.model_providers import ProviderSettings
from lime_desktop.protocol.errors import ProviderNotReady


def open_http_client(settings: ProviderSettings) -> httpx2.AsyncClient:
    """A client as the settings want it. Redirects are not followed: a key goes to one address only. Blocks.

    Raises:
        ProviderNotReady: the file of certificates cannot be used.
    """
    network = settings.network
    client = httpx2.AsyncClient(
        transport=JudgedAsyncTransport(_trust(network.ca_file), network.proxy_url),
        follow_redirects=False,
        timeout=httpx2.Timeout(
            network.silence_timeout_s,
            connect=network.connect_timeout_s,
            pool=network.connect_timeout_s,
        ),
    )
    bound_answers(client)
    return client


def _trust(ca_file: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca_file is None:
        return context
    try:
        context.load_verify_locations(cafile=Path(ca_file).expanduser())
    except OSError as error:
        raise ProviderNotReady(
            "The file of certificates cannot be used.",
            details={
                "reasonCode": "ca_file_unusable",
                "setupAction": "Choose another CA file in the provider's settings",
            },
        ) from error
    return context
