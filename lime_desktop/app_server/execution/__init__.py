"""Engines behind one door. An engine proposes; RuntimeCore decides what becomes a fact.

`backend` is the door. `scripted` plays written scripts for tests and fixtures and is refused as a product
engine; `unavailable` stands where no engine is set up and fails every turn closed, with its reason.
`tooling` is what an engine knows of tools, and `tool_rounds` the one way in which it runs them.
"""
