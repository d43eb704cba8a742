"""Which model servers run on this machine? Their usual places are asked, all at once, and nobody else is.

Only loopback addresses of the presets are dialled, each with one short question and no key; who does not answer in time
is not there.
"""

import asyncio
from collections.abc import Iterable

from lime_desktop.app_server.providers.known_models import first_choices, is_chat
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.network.hosts import is_here
from lime_desktop.protocol.calls.model_providers import FoundServer, ProviderPreset

PROBE_S = 1.0


async def find_servers(
    taken: Iterable[str], presets: Iterable[ProviderPreset] = PRESETS, probe_s: float = PROBE_S
) -> tuple[FoundServer, ...]:
    """Those of the presets that answer now; `taken` are the addresses that are set up already."""
    near = [
        each for each in presets if not each.settings.needs_key and is_here(each.settings.base_url)
    ]
    addresses = frozenset(taken)
    found = await asyncio.gather(*(_look(each, addresses, probe_s) for each in near))
    return tuple(each for each in found if each is not None)


async def _look(
    preset: ProviderPreset, taken: frozenset[str], probe_s: float
) -> FoundServer | None:
    # Loaded when it is needed: it brings an HTTP client along.
    from lime_desktop.app_server.providers.probing import list_quietly  # noqa: PLC0415

    listed = await list_quietly(preset.settings, probe_s)
    if listed is None:
        return None
    names = first_choices(each.model_id for each in listed if is_chat(each))
    return FoundServer(
        preset_id=preset.preset_id,
        title=preset.settings.title,
        base_url=preset.settings.base_url,
        model_ids=names,
        is_set_up=preset.settings.base_url in taken,
    )
