"""Turns on models behind an HTTP interface: OpenAI-compatible, Anthropic, Google.

``engine`` is what the router sees. ``turn`` is the loop of one turn: ask the model (``model_requests``, ``rounds``), run the tools
it calls, ask again, until it is done. ``provider_models`` makes the client of a provider, ``failures`` reads its errors,
``conversation`` and ``output_form`` put our words into the library's and back. No object of the library leaves this package,
and nothing of it is loaded before the first turn.
"""
