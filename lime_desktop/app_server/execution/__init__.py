"""Engines behind one port. An engine proposes; RuntimeCore decides what becomes a fact.

The port is RuntimeCore's own, in `runtime_core.backend`. `router` gives each turn to an engine of `engine_table`; `scripted`
plays written scripts for tests and fixtures and is refused as a product engine; `unavailable` stands where no engine is set
up and fails every turn closed, with its reason. `tool_rounds` is the one way in which an engine runs tools.
"""
